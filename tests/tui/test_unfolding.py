"""`x` on a prompt unfolds its whole turn, `X` everything; where one is then."""

from pathlib import Path

import bough
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from bough.tui.screens.tree import TreeScreen
from bough.tui.widgets.list_view import ListView
from tests.tui.conftest import press, show, text_of
from tests.tui.settling import settle


async def test_x_on_a_prompt_unfolds_its_turn_and_folds_it_again(app: Bough, demo: Path) -> None:
    row = next(row for row in bough.sessions(claude_dir=demo) if row.id.startswith("3f9c"))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = ConversationScreen(row.path, title=row.title)
        await show(pilot, screen)
        pieces = screen.reader.pieces
        at = next(n for n, one in enumerate(pieces) if one.kind == "prompt" and n > 40)
        screen.reader.go_to(at, top=False)
        lines = [sum(len(item.draw(80)) for item in screen.reader.pieces)]
        for _ in range(2):
            await press(pilot, "x")
            lines.append(sum(len(item.draw(80)) for item in screen.reader.pieces))

    assert lines[1] > lines[0]
    assert lines[2] == lines[0]


async def test_unfolding_everything_keeps_the_cursor_in_view(app: Bough, demo: Path) -> None:
    row = next(row for row in bough.sessions(claude_dir=demo) if row.id.startswith("3f9c"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = ConversationScreen(row.path, title=row.title)
        await show(pilot, screen)
        before = screen.reader.picked
        await press(pilot, "X")
        after = screen.reader.picked
        shown = text_of(app)

    assert before is not None
    assert after is not None
    assert before.key == after.key
    assert any(line.startswith("▌") for line in shown)


async def test_enter_on_a_compaction_in_the_tree_reads_from_there(app: Bough, demo: Path) -> None:
    row = next(row for row in bough.sessions(claude_dir=demo) if row.id.startswith("3f9c"))
    async with app.run_test(size=(120, 40)) as pilot:
        tree = TreeScreen(row.path)
        await show(pilot, tree)
        rows = tree.query_one("#list", ListView)
        rows.go_to(next(n for n, one in enumerate(rows.pieces) if isinstance(one.about, str)))
        await press(pilot, "enter")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ConversationScreen)
        picked = screen.reader.picked

    assert picked is not None
    assert picked.kind == "compaction"


async def test_an_attached_document_stands_below_its_name_and_apart_from_what_was_typed(
    app: Bough, demo: Path
) -> None:
    row = next(row for row in bough.sessions(claude_dir=demo) if row.id.startswith("0f1e"))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = ConversationScreen(row.path, title=row.title)
        await show(pilot, screen)
        lines = [
            "".join(text for _, text in line).strip("│ ")
            for item in screen.reader.pieces
            for line in item.draw(80)
        ]

    assert "Attached: brief.md" in lines
    begins = lines.index("Attached: brief.md")
    assert lines[begins + 1 : begins + 3] == ["Lanterns at dusk, slow, warm.", "Like this"]
