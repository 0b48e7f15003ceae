"""Plans in the terminal app: their texts, and the way to what was built from them."""

from pathlib import Path

import bough
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.plan_text import PlanTextScreen
from bough.tui.screens.conversation.screen import ConversationScreen
from tests.tui.conftest import press, show, text_of
from tests.tui.settling import settle

SIZE = (160, 45)


async def test_a_turn_leads_to_the_plan_and_its_text(app: Bough, demo: Path) -> None:
    built = next(row for row in bough.sessions(claude_dir=demo) if row.kind == "implementation")
    async with app.run_test(size=SIZE) as pilot:
        screen = ConversationScreen(built.path, title=built.title)
        await show(pilot, screen)
        shown = "\n".join(text_of(app))
        marks = [at for at, item in enumerate(screen.reader.pieces) if item.kind == "plan"]

        screen.reader.go_to(marks[0], top=False)
        await press(pilot, "enter")
        plan = app.screen
        text = "\n".join(text_of(app))
        await press(pilot, "escape")
        screen.reader.go_to(marks[1], top=False)
        await press(pilot, "enter")
        await settle(pilot)
        there = app.screen

    assert "Todos 2 of 3" in shown
    assert "→ Built from the plan of 51d0c9aa, Rounding of tax on refunds" in shown
    assert isinstance(plan, PlanTextScreen)
    assert "Sum the lines of a refund first, then round once." in text
    assert isinstance(there, ConversationScreen)
    assert there.session_id.startswith("51d0c9aa")
