"""What a reader can do in a conversation: fold and unfold, go from prompt to prompt."""

from functools import partial
from typing import Final

from bough.tui.conversation.view import is_run_fold
from bough.tui.screens.conversation.host import ConversationHost

_FOLDABLE: Final = frozenset(
    {"thought", "tool", "steps", "agent", "compaction", "note", "prompt", "text"}
)


class FoldActions:
    """What is open and what is folded in a conversation, by keys."""

    def __init__(self, screen: ConversationHost) -> None:
        self.screen = screen

    # -- folds --------------------------------------------------------------------------------

    def do_toggle(self) -> None:
        """Fold or unfold what is under the cursor."""
        picked = self.screen.reader.picked
        if picked is not None and picked.kind in _FOLDABLE:
            self._set_fold(picked.key, open_it=not self._is_open(picked.key, picked.kind))

    def do_unfold(self) -> None:
        """Open what is under the cursor in place."""
        picked = self.screen.reader.picked
        if picked is not None and picked.kind in _FOLDABLE:
            self._set_fold(picked.key, open_it=True)
        elif picked is not None and picked.kind in ("side-branch", "plan"):
            self.screen.do("open")

    def do_fold(self) -> None:
        """Fold what is under the cursor; where nothing is open, go to what holds it."""
        picked = self.screen.reader.picked
        if picked is None:
            return
        if self._is_open(picked.key, picked.kind):
            self._set_fold(picked.key, open_it=False)
            return
        for at in range(self.screen.reader.cursor - 1, -1, -1):
            before = self.screen.reader.pieces[at]
            if before.kind == ("steps" if picked.kind == "tool" else "prompt"):
                self.screen.reader.go_to(at, top=False)
                return

    def _is_open(self, key: str, kind: str) -> bool:
        if kind == "agent":
            return self.screen.folds.is_open_by_hand(key)
        return self.screen.folds.is_open(key, habit=is_run_fold(key))

    def _set_fold(self, key: str, *, open_it: bool) -> None:
        (self.screen.folds.open if open_it else self.screen.folds.close)(key)
        self.screen.reader.follow = False
        if self.screen.content is not None:
            self.screen.content.invalidate_items(key)
            self.screen.draw()

    def do_unfold_turn(self) -> None:
        """Unfold everything in the turn under the cursor, or fold it again."""
        picked, content, folds = self.screen.reader.picked, self.screen.content, self.screen.folds
        keys = content.list_turn_folds(picked.key) if picked is not None and content else []
        if content is None or not keys:
            return
        opening = not all(folds.is_open(key) for key in keys)
        for key in keys:
            (folds.open if opening else folds.close)(key)
        if not opening and not folds.all_open:
            folds.closed -= set(keys)  # they are folded by habit
        for message in dict.fromkeys(key.partition(":")[0] for key in keys):
            content.invalidate_items(message)
        self.screen.reader.follow = False
        self.screen.draw()

    def do_unfold_all(self) -> None:
        """Unfold everything, or fold it again."""
        self.screen.folds.all_open = not self.screen.folds.all_open
        self._draw_all()

    def _draw_all(self) -> None:
        """Make all items again, in a thread: a large session has tens of thousands."""
        if self.screen.content is not None:
            self.screen.content.invalidate_items()
            self.screen.run_in_thread(
                partial(self.screen.content.pieces, self.screen.folds),
                self._show_all,
                group="pieces",
            )

    def _show_all(self, _: object) -> None:
        self.screen.draw()
        # What opened above took the cursor out of view.
        self.screen.reader.go_to(self.screen.reader.cursor, top=False)

    def do_thinking(self) -> None:
        """Show or hide what was thought."""
        self.screen.folds.thinking = not self.screen.folds.thinking
        self.screen.bough.saved_state.thinking = self.screen.folds.thinking
        self._draw_all()
        self.screen.bough.show_notice(
            "Thinking is shown." if self.screen.folds.thinking else "Thinking is hidden."
        )

    def do_talk(self) -> None:
        """Show only prompts and answers, or everything again."""
        self.screen.folds.talk = not self.screen.folds.talk
        self._draw_all()
        self.screen.bough.show_notice(
            "Only the talk is shown: prompts and answers."
            if self.screen.folds.talk
            else "Everything is shown."
        )

    def do_wrap(self) -> None:
        """Wrap long lines, or cut them."""
        self.screen.bough.saved_state.wrap = not self.screen.bough.saved_state.wrap
        self.screen.reader.set_wrapped(wrapped=self.screen.bough.saved_state.wrap)
        self.screen.bough.show_notice(
            "Long lines are wrapped."
            if self.screen.bough.saved_state.wrap
            else "Long lines are cut."
        )

    # -- moving -------------------------------------------------------------------------------

    def do_next_prompt(self) -> None:
        """Go to the next prompt."""
        self.screen.reader.jump(("prompt",), 1)

    def do_previous_prompt(self) -> None:
        """Go to the previous prompt."""
        self.screen.reader.jump(("prompt",), -1)
