"""Stars, notes, pull requests, resume commands and times are the same through every face."""

import asyncio
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

import bough
from bough import library
from bough.query.index.handle import open_index
from bough.sample import session
from bough.tui.app.app import Bough
from bough.tui.screens.sessions import SessionsScreen
from tests.tui.conftest import show, text_of
from tests.tui.settling import rest
from tests.web.serving import Served

pytestmark = pytest.mark.slow
URL = "https://example.com/dev/shop/pull/412"


class Kept:
    """A session with a star, a note and a pull request, its server, and its data folder."""

    def __init__(self, claude: Path, folder: Path, served: Served) -> None:
        self.claude = claude
        self.place = folder / "it's here"
        self.index = folder / "index.sqlite"
        self.served = served
        self.environment = {**os.environ, **served._own_places()}

    def ask(self, *words: str) -> Any:
        """Ask the command line for its JSON, in the folders that the server has."""
        where = ["--claude-dir", str(self.claude), "--index", str(self.index)]
        done = subprocess.run(
            [sys.executable, "-m", "bough", *where, *words, "--json"],
            capture_output=True,
            check=True,
            env=self.environment,
        )
        return msgspec.json.decode(done.stdout)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Kept]:
    folder = tmp_path_factory.mktemp("kept")
    claude, place = folder / "claude", folder / "it's here"
    place.mkdir()
    begun = datetime.now(UTC) - timedelta(hours=2)
    told = session(start=begun, cwd=str(place), version="2.1.250").user("Open one", name="asked")
    told.assistant("Opened.").pr_link(412, "dev/shop")
    told.write(claude)
    session("gone", start=begun, cwd="/nowhere/at/all").user("Elsewhere").assistant("x").write(
        claude
    )
    open_index([claude], folder / "index.sqlite").close()
    with Served(claude, folder) as served:
        made = Kept(claude, folder, served)
        made.ask("notes", "star", told.session_id)
        made.ask("notes", "set", told.session_id, "ask Ana")
        made.ask("notes", "star", told.session_id, "--message", told.uuid("asked"))
        yield made


@pytest.fixture
def same_data(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in kept.served._own_places().items():
        monkeypatch.setenv(name, value)


def by_id(rows: list[dict[str, Any]], **names: object) -> dict[str, tuple[Any, ...]]:
    """Give fields of rows by id; what has its default may be left out of JSON."""
    return {row["id"]: tuple(row.get(name, plain) for name, plain in names.items()) for row in rows}


@pytest.mark.usefixtures("same_data")
def test_stars_and_notes(kept: Kept) -> None:
    found = {row.id: (row.starred, row.note) for row in bough.sessions(claude_dir=kept.claude)}

    assert sorted(found.values()) == [(False, ""), (True, "ask Ana")]
    assert by_id(kept.ask("sessions"), starred=False, note="") == found
    assert by_id(kept.served.get("/api/sessions")["rows"], starred=False, note="") == found
    (message,) = kept.served.get("/api/annotations")["annotations"]
    (listed,) = (one for one in kept.ask("notes", "list") if one["kind"] == "message")
    assert (message["id"], message["starred"]) == (listed["id"], listed["starred"])


def test_pull_requests(kept: Kept) -> None:
    def numbers(rows: list[dict[str, Any]]) -> dict[str, list[tuple[Any, Any]]]:
        return {
            row["id"]: [(one["number"], one["url"]) for one in row.get("pull_requests", [])]
            for row in rows
        }

    found = {
        row.id: [(one.number, one.url) for one in row.pull_requests]
        for row in bough.sessions(claude_dir=kept.claude)
    }
    assert sorted(found.values()) == [[], [(412, URL)]]
    assert numbers(kept.ask("sessions")) == found
    assert numbers(kept.served.get("/api/sessions")["rows"]) == found
    assert kept.served.get("/api/search?q=pr:412")["total"] == kept.ask("search", "pr:412")["total"]


@pytest.mark.usefixtures("same_data")
def test_resume_commands(kept: Kept) -> None:
    served = by_id(kept.served.get("/api/sessions")["rows"], resume=None, resume_note=None)

    for row in bough.sessions(claude_dir=kept.claude):
        command = library.resume_command(Path(row.path))
        assert served[row.id] == (command.text, command.note)
        assert command.text.endswith(f"claude --resume {row.id}")
    assert any(shlex.quote(str(kept.place)) in text for text, _ in served.values())
    assert sum(bool(note) for _, note in served.values()) == 1


@pytest.mark.usefixtures("same_data")
def test_times_follow_the_zone_and_the_clock_that_are_set(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("textual.app.wait_for_idle", rest)
    monkeypatch.setattr("textual.pilot.wait_for_idle", rest)
    kept.served.post("/api/settings", {"name": "zone", "value": "Asia/Kolkata"})
    kept.served.post("/api/settings", {"name": "clock", "value": "12h"})
    row = bough.sessions(claude_dir=kept.claude)[0]
    assert row.ended_at is not None
    ended = datetime.fromisoformat(row.ended_at).astimezone(UTC) + timedelta(hours=5, minutes=30)
    written = f"{ended.hour % 12 or 12}:{ended.minute:02} {'PM' if ended.hour >= 12 else 'AM'}"

    async def painted() -> str:
        app = Bough([str(kept.claude)], str(kept.index), live=False)
        async with app.run_test(size=(160, 30)) as pilot:
            await show(pilot, SessionsScreen())
            return "\n".join(text_of(app))

    listed = subprocess.run(
        [sys.executable, "-m", "bough", "--claude-dir", str(kept.claude), "sessions"],
        capture_output=True,
        check=True,
        text=True,
        env=kept.environment,
    ).stdout
    settings = kept.served.get("/api/about")["settings"]
    assert written in listed.replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert written in asyncio.run(painted()).replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert (settings["zone"], settings["clock"]) == ("Asia/Kolkata", "12h")
