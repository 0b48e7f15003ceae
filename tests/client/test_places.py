"""Titles in the client's picker, projects that moved, sessions that are open."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.sample.data.client_versions import is_since
from bough.timetravel import operations as travel
from bough.timetravel.errors import SessionMaybeOpen, SessionOpen
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, lab, rested, shows_titles, told

pytestmark = pytest.mark.client

TURNS = ("turn1 hello", "turn2 USE_BASH", "turn3 bye")
REGISTERS_SINCE = "2.1.110"
"""2.1.75 keeps a note too, but names another session in it than the one it resumed."""


@pytest.fixture(scope="module")
def conversation(client: Client) -> Path:
    return client.talk(*TURNS)


def made_by_hand(client: Client, file: Path) -> Path:
    """Let a session look as if it was not made in print mode: pickers hide those."""
    copy = client.copy(file)
    data = copy.read_bytes().replace(b'"entrypoint":"sdk-cli"', b'"entrypoint":"cli"')
    copy.write_bytes(data)
    rested(copy)
    return copy


def wait_for(done: Callable[[], bool], seconds: float = 15) -> None:
    """Wait until a client has done something."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.1)


def picker(client: Client) -> str:
    with lab().Tui(client.lab, "--resume") as tui:
        tui.wait(r"(?i)resume", 30)
        tui.wait(r"turn1|turn3|Renamed", 15)
        return str(tui.screen())


@pytest.mark.parametrize("sidecar", [False, True], ids=["plain", "with the client's own copy"])
def test_a_new_title_is_shown_in_the_picker(
    client: Client, conversation: Path, sidecar: bool, verdict: Verdict
) -> None:
    if not shows_titles(client.version):
        verdict("rename, shown in the picker", "knows no titles")
        return
    file = made_by_hand(client, conversation)
    title = f"Renamed {file.stem[:4]}"
    if sidecar:
        folder = file.with_suffix("")
        folder.mkdir()
        (folder / "custom-title.json").write_text('{"customTitle":"Old name"}')
        rested(file)

    time_before = file.stat().st_mtime

    travel.apply(travel.rename(file, title, environment=client.desk), client.desk)

    assert title in picker(client)
    assert file.stat().st_mtime == time_before
    verdict("rename, shown in the picker", "yes")


def test_sessions_follow_a_project_that_moved(
    client: Client, conversation: Path, tmp_path: Path, verdict: Verdict
) -> None:
    project = tmp_path / "moved here"
    project.mkdir()
    folder = conversation.parent.parent / "-elsewhere"
    folder.mkdir()
    file = client.copy(conversation)
    file = file.rename(folder / file.name)
    before = file.read_bytes()

    plan = travel.move(folder, project)
    travel.apply(plan, client.desk)

    everything = told(read_session(conversation))
    assert client.resume(file.stem, cwd=project) == [*everything, ("text", "user", NEXT)]
    moved = Path(plan.path or "", file.name)
    assert moved.read_bytes().startswith(before)
    verdict("move, resumed in the new place", "yes")


def test_a_fork_for_another_folder_is_resumed_there(
    client: Client, conversation: Path, tmp_path: Path, verdict: Verdict
) -> None:
    plan = travel.fork(conversation, TURNS[1], cwd=tmp_path, environment=client.desk)
    travel.apply(plan, client.desk)

    planned = told(read_session(plan.path or ""))
    assert client.resume(plan.result or "", cwd=tmp_path) == [*planned, ("text", "user", NEXT)]
    verdict("fork for another folder", "exact")


def test_an_open_session_is_left_alone(
    client: Client, conversation: Path, verdict: Verdict
) -> None:
    file = client.copy(conversation)
    with lab().Tui(client.lab, "--resume", file.stem) as tui:
        assert tui.wait("turn3", 30)
        if is_since(client.version, REGISTERS_SINCE):
            # It says so in a file, some time after its screen is there.
            registry = Path(client.lab.cfg) / "sessions"
            wait_for(lambda: any(file.stem in one.read_text() for one in registry.glob("*.json")))
            with pytest.raises(SessionOpen, match="A client has this session open"):
                travel.goto(file, TURNS[0], force=True, environment=client.desk)
            verdict("goto while it is open", "refused by process")
        else:
            os.utime(file)
            with pytest.raises(SessionMaybeOpen, match="may have it open"):
                travel.goto(file, TURNS[0], environment=client.desk)
            verdict("goto while it is open", "refused by time")
        assert travel.fork(file, TURNS[0], environment=client.desk).operation == "fork"
