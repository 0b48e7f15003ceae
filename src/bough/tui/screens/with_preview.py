"""A list with a preview beside it, where the terminal is wide enough for both.

The preview follows the cursor. What a list knows is there at once; what has to be read comes
a moment later, asked for only where the cursor rests.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from textual import events

from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.tui.content.last_messages import SessionPreview
from bough.tui.override import override
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from textual.timer import Timer

WIDE: Final = 120
_REST: Final = 0.1
_MAX_PREVIEWS: Final = 50


class WithPreview(BaseScreen):
    """A screen with a `#list`, and a `#preview` from 120 columns on."""

    def __init__(self) -> None:
        super().__init__()
        self._previews: dict[str, SessionPreview] = {}
        self._requested_key = ""
        self._rest_timer: Timer | None = None

    def preview(self, piece: ListItem | None) -> Sequence[ListItem]:
        """Give what is to be seen of the piece under the cursor."""
        raise NotImplementedError

    @property
    def has_preview(self) -> bool:
        """Tell whether the preview is to be seen."""
        return self.size.width >= WIDE and self.bough.saved_state.preview

    def make_canvas(self, columns: int = 80) -> Canvas:
        """Give what times are written with."""
        return Canvas(clock.now(), self.bough.glyphs, columns)

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show the preview where there is room."""
        self.query_one("#preview").display = (
            event.size.width >= WIDE and self.bough.saved_state.preview
        )
        self.show_preview()

    def do_facts(self) -> None:
        """Show or hide the preview."""
        self.bough.saved_state.preview = not self.bough.saved_state.preview
        self.query_one("#preview").display = self.has_preview
        self.query_one("#list", ListView).focus()
        self.show_preview()

    def do_pane(self) -> None:
        """Go to the other pane."""
        rows, beside = self.query_one("#list", ListView), self.query_one("#preview", ListView)
        (beside if rows.has_focus and beside.display else rows).focus()

    @override
    def on_list_view_moved(self, event: ListView.Moved) -> None:
        """Let the preview follow the cursor."""
        if event.list_view.id == "list":
            self.show_preview()

    def show_preview(self) -> None:
        """Show what is known of what is under the cursor."""
        if self.has_preview:
            picked = self.query_one("#list", ListView).picked
            self.query_one("#preview", ListView).show(list(self.preview(picked)))

    def request_preview(
        self, key: str, look: Callable[[], SessionPreview]
    ) -> SessionPreview | None:
        """Give a glimpse where it was read already; else read it once the cursor rests."""
        found = self._previews.get(key)
        if found is None and key != self._requested_key:
            self._requested_key = key
            if self._rest_timer is not None:
                self._rest_timer.stop()
            self._rest_timer = self.set_timer(_REST, lambda: self._load_preview(look))
        return found

    def forget_previews(self) -> None:
        """Read glimpses anew: something was said since."""
        self._previews.clear()
        self._requested_key = ""

    def _load_preview(self, look: Callable[[], SessionPreview]) -> None:
        self.run_in_thread(look, self._store_preview, group="glimpse")

    def _store_preview(self, found: object) -> None:
        if isinstance(found, SessionPreview):
            while len(self._previews) >= _MAX_PREVIEWS:
                del self._previews[next(iter(self._previews))]
            self._previews[found.key] = found
            self.show_preview()
