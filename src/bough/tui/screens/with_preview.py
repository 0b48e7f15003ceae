"""A list with a preview beside it, where the terminal is wide enough for both.

The preview follows the cursor. What a list knows is there at once; what has to be read comes
a moment later, asked for only where the cursor rests.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from textual import events

from bough.tui.content.last_messages import Glimpse
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import Sheet, now, spans_styles
from bough.tui.widgets.list_items import Piece
from bough.tui.widgets.list_view import Reel

if TYPE_CHECKING:
    from textual.timer import Timer

WIDE: Final = 120
_REST: Final = 0.1
_KEPT: Final = 50


class Beside(Place):
    """A screen with a `#list`, and a `#preview` from 120 columns on."""

    def __init__(self) -> None:
        super().__init__()
        self._glimpses: dict[str, Glimpse] = {}
        self._asked = ""
        self._rest: Timer | None = None

    def preview(self, piece: Piece | None) -> Sequence[Piece]:
        """Give what is to be seen of the piece under the cursor."""
        raise NotImplementedError

    @property
    def previews(self) -> bool:
        """Tell whether the preview is to be seen."""
        return self.size.width >= WIDE and self.bough.kept.preview

    def sheet(self, columns: int = 80) -> Sheet:
        """Give what times are written with."""
        return Sheet(now(), spans_styles(self.bough.glyphs), columns)

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show the preview where there is room."""
        self.query_one("#preview").display = event.size.width >= WIDE and self.bough.kept.preview
        self.show_preview()

    def do_facts(self) -> None:
        """Show or hide the preview."""
        self.bough.kept.preview = not self.bough.kept.preview
        self.query_one("#preview").display = self.previews
        self.query_one("#list", Reel).focus()
        self.show_preview()

    def do_pane(self) -> None:
        """Go to the other pane."""
        rows, beside = self.query_one("#list", Reel), self.query_one("#preview", Reel)
        (beside if rows.has_focus and beside.display else rows).focus()

    @override
    def on_reel_moved(self, event: Reel.Moved) -> None:
        """Let the preview follow the cursor."""
        if event.reel.id == "list":
            self.show_preview()

    def show_preview(self) -> None:
        """Show what is known of what is under the cursor."""
        if self.previews:
            picked = self.query_one("#list", Reel).picked
            self.query_one("#preview", Reel).show(list(self.preview(picked)))

    def glimpse(self, key: str, look: Callable[[], Glimpse]) -> Glimpse | None:
        """Give a glimpse where it was read already; else read it once the cursor rests."""
        found = self._glimpses.get(key)
        if found is None and key != self._asked:
            self._asked = key
            if self._rest is not None:
                self._rest.stop()
            self._rest = self.set_timer(_REST, lambda: self._ask_for(look))
        return found

    def forget_glimpses(self) -> None:
        """Read glimpses anew: something was said since."""
        self._glimpses.clear()
        self._asked = ""

    def _ask_for(self, look: Callable[[], Glimpse]) -> None:
        self.ask(look, self._glimpsed, group="glimpse")

    def _glimpsed(self, found: object) -> None:
        if isinstance(found, Glimpse):
            while len(self._glimpses) >= _KEPT:
                del self._glimpses[next(iter(self._glimpses))]
            self._glimpses[found.key] = found
            self.show_preview()
