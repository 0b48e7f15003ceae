"""The archive's screen: what is kept, what goes next; take in, verify, bring back, forget."""

import os
import time
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bough.library import archive_sessions
from bough.query.index.handle import open_index
from bough.tui.app.app import Bough
from bough.tui.screens.archive.archive_screen import ArchiveScreen
from bough.tui.screens.archive.forget_question import ForgetScreen
from bough.tui.screens.plan_preview import PlanPreviewScreen
from tests.tui.conftest import press, show, text_of
from tests.tui.settling import settle

SESSION = "3f9c"
WIDTHS = (80, 120)


def screen_of(app: Bough) -> object:
    """Give the screen that is open; pressing a key may open another."""
    return app.screen


def file_of(claude: Path) -> Path:
    (file,) = (claude / "projects").glob(f"*/{SESSION}*.jsonl")
    return file


@pytest.fixture
def swept(demo: Path, tmp_path: Path) -> Path:
    """Let the client keep three days, and delete one session that is archived."""
    (demo / "settings.json").write_text('{"cleanupPeriodDays": 3}')
    rested = time.time() - 24 * 3600
    for file in (demo / "projects").rglob("*"):
        os.utime(file, (rested, rested))
    archive_sessions(demo)
    file_of(demo).unlink()
    open_index([demo], tmp_path / "index.sqlite").close()
    return demo


async def finish_work(app: Bough, pilot: Pilot[None]) -> None:
    for _ in range(500):
        await pilot.pause(0.02)
        if app.source.archive_job.progress.state != "running":
            break
    await pilot.pause(0.4)
    await settle(pilot)


@pytest.mark.writes_home
@pytest.mark.usefixtures("swept")
@pytest.mark.parametrize("columns", WIDTHS)
async def test_the_screen_says_what_is_kept_what_goes_next_and_what_is_safe(
    app: Bough, columns: int
) -> None:
    async with app.run_test(size=(columns, 60)) as pilot:
        await settle(pilot)
        home = text_of(app)
        await press(pilot, "g a")
        text = text_of(app)

    shown = " ".join(part.strip() for part in home)
    assert "will be deleted by the client within 7 days, all kept. Press g a to see them." in shown
    words = " ".join(part.strip() for part in text)
    assert "1 of them deleted by the client since." in words
    assert "is kept 3 days" in words
    assert any(one.strip().startswith("from 20") and "kept" in one for one in text)
    (gone,) = (one for one in text if "▤ 3f9c" in one)
    assert "Make the CSV import resumable" in gone


@pytest.mark.writes_home
@pytest.mark.usefixtures("swept")
async def test_an_archived_session_has_its_sign_in_lists_and_at_its_head(app: Bough) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "g s")
        listed = text_of(app)
        await press(pilot, "g a", "G", "enter")
        head = text_of(app)[0]

    assert any("Make the CSV import resumable" in one and "▤ archived" in one for one in listed)
    assert "▤ archived" in head


@pytest.mark.writes_home
@pytest.mark.usefixtures("swept")
async def test_where_a_deleted_session_would_be_resumed_its_restore_command_is_copied(
    app: Bough,
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "g a", "G", "enter", "y r")
        notices = [one.message for one in app._notifications]

    assert app.clipboard.startswith(f"bough restore {SESSION}")
    assert any(one.startswith("Copied the restore command: bough restore") for one in notices)
    assert any("no client can resume it" in one for one in notices)


@pytest.mark.writes_home
async def test_keys_take_in_verify_bring_back_and_forget(swept: Path, app: Bough) -> None:
    async with app.run_test(size=(110, 60)) as pilot:
        await show(pilot, ArchiveScreen(), "A")
        await finish_work(app, pilot)
        assert any("Nothing was new." in one for one in text_of(app))
        await press(pilot, "V")
        await finish_work(app, pilot)
        assert any("All of it is as it was written." in one for one in text_of(app))

        await press(pilot, "G", "B")
        assert isinstance(screen_of(app), PlanPreviewScreen)
        assert any("from the archive" in one for one in text_of(app))
        await press(pilot, "escape")
        assert not list((swept / "projects").glob(f"*/{SESSION}*.jsonl"))

        await press(pilot, "delete")
        assert isinstance(screen_of(app), ForgetScreen)
        assert any("nobody can read it any more" in one for one in text_of(app))
        await press(pilot, "enter")
        assert isinstance(screen_of(app), ArchiveScreen)
        await press(pilot, "g g")
        assert any("1 session forgotten, as you asked." in one for one in text_of(app))


async def test_an_archive_that_is_not_there_yet_says_how_to_begin(app: Bough) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await show(pilot, ArchiveScreen())
        text = " ".join(part.strip() for part in text_of(app))

    assert "Nothing is archived yet." in text
    assert "A archives what is new." in text
    assert "The client deletes nothing within 7 days." in text
