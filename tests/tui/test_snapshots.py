"""Every screen as a picture; look at a changed one before you take it over."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bough.tui.app.app import Bough
from tests.tui.conftest import keys

Compare = Callable[..., bool]
SMALL = (80, 24)
LARGE = (160, 50)
STORY = ("g s", "slash", "r e s u m a b l e", "enter", "enter")
"""The keys that lead to the session of two rewinds, two agents, a compaction and a fork."""


def seen(compare: Compare, app: Bough, size: tuple[int, int], *presses: str) -> bool:
    return compare(app, terminal_size=size, run_before=keys(*presses))


@pytest.fixture
def plain(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bough:
    monkeypatch.setenv("NO_COLOR", "1")
    return Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False, plain=True)


@pytest.fixture
def light(demo: Path, tmp_path: Path) -> Bough:
    return Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False, theme="light")


class TestHome:
    @pytest.mark.parametrize("size", [SMALL, LARGE])
    def test_projects_stand_newest_first_with_their_worktrees(
        self, snap_compare: Compare, app: Bough, size: tuple[int, int]
    ) -> None:
        assert seen(snap_compare, app, size)

    def test_home_is_readable_without_colours(self, snap_compare: Compare, plain: Bough) -> None:
        assert seen(snap_compare, plain, SMALL)

    def test_home_in_the_light_theme(self, snap_compare: Compare, light: Bough) -> None:
        assert seen(snap_compare, light, SMALL)


class TestSessions:
    @pytest.mark.parametrize("size", [SMALL, LARGE])
    def test_sessions_take_two_lines_or_columns(
        self, snap_compare: Compare, app: Bough, size: tuple[int, int]
    ) -> None:
        assert seen(snap_compare, app, size, "enter")


class TestConversation:
    @pytest.mark.parametrize("size", [SMALL, LARGE, (40, 12)])
    def test_a_conversation_opens_at_its_end(
        self, snap_compare: Compare, app: Bough, size: tuple[int, int]
    ) -> None:
        assert seen(snap_compare, app, size, *STORY)

    def test_a_twig_stands_where_another_branch_left(
        self, snap_compare: Compare, app: Bough
    ) -> None:
        assert seen(snap_compare, app, SMALL, *STORY, "K K K K")

    def test_an_edit_opens_as_a_diff(self, snap_compare: Compare, app: Bough) -> None:
        assert seen(snap_compare, app, SMALL, *STORY, "K K K K", "j j j j j j", "l", "j", "l")

    def test_an_agent_opens_in_place(self, snap_compare: Compare, app: Bough) -> None:
        assert seen(snap_compare, app, SMALL, *STORY, "K K K K", "j j j", "l")

    def test_found_words_are_marked(self, snap_compare: Compare, app: Bough) -> None:
        assert seen(snap_compare, app, SMALL, *STORY, "slash", "o f f s e t", "enter")

    def test_a_conversation_is_readable_without_colours(
        self, snap_compare: Compare, plain: Bough
    ) -> None:
        assert seen(snap_compare, plain, SMALL, *STORY, "K K K K")

    def test_a_conversation_in_the_light_theme(self, snap_compare: Compare, light: Bough) -> None:
        assert seen(snap_compare, light, SMALL, *STORY, "K K K K")


class TestTree:
    @pytest.mark.parametrize("size", [SMALL, LARGE])
    def test_a_session_is_drawn_with_its_rewinds_agents_and_seam(
        self, snap_compare: Compare, app: Bough, size: tuple[int, int]
    ) -> None:
        assert seen(snap_compare, app, size, *STORY, "t")

    def test_the_tree_is_readable_without_colours(
        self, snap_compare: Compare, plain: Bough
    ) -> None:
        assert seen(snap_compare, plain, SMALL, *STORY, "t")


class TestCompare:
    @pytest.mark.parametrize("size", [SMALL, LARGE])
    def test_two_branches_stand_side_by_side_or_one_at_a_time(
        self, snap_compare: Compare, app: Bough, size: tuple[int, int]
    ) -> None:
        assert seen(snap_compare, app, size, *STORY, "t", "k k k k k k", "c")


class TestSearch:
    def test_hits_are_grouped_by_session_and_marked(
        self, snap_compare: Compare, app: Bough, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bough.tui.content.search_hits.perf_counter", lambda: 0.0)

        assert seen(snap_compare, app, SMALL, "s", "c h e c k p o i n t", "down")


class TestUsage:
    @pytest.mark.parametrize("presses", [(), ("v",), ("h",)])
    def test_money_is_shown_as_bars_and_as_a_table(
        self, snap_compare: Compare, app: Bough, presses: tuple[str, ...]
    ) -> None:
        assert seen(snap_compare, app, SMALL, "g u", *presses)

    def test_hooks_and_tools_have_tables_of_their_own(
        self, snap_compare: Compare, app: Bough
    ) -> None:
        assert seen(snap_compare, app, LARGE, "g u", "l l l l l l l")


class TestOthers:
    def test_help_lists_the_keys_of_the_screen_first(
        self, snap_compare: Compare, app: Bough
    ) -> None:
        assert seen(snap_compare, app, SMALL, *STORY, "question_mark")

    def test_the_cockpit_says_when_nothing_runs(self, snap_compare: Compare, app: Bough) -> None:
        assert seen(snap_compare, app, SMALL, "g l")

    def test_health_names_what_was_found(self, snap_compare: Compare, app: Bough) -> None:
        assert seen(snap_compare, app, SMALL, *STORY, "D")

    def test_the_palette_names_what_can_be_done(self, snap_compare: Compare, app: Bough) -> None:
        assert seen(snap_compare, app, SMALL, "ctrl+k")
