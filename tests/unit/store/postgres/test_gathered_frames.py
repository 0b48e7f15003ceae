"""The bytes of many places at once: the same bytes, in two questions."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.files.byte_source import DISK, gather_sources
from bough.ingest.index.refresh import refresh_index
from bough.sample.demo import write_demo
from bough.store.postgres import frame_bytes
from bough.store.postgres.frame_bytes import FrameFinder, close_shared
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.server_connection import ServerConnection
from tests.team_server import LAPTOP, TeamServer


@pytest.fixture(scope="module")
def sent(
    team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, list[tuple[str, int, int, bytes]]]]:
    """Lend a store, and all its records: path, offset, length, bytes."""
    folder = write_demo(tmp_path_factory.mktemp("claude"), datetime(2026, 11, 15, 12, tzinfo=UTC))
    with team_server.database() as url:
        store = PostgresStore(url, machine=LAPTOP)
        refresh_index(store, [folder], workers=1)
        rows = store.connection.fetch_all(
            "select f.path, r.offset, r.length from record r join file f on f.id = r.file_id"
        )
        store.close()
        yield url, [(*row, _read_local(row)) for row in rows]
        close_shared()


def _read_local(row: tuple[str, int, int]) -> bytes:
    path, offset, length = row
    return Path(path.removeprefix("//laptop")).read_bytes()[offset : offset + length]


def test_what_was_gathered_is_read_without_another_question(
    sent: tuple[str, list[tuple[str, int, int, bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, records = sent
    monkeypatch.setattr(frame_bytes, "_RECENT", frame_bytes._RecentFrames(16 << 20))
    asked: list[str] = []
    usual = ServerConnection.fetch_all

    def count_questions(self: ServerConnection, statement: str, *values: object) -> object:
        asked.append(statement)
        return usual(self, statement, *values)  # type: ignore[arg-type] # as given

    monkeypatch.setattr(ServerConnection, "fetch_all", count_questions)
    monkeypatch.setattr(ServerConnection, "fetch_one", None)
    sources = gather_sources(FrameFinder(url), [record[:2] for record in records])

    for path, offset, length, data in records:
        source = sources.find(path)
        assert source is not None
        assert source.at(offset, length) == data
    assert len(asked) == 2


def test_what_nobody_sent_is_not_found_and_what_was_not_gathered_is(
    sent: tuple[str, list[tuple[str, int, int, bytes]]],
) -> None:
    url, records = sent
    sources = FrameFinder(url).gather([("//laptop/nothing.jsonl", 0)])

    assert sources.find("//laptop/nothing.jsonl") is None
    path, offset, length, data = records[-1]
    source = sources.find(path)
    assert source is not None
    assert source.at(offset, length) == data


def test_other_finders_gather_nothing() -> None:
    assert gather_sources(DISK, [("/nothing.jsonl", 0)]) is DISK
