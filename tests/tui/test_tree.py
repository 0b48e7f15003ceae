"""The tree: three distances, and points to travel from."""

import os
from pathlib import Path
from time import perf_counter

import pytest
from textual.pilot import Pilot

from bough.query.index.handle import open_index
from bough.sample import SampleSession, session
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.tui.app.app import Bough
from bough.tui.screens.plan_preview import PlanPreviewScreen
from bough.tui.screens.tree import TreeScreen
from bough.tui.widgets.list_view import ListView
from tests.conftest import Home
from tests.tui.conftest import press, show, text_of
from tests.tui.settling import settle

SIZE = (120, 30)


@pytest.fixture
def told() -> SampleSession:
    """Tell a session of five turns with one way that was left."""
    builder = session("zooming").user("First thing").assistant("one", name="one")
    builder.user("Left behind").assistant("left")
    builder.at("one").user("Second thing").assistant("two")
    builder.user("Third thing").thinking("Let me look.")
    builder.tool("Bash", {"command": "make check"}, "fine\n")
    builder.hook("PostToolUse", "scripts/lint.sh")
    builder.assistant("three").user("Fourth thing").assistant("four")
    return builder


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


async def opened(pilot: Pilot[None], path: Path, *presses: str) -> TreeScreen:
    screen = TreeScreen(str(path))
    await show(pilot, screen, *presses)
    return screen


async def test_a_session_of_another_day_says_which(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path)
        counts = text_of(app)[1]
        assert screen.graph is not None
        ended = screen.graph.session.ended_at

    assert ended is not None
    assert f", ended {Canvas(clock.now()).time(ended)}." in counts


async def test_a_conversation_read_from_the_tree_names_its_project(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path, "enter")
        bar = text_of(app)[0]
        assert screen.graph is not None
        project = Path(screen.graph.session.cwd or "").name

    assert project
    assert bar.startswith(f" bough  {project} ")


async def test_one_looks_from_three_distances(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, path)
        prompts = "\n".join(text_of(app))
        await press(pilot, "minus")
        shape = "\n".join(text_of(app))
        await press(pilot, "plus plus")
        every = "\n".join(text_of(app))

    assert "[Prompts]" in prompts
    assert "Third thing" in prompts
    assert "make check" not in prompts
    assert "[Shape]" in shape
    assert "Third thing" not in shape
    assert "2 turns" in shape
    assert "[Every message]" in every
    assert "~ Let me look." in every
    assert "Bash make check" in every


async def test_what_is_no_talk_is_quiet_among_the_messages(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path, "plus")
        graph = screen.graph

    assert graph is not None
    quiet = {row.text.strip() for row in graph.rows if row.sign == "│" and row.text_role == "meta"}
    loud = {row.text.strip() for row in graph.rows if row.sign == "│" and row.text_role != "meta"}
    assert any("scripts/lint.sh" in text for text in quiet), quiet
    assert {"Bash make check", "result: fine", "three"} <= loud


async def test_zooming_keeps_the_place(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path, "k")
        before = screen.uuid
        await press(pilot, "plus")
        nearer = screen.uuid
        await press(pilot, "j j", "minus")
        back = screen.uuid

    assert before == nearer == back


async def test_a_message_is_a_point_to_look_at(app: Bough, path: Path, told: SampleSession) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path, "plus")
        screen.query_one("#list", ListView).go_to_end()
        await settle(pilot)
        await press(pilot, "r")
        words = "\n".join(text_of(app))

    assert "Raw records" in words
    assert '"four"' in words


async def test_the_point_of_a_fork_moves_turn_by_turn(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, path, "f")
        assert isinstance(app.screen, PlanPreviewScreen)
        seen = [after(app)]
        for arrow in ("up", "up", "down", "down", "down"):
            await press(pilot, arrow)
            seen.append(after(app))
        told = [note.message for note in app._notifications]

    assert seen == [
        "Fourth thing", "Third thing", "Second thing", "Third thing", "Fourth thing",
        "Fourth thing",
    ]  # fmt: skip
    assert told[-1] == "There is no later turn on this branch."


