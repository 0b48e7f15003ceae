"""Finding words in a conversation, and going from one hit to the next.

Looked for in a thread: a large session has millions of words. Only what hides a hit is
opened, and closed again when the next is gone to. A hit on another branch shows that branch.
"""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from textual.widgets import Input

from bough.terminal.style import Role, Span, text_of
from bough.terminal.text import one_line
from bough.tui.conversation.text_matches import (
    FindMatch,
    count_matches,
    find_matches,
    find_matches_in_message,
)
from bough.tui.conversation.view import ConversationContent
from bough.tui.override import override
from bough.tui.screens.conversation.fold_actions import FoldActions
from bough.tui.widgets.find_bar import FindBar


class BranchMatches(Struct):
    """Another branch, what was found on it, and which hit was to be gone to."""

    content: ConversationContent
    matches: Sequence[FindMatch]
    match_number: int


class FindInConversation(FoldActions):
    """A conversation in which words can be found."""

    def __init__(self) -> None:
        super().__init__()
        self.matches: Sequence[FindMatch] = ()
        self.match_number = -1
        self.findbar = FindBar()

    def load_branch(self, uuid: str) -> ConversationContent:
        """Tell the conversation that goes through a record; called in a thread."""
        raise NotImplementedError

    def show_branch(self, telling: ConversationContent) -> None:
        """Show another branch of the session."""
        raise NotImplementedError

    def build_match_spans(self) -> list[Span]:
        """Say which hit is seen, and how many there are."""
        if not self.matches:
            return []
        here, elsewhere = count_matches(self.matches)
        others = f", {elsewhere:,} on other branches" if elsewhere else ""
        return [(Role.MATCH, f" {self.match_number + 1:,} of {here:,}{others} ")]

    # -- asking -------------------------------------------------------------------------------

    def do_find(self) -> None:
        """Find words in the conversation."""
        self.findbar.remove_class("hidden")
        self.findbar.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Mark what is looked for while it is typed."""
        self.reader.needle = one_line(event.value)
        self.reader.refresh()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Find all places, and go to the next one from here."""
        self.reader.focus()
        self._start_find(event.value.strip())

    def on_find_bar_widened(self, event: FindBar.Widened) -> None:
        """Look again where there is more or less to look at."""
        event.stop()
        if self.matches:
            self._start_find(self.findbar.value.strip())

    def _start_find(self, words: str) -> None:
        telling = self.content
        if telling is not None and words:
            everywhere = self.findbar.everywhere
            question = partial(find_matches, telling, words, everywhere=everywhere)
            self.run_in_thread(question, partial(self._show_matches, words), group="find")

    def _show_matches(self, words: str, found: object) -> None:
        if not self.findbar.is_shown or not isinstance(found, list):
            return
        self.matches, self.match_number = found, -1
        if not found:
            where = "in this session" if self.findbar.everywhere else "on this branch"
            self.bough.show_notice(f'No hit for "{words}" {where}.')
            self.show_footer_keys()
            return
        top = self.reader.cursor
        after = (
            n
            for n, spot in enumerate(found)
            if not spot.is_on_other_branch and self._find_nearest_item(spot) >= top
        )
        self.go_to_match(next(after, 0))

    def _find_nearest_item(self, spot: FindMatch) -> int:
        """Give the place of a hit, or of what it is folded into."""
        for key in (spot.key, *spot.opens, f"{spot.key.partition(':')[0]}:"):
            number = self.reader.number_of(key)
            if number is not None:
                return number
        return -1

    # -- going --------------------------------------------------------------------------------

    def do_next_hit(self) -> None:
        """Go to the next hit; of a search, also in other sessions."""
        self._step_to_hit(1)

    def do_previous_hit(self) -> None:
        """Go to the previous hit."""
        self._step_to_hit(-1)

    def _step_to_hit(self, by: int) -> None:
        if self.bough.hits and not self.findbar.is_shown:
            from bough.tui.screens.search import go_to_hit  # noqa: PLC0415 - it opens this screen

            go_to_hit(self.bough, self.bough.hit + by, instead=True)
        elif self.matches:
            self.go_to_match((self.match_number + by) % len(self.matches))

    def go_to_match(self, number: int) -> None:
        """Open only what hides a hit, and close what was opened for the one before."""
        spot = self.matches[number]
        if spot.is_on_other_branch:
            words = self.findbar.value.strip() or self.reader.needle
            self.run_in_thread(
                partial(self._load_other_branch, spot, words), self._show_other_branch, group="find"
            )
            return
        self._open_for_match(set(spot.opens))
        self.match_number = number
        self.draw()
        self.reader.follow = False
        message = spot.key.partition(":")[0]
        if not any(self.reader.go_to_key(key) for key in (spot.key, f"{message}:", message)):
            return
        self._scroll_to_match(spot.key)
        self.show_footer_keys()

    def _load_other_branch(self, spot: FindMatch, words: str) -> BranchMatches:
        """Tell the branch of a hit, and find out where on it the hit is."""
        telling = self.load_branch(spot.uuid or "")
        spots = find_matches(telling, words, everywhere=True, after=spot.node)
        message = telling.find_message(spot.uuid or "")
        inside = (
            {s.key for s in find_matches_in_message(telling, words, message)}
            if message is not None
            else set()
        )
        at = next((n for n, one in enumerate(spots) if one.key in inside), 0)
        return BranchMatches(telling, spots, at)

    def _show_other_branch(self, found: object) -> None:
        if isinstance(found, BranchMatches):
            self._open_for_match(set())
            self.show_branch(found.content)
            self.matches = found.matches
            if self.matches and not self.matches[found.match_number].is_on_other_branch:
                self.go_to_match(found.match_number)

    def _open_for_match(self, keys: set[str]) -> None:
        """Open what hides a hit; what was opened for another is as it was."""
        if self.content is not None:
            for key in self.folds.opened_for_match | keys:
                self.content.invalidate_items(key)
        self.folds.opened_for_match = keys
        self.folds.closed -= keys

    def _scroll_to_match(self, key: str) -> None:
        """Scroll to the words themselves where they stand far down in a long piece."""
        number = self.reader.number_of(key)
        if number is None:
            return
        wanted = self.reader.needle.casefold()
        lines = self.reader.lines_at(number)
        line = next((n for n, one in enumerate(lines) if wanted in text_of(one).casefold()), 0)
        if line >= self.reader.size.height - 2:
            self.reader.scroll(line - 2)

    @override
    def do_back(self) -> None:
        """Close the find bar, then leave."""
        if self.findbar.is_shown:
            self.findbar.add_class("hidden")
            self.findbar.value = ""
            self.matches, self.match_number = (), -1
            self._open_for_match(set())
            self.reader.needle = ""
            self.reader.focus()
            self.draw()
            return
        self.bough.hits, self.bough.hit = (), -1
        self.bough.back()
