"""The demo's history, written once: it is only read."""

from pathlib import Path

import pytest

from bough.sample.demo import write_demo
from tests.cli.screens import NOW
from tests.cli.travelled import Place


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a Claude folder with the made-up history, seen from the tests' moment."""
    return write_demo(tmp_path_factory.mktemp("demo"), NOW)


@pytest.fixture(autouse=True)
def no_index(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Keep every test's index apart; there is none unless a test makes it."""
    if "home" in request.fixturenames:
        request.getfixturevalue("home")  # first, because it forgets all such settings
    place = tmp_path / "data" / "index.sqlite"
    monkeypatch.setenv("BOUGH_INDEX", str(place))
    return place


@pytest.fixture
def place(demo: Path, tmp_path: Path) -> Place:
    """Give a copy of the made-up history that may be written to."""
    return Place(tmp_path, demo)
