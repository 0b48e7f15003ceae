"""What two branches left of their files, and what Claude will see after going back."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bough.library import read_session
from bough.query.index.handle import open_index
from bough.sample import SampleSession, session
from bough.terminal.style import UNICODE
from bough.terminal.style import text_of as text_in
from bough.timetravel.plans.content_digest import parse_session
from bough.tui.app.app import Bough
from bough.tui.conversation.side_panes import build_fact_items
from bough.tui.conversation.view import ConversationContent
from bough.tui.screens.compare import CompareScreen
from bough.tui.screens.conversation.screen import ConversationScreen
from bough.tui.screens.plan_preview import PlanPreviewScreen
from bough.tui.screens.travel import make_fork_screen, make_goto_screen
from bough.tui.widgets.list_view import ListView
from tests.conftest import Home
from tests.tui.conftest import press, text_of
from tests.tui.settling import settle

SMALL, LARGE = (80, 24), (160, 50)
READER = "def rows(path):\n    for row in open(path):\n        yield row\n"
OFFSETS = READER.replace("yield row", "yield row, file.tell()")
LOCKED = READER.replace("yield row", "with lock:\n            yield row")


@pytest.fixture
def told() -> SampleSession:
    """Tell a session whose two ways wrote to one file, and each to another."""
    builder = session("differences", cwd="/home/dev/shop").user("Make it resumable")
    _write(builder, "reader.py", READER).assistant("Here it is.", name="parting")
    builder.user("Keep the offset", name="a")
    _write(builder, "reader.py", OFFSETS)
    _write(builder, "both.py", "SAME = 1\n")
    _write(builder, "checkpoint.py", "OFFSET = 0\n").assistant("The offset is kept.", name="tip a")
    builder.at("parting").user("Use a lock", name="b")
    _write(builder, "reader.py", LOCKED)
    _write(builder, "both.py", "SAME = 1\n")
    edit = {"file_path": "/home/dev/shop/job.py", "old_string": "a", "new_string": "b"}
    hunk = {"oldStart": 41, "newStart": 41, "lines": ["-a", "+b"]}
    builder.tool("Edit", edit, "done", structured={"structuredPatch": [hunk]})
    return builder.assistant("It is locked.", name="tip b")


def _write(builder: SampleSession, name: str, text: str) -> SampleSession:
    return builder.tool("Write", {"file_path": f"/home/dev/shop/{name}", "content": text}, "done")


@pytest.fixture
def path(told: SampleSession, home: Home) -> Path:
    with home.writing():
        path = told.write(home.path)
        os.utime(path, (1_700_000_000, 1_700_000_000))  # long ago: no client has it open
        return path


@pytest.fixture
def app(home: Home, path: Path, clock: object, tmp_path: Path) -> Bough:
    open_index([home.path], tmp_path / "index.sqlite").close()
    return Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)


def compared(
    path: Path, told: SampleSession, *presses: str
) -> Callable[[Pilot[None]], Awaitable[None]]:
    a, b = told.uuid("tip a"), told.uuid("tip b")
    return opened(lambda: CompareScreen(read_session(str(path)), a, b), *presses)


def opened(
    make: Callable[[], CompareScreen | PlanPreviewScreen], *presses: str
) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def run(pilot: Pilot[None]) -> None:
        await settle(pilot)
        assert isinstance(pilot.app, Bough)
        pilot.app.open(make())
        await settle(pilot)
        await press(pilot, *presses)

    return run


def words(app: Bough) -> str:
    return "\n".join(text_of(app))


class TestFiles:
    async def test_each_file_says_which_branch_wrote_to_it_and_whether_they_differ(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=LARGE) as pilot:
            await compared(path, told)(pilot)
            shown = words(app)

        assert "differs  reader.py" in shown
        assert "the same both.py" in shown
        assert "only A   checkpoint.py" in shown
        assert "only B   job.py" in shown

    async def test_a_file_opens_as_a_diff_and_closes_again(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await compared(path, told, "n", "l")(pilot)
            shown = words(app)
            await press(pilot, "j", "h")
            closed = words(app)

        assert f"{UNICODE.minus} as A left it   + as B left it" in shown
        assert f"3 {UNICODE.minus}         yield row, file.tell()" in shown
        assert "3 +         with lock:" in shown
        assert "as A left it" not in closed

    async def test_enter_opens_a_file_too(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await compared(path, told, "n", "enter")(pilot)

            assert isinstance(app.screen, CompareScreen)
            assert "as B left it" in words(app)

    async def test_the_next_difference_is_in_what_is_open_and_never_in_what_is_the_same(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await compared(path, told, "n", "l")(pilot)
            side, seen = app.screen.query_one("#a", ListView), []
            for _ in range(2):
                await press(pilot, "n")
                seen.append(side.pieces[side.cursor])

        assert [piece.kind for piece in seen] == ["hunk", "file"]
        assert seen[1].key.endswith("checkpoint.py")

    async def test_where_no_copy_was_kept_the_changes_alone_are_shown(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await compared(path, told, "tab", "G", "l")(pilot)
            shown = words(app)

        assert "The client kept no copy of this file: these are the changes alone." in shown
        assert "41 + b" in shown


class TestSight:
    async def test_all_that_claude_will_see_is_read_up_to_the_point(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await opened(lambda: make_fork_screen(str(path), told.uuid("parting")), "tab", "l")(
                pilot
            )
            shown, screen = words(app), app.screen
            await press(pilot, "escape")

            assert isinstance(screen, ConversationScreen)
            assert screen.is_limited
            assert isinstance(app.screen, PlanPreviewScreen)
        assert "Here it is." in shown
        assert "Keep the offset" not in shown
        assert "Use a lock" not in shown

    async def test_there_nothing_can_be_changed(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await opened(lambda: make_fork_screen(str(path), told.uuid("parting")), "tab", "l")(
                pilot
            )
            await press(pilot, "f", "m", "U", "R", "e")

            assert isinstance(app.screen, ConversationScreen)
            assert app.screen.is_limited

    async def test_enter_on_what_claude_will_see_reads_and_does_nothing_else(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await opened(lambda: make_goto_screen(str(path), told.uuid("parting")), "j")(pilot)
            await press(pilot, "enter")
            screen = app.screen
            await press(pilot, "escape")

            assert isinstance(screen, ConversationScreen)
            assert screen.is_limited
            assert isinstance(app.screen, PlanPreviewScreen)
            assert app.screen.plan is not None

    async def test_files_changed_after_the_point_are_named(
        self, app: Bough, path: Path, told: SampleSession
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await opened(lambda: make_goto_screen(str(path), told.uuid("parting")))(pilot)
            shown = words(app)

        assert "Files on disk stay as they are now: 4 were changed after this point." in shown
        for name in ("reader.py", "both.py", "checkpoint.py", "job.py"):
            assert f"\n   {name}" in shown

    async def test_of_many_files_the_first_are_named_until_all_are_asked_for(
        self, home: Home, clock: object, tmp_path: Path
    ) -> None:
        builder = session("many").user("Start").assistant("ok", name="ok").user("More")
        for number in range(9):
            builder.tool("Write", {"file_path": f"/w/{number}.py", "content": "x"}, "done")
        builder.assistant("done")
        with home.writing():
            path = builder.write(home.path)
        app = Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)
        async with app.run_test(size=SMALL) as pilot:
            await opened(lambda: make_fork_screen(str(path), builder.uuid("ok")), "tab", "G")(pilot)
            few = words(app)
            await press(pilot, "l")
            every = words(app)

        assert "… 5 more, l names them" in few
        assert "/w/8.py" not in few
        assert "/w/8.py" in every


class TestContext:
    def test_at_most_four_parts_stand_under_the_context_the_largest_first(self) -> None:
        builder = session("parts", model="claude-opus-4-6").user("Look " * 400)
        builder.tool("Bash", {"command": "echo " + "y" * 3_000}, "x" * 9_000)
        builder.assistant("Well. " * 900, usage={"input_tokens": 40_000, "output_tokens": 10})
        telling = ConversationContent(parse_session(builder.bytes(), "s"), glyphs=UNICODE)

        pieces = [piece for piece in build_fact_items(telling) if piece.key.startswith("x/")]
        rows = [text_in(piece.draw(30)[0]).rsplit(None, 1) for piece in pieces[2:]]

        assert [name for name, _ in rows] == [
            "Not in the records",
            "Tool results",
            "Claude",
            "Tool calls",
        ]
        assert rows[1][1] == "2.2k"


Snap = Callable[..., bool]


class TestPictures:
    @pytest.mark.parametrize("size", [SMALL, LARGE])
    def test_a_file_that_both_branches_left_differently(
        self, snap_compare: Snap, app: Bough, path: Path, told: SampleSession, size: tuple[int, int]
    ) -> None:
        before = compared(path, told, "n", "l")

        assert snap_compare(app, terminal_size=size, run_before=before)

    @pytest.mark.parametrize("size", [SMALL, LARGE])
    def test_going_back_names_what_claude_will_see_and_the_files(
        self, snap_compare: Snap, app: Bough, path: Path, told: SampleSession, size: tuple[int, int]
    ) -> None:
        before = opened(lambda: make_goto_screen(str(path), told.uuid("parting")))

        assert snap_compare(app, terminal_size=size, run_before=before)

    @pytest.mark.parametrize("size", [SMALL, LARGE])
    def test_what_claude_will_see_is_read_as_a_conversation(
        self, snap_compare: Snap, app: Bough, path: Path, told: SampleSession, size: tuple[int, int]
    ) -> None:
        before = opened(lambda: make_goto_screen(str(path), told.uuid("parting")), "l")

        assert snap_compare(app, terminal_size=size, run_before=before)
