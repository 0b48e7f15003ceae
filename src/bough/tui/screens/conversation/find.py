"""Finding words in a conversation, and going from one hit to the next.

Looked for in a thread: a large session has millions of words. Only what hides a hit is
opened, and closed again when the next is gone to. A hit on another branch shows that branch.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

from msgspec import Struct

from bough.terminal.style import Role, Span
from bough.terminal.text import fit, one_line
from bough.tui.conversation.text_matches import (
    FindMatch,
    count_matches,
    find_matches,
    find_matches_in_message,
)
from bough.tui.conversation.view import ConversationContent
from bough.tui.screens.conversation.host import ConversationHost
from bough.tui.widgets.find_bar import FindBar

_WORDS_SHOWN: Final = 24
_ROOMY: Final = 120


class BranchMatches(Struct):
    """Another branch, what was found on it, and which hit was to be gone to."""

    content: ConversationContent
    matches: Sequence[FindMatch]
    match_number: int


class FindHost(ConversationHost, Protocol):
    """A screen with a conversation, which can show another of its branches."""

    def load_branch(self, uuid: str) -> ConversationContent:
        """Give the conversation that goes through a record; called in a thread."""

    def show_branch(self, content: ConversationContent) -> None:
        """Show another branch of the session."""


class FindInConversation:
    """Words that are looked for, where they are, and which hit is seen."""

    def __init__(self, screen: FindHost) -> None:
        self.screen = screen
        self.matches: Sequence[FindMatch] = ()
        self.match_number = -1
        self.findbar = FindBar()

    def build_match_spans(self) -> list[Span]:
        """Say which hit is seen, and how many there are; of a search, its words too."""
        app = self.screen.bough
        if app.hits and app.hit_position and not self.findbar.is_shown:
            roomy = app.size.width >= _ROOMY
            words = fit(one_line(app.hit_words), _WORDS_SHOWN, app.glyphs.ellipsis)
            keys = "  n N other hits  Esc results" if roomy else ""
            return [(Role.MATCH, f" {words} "), (Role.META, f" {app.hit_position}{keys}")]
        if not self.matches:
            return []
        here, others = count_matches(self.matches)
        more = f", {others:,} on other branches" if others else ""
        return [(Role.MATCH, f" place {self.match_number + 1:,} of {here:,}{more} ")]

    # -- asking -------------------------------------------------------------------------------

    def do_find(self) -> None:
        """Find words in the conversation."""
        self.findbar.remove_class("hidden")
        self.findbar.focus()

    def mark(self, words: str) -> None:
        """Mark what is looked for while it is typed."""
        self.screen.reader.needle = one_line(words)
        self.screen.reader.refresh()

    def submit(self, words: str) -> None:
        """Find all hits, and go to the next one from here."""
        self.screen.reader.focus()
        self._start_find(words.strip())

    def find_again(self) -> None:
        """Look again where there is more or less to look at."""
        if self.matches:
            self._start_find(self.findbar.value.strip())

    def _start_find(self, words: str) -> None:
        content = self.screen.content
        if content is not None and words:
            everywhere = self.findbar.everywhere
            question = partial(find_matches, content, words, everywhere=everywhere)
            self.screen.run_in_thread(question, partial(self._show_matches, words), group="find")

    def _show_matches(self, words: str, found: object) -> None:
        if not self.findbar.is_shown or not isinstance(found, list):
            return
        self.matches, self.match_number = found, -1
        if not found:
            where = "in this session" if self.findbar.everywhere else "on this branch"
            self.screen.bough.show_notice(f'No hit for "{words}" {where}.')
            self.screen.show_footer_keys()
            return
        top = self.screen.reader.cursor
        after = (
            n
            for n, match in enumerate(found)
            if not match.is_on_other_branch and self._find_nearest_item(match) >= top
        )
        self.go_to_match(next(after, 0))

    def _find_nearest_item(self, match: FindMatch) -> int:
        """Give the number of the item a hit is in, or of the one it is folded into."""
        for key in (match.key, *match.opens, f"{match.key.partition(':')[0]}:"):
            number = self.screen.reader.number_of(key)
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
        if self.screen.bough.hits and not self.findbar.is_shown:
            from bough.tui.screens.search import go_to_hit  # noqa: PLC0415 - it opens this screen

            go_to_hit(self.screen.bough, self.screen.bough.hit + by, instead=True)
        elif self.matches:
            self.go_to_match((self.match_number + by) % len(self.matches))

    def go_to_match(self, number: int) -> None:
        """Open only what hides a hit, and close what was opened for the one before."""
        match = self.matches[number]
        if match.is_on_other_branch:
            words = self.findbar.value.strip() or self.screen.reader.needle
            self.screen.run_in_thread(
                partial(self._load_other_branch, match, words),
                self._show_other_branch,
                group="find",
            )
            return
        self._open_for_match(set(match.opens))
        self.match_number = number
        self.screen.draw()
        self.screen.reader.follow = False
        message = match.key.partition(":")[0]
        if not any(
            self.screen.reader.go_to_key(key) for key in (match.key, f"{message}:", message)
        ):
            return
        self._scroll_to_match(match.key)
        self.screen.show_footer_keys()

    def _load_other_branch(self, match: FindMatch, words: str) -> BranchMatches:
        """Read the branch of a hit, and find out where on it the hit is."""
        content = self.screen.load_branch(match.uuid or "")
        matches = find_matches(content, words, everywhere=True, after=match.node)
        message = content.find_message(match.uuid or "")
        inside = (
            {s.key for s in find_matches_in_message(content, words, message)}
            if message is not None
            else set()
        )
        at = next((n for n, one in enumerate(matches) if one.key in inside), 0)
        return BranchMatches(content, matches, at)

    def _show_other_branch(self, found: object) -> None:
        if isinstance(found, BranchMatches):
            self._open_for_match(set())
            self.screen.show_branch(found.content)
            self.matches = found.matches
            if self.matches and not self.matches[found.match_number].is_on_other_branch:
                self.go_to_match(found.match_number)

    def _open_for_match(self, keys: set[str]) -> None:
        """Open what hides a hit; what was opened for another is as it was."""
        if self.screen.content is not None:
            for key in self.screen.folds.opened_for_match | keys:
                self.screen.content.invalidate_items(key)
        self.screen.folds.opened_for_match = keys
        self.screen.folds.closed -= keys

    def _scroll_to_match(self, key: str) -> None:
        """Scroll to the words themselves where they stand far down in a long item."""
        number = self.screen.reader.number_of(key)
        if number is None:
            return
        found = self.screen.reader.marks_at(number)
        line = next((n for n, marks in enumerate(found) if marks), 0)
        if line >= self.screen.reader.size.height - 2:
            self.screen.reader.scroll(line - 2)

    def close(self) -> bool:
        """Close the find bar; tell whether it was open."""
        if not self.findbar.is_shown:
            return False
        self.findbar.add_class("hidden")
        self.findbar.value = ""
        self.matches, self.match_number = (), -1
        self._open_for_match(set())
        self.screen.reader.needle = ""
        self.screen.reader.focus()
        self.screen.draw()
        return True
