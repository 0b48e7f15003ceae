"""A team's store: tables, machines, bytes."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from bough.errors import IndexTrouble, Misuse
from bough.ingest.index.refresh import refresh_index
from bough.sample import session
from bough.sample.demo import write_demo
from bough.store.open_store import is_store_url, open_store
from bough.store.postgres.frame_bytes import FrameFinder
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.schema_scripts import create_tables, migrate, team_schema
from bough.store.postgres.server_connection import ServerConnection, describe_place
from bough.store.rows import CompanionRow, MachineRow
from bough.store.search_protocol import SearchRequest
from tests.searched import asked
from tests.team_server import DESKTOP, LAPTOP, TeamServer

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture
def url(team_server: TeamServer) -> Iterator[str]:
    with team_server.database() as url:
        yield url


def _write(folder: Path, seed: str, words: str = "Begin") -> None:
    session(seed, cwd="/home/dev/orchard").user(words).assistant("Begun.").write(folder)


def _send(url: str, folder: Path, machine: MachineRow) -> None:
    store = PostgresStore(url, machine=machine)
    try:
        refresh_index(store, [folder], workers=1)
    finally:
        store.close()


# -- tables --------------------------------------------------------------------------------------


def test_a_database_without_tables_is_refused_with_what_to_do(team_server: TeamServer) -> None:
    with team_server.database(empty=True) as url:
        with pytest.raises(IndexTrouble, match="bough team init"):
            PostgresStore(url)
        with pytest.raises(IndexTrouble, match="bough team init"):
            migrate(url)


def test_tables_are_made_once_and_stay_when_brought_up_to_date(url: str, tmp_path: Path) -> None:
    _write(tmp_path, "one")
    _send(url, tmp_path, LAPTOP)

    with pytest.raises(Misuse, match="bough team migrate"):
        create_tables(url)
    made = migrate(url)

    assert made.before == made.after == team_schema()
    store = open_store(url)
    assert len(store.sessions()) == 1
    store.close()


def test_a_database_of_a_newer_bough_is_left_alone(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("update bough.meta set value = '99' where key <> 'sums'")

    with pytest.raises(IndexTrouble, match="newer bough"):
        PostgresStore(url)
    with pytest.raises(IndexTrouble, match="newer bough"):
        migrate(url)


def test_no_extension_no_sequence_and_no_foreign_key_is_needed(url: str) -> None:
    with psycopg.connect(url) as connection:
        counts = connection.execute(
            """
            select (select count(*) from pg_extension where extname <> 'plpgsql'),
                (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
                    where n.nspname = 'bough' and c.relkind = 'S'),
                (select count(*) from pg_constraint where contype = 'f')
            """
        ).fetchone()

    assert counts == (0, 0, 0)


def test_no_module_reads_the_table_of_words(root: Path) -> None:
    package = root / "src" / "bough"
    reads = [
        path.name
        for path in package.rglob("*.py")
        if re.search(r"(from|join) word\b", path.read_text("utf-8"))
    ]

    assert reads == []  # a function of the database does, which knows who asks


# -- opening -------------------------------------------------------------------------------------


def test_a_password_is_never_repeated() -> None:
    url = "postgresql://ann:secret@127.0.0.1:1/team"

    assert describe_place(url) == "team on 127.0.0.1"
    with pytest.raises(IndexTrouble) as error:
        PostgresStore(url)
    assert "secret" not in error.value.message
    assert error.value.message.startswith("Cannot reach the database team on 127.0.0.1")


def test_what_is_no_url_is_misuse() -> None:
    assert is_store_url("postgresql://x/y")
    assert not is_store_url("/home/dev/index.sqlite")
    with pytest.raises(Misuse, match="no URL"):
        PostgresStore("postgresql://[")


def test_a_store_that_is_read_cannot_be_written(url: str) -> None:
    store = PostgresStore(url)

    with pytest.raises(IndexTrouble, match="opened for reading"), store.writing():
        pass
    store.close()


# -- machines ------------------------------------------------------------------------------------


def test_one_writer_per_machine_and_machines_do_not_wait_for_each_other(url: str) -> None:
    first, second = PostgresStore(url, machine=LAPTOP), PostgresStore(url, machine=LAPTOP)
    other = PostgresStore(url, machine=DESKTOP)

    with first.writing() as writer:
        writer.step(1, 2)
        with pytest.raises(IndexTrouble, match=r"Another bough sends .* 50%"), second.writing():
            pass
        with other.writing():
            pass
    with second.writing():
        pass
    for store in (first, second, other):
        store.close()


def test_the_same_path_on_two_machines_is_two_files(url: str, tmp_path: Path) -> None:
    _write(tmp_path, "one", "apples")
    _send(url, tmp_path, LAPTOP)
    (path,) = tmp_path.rglob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b"apples", b"cherry"))
    _send(url, tmp_path, DESKTOP)

    store = PostgresStore(url)
    found = {row.machine: row for row in store.sessions()}
    hits = store.search(SearchRequest(asked("cherry"))).rows
    store.close()

    assert {name: row.owner for name, row in found.items()} == {"laptop": "ann", "desktop": "ben"}
    assert [hit.path for hit in hits] == [found["desktop"].path]
    sources = FrameFinder(url)
    assert sources.find(found["laptop"].path).at(0, 1_000_000).count(b"apples")  # type: ignore[union-attr] # it is there
    assert sources.find(str(path)) is None


def test_machines_of_one_name_have_paths_of_their_own(url: str, tmp_path: Path) -> None:
    _write(tmp_path, "one")
    _send(url, tmp_path, LAPTOP)
    _send(url, tmp_path, MachineRow("3c" * 16, "cy", "laptop"))

    store = PostgresStore(url)
    paths = sorted(row.path for row in store.sessions())
    store.close()

    assert len(paths) == 2
    assert paths[0].startswith("//laptop-3c3c3c3c/")
    assert paths[1].startswith("//laptop/")


def test_sending_again_writes_the_same_rows(url: str, tmp_path: Path) -> None:
    _write(tmp_path, "one")
    _send(url, tmp_path, LAPTOP)
    tables = "record", "word", "frame", "usage", "usage_sum", "session", "file"

    def rows() -> list[object]:
        with psycopg.connect(url) as connection:
            return [
                sorted(
                    connection.execute(
                        f"select to_jsonb(t) - 'pushed' from bough.{table} t"
                    ).fetchall(),
                    key=repr,
                )
                for table in tables
            ]

    before = rows()
    with psycopg.connect(url) as connection:
        connection.execute("update bough.file set mtime_ns = 0, head = ''")
    _send(url, tmp_path, LAPTOP)

    assert rows() == before


def test_machines_that_send_at_once_end_as_if_one_after_the_other(url: str, tmp_path: Path) -> None:
    folder = write_demo(tmp_path, NOW)
    machines = [MachineRow(f"{number:032x}", "ann", f"m{number}") for number in range(4)]
    with ThreadPoolExecutor(len(machines)) as pool:
        for sent in [pool.submit(_send, url, folder, machine) for machine in machines]:
            sent.result()

    def sums() -> list[tuple[object, ...]]:
        with psycopg.connect(url) as connection:
            return connection.execute(
                """
                select file_id, quarter, model, special, sum(calls), sum(input_tokens)
                from bough.usage_sum group by 1, 2, 3, 4 order by 1, 2, 3, 4
                """
            ).fetchall()

    store = PostgresStore(url)
    files = Counter(row.machine for row in store.sessions())
    assert store.is_complete()
    store.close()
    together = sums()
    with psycopg.connect(url) as connection:
        connection.execute("delete from bough.usage_sum")
        connection.execute(
            "insert into bough.unsummed (file_id, project_id, written_by) "
            "select id, project_id, gen_random_uuid() from bough.file"
        )
    for machine in machines:
        _send(url, folder, machine)

    assert len(files) == len(machines)
    assert len({*files.values()}) == 1
    assert together
    assert sums() == together


# -- bytes ---------------------------------------------------------------------------------------


def test_the_bytes_come_back_as_they_were(url: str, tmp_path: Path) -> None:
    folder = write_demo(tmp_path, NOW)
    long = session("long", cwd="/home/dev/orchard")
    for number in range(40):
        long.user(f"{number} " + "many words " * 3_000).assistant("Yes.")
    long.write(folder)
    _send(url, folder, LAPTOP)
    files = [path for path in (folder / "projects").rglob("*.jsonl") if path.stat().st_size]
    sources = FrameFinder(url)

    assert len(files) > 20
    for path in files:
        data = path.read_bytes()
        source = sources.find(f"//laptop{path}")
        if source is None:
            continue  # no transcript
        assert source.state().size == len(data)
        assert b"".join(line.raw for line in source.lines()) == data
        assert source.at(0, len(data) + 10) == data
        assert source.at(len(data) // 3, 5_000) == data[len(data) // 3 :][:5_000]
        assert io.BufferedReader(source.open()).read() == data
        ends = [number for number, byte in enumerate(data) if byte == ord("\n")]
        assert [line.raw for line in source.lines(ends[0] + 1, 2)] == data[
            ends[0] + 1 :
        ].splitlines(keepends=True)


def test_damaged_bytes_are_said_to_be_so(url: str, tmp_path: Path) -> None:
    _write(tmp_path, "one")
    _send(url, tmp_path, LAPTOP)
    (path,) = tmp_path.rglob("*.jsonl")
    with psycopg.connect(url) as connection:
        connection.execute("update bough.frame set data = 'nothing'")

    source = FrameFinder(url).find(f"//laptop{path}")

    assert source is not None
    with pytest.raises(Exception, match="damaged"):
        list(source.lines())


def test_what_lies_beside_a_transcript_is_kept_and_goes_with_it(url: str, tmp_path: Path) -> None:
    _write(tmp_path, "one")
    _send(url, tmp_path, LAPTOP)
    (path,) = tmp_path.rglob("*.jsonl")
    output = path.with_suffix("") / "tool-results" / "long.txt"
    store = PostgresStore(url, machine=LAPTOP)
    (row,) = store.sessions()
    project = store.projects()[0].id
    kept = CompanionRow(row.id, str(output), 4, 1)
    for data in (b"old!", b"new!"):
        with store.writing() as writer:
            writer.companion(project, kept, data)
    sources = FrameFinder(url)
    source = sources.find(f"//laptop{output}")

    assert source is not None
    assert source.at(0, 10) == b"new!"
    folder = f"//laptop{path.parent}"
    assert {*sources.list_kept(folder)[folder]} == {path.name, path.stem}
    with store.writing() as writer:
        writer.forget(row.file)
    assert sources.find(f"//laptop{output}") is None
    store.close()


# -- searching -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "hits"), [("orchard", 0), ("begin", 1)])
def test_a_page_by_time_is_one_question_whether_there_are_hits_or_not(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, hits: int
) -> None:
    _write(tmp_path, "one")
    _send(url, tmp_path, LAPTOP)
    questions: list[str] = []
    usual = ServerConnection.fetch_all

    def count_questions(self: ServerConnection, statement: str, *values: object) -> object:
        questions.append(statement)
        return usual(self, statement, *values)  # type: ignore[arg-type] # as given

    with closing(PostgresStore(url)) as store:
        # The first asks what the engine can do, too.
        store.search(SearchRequest(asked(word), "newest"))
        monkeypatch.setattr(ServerConnection, "fetch_all", count_questions)
        found = store.search(SearchRequest(asked(word), "newest"))

    assert (found.total, found.sessions, found.exact) == (hits, hits, True)
    assert len(questions) == 1
