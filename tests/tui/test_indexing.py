"""How far the index is, in words; and a first index made while the app is seen."""

from pathlib import Path

import pytest

from bough.query.index import background_refresh as apart
from bough.sample import session
from bough.tui.app.app import Bough
from bough.tui.app.index_updates import describe_progress
from tests.conftest import Home
from tests.tui.conftest import keys, text_of


@pytest.mark.parametrize(
    ("done", "total", "seconds", "words"),
    [
        (0, 100, 0.1, "Indexing 0%"),
        (50, 100, 1.0, "Indexing 50%"),
        (25, 100, 10.0, "Indexing 25%, 30 s left"),
        (1, 1_000_000, 3.0, "Indexing <1%, 34 d 17 h left"),
        (100, 100, 9.0, ""),
        (0, 0, 0.0, ""),
    ],
)
def test_time_left_is_said_once_it_can_be_known(
    done: int, total: int, seconds: float, words: str
) -> None:
    assert describe_progress(done, total, seconds) == words


@pytest.mark.slow
async def test_a_first_index_is_made_elsewhere_and_its_sessions_appear(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "LITTLE", 0)
    with home.writing():
        session("cold").user("Begin the work").assistant("I begin.").write(home.path)
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)

    async with app.run_test(size=(80, 24)) as pilot:
        await keys()(pilot)
        done = app.index_done.is_set()
        words = "\n".join(text_of(app))

    assert done
    assert "Begin the work" in words


async def test_an_index_that_cannot_be_made_is_a_sentence(home: Home, tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").write_bytes(b"this is no index" * 1_000)
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)

    async with app.run_test(size=(80, 24)) as pilot:
        await keys()(pilot)

        assert app.is_running
        assert app._notifications
