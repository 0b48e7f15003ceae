"""A real `bough web` on the made-up history, asked over HTTP."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.sample.demo import write_demo
from tests.web.serving import Served


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each of these starts a server, so all of them are slow."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Served]:
    """Serve the made-up history; tests that share it only read."""
    folder = tmp_path_factory.mktemp("asked")
    with Served(write_demo(folder, datetime.now(UTC)), folder) as server:
        yield server


@pytest.fixture
def living(tmp_path: Path, nobodys_home: Path) -> Iterator[Served]:
    """Serve a made-up history that one test writes to."""
    with Served(write_demo(tmp_path, datetime.now(UTC)), tmp_path) as server:
        yield server
