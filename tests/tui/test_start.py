"""What the app does before its first screen is seen, and what only then."""

import subprocess
import sys

from bough.tui.app.app import Bough
from tests.tui.settling import settle

LOADED_LATER = (
    "bough.query.live.stream",
    "bough.archive.intake.archive_keeper",
    "bough.query.search.verify",
    "bough.query.usage.report",
    "bough.tui.content.last_messages",
)


def test_the_first_screen_loads_nothing_that_follows_searches_or_adds_up() -> None:
    """Each costs tens of milliseconds; the modules of this process tell nothing, so another one."""
    program = (
        "import sys, bough.tui.app.run, bough.tui.app.app, bough.tui.screens.home; "
        "print(*(name for name in sys.argv[1:] if name in sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, *LOADED_LATER], capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == []


async def test_the_index_is_brought_up_to_date_once_the_first_lists_are_seen(app: Bough) -> None:
    seen: list[int] = []
    run = app._index_update.run

    def note() -> None:
        seen.append(len(app.sessions))
        run()

    app._index_update.run = note  # type: ignore[method-assign]
    async with app.run_test() as pilot:
        await settle(pilot)

    assert seen == [len(app.sessions)]
    assert seen[0] > 0
