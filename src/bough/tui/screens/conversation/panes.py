"""The panes beside a conversation: its outline at the left, facts about it at the right."""

from typing import Protocol

from textual.geometry import Size

from bough.tui.conversation.load_conversation import LoadedConversation
from bough.tui.screens.conversation.host import ConversationHost
from bough.tui.widgets.list_view import ListView

_WIDE, _BOTH, _VERY_WIDE = 120, 150, 190
"""From so many columns on there is room for one pane, for both, for a wide outline."""
_NARROW_OUTLINE, _WIDE_OUTLINE = 34, 60


class PanesHost(ConversationHost, Protocol):
    """A screen with a conversation, as wide as the terminal."""

    @property
    def size(self) -> Size:
        """Give the columns and rows of the screen."""


class ConversationPanes:
    """The outline and the facts, where they are wanted and there is room."""

    def __init__(self, screen: PanesHost) -> None:
        self.screen = screen
        self.outline = ListView(id="side", rail=False)
        self.facts = ListView(id="facts", rail=False)
        self._first_choice = self.outline
        """The pane that is shown where there is room for one only."""

    def show(self, found: LoadedConversation) -> None:
        """Show the outline and the facts of a conversation."""
        self.outline.show(found.outline)
        self.facts.show(found.facts)

    def fit(self, columns: int) -> None:
        """Show the panes that are wanted, where there is room: the reader comes first."""
        saved = self.screen.bough.saved_state
        wanted = [(self.outline, saved.outline), (self.facts, saved.facts)]
        if _WIDE <= columns < _BOTH and saved.outline and saved.facts:
            wanted = [(pane, pane is self._first_choice) for pane, _ in wanted]
        for pane, is_wanted in wanted:
            pane.display = columns >= _WIDE and is_wanted
        self.outline.styles.width = _WIDE_OUTLINE if columns >= _VERY_WIDE else _NARROW_OUTLINE

    def mark_prompt(self) -> None:
        """Set the outline's cursor on the prompt whose turn is read."""
        reader = self.screen.reader
        if not self.outline.display or self.outline.has_focus:
            return
        for at in range(min(reader.cursor, len(reader.pieces) - 1), -1, -1):
            item = reader.pieces[at]
            if item.kind in ("prompt", "compaction"):
                number = self.outline.number_of(f"o/{item.key}")
                if number is not None and number != self.outline.cursor:
                    self.outline.go_to(number, top=False)
                return

    # -- keys ---------------------------------------------------------------------------------

    def do_outline(self) -> None:
        """Show or hide the outline."""
        saved = self.screen.bough.saved_state
        saved.outline = not saved.outline or self._choose(self.outline)
        self.fit(self.screen.size.width)

    def do_facts(self) -> None:
        """Show or hide the facts."""
        saved = self.screen.bough.saved_state
        saved.facts = not saved.facts or self._choose(self.facts)
        self.fit(self.screen.size.width)

    def _choose(self, pane: ListView) -> bool:
        """Put a pane in the place of the other where only one fits; tell whether it was hidden."""
        was_hidden = self.screen.size.width >= _WIDE and not pane.display
        self._first_choice = pane
        return was_hidden

    def do_pane(self) -> None:
        """Go to the next pane."""
        panes = (self.outline, self.screen.reader, self.facts)
        shown = [pane for pane in panes if pane.display]
        at = next((n for n, pane in enumerate(shown) if pane.has_focus), 0)
        shown[(at + 1) % len(shown)].focus()
