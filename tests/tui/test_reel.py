"""The reel: whatever comes, folds or is resized, the first visible line stays."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from bough.backports import override
from bough.terminal.style import Role
from bough.tui.widgets.list_items import ListItem, draw_fixed
from bough.tui.widgets.list_view import ListView
from bough.tui.widgets.viewport import Viewport


class Shown(App[None]):
    """One reel and nothing else."""

    def __init__(self, pieces: Sequence[ListItem]) -> None:
        super().__init__()
        self.given = pieces

    @override
    def compose(self) -> ComposeResult:
        yield ListView(id="list")

    def on_mount(self) -> None:
        self.query_one(ListView).show(self.given)


def piece(name: str, rows: int = 1, kind: str = "row", *, picked: bool = True) -> ListItem:
    lines = [((Role.CLAUDE, f"{name}.{row}"),) for row in range(rows)]
    return ListItem(name, draw_fixed(lines), kind, picked=picked)


def lines_of(reel: ListView) -> list[str]:
    return [reel.render_line(y).text.strip(" ▌▏│█") for y in range(reel.size.height)]


async def test_only_what_is_visible_is_laid_out() -> None:
    drawn: list[str] = []

    def counting(name: str) -> ListItem:
        def draw(_: int) -> list[tuple[tuple[Role, str]]]:
            drawn.append(name)
            return [((Role.CLAUDE, name),)]

        return ListItem(name, draw)

    async with Shown([counting(str(n)) for n in range(100_000)]).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        reel = pilot.app.query_one(ListView)
        reel.go_to_end()
        reel.go_to_start()
        await pilot.pause()

    assert len(set(drawn)) < 50


async def test_the_end_leaves_no_emptiness_below_it() -> None:
    async with Shown([piece(f"p{n}", 3) for n in range(20)]).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        reel = pilot.app.query_one(ListView)
        reel.go_to_end()

        assert lines_of(reel)[-1] == "p19.2"
        assert lines_of(reel)[0] == "p16.2"


async def test_what_is_put_before_the_view_does_not_move_it() -> None:
    pieces = [piece(f"p{n}", 3) for n in range(20)]
    async with Shown(pieces).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        reel = pilot.app.query_one(ListView)
        reel.go_to_key("p10")
        reel.scroll(1)
        before = lines_of(reel)

        reel.show([piece(f"new{n}", 7) for n in range(30)] + pieces + [piece("after", 50)])

        assert lines_of(reel) == before


async def test_where_the_top_piece_goes_the_nearest_before_it_takes_its_place() -> None:
    pieces = [piece(f"p{n}") for n in range(50)]
    async with Shown(pieces).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        reel = pilot.app.query_one(ListView)
        reel.go_to_key("p20")

        reel.show([one for one in pieces if one.key not in ("p19", "p20", "p21")])

        assert lines_of(reel)[0] == "p18.0"


async def test_a_long_piece_is_scrolled_through_before_the_next() -> None:
    async with Shown([piece("long", 25), piece("next", 1)]).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        reel = pilot.app.query_one(ListView)
        for _ in range(15):
            reel.step(1)
        still_on = reel.picked
        reel.step(1)

        assert still_on is not None
        assert still_on.key == "long"
        assert reel.picked is not None
        assert reel.picked.key == "next"


async def test_the_cursor_passes_over_what_cannot_be_picked() -> None:
    pieces = [piece("a"), piece("head", picked=False), piece("b")]
    async with Shown(pieces).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        reel = pilot.app.query_one(ListView)
        reel.go_to_start()
        reel.step(1)

        assert reel.picked is not None
        assert reel.picked.key == "b"


async def test_following_shows_what_comes_and_going_up_stops_it() -> None:
    pieces = [piece(f"p{n}") for n in range(30)]
    async with Shown(pieces).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        reel = pilot.app.query_one(ListView)
        reel.follow = True
        reel.show([*pieces, piece("new")])
        followed = lines_of(reel)[-1]
        reel.scroll(-3)
        here = lines_of(reel)
        reel.show([*pieces, piece("new"), piece("newer")])

        assert followed == "new.0"
        assert lines_of(reel) == here


@given(
    heights=st.lists(st.integers(1, 30), min_size=1, max_size=40),
    moves=st.lists(st.integers(-60, 60), max_size=12),
)
def test_scrolling_is_moving_a_window_over_the_lines(heights: list[int], moves: list[int]) -> None:
    window = Viewport(lambda number: heights[number])
    window.count, window.height = len(heights), 10
    every = [(n, row) for n, rows in enumerate(heights) for row in range(rows)]
    top = 0

    for by in moves:
        window.shift(by)
        window.clamp()
        top = max(0, min(top + by, len(every) - 10))

        assert window.visible_lines == every[top : top + 10]
