"""What the app writes to, whichever driver of Textual writes it."""

import asyncio

from textual.app import App
from textual.driver import Driver
from textual.drivers.headless_driver import HeadlessDriver

from bough.tui.app.terminal_output import outlive_terminal


def test_a_driver_that_writes_to_no_terminal_is_as_it_was() -> None:
    async def start() -> Driver:
        app: App[None] = App()
        return outlive_terminal(HeadlessDriver)(app)

    assert asyncio.run(start()).is_headless
