"""The parts of screens do their work with anything that gives what they ask for."""

from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bough.backports import override
from bough.library import Annotation, Annotations, load_annotations
from bough.sample import SampleSession, session
from bough.terminal.style import UNICODE, Role
from bough.tui.conversation.folds import Folds
from bough.tui.keymap import find_action
from bough.tui.screens.conversation.fold_actions import FoldActions
from bough.tui.screens.conversation.follow import FollowHost, FollowLive, append_tail
from bough.tui.screens.conversation.host import ConversationHost
from bough.tui.screens.conversation.message_annotations import AnnotatedHost, MessageAnnotations
from bough.tui.screens.conversation.source import ConversationSource
from bough.tui.screens.list_keys import ListKeys
from bough.tui.screens.session_rows import SessionActions, SessionListHost
from bough.tui.screens.tree_actions import TreeActions, TreeHost
from bough.tui.widgets.list_items import ListItem, draw_fixed
from bough.tui.widgets.list_model import ListModel
from bough.tui.widgets.list_view import ListView
from tests.conftest import Home


class Surface:
    """So many columns and rows, on which nothing is drawn."""

    item_width = 40
    ellipsis = "…"
    rows = 5

    def __init__(self) -> None:
        self.drawn = 0

    def redraw(self) -> None:
        self.drawn += 1


def item(key: str, kind: str = "prompt", *, picked: bool = True) -> ListItem:
    return ListItem(key, draw_fixed([((Role.CLAUDE, key),)]), kind, picked=picked)


def listed(*items: ListItem) -> ListView:
    """Give a list without a terminal; all that parts ask of one is its model."""
    model = ListModel(Surface())
    model.show(items)
    return cast("ListView", model)


class TestKeys:
    def test_the_first_owner_that_has_a_key_does_it(self) -> None:
        done: list[str] = []
        screen = SimpleNamespace(do_open=lambda: done.append("screen"))
        part = SimpleNamespace(
            do_open=lambda: done.append("part"), do_next_hit=lambda: done.append("part")
        )
        for name in ("open", "next-hit"):
            action = find_action(name, (screen, part))
            assert action is not None
            action()

        assert done == ["screen", "part"]

    def test_a_key_that_nobody_has_does_nothing(self) -> None:
        assert find_action("fork", (object(), object())) is None

    def test_keys_of_a_list_move_in_the_one_that_is_there_when_they_are_pressed(self) -> None:
        first, second = (listed(*(item(str(n)) for n in range(9))) for _ in range(2))
        shown: list[ListView | None] = [first]
        keys = ListKeys(lambda: shown[0])
        keys.do_down()
        shown[0] = second
        keys.do_end()
        keys.do_up()
        shown[0] = None
        keys.do_down()

        assert (first.cursor, second.cursor) == (1, 7)


class TestListModel:
    def test_what_cannot_be_picked_is_stepped_over(self) -> None:
        surface = Surface()
        model = ListModel(surface)
        model.show([item("a"), item("b", picked=False), item("c")])
        before = surface.drawn
        model.step(1)

        assert model.picked is not None
        assert model.picked.key == "c"
        assert surface.drawn > before


class Conversation:
    """What a conversation's screen gives its parts; questions wait until they are answered."""

    def __init__(self, *items: ListItem) -> None:
        self.reader = listed(*items)
        self.folds = Folds()
        self.content = None
        self.whole = True
        self.is_limited = False
        self.session_id = "s"
        self.asked: list[str] = []
        self.done: list[str] = []

    def do(self, name: str) -> bool:
        self.done.append(name)
        return True

    def draw(self) -> None:
        self.done.append("draw")

    def show_footer_keys(self) -> None:
        pass

    def read_from(self, offset: int) -> None:
        pass

    def run_in_thread(self, _: object, answer: object, group: str = "ask") -> None:
        self.asked.append(group)

    def set_timer(self, delay: float, callback: Callable[[], None]) -> None:
        pass


class TestFolds:
    def test_space_opens_and_folds_what_is_under_the_cursor(self) -> None:
        screen = Conversation(item("m:0", "thought"))
        actions = FoldActions(cast("ConversationHost", screen))
        actions.do_toggle()
        opened = screen.folds.is_open("m:0")
        actions.do_toggle()

        assert opened
        assert not screen.folds.is_open("m:0")

    def test_a_side_branch_is_opened_as_the_screen_opens_one(self) -> None:
        screen = Conversation(item("b", "side-branch"))
        FoldActions(cast("ConversationHost", screen)).do_unfold()

        assert screen.done == ["open"]


