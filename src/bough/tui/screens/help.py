"""Help: the keys of the screen one comes from, then all of them."""

from typing import ClassVar

from bough.backports import override
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import pad
from bough.tui.keymap import Key, format_press
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView


class HelpScreen(BaseScreen):
    """The keys."""

    KEYS: ClassVar = ("down", "half-down", "end", "palette", "back", "quit", "help")
    TITLE = "Keys"

    def __init__(self, about: BaseScreen) -> None:
        super().__init__()
        self.about = about

    @override
    def begin(self) -> None:
        """List the keys."""
        keymap = self.bough.keymap
        here = [key for key in keymap.keys if key.keys and self.about.can_do(key.name)]
        rest = [key for key in keymap.keys if key.keys and key not in here]
        name = self.about.list_breadcrumbs()[-1]
        items = [make_line_item("here", f"Keys of this screen: {name}", Role.HEADER)]
        words = self.about.describe_keys()
        items += [_make_key_item(key, words.get(key.name) or key.does) for key in here]
        if rest:
            items += [
                make_blank_item("b"),
                make_line_item("rest", "On other screens", Role.HEADER),
            ]
            items += [_make_key_item(key, key.everywhere) for key in rest]
        items += [
            make_blank_item("c"),
            make_line_item(
                "always", "Ctrl C always quits. While you type into a line, letters are letters."
            ),
            make_line_item("own", "Choose other keys in keys.toml, beside config.toml."),
        ]
        rows = self.query_one("#list", ListView)
        rows.show(items)
        rows.go_to_start()
        rows.focus()

    def do_help(self) -> None:
        """Close."""
        self.bough.back()


def _make_key_item(key: Key, word: str) -> ListItem:
    presses = "  ".join(format_press(press) for press in key.keys)
    line: StyledLine = ((Role.PROMPT, f"  {pad(presses, 16)}  "), (Role.CLAUDE, word))
    return ListItem(f"key/{key.name}", draw_fixed([line]), "key", key)
