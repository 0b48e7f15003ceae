"""Help: the keys of the screen one comes from, then all of them."""

from typing import ClassVar

from bough.tui.keymap import Key, shown
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import Line, Role, pad
from bough.tui.widgets.list_items import Piece, blank, say, still
from bough.tui.widgets.list_view import Reel


class Help(Place):
    """The keys."""

    KEYS: ClassVar = ("down", "half-down", "end", "palette", "back", "quit", "help")
    TITLE = "Keys"

    def __init__(self, about: Place) -> None:
        super().__init__()
        self.about = about

    @override
    def begin(self) -> None:
        """List the keys."""
        keymap = self.bough.keymap
        here = [key for key in keymap.keys if key.keys and self.about.can(key.name)]
        rest = [key for key in keymap.keys if key.keys and key not in here]
        name = self.about.where()[-1]
        pieces = [say("here", f"Keys of this screen: {name}", Role.HEADER)]
        pieces += [_row(key) for key in here]
        if rest:
            pieces += [blank("b"), say("rest", "On other screens", Role.HEADER)]
            pieces += [_row(key) for key in rest]
        pieces += [
            blank("c"),
            say("always", "Ctrl C always leaves. While you type, letters are only letters."),
            say("own", "Give a key another name in keys.toml, beside config.toml."),
        ]
        reel = self.query_one("#list", Reel)
        reel.show(pieces)
        reel.to_start()
        reel.focus()

    def do_help(self) -> None:
        """Close."""
        self.bough.back()


def _row(key: Key) -> Piece:
    presses = "  ".join(shown(press) for press in key.keys)
    line: Line = ((Role.PROMPT, f"  {pad(presses, 16)}  "), (Role.CLAUDE, key.does))
    return Piece(f"key/{key.name}", still([line]), "key", key)
