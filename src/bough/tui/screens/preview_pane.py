"""A preview beside a list, where the terminal is wide enough for both.

The preview follows the cursor. What a list knows is there at once; what has to be read comes
a moment later, asked for only where the cursor rests.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from textual.timer import Timer

    from bough.tui.content.last_messages import SessionPreview

WIDE: Final = 120
_REST: Final = 0.1
_MAX_PREVIEWS: Final = 50

PreviewBuilder = Callable[[ListItem | None], Sequence[ListItem]]
"""Gives what is to be seen of the item under the cursor."""


class PreviewPane:
    """The preview of a screen with a `#list`, from so many columns on."""

    def __init__(self, screen: BaseScreen, build: PreviewBuilder, least: int = WIDE) -> None:
        self.screen = screen
        self._least = least
        self.pane = ListView(id="preview")
        self._build = build
        self._previews: dict[str, SessionPreview] = {}
        self._requested_key = ""
        self._rest_timer: Timer | None = None

    @property
    def rows(self) -> ListView:
        """Give the list whose cursor is followed."""
        return self.screen.query_one("#list", ListView)

    @property
    def is_shown(self) -> bool:
        """Tell whether the preview is to be seen."""
        return self._is_shown_at(self.screen.size.width)

    def _is_shown_at(self, columns: int) -> bool:
        return columns >= self._least and self.screen.bough.saved_state.preview

    def fit(self, columns: int) -> None:
        """Show the preview where there is room."""
        self.pane.display = self._is_shown_at(columns)
        self.show()

    def follow_cursor(self, moved: ListView) -> None:
        """Let the preview follow the cursor of the list."""
        if moved.id == "list":
            self.show()

    def show(self) -> None:
        """Show what is known of what is under the cursor."""
        if self.is_shown:
            self.pane.show(list(self._build(self.rows.picked)))

    # -- keys ---------------------------------------------------------------------------------

    def do_facts(self) -> None:
        """Show or hide the preview."""
        saved = self.screen.bough.saved_state
        saved.preview = not saved.preview
        self.pane.display = self.is_shown
        self.rows.focus()
        self.show()

    def do_pane(self) -> None:
        """Go to the other pane."""
        rows = self.rows
        (self.pane if rows.has_focus and self.pane.display else rows).focus()

    # -- what has to be read ------------------------------------------------------------------

    def request(self, key: str, read: "Callable[[], SessionPreview]") -> "SessionPreview | None":
        """Give a preview where it was read already; else read it once the cursor rests."""
        found = self._previews.get(key)
        if found is None and key != self._requested_key:
            self._requested_key = key
            if self._rest_timer is not None:
                self._rest_timer.stop()
            self._rest_timer = self.screen.set_timer(_REST, lambda: self._load(read))
        return found

    def forget(self) -> None:
        """Read previews anew: something was said since."""
        self._previews.clear()
        self._requested_key = ""

    def _load(self, read: "Callable[[], SessionPreview]") -> None:
        self.screen.run_in_thread(read, self._store, group="preview")

    def _store(self, found: object) -> None:
        from bough.tui.content.last_messages import SessionPreview  # noqa: PLC0415 - lists come first

        if isinstance(found, SessionPreview):
            while len(self._previews) >= _MAX_PREVIEWS:
                del self._previews[next(iter(self._previews))]
            self._previews[found.key] = found
            self.show()
