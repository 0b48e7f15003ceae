"""What a reader can do in a conversation: fold and unfold, move, follow."""

from functools import partial
from pathlib import Path
from typing import Final

from bough.model.conversation.messages import Message
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.view import ConversationContent, ItemSource
from bough.tui.override import override
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_view import ListView

_FOLDABLE: Final = frozenset(
    {"thought", "tool", "steps", "agent", "seam", "note", "prompt", "text"}
)


class FoldActions(BaseScreen):
    """A screen with a conversation in it."""

    path: str

    def __init__(self) -> None:
        super().__init__()
        self.reader = ListView(id="list")
        self.content: ConversationContent | None = None
        self.folds = Folds()
        self.new_count = 0

    @property
    def session_id(self) -> str:
        """Give the id of the session: the name of its file."""
        return Path(self.path).stem

    @property
    def message(self) -> Message | None:
        """Give the message under the cursor."""
        picked = self.reader.picked
        return picked.about.message if picked and isinstance(picked.about, ItemSource) else None

    def draw(self) -> None:
        """Show the conversation as it is folded now."""
        raise NotImplementedError

    # -- folds --------------------------------------------------------------------------------

    def do_toggle(self) -> None:
        """Fold or unfold what is under the cursor."""
        picked = self.reader.picked
        if picked is not None and picked.kind in _FOLDABLE:
            self._set_fold(picked.key, open_it=not self._is_open(picked.key, picked.kind))

    def do_unfold(self) -> None:
        """Open what is under the cursor in place."""
        picked = self.reader.picked
        if picked is not None and picked.kind in _FOLDABLE:
            self._set_fold(picked.key, open_it=True)
        elif picked is not None and picked.kind == "twig":
            self.do_open()

    def do_fold(self) -> None:
        """Fold what is under the cursor; where nothing is open, go to what holds it."""
        picked = self.reader.picked
        if picked is None:
            return
        if self._is_open(picked.key, picked.kind):
            self._set_fold(picked.key, open_it=False)
            return
        for at in range(self.reader.cursor - 1, -1, -1):
            before = self.reader.pieces[at]
            if before.kind == ("steps" if picked.kind == "tool" else "prompt"):
                self.reader.go_to(at, top=False)
                return

    def do_open(self) -> None:
        """Open what is under the cursor; the screen knows how."""

    def _is_open(self, key: str, kind: str) -> bool:
        if kind == "steps":
            at = self.reader.number_of(key)
            following = self.reader.pieces[at + 1 : at + 2] if at is not None else ()
            return any(piece.kind == "tool" for piece in following)
        if kind == "agent":
            return self.folds.is_open_by_hand(key)
        return self.folds.is_open(key)

    def _set_fold(self, key: str, *, open_it: bool) -> None:
        (self.folds.open if open_it else self.folds.close)(key)
        self.reader.follow = False
        if self.content is not None:
            self.content.invalidate_items(key)
            self.draw()

    def do_unfold_turn(self) -> None:
        """Unfold everything in the message under the cursor, or fold it again."""
        picked = self.reader.picked
        about = picked.about if picked is not None else None
        if not isinstance(about, ItemSource) or about.message is None or self.content is None:
            return
        start = self.content.key_of(about.message)
        number = len(about.message.blocks)
        keys = [
            start,
            *(f"{start}:{n}" for n in range(number)),
            *(f"{start}:{n}+" for n in range(number)),
        ]
        opening = not all(self.folds.is_open(key) for key in keys)
        for key in keys:
            (self.folds.open if opening else self.folds.close)(key)
        if not opening:
            self.folds.closed -= set(keys)
        self.content.invalidate_items(start)
        self.draw()

    def do_unfold_all(self) -> None:
        """Unfold everything, or fold it again."""
        self.folds.all_open = not self.folds.all_open
        self._draw_all()

    def _draw_all(self) -> None:
        """Make all pieces again, in a thread: a large session has tens of thousands."""
        if self.content is not None:
            self.content.invalidate_items()
            self.run_in_thread(
                partial(self.content.pieces, self.folds), self._show_all, group="pieces"
            )

    def _show_all(self, _: object) -> None:
        self.draw()

    def do_thinking(self) -> None:
        """Show or hide what was thought."""
        self.folds.thinking = not self.folds.thinking
        self.bough.saved_state.thinking = self.folds.thinking
        self._draw_all()
        self.bough.show_notice(
            "Thinking is shown." if self.folds.thinking else "Thinking is hidden."
        )

    def do_wrap(self) -> None:
        """Wrap long lines, or cut them."""
        self.bough.saved_state.wrap = not self.bough.saved_state.wrap
        self.reader.set_wrapped(wrapped=self.bough.saved_state.wrap)
        self.bough.show_notice(
            "Long lines are wrapped." if self.bough.saved_state.wrap else "Long lines are cut."
        )

    # -- moving -------------------------------------------------------------------------------

    def do_next_prompt(self) -> None:
        """Go to the next prompt."""
        self.reader.jump(("prompt",), 1)

    def do_previous_prompt(self) -> None:
        """Go to the previous prompt."""
        self.reader.jump(("prompt",), -1)

    def do_follow(self) -> None:
        """Follow the session live, or stop following."""
        self.reader.follow = not self.reader.follow
        if self.reader.follow:
            self.new_count = 0
            self.reader.go_to_end()
        self.show_footer_keys()

    @override
    def do_end(self) -> None:
        """Go to the end, and follow what comes."""
        self.new_count = 0
        self.reader.go_to_end()
        self.reader.follow = True
        self.show_footer_keys()
