"""Lists from the index are the lists from the files."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.query.index.handle import IndexHandle, open_index
from bough.query.lists.from_files import list_all_conversations, list_sessions
from bough.query.lists.from_index import (
    list_indexed_conversations,
    list_indexed_projects,
    list_indexed_sessions,
)
from bough.query.lists.projects import list_projects
from bough.sample.demo import write_demo


def _agree(claude: Path, handle: IndexHandle) -> None:
    assert (
        list_indexed_sessions(handle, everything=True).rows
        == list_sessions([claude], everything=True).rows
    )
    assert sorted(list_indexed_conversations(handle).rows, key=repr) == sorted(
        list_all_conversations([claude]).rows, key=repr
    )
    plain = [(p.id, p.path, p.name, p.sessions, p.last_active) for p in list_projects([claude])]
    assert [
        (p.id, p.path, p.name, p.sessions, p.last_active) for p in list_indexed_projects(handle)
    ] == plain


def test_the_demo_is_listed_alike(tmp_path: Path) -> None:
    claude = write_demo(tmp_path / "demo", datetime(2026, 11, 15, 15, 30, tzinfo=UTC))

    with open_index([claude], tmp_path / "index.sqlite") as handle:
        _agree(claude, handle)


@pytest.mark.slow
def test_the_real_files_are_listed_alike(shared: Path, tmp_path: Path) -> None:
    with open_index([shared / "corpus"], tmp_path / "index.sqlite") as handle:
        _agree(shared / "corpus", handle)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.0.51", "2.0.14", "2.0.76", "2.1.150", "2.1.250", "2.1.325"])
def test_what_each_client_wrote_is_listed_alike(shared: Path, tmp_path: Path, version: str) -> None:
    folders = sorted(p.parent for p in (shared / "client-files" / version).rglob("projects"))

    assert folders
    for number, claude in enumerate(folders):
        with open_index([claude], tmp_path / f"{number}.sqlite") as handle:
            _agree(claude, handle)
