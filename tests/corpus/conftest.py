"""The real files, each read once."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bough.model.session import Session
from bough.query.sessions.load_session import read_session


@pytest.fixture(scope="session")
def corpus(shared: Path) -> Mapping[Path, Session]:
    """Read the files that people published; every word in them is scrambled."""
    return _read(shared / "corpus" / "projects")


@pytest.fixture(scope="session")
def client_files(shared: Path) -> Mapping[Path, Session]:
    """Read the files that real clients of eight versions wrote."""
    found: dict[Path, Session] = {}
    for folder in sorted((shared / "client-files").glob("*/*/projects")):
        found |= _read(folder)
    return found


@pytest.fixture(scope="session")
def all_files(
    corpus: Mapping[Path, Session], client_files: Mapping[Path, Session]
) -> Mapping[Path, Session]:
    """Give both."""
    return {**corpus, **client_files}


def _read(folder: Path) -> dict[Path, Session]:
    return {path: read_session(path) for path in sorted(folder.rglob("*.jsonl"))}