async def test_the_point_of_going_back_moves_by_the_keys_of_prompts(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, path, "m", "K", "K", "J")

        assert after(app) == "Third thing"


async def test_where_going_back_is_refused_a_fork_is_one_key_away(
    app: Bough, path: Path, home: Home
) -> None:
    with home.writing():
        os.utime(path)  # just now: a client may have it open
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, path, "m")
        refusal = "\n".join(text_of(app))
        await press(pilot, "f")

        assert "a client may have it open" in refusal
        assert "f forks a new session here instead." in refusal
        assert refusal.splitlines()[-1].startswith(" f fork  ")
        assert after(app) == "Fourth thing"


def after(app: Bough) -> str:
    """Read what the previewed point stands behind."""
    screen = app.screen
    assert isinstance(screen, PlanPreviewScreen)
    point = screen.plan.point if screen.plan is not None else None
    return point.text if point is not None else screen.refusal


async def test_on_the_active_tip_nothing_is_offered_that_would_do_nothing(
    app: Bough, path: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path)
        at_tip = "\n".join(text_of(app))
        idle = {name for name in ("compare", "make-active") if not screen.can_do(name)}
        await press(pilot, "k")
        before = {name for name in ("compare", "make-active") if not screen.can_do(name)}
        for _ in range(6):
            if screen.point is None or screen.point.turn.text != "Left behind":
                await press(pilot, "k")
        left = "\n".join(text_of(app))

    assert idle == {"compare", "make-active"}
    assert before == {"compare"}
    assert "Active tip" in at_tip
    assert "Compare with" not in at_tip
    assert "Make this the active" not in at_tip
    assert "Fork a new session" in at_tip
    assert "Compare with" in left
    assert "Make this the active" in left


async def test_two_marks_make_a_comparison_of_any_point(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path, "a", "k", "b")

        assert screen.can_do("compare")


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("y r", "claude --resume"),
        ("y p", ".jsonl"),
        ("y l", "bough show"),
        ("y m", "Fourth thing"),
        ("y i", ""),
    ],
)
async def test_the_tree_copies_what_a_conversation_does(
    app: Bough, path: Path, keys: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    monkeypatch.setattr(app, "copy", lambda text, _: copied.append(text))
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, path, keys)

    assert len(copied) == 1
    assert words in copied[0]


@pytest.mark.slow
@pytest.mark.alone
async def test_a_thousand_rewinds_are_drawn_within_a_second(
    home: Home, clock: object, tmp_path: Path
) -> None:
    builder = session("rewinds").user("root").assistant("answer", name="0")
    for number in range(1_000):
        builder.at(f"{number}").user(f"side {number}").assistant("left")
        builder.at(f"{number}").user(f"prompt {number}").assistant("on", name=f"{number + 1}")
    with home.writing():
        path = builder.write(home.path)
    open_index([home.path], tmp_path / "index.sqlite").close()
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        start = perf_counter()
        screen = TreeScreen(str(path))
        app.open(screen)
        while screen.graph is None and perf_counter() - start < 10:
            await pilot.pause(0.005)
        took = perf_counter() - start

    assert screen.graph is not None
    assert len(screen.graph.rows) == 3_001
    assert took < 1.0


@pytest.fixture
def queued_path(home: Home) -> Path:
    """Write a session with a prompt that was only ever queued."""
    builder = session("queueing").user("First thing").assistant("one").user("Second thing")
    builder.tool("Bash", {"command": "make"}, "fine\n").queued("Hurry up", shown="nowhere")
    builder.assistant("two").user("Third thing").assistant("three")
    with home.writing():
        path = builder.write(home.path)
        os.utime(path, (1_700_000_000, 1_700_000_000))
        return path


async def test_a_prompt_that_was_only_ever_queued_can_be_selected_and_used(
    app: Bough, queued_path: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, queued_path, "up")
        point = screen.point
        assert point is not None
        selected = (point.turn.label, point.key[:1])
        await press(pilot, "f")
        forked = after(app)

    assert selected == ("Hurry up", "@")
    assert forked == "Second thing"
