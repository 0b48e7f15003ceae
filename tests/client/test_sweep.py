"""The client deletes old sessions: bough says the same before and after, and brings them back.

Clients up to 2.0.76 delete when they start; later ones about ten minutes into a run at a
terminal, so that only one of those is waited for.
"""

import json
import os
import shutil
import time
from pathlib import Path

import pytest
from msgspec import Struct

from tests.cli.screens import piped
from tests.client.conftest import Verdict
from tests.client.laboratory import SKIP, Client, Words, lab

pytestmark = pytest.mark.client

TURNS = ("turn1 hello", "turn2 USE_BASH", "turn3 USE_TASK", "turn4 BIGOUT", "turn5 bye")
AT_START = ("2.0.76",)
AFTER_MINUTES = ("2.1.325",)
PATIENCE = 800
OLD = 40 * 24 * 3600
TORN = b'{"parentUuid":"x","type":"user","message":{"role":"us'


class Swept(Struct, frozen=True):
    """Sessions that the client has deleted, and what was true before.

    `files` are all bytes that were deleted; `sent` is what the client sends when it resumes the
    whole session.
    """

    whole: Path
    torn: Path
    unended: Path
    files: dict[Path, bytes]
    sent: list[Words]
    before: dict[tuple[str, ...], str]
    environ: dict[str, str]

    @property
    def sessions(self) -> tuple[Path, ...]:
        return self.whole, self.torn, self.unended


def ask(
    claude: Path, sessions: tuple[Path, ...], environ: dict[str, str]
) -> dict[tuple[str, ...], str]:
    """Ask every command about some sessions."""
    questions = [
        ("sessions", "--json"),
        ("search", "turn2", "--json"),
        ("usage", "--json"),
        ("usage", "session", "--json"),
        *(
            words
            for one in sessions
            for words in (
                ("show", one.stem, "--json"),
                ("show", one.stem),
                ("tree", one.stem, "--json"),
                ("export", one.stem, "--to", "html", "-o", "-"),
                ("export", one.stem, "--to", "md", "-o", "-"),
            )
        ),
    ]
    found: dict[tuple[str, ...], str] = {}
    for words in questions:
        done = piped(*words, claude=claude, environ=environ)
        assert done.returncode == 0, (words, done.stderr)
        found[words] = done.stdout
    return found


def take_signs_off(listed: str) -> str:
    """Take from a list of sessions where they are kept: that alone is another afterwards."""
    rows = [{**row, "kept_in": None} for row in json.loads(listed)]
    return json.dumps(rows)


def make_old(*files: Path) -> None:
    """Let sessions and all that belongs to them look as if nobody wrote to them for long."""
    then = time.time() - OLD
    for file in files:
        for path in (file, *file.with_suffix("").rglob("*"), file.with_suffix("")):
            if path.exists():
                os.utime(path, (then, then))


def sweep(client: Client, files: tuple[Path, ...]) -> float:
    """Run the client elsewhere until it has deleted what is old; give how long that took."""
    elsewhere = Path(client.lab.dir) / "elsewhere"
    elsewhere.mkdir()
    started, screen = time.monotonic(), ""
    if client.version in AT_START:
        client.lab.claude("-p", "hi", SKIP, cwd=elsewhere)
    else:
        with lab().Tui(client.lab, cwd=elsewhere) as tui:
            tui.wait(r"\u276f|>", 60)
            time.sleep(3)
            tui.type("hi there")
            while any(map(Path.exists, files)) and time.monotonic() < started + PATIENCE:
                time.sleep(1)
            screen = str(tui.screen())
    assert not any(map(Path.exists, files)), f"the client deleted nothing:\n{screen}"
    # What it wrote itself is nothing that was there before.
    shutil.rmtree(client.lab.project_dir(elsewhere), ignore_errors=True)
    return time.monotonic() - started


@pytest.fixture(scope="module")
def swept(client: Client) -> Swept:
    if client.version not in (*AT_START, *AFTER_MINUTES):
        pytest.skip("other versions stand for when this one deletes")
    claude = Path(client.lab.cfg)
    whole = client.talk(*TURNS)
    torn, unended = client.copy(whole), client.copy(whole)
    torn.write_bytes(torn.read_bytes() + TORN)
    unended.write_bytes(unended.read_bytes().rstrip(b"\n"))
    sent = client.resume(client.copy(whole).stem)
    agents = whole.parent.glob("agent-*.jsonl")
    make_old(whole, torn, unended, *agents)
    files = {
        path: path.read_bytes()
        for path in (whole, torn, unended, *whole.with_suffix("").rglob("*"))
        if path.is_file()
    }
    environ = {
        "XDG_DATA_HOME": str(Path(client.lab.dir) / "data"),
        "XDG_CACHE_HOME": str(Path(client.lab.dir) / "cache"),
    }
    taken = piped("archive", claude=claude, environ=environ)
    assert taken.returncode == 0, taken.stderr
    before = ask(claude, (whole, torn, unended), environ)
    before["sessions", "--json"] = take_signs_off(before["sessions", "--json"])
    sweep(client, (whole, torn, unended))
    return Swept(whole, torn, unended, files, sent, before, environ)


def test_every_command_says_the_same_after_the_client_deleted_the_sessions(
    client: Client, swept: Swept, verdict: Verdict
) -> None:
    claude = Path(client.lab.cfg)
    after = ask(claude, swept.sessions, swept.environ)

    kept = [row.get("kept_in") for row in json.loads(after["sessions", "--json"])]
    assert kept.count("archive") == len(swept.sessions)
    after["sessions", "--json"] = take_signs_off(after["sessions", "--json"])
    assert [words for words in swept.before if after[words] != swept.before[words]] == []
    rebuilt = piped("index", "--rebuild", claude=claude, environ=swept.environ)
    assert rebuilt.returncode == 0, rebuilt.stderr
    anew = ask(claude, swept.sessions, swept.environ)
    anew["sessions", "--json"] = take_signs_off(anew["sessions", "--json"])
    assert [words for words in swept.before if anew[words] != swept.before[words]] == []
    verdict("deleted sessions: every command", "as before")


def test_a_session_that_was_deleted_is_restored_and_sent_as_before(
    client: Client, swept: Swept, verdict: Verdict
) -> None:
    claude = Path(client.lab.cfg)
    for one in swept.sessions:
        done = piped("restore", one.stem, "--yes", claude=claude, environ=swept.environ)
        assert done.returncode == 0, done.stderr

    assert {path: path.read_bytes() for path in swept.files} == swept.files
    assert client.resume(swept.whole.stem) == swept.sent
    verdict("deleted session: restored and resumed", "whole")
