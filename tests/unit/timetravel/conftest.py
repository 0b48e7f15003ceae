"""A Claude folder that may be written to, and a desk whose clock and ids are known."""

from pathlib import Path

import pytest

from bough.timetravel.environment import TravelEnvironment
from tests.unit.timetravel.making import Shelf, desk_in


@pytest.fixture
def environment(tmp_path: Path) -> TravelEnvironment:
    """Offer a desk outside the Claude folder."""
    return desk_in(tmp_path / "data")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Offer a Claude folder to put sessions into."""
    return Shelf(tmp_path / ".claude")
