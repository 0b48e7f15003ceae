"""Finding words in a conversation, and going from one hit to the next.

Looked for in a thread: a large session has millions of words. Only what hides a hit is
opened, and closed again when the next is gone to. A hit on another branch shows that branch.
"""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from textual.widgets import Input

from bough.tui.conversation.text_matches import Spot, find, find_in_turn, here_and_elsewhere
from bough.tui.conversation.view import Telling
from bough.tui.override import override
from bough.tui.screens.conversation.fold_actions import Reading
from bough.tui.style.style import Role, Span, one_line, text_of
from bough.tui.widgets.find_bar import FindBar


class Swapped(Struct):
    """Another branch, what was found on it, and which hit was to be gone to."""

    telling: Telling
    spots: Sequence[Spot]
    spot: int


class Seeking(Reading):
    """A conversation in which words can be found."""

    def __init__(self) -> None:
        super().__init__()
        self.spots: Sequence[Spot] = ()
        self.spot = -1
        self.findbar = FindBar()

    def tell_branch(self, uuid: str) -> Telling:
        """Tell the conversation that goes through a record; called in a thread."""
        raise NotImplementedError

    def show_branch(self, telling: Telling) -> None:
        """Show another branch of the session."""
        raise NotImplementedError

    def found_words(self) -> list[Span]:
        """Say which hit is seen, and how many there are."""
        if not self.spots:
            return []
        here, elsewhere = here_and_elsewhere(self.spots)
        others = f", {elsewhere:,} on other branches" if elsewhere else ""
        return [(Role.MATCH, f" {self.spot + 1:,} of {here:,}{others} ")]

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
        self._seek(event.value.strip())

    def on_find_bar_widened(self, event: FindBar.Widened) -> None:
        """Look again where there is more or less to look at."""
        event.stop()
        if self.spots:
            self._seek(self.findbar.value.strip())

    def _seek(self, words: str) -> None:
        telling = self.telling
        if telling is not None and words:
            everywhere = self.findbar.everywhere
            question = partial(find, telling, words, everywhere=everywhere)
            self.ask(question, partial(self._found, words), group="find")

    def _found(self, words: str, found: object) -> None:
        if not self.findbar.shown or not isinstance(found, list):
            return
        self.spots, self.spot = found, -1
        if not found:
            where = "in this session" if self.findbar.everywhere else "on this branch"
            self.bough.tell(f'No hit for "{words}" {where}.')
            self.say_keys()
            return
        top = self.reader.cursor
        after = (
            n for n, spot in enumerate(found) if not spot.elsewhere and self._near(spot) >= top
        )
        self.to_spot(next(after, 0))

    def _near(self, spot: Spot) -> int:
        """Give the place of a hit, or of what it is folded into."""
        for key in (spot.key, *spot.opens, f"{spot.key.partition(':')[0]}:"):
            number = self.reader.number_of(key)
            if number is not None:
                return number
        return -1

    # -- going --------------------------------------------------------------------------------

    def do_next_hit(self) -> None:
        """Go to the next hit; of a search, also in other sessions."""
        self._other_hit(1)

    def do_previous_hit(self) -> None:
        """Go to the previous hit."""
        self._other_hit(-1)

    def _other_hit(self, by: int) -> None:
        if self.bough.hits and not self.findbar.shown:
            from bough.tui.screens.search import go_to_hit  # noqa: PLC0415 - it opens this screen

            go_to_hit(self.bough, self.bough.hit + by, instead=True)
        elif self.spots:
            self.to_spot((self.spot + by) % len(self.spots))

    def to_spot(self, number: int) -> None:
        """Open only what hides a hit, and close what was opened for the one before."""
        spot = self.spots[number]
        if spot.elsewhere:
            words = self.findbar.value.strip() or self.reader.needle
            self.ask(partial(self._swapped, spot, words), self._swap, group="find")
            return
        self._look(set(spot.opens))
        self.spot = number
        self.draw()
        self.reader.follow = False
        turn = spot.key.partition(":")[0]
        if not any(self.reader.to_key(key) for key in (spot.key, f"{turn}:", turn)):
            return
        self._line_of_hit(spot.key)
        self.say_keys()

    def _swapped(self, spot: Spot, words: str) -> Swapped:
        """Tell the branch of a hit, and find out where on it the hit is."""
        telling = self.tell_branch(spot.uuid or "")
        spots = find(telling, words, everywhere=True, after=spot.node)
        turn = telling.holding(spot.uuid or "")
        inside = {s.key for s in find_in_turn(telling, words, turn)} if turn is not None else set()
        at = next((n for n, one in enumerate(spots) if one.key in inside), 0)
        return Swapped(telling, spots, at)

    def _swap(self, found: object) -> None:
        if isinstance(found, Swapped):
            self._look(set())
            self.show_branch(found.telling)
            self.spots = found.spots
            if self.spots and not self.spots[found.spot].elsewhere:
                self.to_spot(found.spot)

    def _look(self, keys: set[str]) -> None:
        """Open what hides a hit; what was opened for another is as it was."""
        if self.telling is not None:
            for key in self.folds.looked | keys:
                self.telling.renew(key)
        self.folds.looked = keys
        self.folds.shut -= keys

    def _line_of_hit(self, key: str) -> None:
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
        if self.findbar.shown:
            self.findbar.add_class("hidden")
            self.findbar.value = ""
            self.spots, self.spot = (), -1
            self._look(set())
            self.reader.needle = ""
            self.reader.focus()
            self.draw()
            return
        self.bough.hits, self.bough.hit = (), -1
        self.bough.back()
