"""Asks before every copy of a session is removed: nothing takes that back."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import ClassVar

from bough.backports import override
from bough.errors import BoughError
from bough.library import ExpiringSession, GoneSessionCopy, forget_archived_session
from bough.model.text.formats import format_plural, format_size
from bough.terminal.style import Role
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView


class ForgetScreen(BaseScreen):
    """Asks before every copy of a session is removed."""

    KEYS: ClassVar = ("open", "back", "help")

    def __init__(self, row: ExpiringSession | GoneSessionCopy) -> None:
        super().__init__()
        self.row = row

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Say what is asked."""
        return ["Archive", f"Forget session {self.row.session[:8]}"]

    @override
    def begin(self) -> None:
        """Say what would be removed, and what would stay."""
        shown = self.query_one("#list", ListView)
        shown.focus()
        shown.show(list(self._build_items()))

    def _build_items(self) -> Iterator[ListItem]:
        is_gone = isinstance(self.row, GoneSessionCopy)
        yield make_line_item("what", "Remove every copy of this session for good?", Role.PROMPT)
        yield make_blank_item("w")
        if is_gone:
            words = "The client has deleted its file: nobody can read it any more after this."
            yield make_line_item("gone", words, Role.ERROR)
        else:
            yield make_line_item(
                "there", "The client's own file stays, until the client deletes it."
            )
        yield make_line_item("again", "bough does not archive it again. This cannot be undone.")
        yield make_blank_item("e")
        yield make_line_item(
            "do", "Enter removes them. Esc leaves everything as it is.", Role.ACTIVE
        )

    @override
    def describe_keys(self) -> Mapping[str, str]:
        """Say what Enter does."""
        return {"open": "remove"}

    def do_open(self) -> None:
        """Remove every copy."""
        self.run_in_thread(partial(_forget, self.row.session), self._finish)

    def _finish(self, found: object) -> None:
        if isinstance(found, str):
            self.bough.show_notice(found)
            self.bough.back()


def _forget(session: str) -> str:
    try:
        done = forget_archived_session(session)
    except BoughError as error:
        return error.message
    copies = format_plural(done.files, "copy", "copies")
    return f"Removed {copies}, {format_size(done.bytes)}."
