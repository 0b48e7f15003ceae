"""Raw: the records behind what is seen, as the file has them, set in lines."""

from typing import ClassVar

import msgspec

from bough.backports import override
from bough.library import Session
from bough.model.text.formats import format_size
from bough.records.record import Record
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import lines_of, wrap
from bough.tui.conversation.view import ItemSource
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import Draw, ListItem, make_line_item
from bough.tui.widgets.list_view import ListView

_MOST = 1_000_000


class RawScreen(BaseScreen):
    """Records."""

    KEYS: ClassVar = ("down", "next-prompt", "copy-markdown", "back", "help")
    WORDS: ClassVar = {"next-prompt": "next record", "previous-prompt": "previous record"}

    def __init__(self, session: Session, about: ItemSource | None, uuid: str | None = None) -> None:
        super().__init__()
        self.session = session
        message = about.message if about is not None else None
        self.uuids = list(message.uuids) if message is not None else [uuid] if uuid else []
        self.place_in_file = message.offset if message is not None else None

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the session."""
        return [self.session.title, "Raw records"]

    @override
    def begin(self) -> None:
        """Ask for the records."""
        self.query_one("#list", ListView).focus()
        self.run_in_thread(self._build_items, self._show)

    def _build_items(self) -> list[ListItem]:
        tree = self.session.tree
        found = [tree.nodes[tree.number[uuid]] for uuid in self.uuids if uuid in tree.number]
        items = [item for record in found for item in _build_record_items(record)]
        if not items and self.place_in_file is not None:
            bad = next((b for b in self.session.bad_lines if b.offset == self.place_in_file), None)
            if bad is not None:
                text = bad.raw.decode("utf-8", "replace")
                return [
                    make_line_item(
                        "why", f"Line {bad.number} cannot be read: {bad.reason}", Role.ERROR
                    ),
                    _make_json_item("bad", text),
                ]
        return items or [make_line_item("none", "The file has no record of this.")]

    def _show(self, found: object) -> None:
        rows = self.query_one("#list", ListView)
        if isinstance(found, list):
            rows.show(found)
            rows.go_to_start()

    def do_next_prompt(self) -> None:
        """Go to the next record."""
        self.query_one("#list", ListView).jump(("record",), 1)

    def do_previous_prompt(self) -> None:
        """Go to the previous record."""
        self.query_one("#list", ListView).jump(("record",), -1)

    def do_copy_markdown(self) -> None:
        """Copy the record under the cursor."""
        picked = self.query_one("#list", ListView).picked
        if picked is not None and isinstance(picked.about, bytes):
            self.bough.copy(picked.about.decode("utf-8", "replace"), "the record")


def _build_record_items(record: Record) -> list[ListItem]:
    facts = f"line {record.number}, offset {record.offset:,}, {format_size(len(record.raw))}"
    try:
        text = msgspec.json.format(record.raw, indent=2).decode("utf-8", "replace")
    except (msgspec.MsgspecError, RecursionError):
        text = record.raw.decode("utf-8", "replace")
    head = ListItem(
        f"{record.offset}",
        _make_draw(f"{type(record).__name__}  {facts}", Role.PROMPT),
        "record",
        record.raw,
    )
    return [
        head,
        *(
            _make_json_item(f"{record.offset}/{n}", line)
            for n, line in enumerate(text[:_MOST].split("\n"))
        ),
    ]


def _make_json_item(key: str, text: str) -> ListItem:
    return ListItem(key, _make_draw(text, Role.CLAUDE), "json", text.encode("utf-8", "replace"))


def _make_draw(text: str, role: Role) -> Draw:
    def draw(columns: int) -> list[StyledLine]:
        shown = (part for line in lines_of(text) for part in wrap(line, columns))
        return [((role, line),) for line in shown]

    return draw
