"""Both stores answer the same, whatever happened to the files."""

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from bough.ingest.index.refresh import refresh_index
from bough.model.usage.across_files import count_once
from bough.sample import session
from bough.sample.demo import write_demo
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.protocol import Store
from bough.store.rows import MachineRow
from bough.store.usage_protocol import SumRequest
from tests.team_server import DESKTOP
from tests.unit.store.contract.conftest import StorePair

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def test_both_answer_the_same_about_the_demo(pair: StorePair, tmp_path: Path) -> None:
    pair.folder = write_demo(tmp_path / "demo", NOW)
    pair.refresh()

    pair.assert_same_answers()
    assert pair.reader.sessions()[0].machine == "laptop"
    assert pair.reader.sessions()[0].owner == "ann"


@pytest.mark.slow
def test_both_answer_the_same_about_real_files(pair: StorePair, shared: Path) -> None:
    pair.folder = shared / "corpus"
    pair.refresh()

    pair.assert_same_answers()


def test_both_answer_the_same_after_files_grew_shrank_and_went(pair: StorePair) -> None:
    builder = session("one", cwd="/home/dev/orchard")
    builder.user("Make it resumable", name="P1").assistant("It is now.", name="A1")
    builder.user("Check it").tool("Bash", {"command": "make check"}, "all good 漢字の話")
    whole = builder.assistant("Done.").at("A1").user("Another way").bytes()
    lines = whole.splitlines(keepends=True)
    other = session("two", cwd="/home/dev/orchard").user("Begin").assistant("Begun.").bytes()
    folder = pair.folder / "projects" / "-home-dev-orchard"
    folder.mkdir()
    path = folder / "one.jsonl"
    for number, data in enumerate(
        [
            b"".join(lines[:2]),
            b"".join(lines[:3]) + lines[3][:40],  # a line without its end
            whole,
            whole + b"no json\n",
            b"".join(lines[1:]),
        ]
    ):
        path.write_bytes(data)
        os.utime(path, ns=(1_700_000_000_000_000_000 + number, 1_700_000_000_000_000_000 + number))
        (folder / "two.jsonl").write_bytes(other)
        pair.refresh()
        pair.assert_same_answers()

    path.unlink()
    pair.refresh()
    pair.assert_same_answers()
    shutil.rmtree(folder)
    pair.refresh()
    pair.assert_same_answers()


def _copy_to(pair: StorePair, folder: Path, machine: MachineRow) -> Store:
    builder = session("one", cwd="/home/dev/orchard").user("Begin").assistant("Begun.")
    builder.write(pair.folder)
    pair.refresh()
    shutil.copytree(pair.folder, folder)
    other = PostgresStore(pair.url, machine=machine)
    refresh_index(other, [folder], workers=1)
    return other


def test_a_call_that_two_machines_of_a_person_have_counts_once(
    pair: StorePair, tmp_path: Path
) -> None:
    other = _copy_to(pair, tmp_path / "other", msgspec.structs.replace(DESKTOP, owner="ann"))

    found, alone = other.sum_usage(SumRequest()), pair.local.sum_usage(SumRequest())

    assert alone
    assert found is not None
    assert [total for _, total in found] == [total for _, total in alone]
    assert len(pair.reader.sessions()) == 2
    other.close()


def test_a_call_that_two_people_have_is_left_to_the_lines_where_both_are_seen(
    pair: StorePair, tmp_path: Path
) -> None:
    other = _copy_to(pair, tmp_path / "other", DESKTOP)

    assert other.sum_usage(SumRequest()) is None
    assert len(count_once(other.usages())) == len(count_once(pair.local.usages())) == 1
    other.close()