class TestFollow:
    def test_what_comes_while_the_last_is_read_is_read_after_it(self) -> None:
        screen = Conversation(item("m"))
        follow = FollowLive(cast("FollowHost", screen))
        follow.catch_up()
        follow.catch_up()
        reading = list(screen.asked)
        follow._append_tail(None)

        assert reading == ["tail"]
        assert screen.asked == ["tail", "tail"]

    def test_after_a_failure_what_comes_next_is_read(self) -> None:
        screen = Conversation(item("m"))
        follow = FollowLive(cast("FollowHost", screen))
        follow.catch_up()
        follow.stop_waiting()
        follow.catch_up()

        assert screen.asked == ["tail", "tail"]

    def test_nothing_follows_a_point(self) -> None:
        screen = Conversation(item("a"), item("b"))
        screen.is_limited = True
        follow = FollowLive(cast("FollowHost", screen))
        follow.do_end()
        follow.catch_up()

        assert screen.reader.cursor == 1
        assert not screen.reader.follow
        assert screen.asked == []

    def test_the_newest_items_begin_at_a_prompt_that_both_have(self) -> None:
        known = [item("a"), item("a:0", "text"), item("b"), item("b:0", "text")]
        tail = [item("x:0", "text"), item("b"), item("b:0", "text"), item("b:1", "text")]

        keys = [one.key for one in append_tail(known, tail)]
        assert keys == ["a", "a:0", "b", "b:0", "b:1"]
        assert append_tail(known, [item("x")]) == known


class TestSessions:
    def test_a_star_is_set_and_taken_again(self, home: Home) -> None:
        app = SimpleNamespace(annotations=Annotations())
        row = SimpleNamespace(id="one", title="One")
        screen = SimpleNamespace(bough=app, row=row, draw=lambda: None)
        screen.run_in_thread = lambda question, answer, group: answer(question())
        actions = SessionActions(cast("SessionListHost", screen))
        actions.do_star()
        starred = app.annotations.find("session", "one").starred
        actions.do_star()

        assert starred
        assert not app.annotations.find("session", "one").starred
        assert load_annotations().list_all() == []

    def test_without_a_session_under_the_cursor_nothing_is_copied(self) -> None:
        screen = SimpleNamespace(row=None)
        actions = SessionActions(cast("SessionListHost", screen))
        for act in (actions.do_copy_id, actions.do_copy_path, actions.do_copy_resume):
            act()


def test_marks_of_a_tree_are_drawn_when_they_are_set() -> None:
    drawn: list[dict[str, str]] = []
    screen = SimpleNamespace(uuid="u", graph=object())
    actions = TreeActions(cast("TreeHost", screen))
    screen.draw_marks = lambda: drawn.append(dict(actions.marks))
    actions.do_mark_a()
    actions.do_mark_b()

    assert drawn == [{"A": "u"}, {"A": "u", "B": "u"}]


def test_a_message_of_many_items_is_looked_up_once_among_annotations(home: Home) -> None:
    asked: list[Iterable[str]] = []

    class Counted(Annotations):
        @override
        def find_message(self, uuids: Iterable[str]) -> Annotation | None:
            asked.append(uuids)
            return super().find_message(uuids)

    draft = session("long").user("Go on")
    for number in range(30):
        draft = draft.assistant(f"Paragraph {number}\n\nand more").tool("Read", {"file_path": "a"})
    with home.writing():
        path = draft.write(home.path)
    content = ConversationSource(str(path)).read_whole(Folds(), None, UNICODE).content
    items = content.pieces(Folds())
    screen = SimpleNamespace(bough=SimpleNamespace(annotations=Counted()))

    found = MessageAnnotations(cast("AnnotatedHost", screen)).add_marks(content, items)

    assert found == [*items]
    assert len(asked) <= len(content.conversation.messages) < len(items)


class TestSource:
    @pytest.fixture
    def sample(self) -> SampleSession:
        draft = session("source").user("First", name="first").assistant("One", name="one")
        return draft.user("Second", name="second").assistant("Two", name="two")

    @pytest.fixture
    def path(self, sample: SampleSession, home: Home) -> Path:
        with home.writing():
            return sample.write(home.path)

    def test_a_conversation_is_read_to_its_end(self, path: Path) -> None:
        loaded = ConversationSource(str(path)).read_whole(Folds(), None, UNICODE)

        said = [message.text for message in loaded.content.conversation.messages]
        assert said == ["First", "One", "Second", "Two"]
        assert loaded.whole

    def test_up_to_a_point_nothing_after_it_is_read(
        self, path: Path, sample: SampleSession
    ) -> None:
        source = ConversationSource(str(path), up_to=sample.uuid("one"))
        loaded = source.read_whole(Folds(), None, UNICODE)

        said = [message.text for message in loaded.content.conversation.messages]
        assert said == ["First", "One"]

    def test_from_an_offset_on_only_the_rest_is_read(self, path: Path) -> None:
        source = ConversationSource(str(path))
        whole = source.read_whole(Folds(), None, UNICODE).content.conversation.messages
        rest = source.read_from(whole[2].offset or 0, Folds(), UNICODE).conversation.messages

        assert [message.text for message in rest] == ["Second", "Two"]
