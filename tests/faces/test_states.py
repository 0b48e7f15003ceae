"""A session stands alike through every face: what Live shows is what status and lists say."""

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

import bough
from bough.hook_program import keep_event
from bough.query.index.handle import open_index
from bough.query.live.session_states import find_session_states
from bough.sample import SampleSession, session
from bough.sample.builder.agents import AgentSteps
from bough.terminal.state_cells import render_listed_state, render_short_state
from bough.terminal.style import UNICODE
from tests.faces.conftest import Faces
from tests.faces.test_forks import Forked
from tests.web.serving import Served

pytestmark = pytest.mark.slow

VERSION = "2.1.110"


def begun(seed: str) -> SampleSession:
    start = datetime.now(UTC) - timedelta(minutes=5)
    return session(seed, start=start, version=VERSION).user(f"Begin {seed}")


def _background() -> SampleSession:
    builder = begun("background")
    builder.agent("Explore", "look", background=True, spoken=True, work=_look)
    return builder.assistant("It looks.")


def _in_the_cloud() -> SampleSession:
    start = datetime.now(UTC) - timedelta(minutes=5)
    builder = session("cloud", start=start, version=VERSION, entrypoint="remote_mobile")
    return builder.user("Begin interrupted").interrupt()


def _look(agent: AgentSteps) -> object:
    return agent.tool("Bash", {"command": "sleep 600"}, None)


SESSIONS = {
    "background": _background(),
    "waiting": begun("waiting").tool(
        "AskUserQuestion", {"questions": [{"question": "Which?"}]}, None
    ),
    "finished": begun("finished").assistant("Done.", sessionKind="bg"),
    "interrupted": _in_the_cloud(),
}
SHELL = begun("shell").assistant("It serves.")
"""One whose client says that a shell of it works on."""


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Forked]:
    folder = tmp_path_factory.mktemp("standing")
    claude = folder / "claude"
    notes = claude / "sessions"
    notes.mkdir(parents=True)
    now = datetime.now(UTC).timestamp() * 1_000
    # Any process that lives will do; a name is all that tells the notes apart.
    for number, builder in enumerate((*SESSIONS.values(), SHELL)):
        builder.write(claude)
        note = {"pid": os.getpid(), "sessionId": builder.session_id, "version": VERSION}
        if builder is SHELL:
            note |= {"status": "shell", "statusUpdatedAt": now, "updatedAt": now}
        (notes / f"{number + 1}.json").write_bytes(msgspec.json.encode(note))
    open_index([claude], folder / "index.sqlite").close()
    with Served(claude, folder) as served:
        yield Forked(claude, folder, served)


def expected() -> dict[str, tuple[str, bool]]:
    sure = {"background": False}
    found = {
        builder.session_id: (state, sure.get(state, True)) for state, builder in SESSIONS.items()
    }
    return found | {SHELL.session_id: ("background", True)}


def test_library_status_and_the_web_say_the_same_states(standing: Faces) -> None:
    ids = {row["id"]: row["resume"].split()[-1] for row in standing.web}
    live = standing.served.get("/api/live")["sessions"]
    listed = standing.served.get("/api/sessions?limit=50")["rows"]

    assert {
        row.id: (row.state.value, row.sure) for row in bough.status(standing.claude)
    } == expected()
    assert {row["id"]: (row["state"], row["sure"]) for row in standing.ask("status")} == expected()
    assert {ids[row["id"]]: (row["state"], row["sure"]) for row in live} == expected()
    assert {ids[row["id"]]: (row["state"], row["sure"]) for row in listed} == expected()


def test_the_terminal_and_the_terminal_app_say_it_in_words(standing: Forked) -> None:
    table = {line.split()[0]: line for line in standing.say("status").splitlines()}
    rows = {row.id: row for row in bough.status(standing.claude)}

    agent, shell = SESSIONS["background"].session_id, SHELL.session_id
    assert "probably working in the background" in table[agent[:8]]
    assert " working in the background" in table[shell[:8]]
    assert "probably" not in table[shell[:8]]
    for name, words in ((agent, "○ background?"), (shell, "○ background")):
        row = rows[name]
        assert render_short_state(row.state, UNICODE, sure=row.sure)[1] == words
    assert "2 working in the background" in standing.say("status", "--line")


def test_a_list_says_of_what_is_not_sure_that_it_is_not(standing: Forked) -> None:
    listed = find_session_states(standing.library, [standing.claude])
    words = {row.id: render_listed_state(listed[row.path], UNICODE) for row in standing.library}
    live = {row.id: row for row in bough.status(standing.claude)}

    assert {name: cell.text for name, cell in words.items()} == {
        name: render_short_state(row.state, UNICODE, sure=row.sure)[1] for name, row in live.items()
    }
    assert words[SESSIONS["background"].session_id].text == "○ background?"


def test_what_works_in_the_background_is_listed_as_live_on_the_web(standing: Faces) -> None:
    found = standing.served.get("/api/sessions?limit=50&state=background")["rows"]

    assert {row["resume"].split()[-1] for row in found} == {
        SESSIONS["background"].session_id,
        SHELL.session_id,
    }
    assert standing.served.get("/api/live")["working"] == 2


def test_a_session_in_the_background_and_one_in_the_cloud_are_told_from_typed_ones(
    standing: Forked,
) -> None:
    cloud = SESSIONS["interrupted"].session_id
    behind = SESSIONS["finished"].session_id
    runs = {builder.session_id: "typed" for builder in (*SESSIONS.values(), SHELL)}
    runs |= {behind: "background", cloud: "cloud"}
    table = {line.split()[0]: line for line in standing.say("sessions").splitlines()}

    assert {row.id: row.run for row in standing.library} == runs
    assert {row["id"]: row["run"] for row in standing.json} == runs
    assert {row["resume"].split()[-1]: row["run"] for row in standing.web} == runs
    assert "(background)" in table[behind[:8]]
    assert "(cloud)" in table[cloud[:8]]
    assert "(" not in table[SHELL.session_id[:8]]


def test_what_a_hook_says_is_asked_stands_in_every_face(
    standing: Forked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Last: the session of the shell waits from here on."""
    monkeypatch.setenv("XDG_DATA_HOME", str(standing.served.folder / "data"))
    ids = {row["id"]: row["resume"].split()[-1] for row in standing.web}
    request = {
        "session_id": SHELL.session_id,
        "tool_name": "Bash",
        "tool_input": {"command": "make ship"},
    }
    keep_event("PermissionRequest", msgspec.json.encode(request), time.time_ns())

    rows = {row.id: row for row in bough.status(standing.claude)}
    deadline = time.monotonic() + 20
    asked = None
    while asked != "run make ship?" and time.monotonic() < deadline:
        live = {ids[row["id"]]: row for row in standing.served.get("/api/live")["sessions"]}
        asked = live[SHELL.session_id]["asks"]
    table = {line.split()[0]: line for line in standing.say("status").splitlines()}

    assert (rows[SHELL.session_id].state, rows[SHELL.session_id].asks) == (
        "waiting",
        "run make ship?",
    )
    assert asked == "run make ship?"
    assert "run make ship?" in table[SHELL.session_id[:8]]
    row = rows[SHELL.session_id]
    assert render_short_state(row.state, UNICODE, sure=row.sure)[1] == "■ waits"
