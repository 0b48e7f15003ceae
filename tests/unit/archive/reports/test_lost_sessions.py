"""What the client deleted before bough came is listed by its prompts."""

from pathlib import Path

import msgspec
import pytest

from bough import library
from bough.archive.storage.archive_folder import ArchiveFolder, ForgottenSession
from bough.config import archive_path
from bough.errors import SessionNotFound
from bough.query.index.handle import open_index
from tests.unit.archive.kept_history import OLD, OTHER, PASTE, SESSION, KeptHistory

EARLY = "cccccccc-0000-4000-8000-000000000003"
MINUTE_MS = 60_000


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptHistory:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return KeptHistory(tmp_path.resolve())


def add_lines(history: KeptHistory, *lines: bytes) -> None:
    file = history.claude / "history.jsonl"
    file.write_bytes(file.read_bytes() + b"".join(line + b"\n" for line in lines))


def prompt(session: str, text: str, minute: int = 0, **more: object) -> bytes:
    line = {
        "display": text,
        "pastedContents": {},
        "timestamp": OLD // 10**6 + minute * MINUTE_MS,
        "project": "/home/dev/gone",
        "sessionId": session,
        **more,
    }
    return msgspec.json.encode(line)


def test_a_session_without_a_transcript_is_listed_with_its_prompts(history: KeptHistory) -> None:
    add_lines(history, prompt(EARLY, "Begin"), prompt(EARLY, "Go on", 1))

    (lost,) = library.lost_sessions(history.claude)

    assert (lost.id, lost.project, lost.claude_dir) == (
        EARLY,
        "/home/dev/gone",
        str(history.claude),
    )
    assert [one.text for one in lost.prompts] == ["Begin", "Go on"]
    assert (lost.first_at, lost.last_at) == ("2023-11-14T22:13:20.000Z", "2023-11-14T22:14:20.000Z")
    assert library.lost_session(EARLY[:4], history.claude) == lost


def test_a_session_on_disk_or_in_the_archive_is_not_lost(history: KeptHistory) -> None:
    assert library.lost_sessions(history.claude) == []

    history.archive()
    history.delete()
    assert library.lost_sessions(history.claude) == []


def test_the_status_counts_what_is_lost_as_the_list_does(history: KeptHistory) -> None:
    add_lines(history, prompt(EARLY, "Begin"), prompt(EARLY, "Go on", 1), b"{", prompt("", "No"))

    before = library.archive_status(history.claude)
    history.archive()
    history.delete("projects")
    after = library.archive_status(history.claude)
    with open_index([history.claude], fresh=True) as handle:
        indexed = library.archive_status(index=handle)

    lost = len(library.lost_sessions(history.claude))
    assert (before.lost, after.lost, indexed.lost, lost) == (1, 1, 1, 1)
    words = "1 session was deleted before any copy was kept: bough archive lost has the prompts."
    assert library.describe_contents(before) == f"Nothing is archived yet. {words}"
    assert library.describe_contents(after).endswith(
        f"2 of them deleted by the client since. {words}"
    )


def test_what_was_deleted_without_an_archive_is_lost_the_newest_first(history: KeptHistory) -> None:
    history.delete()
    add_lines(history, prompt(EARLY, "Later", 5))

    lost = library.lost_sessions(history.claude)

    assert [one.id for one in lost] == [EARLY, OTHER, SESSION]


def test_pasted_texts_are_read_from_the_line_and_from_their_files(history: KeptHistory) -> None:
    pastes = {
        "1": {"id": 1, "type": "text", "contentHash": PASTE},
        "2": {"id": 2, "type": "text", "content": "short"},
        "3": {"id": 3, "type": "text", "contentHash": "../../history"},
        "4": {"id": 4, "type": "text", "contentHash": "0000"},
    }
    add_lines(history, prompt(EARLY, "See [Pasted text #1]", pastedContents=pastes))

    (lost,) = library.lost_sessions(history.claude)

    assert lost.prompts[0].pasted == ("pasted\n", "short")


def test_odd_lines_are_left_out(history: KeptHistory) -> None:
    add_lines(
        history,
        b"not json",
        b"\xff\xfe",
        b"[]",
        b'{"display":"no session"}',
        prompt(EARLY, "No time", timestamp=None),
        prompt(EARLY, "Far away", timestamp=1e300),
        prompt(EARLY, "Odd pastes", pastedContents=[1]),
    )

    (lost,) = library.lost_sessions(history.claude)

    assert [one.text for one in lost.prompts] == ["No time", "Far away", "Odd pastes"]
    assert [one.at for one in lost.prompts[:2]] == [None, None]


def test_a_session_that_is_forgotten_by_wish_is_not_called_lost(history: KeptHistory) -> None:
    add_lines(history, prompt(EARLY, "Begin"))
    ArchiveFolder(archive_path()).forget(ForgottenSession(EARLY, "2026-01-01T00:00:00.000Z"))

    assert library.lost_sessions(history.claude) == []


def test_a_history_that_is_missing_or_no_file_loses_nothing(history: KeptHistory) -> None:
    (history.claude / "history.jsonl").unlink()
    assert library.lost_sessions(history.claude) == []

    (history.claude / "history.jsonl").mkdir()
    assert library.lost_sessions(history.claude) == []
    with pytest.raises(SessionNotFound):
        library.lost_session(EARLY, history.claude)
