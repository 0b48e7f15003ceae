"""What the client deleted is said by every face with the same words."""

import contextlib
import io
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import msgspec
import pytest
from msgspec import Struct

import bough
from bough import library
from bough.cli.main import run
from bough.library import KeptPlace
from bough.query.index.handle import open_index
from bough.sample.demo import write_demo
from bough.terminal.list_cells import format_kept_sign
from bough.terminal.style import UNICODE
from bough.tui.data import LibraryQueries
from tests.web.serving import Served

pytestmark = pytest.mark.slow

ARCHIVED = "3f9c"
LOST = "a80b"


class SweptHistory(Struct, frozen=True):
    """A history of which the client deleted one session that is archived, and one that is not."""

    claude: Path
    index: Path
    served: Served

    def ask(self, *words: str) -> tuple[str, str]:
        """Give what a command writes to stdout and stderr."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        where = ["--claude-dir", str(self.claude), "--index", str(self.index)]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            assert run([*where, *words]) == 0
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        return texts[0], texts[1]

    def ask_json(self, *words: str) -> Any:
        """Give the JSON of a command."""
        return msgspec.json.decode(self.ask(*words, "--json")[0])


def file_of(claude: Path, session: str) -> Path:
    (file,) = (claude / "projects").glob(f"*/{session}*.jsonl")
    return file


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SweptHistory]:
    """Let the client delete two sessions, one of them before anything was archived."""
    folder = tmp_path_factory.mktemp("swept").resolve()
    claude = write_demo(folder, datetime.now(UTC))
    index = folder / "index.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        open_index([claude], index).close()
        lost = file_of(claude, LOST)
        lost.unlink()
        shutil.rmtree(lost.with_suffix(""), ignore_errors=True)
        library.archive_sessions(claude)
        file_of(claude, ARCHIVED).unlink()
        open_index([claude], index).close()
        with Served(claude, folder) as served:
            yield SweptHistory(claude, index, served)


def places_of(rows: Any) -> dict[str, str]:
    return {row["id"][:4]: row["kept_in"] for row in rows if "kept_in" in row}


def test_every_list_tells_alike_what_is_left_of_a_deleted_session(swept: SweptHistory) -> None:
    listed = {
        row.id[:4]: row.kept_in
        for row in bough.sessions(claude_dir=swept.claude, index=swept.index)
        if row.kept_in is not KeptPlace.FILE
    }
    shown = LibraryQueries([str(swept.claude)], str(swept.index)).sessions(None)
    served = swept.served.get("/api/sessions?limit=500")["rows"]

    assert listed == {ARCHIVED: KeptPlace.ARCHIVE, LOST: KeptPlace.INDEX}
    assert places_of(swept.ask_json("sessions")) == listed
    assert {row.id[:4]: row.kept_in for row in shown.rows if row.kept_in.label} == listed
    assert {row["id"][:4]: row["kept"] for row in served if row["kept"]} == {
        session: {"place": place.value, "label": place.label, "words": place.words}
        for session, place in listed.items()
    }


def test_the_command_line_sets_the_sign_and_its_word_into_lists_and_hits(
    swept: SweptHistory,
) -> None:
    table = swept.ask("sessions")[0]
    hits = swept.ask("search", "checkpoint")[0]

    for session, place in ((ARCHIVED, KeptPlace.ARCHIVE), (LOST, KeptPlace.INDEX)):
        (row,) = (line for line in table.splitlines() if line.startswith(session))
        assert format_kept_sign(place, UNICODE) in row
    (heading,) = (line for line in hits.splitlines() if line.startswith(ARCHIVED))
    assert "▤ archived" in heading
    assert hits.count("archived") == 1


@pytest.mark.parametrize("words", [("show", ARCHIVED), ("tree", ARCHIVED), ("export", ARCHIVED)])
def test_reading_an_archived_session_says_so_beside_the_data(
    swept: SweptHistory, words: tuple[str, ...], tmp_path: Path
) -> None:
    more = ("-o", str(tmp_path / "out.md")) if words[0] == "export" else ()

    said = swept.ask(*words, *more)[1]

    assert KeptPlace.ARCHIVE.words in said
    assert f"bough restore {ARCHIVED}" in said


def test_the_web_app_says_it_of_hits_lineage_facts_and_usage(swept: SweptHistory) -> None:
    hits = swept.served.get("/api/search?q=checkpoint")["hits"]
    session = next(hit["session"] for hit in hits if hit["session"].startswith(ARCHIVED))
    lineage = swept.served.get(f"/api/sessions/{session}/lineage")["rows"]
    facts = swept.served.get(f"/api/sessions/{session}")["row"]
    usage = swept.served.get("/api/usage?report=session")["rows"]

    assert {hit["session"][:4] for hit in hits if hit["kept"]} == {ARCHIVED}
    assert [row["row"]["kept"]["label"] for row in lineage if row["here"]] == ["archived"]
    assert facts["kept"]["words"] == KeptPlace.ARCHIVE.words
    labels = {row["key"][:4]: row["kept"]["label"] for row in usage if row["kept"]}
    assert labels == {ARCHIVED: "archived", LOST: "index only"}


def id_in_addresses(swept: SweptHistory, session: str) -> str:
    rows = swept.served.get("/api/sessions?limit=500")["rows"]
    return next(str(row["id"]) for row in rows if row["id"].startswith(session))


def test_an_archived_session_is_read_presented_exported_and_forked_in_the_web_app(
    swept: SweptHistory,
) -> None:
    session = id_in_addresses(swept, ARCHIVED)

    for name in ("conversation", "tree", "presentation", "export/preview", "markdown", "health"):
        assert swept.served.get(f"/api/sessions/{session}/{name}"), name
    with urlopen(f"{swept.served.address}/api/sessions/{session}/export?to=html") as answer:
        assert b"Make the CSV import resumable" in answer.read()
    body = {"operation": "fork", "session": session, "at": "94be"}
    fork = swept.served.post("/api/travel/preview", body)
    assert fork["refusal"] is None
    assert "3f9c" in fork["preview"]["headline"]


def test_every_face_says_the_same_of_what_the_client_deletes_next(swept: SweptHistory) -> None:
    settings = swept.claude / "settings.json"
    settings.write_text('{"cleanupPeriodDays": 3}')
    with file_of(swept.claude, "7c2e").open("ab") as file:
        file.write(b"\n")
    swept.served.until(lambda: swept.served.get("/api/archive/forecast")["not_kept"] > 0)

    served = swept.served.get("/api/archive/forecast")
    listed = swept.ask_json("archive", "status")["forecast"]
    home = LibraryQueries([str(swept.claude)], str(swept.index)).load_projects()
    said = [swept.ask("archive", "status")[0], swept.ask("status")[1]]
    settings.write_text('{"cleanupPeriodDays": 100000}')
    nothing = swept.served.get("/api/archive/forecast")
    settings.unlink()

    due = served["sessions"]
    sentence = (
        f"{due} session files will be deleted by the client within 7 days, 1 of them not kept"
    )
    assert due > 10
    assert served == {"sentence": sentence, "sessions": due, "not_kept": 1, "days": 7}
    assert listed == {"sessions": due, "not_kept": 1, "days": 7}
    assert home.forecast.sentence == sentence
    for text in said:
        assert f"{sentence}. bough archive keeps them." in text
    assert (nothing["sentence"], nothing["sessions"]) == ("", 0)


def test_the_archive_of_the_web_app_is_that_of_the_command_line(swept: SweptHistory) -> None:
    listed = swept.ask_json("archive", "status")
    served = swept.served.get("/api/archive")

    for name in ("exists", "sessions", "deleted", "bytes", "packed", "forgotten", "written_at"):
        assert served[name] == listed[name], name
    assert [one["session"] for one in served["gone"]] == [one["session"] for one in listed["gone"]]
    assert served["later"].startswith(f"Later: {sum(one['sessions'] for one in listed['later'])} ")
    assert served["later"] in swept.ask("archive", "status")[0]
    assert [one["session"][:4] for one in served["gone"]] == [ARCHIVED]
    assert served["gone"][0]["title"] == "Make the CSV import resumable"
    assert served["retention"][0]["days"] == listed["retention"][0]["days"] == 30
