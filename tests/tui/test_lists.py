"""Home, Sessions, Live, Search and Usage: what stands where, at both sizes."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.widgets import Input

from bough.model.live.record_events import RecordEventKind
from bough.model.live.status import SessionState
from bough.query.live.events import StreamEvent
from bough.query.live.running_sessions import LiveSession, list_live_sessions
from bough.tui.app.app import Bough
from bough.tui.saved_state import load_app_state
from bough.tui.screens.conversation.screen import ConversationScreen
from bough.tui.screens.health import HealthScreen
from bough.tui.screens.search import SearchScreen
from bough.tui.screens.sessions import SessionsScreen
from bough.tui.screens.usage import UsageScreen
from bough.tui.widgets.list_view import ListView
from tests.sampled import mark_rest_whole
from tests.tui.conftest import NOW, keys, text_of
from tests.tui.settling import settle

SMALL = (80, 24)
LARGE = (160, 50)


@pytest.fixture
def going_on(demo: Path) -> Sequence[LiveSession]:
    return list_live_sessions([demo], since=NOW - timedelta(days=500), now=NOW)


def column_of(lines: Sequence[str], words: str) -> int:
    return next(line.index(words) for line in lines if words in line)


async def typed(app: Bough, pilot: object, words: str) -> None:
    app.screen.query_one("#box", Input).value = words
    await settle(pilot)  # type: ignore[arg-type]


class TestHome:
    async def test_the_preview_has_a_projects_sessions_and_a_sessions_last_words(
        self, app: Bough
    ) -> None:
        async with app.run_test(size=LARGE) as pilot:
            await keys()(pilot)
            project = text_of(app)
            for _ in range(9):
                await keys("j")(pilot)
            await settle(pilot)
            session = "\n".join(line[90:] for line in text_of(app))

        assert column_of(project, "Newest sessions") > 90
        assert "Make the CSV import resumable" in session
        assert "Run the whole suite and fix what breaks" in session
        assert "Now the slow ones." in session

    async def test_no_preview_stands_where_there_is_no_room_or_nobody_wants_it(
        self, app: Bough
    ) -> None:
        async with app.run_test(size=LARGE) as pilot:
            await keys("i")(pilot)
            without = "\n".join(text_of(app))
            await keys("i")(pilot)
            await pilot.resize_terminal(80, 24)
            await settle(pilot)
            small = "\n".join(text_of(app))

        assert "Newest sessions" not in without
        assert "Newest sessions" not in small

    async def test_who_waits_appears_on_top_and_the_cursor_stays(
        self, app: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("j")(pilot)
            before = app.screen.query_one("#list", ListView).picked

            app.update_live(going_on, [])
            await settle(pilot)

            after = app.screen.query_one("#list", ListView).picked
            assert "waits? " in text_of(app)[1]
            assert before is not None
            assert after is not None
            assert after.key == before.key

    async def test_the_cursor_goes_to_who_waits_where_nobody_moved_it(
        self, app: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys()(pilot)
            app.update_live(going_on, [])
            await settle(pilot)

            picked = app.screen.query_one("#list", ListView).picked
            assert picked is not None
            assert picked.key.startswith("live/")

    async def test_a_question_is_never_cut(
        self, app: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        asked = "run the migration on a copy of the database before the real one is touched?"
        waiting = [row for row in going_on if row.state is SessionState.WAITING]
        async with app.run_test(size=SMALL) as pilot:
            await keys()(pilot)
            app.update_live([replace(row, asks=asked) for row in waiting], [])
            await settle(pilot)
            words = " ".join(line.strip("\u258c\u2502\u2588 ") for line in text_of(app))

        assert waiting
        assert f"asks: {asked}" in words

    async def test_what_happened_behind_another_screen_is_there_on_the_way_back(
        self, app: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("g s")(pilot)
            home = app.screen_stack[1].query_one("#list", ListView)
            before = [piece.key for piece in home.pieces]

            app.update_live(going_on, [])
            await settle(pilot)
            behind = [piece.key for piece in home.pieces]
            await keys("escape")(pilot)

            assert behind == before
            assert "waits? " in text_of(app)[1]

    async def test_the_filter_finds_projects_and_sessions(self, app: Bough) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("slash", "l a n t e r n")(pilot)
            words = "\n".join(text_of(app))
            await keys("escape")(pilot)

            assert "paper-lantern" in words
            assert "Fold pages into lanterns" in words
            assert "orchard-shop" not in words
            assert "orchard-shop" in "\n".join(text_of(app))


class TestSessions:
    async def test_a_row_says_how_the_session_ended(self, app: Bough) -> None:
        async with app.run_test(size=LARGE) as pilot:
            await keys("g s")(pilot)
            rows = text_of(app)
            await keys("slash", "i n t e r r u p t e d")(pilot)
            narrowed = text_of(app)

        assert any("Benchmark" in row and "finished" in row for row in rows)
        assert any("Clean up after" in row and "interrupted" in row for row in narrowed)
        assert not any("Benchmark" in row for row in narrowed)

    async def test_the_filter_looks_at_the_whole_row_and_counts(self, app: Bough) -> None:
        async with app.run_test(size=LARGE) as pilot:
            await keys("g s", "slash", "l a n t e r n")(pilot)
            screen = app.screen
            assert isinstance(screen, SessionsScreen)
            rows = [item for item in screen.query_one("#list", ListView).pieces if item.picked]
            total = len(screen.found.rows) if screen.found is not None else 0

            assert 1 < len(rows) < total
            assert f"Sessions {len(rows)} of {total}" in text_of(app)[0]
            assert all("lantern" in line.casefold() for line in text_of(app)[2 : 2 + len(rows)])

    async def test_rows_are_sorted_by_the_column_that_was_chosen(self, app: Bough) -> None:
        async with app.run_test(size=LARGE) as pilot:
            await keys("g s", "less_than_sign")(pilot)
            screen = app.screen
            assert isinstance(screen, SessionsScreen)
            assert screen.found is not None
            costs = screen.found.costs
            shown = [item.about for item in screen.query_one("#list", ListView).pieces]
            spent = [costs[row.id].usd or 0.0 for row in shown if row.id in costs]  # type: ignore[attr-defined]

            assert "by cost" in text_of(app)[0]
            assert spent == sorted(spent, reverse=True)
            await keys("greater_than_sign")(pilot)
            assert "by cost" not in text_of(app)[0]

    async def test_columns_stand_below_their_names(self, app: Bough) -> None:
        async with app.run_test(size=LARGE) as pilot:
            await keys("g s")(pilot)
            lines = text_of(app)

        for name, value in (
            ("Project", "tide-table"),
            ("Git branch", "chore/python"),
            ("Title", "Drop"),
        ):
            assert column_of(lines[1:2], name) == column_of(lines[2:], value)

    async def test_health_is_one_key_away(self, app: Bough) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("g s", "D")(pilot)

            assert isinstance(app.screen, HealthScreen)
            assert "0 unreadable" in "\n".join(text_of(app))


class TestCockpit:
    async def test_cards_stand_in_two_columns_and_l_goes_to_the_other(
        self, app: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        async with app.run_test(size=LARGE) as pilot:
            app.update_live(going_on, [])
            await keys("g l")(pilot)
            lines = text_of(app)
            await keys("l")(pilot)

            assert column_of(lines, going_on[0].title) < 80 < column_of(lines, going_on[1].title)
            assert app.screen.row == going_on[1]  # type: ignore[attr-defined]

    async def test_rows_of_two_lines_stand_above_the_stream_at_80(
        self, app: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        said = StreamEvent(
            kind=RecordEventKind.TEXT,
            session="x",
            project="p",
            uuid=None,
            time=None,
            text="It happened.",
        )
        async with app.run_test(size=SMALL) as pilot:
            app.update_live(going_on, [said])
            await keys("g l")(pilot)
            lines = text_of(app)

        titles = [n for n, line in enumerate(lines) if any(r.title in line for r in going_on)]
        assert titles[1] - titles[0] == 2
        assert column_of(lines, "It happened.") > 0
        assert max(titles) < next(n for n, line in enumerate(lines) if "It happened." in line)


class TestSearch:
    async def test_three_messages_around_the_hit_stand_beside_it(self, app: Bough) -> None:
        async with app.run_test(size=LARGE) as pilot:
            await keys("s")(pilot)
            await typed(app, pilot, '"I start with the checkpoint"')
            await settle(pilot)
            beside = "\n".join(line[90:] for line in text_of(app))

        assert "Keep a checkpoint file next to the CSV" in beside
        assert "I start with the checkpoint itself." in beside
        assert "Write" in beside

    async def test_tab_completes_a_value_and_the_search_goes_on(self, app: Bough) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("s")(pilot)
            await typed(app, pilot, "checkpoint tool:Ed")
            offered = text_of(app)[2]
            await keys("tab")(pilot)

            assert "Tab Edit" in offered
            assert app.screen.query_one("#box", Input).value == "checkpoint tool:Edit "

    async def test_a_click_on_an_offer_takes_it(self, app: Bough) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("s")(pilot)
            await typed(app, pilot, "role:")
            line = text_of(app)[2]
            await pilot.click(offset=(line.index("assistant") + 1, 2))
            await settle(pilot)

            assert app.screen.query_one("#box", Input).value == "role:assistant "

    async def test_nothing_found_names_what_would_find_something(self, app: Bough) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("s")(pilot)
            await typed(app, pilot, "chekpoint")
            words = "\n".join(text_of(app))
            await keys("down", "enter")(pilot)
            await settle(pilot)

            assert '"checkpoint" has' in words
            assert app.screen.query_one("#box", Input).value == "checkpoint"

    async def test_a_search_that_led_somewhere_is_offered_again(self, app: Bough) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("s")(pilot)
            await typed(app, pilot, "lantern")
            await keys("enter")(pilot)
            assert isinstance(app.screen, ConversationScreen)
            await keys("g h", "s")(pilot)

            assert "lantern" in "\n".join(text_of(app)[2:])


class TestPalette:
    @pytest.mark.parametrize(
        ("words", "screen"),
        [
            ("paper-lantern", SessionsScreen),
            ("Deploy notes", ConversationScreen),
            ("zzz nowhere", SearchScreen),
        ],
    )
    async def test_it_leads_to_projects_sessions_and_a_search(
        self, app: Bough, words: str, screen: type
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("ctrl+k")(pilot)
            app.screen.query_one(Input).value = words
            await settle(pilot)
            await keys("enter")(pilot)

            assert isinstance(app.screen, screen)


class TestUsage:
    async def test_the_range_changes_what_is_counted_and_is_kept(
        self, app: Bough, demo: Path, tmp_path: Path
    ) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("g u", "l l l")(pilot)
            month = "\n".join(text_of(app))
            await keys("]", "]")(pilot)
            ever = "\n".join(text_of(app))
            await keys("q")(pilot)

        again = Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False)
        async with again.run_test(size=SMALL) as pilot:
            await keys("g u")(pilot)
            assert isinstance(again.screen, UsageScreen)
            assert (again.screen.report, again.screen.since) == ("project", "")

        assert "dotfiles" not in month
        assert "dotfiles" in ever
        assert load_app_state().since == ""

    async def test_a_click_chooses_a_report(self, app: Bough) -> None:
        async with app.run_test(size=SMALL) as pilot:
            await keys("g u")(pilot)
            await pilot.click(offset=(text_of(app)[2].index("hooks") + 1, 2))
            await settle(pilot)

            assert app.saved_state.report == "hooks"
            assert "scripts/lint.sh" in "\n".join(text_of(app))

    @pytest.mark.parametrize(
        "report",
        mark_rest_whole(
            ["tools", "hooks", "errors", "agents", "files", "activity"], {"tools", "activity"}
        ),
    )
    async def test_every_report_has_bars_and_a_table(self, app: Bough, report: str) -> None:
        app.saved_state.report = report
        async with app.run_test(size=LARGE) as pilot:
            await keys("g u")(pilot)
            chart = "\n".join(text_of(app))
            await keys("v")(pilot)
            table = "\n".join(text_of(app))

        assert "█" in chart
        assert f"bough stats {report} --since 30d" in chart
        assert table != chart

    async def test_a_session_opens_from_its_row(self, app: Bough) -> None:
        app.saved_state.report = "session"
        async with app.run_test(size=SMALL) as pilot:
            await keys("g u", "enter")(pilot)

            assert isinstance(app.screen, ConversationScreen)


@pytest.mark.parametrize(
    ("report", "query"),
    [("tools", 'tool:"Read"'), ("files", 'file:"'), ("activity", "after:"), ("model", 'model:"')],
)
async def test_enter_opens_what_a_search_finds_behind_a_row(
    app: Bough, report: str, query: str
) -> None:
    app.saved_state.report = report
    app.saved_state.chart = True
    async with app.run_test(size=(120, 40)) as pilot:
        await keys("g u", "g g", "enter")(pilot)

        assert isinstance(app.screen, SearchScreen)
        assert app.screen.words.startswith(query)


async def test_where_nothing_is_behind_a_row_the_footer_offers_no_enter(app: Bough) -> None:
    app.saved_state.report = "hooks"
    async with app.run_test(size=(120, 40)) as pilot:
        await keys("g u", "g g")(pilot)
        footer = text_of(app)[-1]
        await keys("enter")(pilot)

        assert "Enter" not in footer
        assert isinstance(app.screen, UsageScreen)
        assert [one.message for one in app._notifications] == [
            "Nothing can be opened from a row of hooks."
        ]
