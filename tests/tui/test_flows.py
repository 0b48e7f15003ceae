"""The app driven by keys, from screen to screen, as a person would."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.widgets import Input

from bough.sample import session
from bough.tui.app.app import Bough
from bough.tui.saved_state import load_app_state
from bough.tui.screens.compare import CompareScreen
from bough.tui.screens.conversation.screen import ConversationScreen
from bough.tui.screens.plan_preview import PlanPreviewScreen
from bough.tui.screens.tree import TreeScreen
from bough.tui.screens.usage import UsageScreen
from tests.conftest import Home
from tests.tui.conftest import NOW, keys, text_of
from tests.tui.settling import settle

STORY = ("g s", "slash", "r e s u m a b l e", "enter", "enter")
SIZE = (80, 24)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*.jsonl")}


def screen_name(app: Bough) -> str:
    return type(app.screen).__name__.removesuffix("Screen")


async def test_enter_leads_from_home_to_a_conversation_and_escape_back(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        seen = []
        for press in ("enter", "enter", "escape", "escape"):
            await keys(press)(pilot)
            seen.append(screen_name(app))

    assert seen == ["Sessions", "Conversation", "Sessions", "Home"]


async def test_the_five_places_have_a_key_each(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        seen = []
        for press in ("2", "3", "escape", "4", "5", "1"):
            await keys(press)(pilot)
            seen.append(screen_name(app))

        assert seen == ["Sessions", "Search", "Sessions", "Live", "Usage", "Home"]


async def test_reading_one_branch_never_shows_words_of_another(app: Bough) -> None:
    async with app.run_test(size=(80, 400)) as pilot:
        await keys(*STORY)(pilot)

        words = "\n".join(text_of(app))

        assert "Keep a checkpoint file next to the CSV" in words
        assert "├─○ Use a job table instead" in words
        assert "Add the migration" not in words


async def test_a_twig_opens_its_branch_and_escape_returns_to_the_same_line(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY)(pilot)
        conversation = app.screen
        assert isinstance(conversation, ConversationScreen)
        side_branch = next(p for p in conversation.reader.pieces if p.kind == "side-branch")
        conversation.reader.go_to_key(side_branch.key)
        await settle(pilot)
        before = text_of(app)

        await keys("enter")(pilot)
        opened = text_of(app)
        await keys("escape")(pilot)

        assert any("Use a job table instead" in line for line in opened)
        assert any("branch left behind" in line for line in opened)
        assert text_of(app) == before


async def test_a_search_lands_on_the_words_unfolded_and_n_goes_on(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("s")(pilot)
        quote = "quotation_mark"
        await keys(f"{quote} o f f space b y space o n e {quote}", "enter")(pilot)
        first = app.hit

        words = "\n".join(text_of(app))
        await keys("n")(pilot)
        next_words = "\n".join(text_of(app))

        assert "off by one cent" in words
        assert "Off by one: the offset" in next_words
        assert isinstance(app.screen, ConversationScreen)
        assert app.hit == (first + 1) % len(app.hits)


async def test_after_a_jump_the_search_stays_and_escape_returns_to_its_hits(app: Bough) -> None:
    async with app.run_test(size=(140, 40)) as pilot:
        await keys("s", "j o b space t a b l e")(pilot)
        await keys("tab", "down")(pilot)
        before = text_of(app)
        await keys("enter")(pilot)
        landed = "\n".join(text_of(app))
        needle = app.screen.reader.needle  # type: ignore[attr-defined]
        await keys("n")(pilot)
        following = "\n".join(text_of(app))
        total, sessions = app.hit_page.total, app.hit_page.sessions  # type: ignore[union-attr]
        await keys("escape")(pilot)

        assert f"job table  hit 2 of {total}, session 1 of {sessions}" in landed
        assert "Esc results" in landed
        assert f"hit 3 of {total}" in following
        assert needle.lower() == "job table"
        assert text_of(app)[3:-2] == before[3:-2]


async def test_a_wrong_query_says_where_and_keeps_the_last_hits(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("s", "c h e c k p o i n t")(pilot)
        # All at once: letter by letter, a query on the way may find something else.
        app.screen.query_one("#box", Input).value = "checkpoint tool:"
        await settle(pilot)

        words = "\n".join(text_of(app))

        assert "tool: wants a tool's name" in words
        assert "Keep a checkpoint file" in words


async def test_finding_opens_only_what_hides_the_hit(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "slash", "t e s t _ s e c o n d _ r u n", "enter")(pilot)
        conversation = app.screen
        assert isinstance(conversation, ConversationScreen)
        opened = set(conversation.folds.opened_for_match)

        await keys("escape")(pilot)

        assert opened
        assert not conversation.folds.opened_for_match
        assert conversation.reader.needle == ""


async def test_x_on_a_prompt_unfolds_its_turn_and_folds_it_again(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "K K")(pilot)
        conversation = app.screen
        assert isinstance(conversation, ConversationScreen)
        assert conversation.reader.picked is not None
        assert conversation.reader.picked.kind == "prompt"
        folded = len(conversation.reader.pieces)
        before = set(conversation.folds.opened)

        await keys("x")(pilot)
        unfolded = len(conversation.reader.pieces)
        turns = {key.partition(":")[0] for key in conversation.folds.opened - before}
        await keys("x")(pilot)

        assert unfolded > folded
        assert len(turns) > 1
        assert len(conversation.reader.pieces) == folded
        assert not conversation.folds.closed


async def test_the_last_line_of_a_live_conversation_says_what_claude_does(
    home: Home, tmp_path: Path
) -> None:
    told = session("working", start=datetime.now(UTC) - timedelta(seconds=20))
    told.user("Run it").tool("Bash", {"command": "pytest -q"}, None)
    with home.writing():
        path = told.write(home.path)
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"))

    async with app.run_test(size=SIZE) as pilot:
        await keys()(pilot)
        app.open(ConversationScreen(str(path)))
        await settle(pilot)
        words = ""
        for _ in range(100):
            words = "\n".join(text_of(app))
            if "working: Bash pytest -q, 0:" in words and "running 0:" in words:
                break
            await pilot.pause(0.05)

    assert "working: Bash pytest -q, 0:" in words
    assert "running 0:" in words


async def test_only_the_talk_has_neither_steps_nor_thoughts(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY)(pilot)
        conversation = app.screen
        assert isinstance(conversation, ConversationScreen)
        whole = [(item.key, item.kind) for item in conversation.reader.pieces]

        await keys("z")(pilot)
        talk = [(item.key, item.kind) for item in conversation.reader.pieces]
        await keys("z")(pilot)

        kinds = {kind for _, kind in talk}
        assert {"tool", "steps", "agent"} <= {kind for _, kind in whole}
        assert {"prompt", "text"} <= kinds
        assert not kinds & {"tool", "steps", "thought", "agent", "note", "hook", "notice"}
        assert [one for one in whole if one[1] == "prompt"] == [
            one for one in talk if one[1] == "prompt"
        ]
        assert [(item.key, item.kind) for item in conversation.reader.pieces] == whole


async def test_a_long_pasted_prompt_is_folded_until_it_is_opened(
    home: Home, clock: object, tmp_path: Path
) -> None:
    pasted = "\n".join(f"row {number} of the log" for number in range(200))
    with home.writing():
        session().user(pasted).assistant("I see.").write(home.path)
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"))

    async with app.run_test(size=(80, 60)) as pilot:
        await keys("g s", "enter", "g g")(pilot)
        folded = "\n".join(text_of(app))
        await keys("l")(pilot)
        opened = "\n".join(text_of(app))

    assert "row 11 of" in folded
    assert "row 12 of" not in folded
    assert "show all 200 lines" in folded
    assert "row 12 of" in opened


async def test_folding_and_thinking_keep_the_first_visible_line(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "K K K K")(pilot)
        first = text_of(app)[1]

        await keys("H")(pilot)
        without = text_of(app)
        await keys("X")(pilot)

        assert without[1] == text_of(app)[1] == first
        assert not any("Thought" in line for line in without)


async def test_home_and_end_are_exact(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "g g")(pilot)
        top = text_of(app)
        await keys("G")(pilot)

        assert "Saturday 14 November" in top[1]
        assert "The nightly import dies half way" in "".join(top[2:6])
        assert any("pytest -q tests/slow" in line for line in text_of(app))


async def test_the_tree_stands_on_the_active_tip_and_reads_a_branch(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "t")(pilot)
        tree = app.screen
        assert isinstance(tree, TreeScreen)
        assert tree.point is not None
        assert tree.point.turn.active

        await keys("k k k k k k k", "enter")(pilot)

        assert isinstance(app.screen, ConversationScreen)


async def test_two_branches_are_compared_from_the_tree(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "t")(pilot)
        tree = app.screen
        assert isinstance(tree, TreeScreen)
        left = next(p for p in tree.query_one("#list").pieces if "c2a9" in p.key)  # type: ignore[attr-defined]
        tree.query_one("#list").go_to_key(left.key)  # type: ignore[attr-defined]
        await keys("c")(pilot)
        assert isinstance(app.screen, CompareScreen)
        side_a = "\n".join(text_of(app))

        await keys("tab")(pilot)

        assert "Use a job table instead" in side_a
        assert "Keep a checkpoint file" in "\n".join(text_of(app))


@pytest.mark.writes_home
async def test_a_fork_is_previewed_made_and_taken_back(app: Bough, demo: Path) -> None:
    before = contents(demo)
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "t", "k k k k", "f")(pilot)
        assert isinstance(app.screen, PlanPreviewScreen)
        shown = "\n".join(text_of(app))
        untouched = contents(demo) == before
        await keys("enter")(pilot)
        made = set(contents(demo)) - set(before)
        await keys("U", "enter")(pilot)

    assert "Claude will see" in shown
    assert untouched
    assert len(made) == 1
    assert contents(demo) == before


async def test_escape_from_a_preview_changes_nothing(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "t", "k k k k", "f", "escape")(pilot)

        assert isinstance(app.screen, TreeScreen)


async def test_a_refusal_says_why(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("U")(pilot)

        words = "\n".join(text_of(app))

        assert "Nothing was changed. Esc goes back." in words


async def test_usage_goes_through_its_reports_and_flips_chart_and_table(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g u")(pilot)
        chart = "\n".join(text_of(app))
        await keys("v")(pilot)
        table = "\n".join(text_of(app))
        await keys("l")(pilot)
        assert isinstance(app.screen, UsageScreen)

        assert "█" in chart
        assert "CACHE" in table
        assert app.screen.report == "weekly"


async def test_where_reading_stopped_is_kept_between_runs(
    app: Bough, demo: Path, tmp_path: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "K K K K K")(pilot)
        first = text_of(app)[1:22]
        await keys("q")(pilot)

    again = Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False)
    async with again.run_test(size=SIZE) as pilot:
        await keys(*STORY)(pilot)
        second = text_of(again)[1:22]

    assert load_app_state().stopped
    assert second == first


async def test_a_resize_keeps_the_first_visible_line(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "K K K K")(pilot)
        before = app.screen.reader.top.key  # type: ignore[attr-defined]

        await pilot.resize_terminal(160, 50)
        await settle(pilot)
        await pilot.resize_terminal(60, 16)
        await settle(pilot)

        assert app.screen.reader.top.key == before  # type: ignore[attr-defined]


async def test_a_click_picks_and_a_second_click_opens(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s")(pilot)
        await pilot.click(offset=(10, 5))
        await settle(pilot)
        picked = app.screen.row  # type: ignore[attr-defined]
        await pilot.click(offset=(10, 5))
        await settle(pilot)

        assert isinstance(app.screen, ConversationScreen)
        assert app.screen.path == picked.path


async def test_keys_can_be_given_other_names(
    home: Home, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "user" / ".config" / "bough"
    place.mkdir(parents=True)
    (place / "keys.toml").write_text('usage = "z"\nnonsense = "y"\n')
    app = Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False)

    async with app.run_test(size=SIZE) as pilot:
        await keys("z")(pilot)

        assert isinstance(app.screen, UsageScreen)
        assert app._key_trouble == "Not a key that can be set: nonsense."


async def test_the_theme_changes_and_is_kept(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("T", "q")(pilot)

    assert load_app_state().theme == "light"


async def test_no_claude_folder_is_a_sentence_and_not_a_crash(tmp_path: Path) -> None:
    app = Bough([str(tmp_path / "nowhere")], str(tmp_path / "index.sqlite"), live=False)

    async with app.run_test(size=SIZE) as pilot:
        await keys()(pilot)

        assert app.is_running


async def test_an_append_is_seen_and_does_not_move_what_is_read(
    home: Home, clock: object, tmp_path: Path
) -> None:
    told = session("live-tui").user("Begin").assistant("I begin.")
    for number in range(30):
        told.user(f"Prompt {number}").assistant(f"Answer {number}")
    with home.writing():
        path = told.write(home.path)
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"))
    async with app.run_test(size=SIZE) as pilot:
        await keys()(pilot)
        app.open(ConversationScreen(str(path)))
        await settle(pilot)
        await keys("g g")(pilot)
        before = text_of(app)[1:20]
        told.user("One more thing").assistant("Of course.")
        with home.writing():
            path.write_bytes(told.bytes())
        for _ in range(60):
            await pilot.pause(0.05)
            if any("Of course." in str(p.draw(78)) for p in app.screen.reader.pieces[-4:]):  # type: ignore[attr-defined]
                break
        after = text_of(app)[1:20]
        await keys("G")(pilot)
        at_the_end = "\n".join(text_of(app))

    assert after == before
    assert "Of course." in at_the_end


async def test_a_large_session_is_shown_at_once_and_follows_its_growth(
    home: Home, clock: object, tmp_path: Path
) -> None:
    told = session("large-tui", start=NOW - timedelta(hours=1))
    for number in range(400):
        told.user(f"Prompt {number}").assistant(f"Answer {number} " + "word " * 400)
    with home.writing():
        path = told.write(home.path)
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"))
    async with app.run_test(size=SIZE) as pilot:
        await keys()(pilot)
        screen = ConversationScreen(str(path))
        app.open(screen)
        for _ in range(400):
            await pilot.pause(0.005)
            if screen.reader.pieces:
                break
        first = screen.reader.pieces[-3:]
        await settle(pilot)
        complete = len([piece for piece in screen.reader.pieces if piece.kind == "prompt"])
        told.user("One more thing").assistant("Of course.")
        with home.writing():
            path.write_bytes(told.bytes())
        for _ in range(200):
            await pilot.pause(0.02)
            if any("Of course." in line for line in text_of(app)):
                break
        words = "\n".join(text_of(app))
        await settle(pilot)

    assert first
    assert complete == 400
    assert "Of course." in words


async def test_the_shape_of_a_tree_keeps_splits_tips_and_seams(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, "t", "minus")(pilot)
        shape = "\n".join(text_of(app))
        await keys("plus")(pilot)
        whole = "\n".join(text_of(app))

    assert "3 turns" in shape
    assert "Compacted" in shape
    assert "What happens when the CSV" not in shape
    assert "What happens when the CSV" in whole


async def test_without_room_one_sentence_asks_for_it(app: Bough) -> None:
    async with app.run_test(size=(36, 9)) as pilot:
        await keys()(pilot)

        assert "bough needs 40x10" in text_of(app)[0]


async def test_what_a_compaction_dropped_is_listed(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY)(pilot)
        reader = app.screen.reader  # type: ignore[attr-defined]
        compaction = next(piece for piece in reader.pieces if piece.kind == "compaction")
        reader.go_to_key(compaction.key)
        await keys("enter", "enter")(pilot)

        words = "\n".join(text_of(app))

        assert "What was dropped" in words
        assert "Write the plan first, no code yet" in words
        assert "It changed 3 files in them." in words
        assert "src/import/checkpoint.py" in words


async def test_a_screen_that_is_not_there_yet_is_not_asked_to_list_again(app: Bough) -> None:
    async with app.run_test() as pilot:
        await settle(pilot)
        pushed = app.push_screen(UsageScreen())
        assert not app.screen.is_mounted

        app.reload_from_index("")
        app.update_live([], [])
        await pushed
        await settle(pilot)

        assert screen_name(app) == "Usage"
