"""What a person says of the messages of a conversation, and the way to the next session."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from bough.library import SessionRow, load_readable_annotations
from bough.tui.conversation.view import ConversationContent, ItemSource
from bough.tui.screens.annotations.annotation_actions import (
    AnnotationSubject,
    take_annotations,
    toggle_star,
    write_note,
)
from bough.tui.screens.conversation.host import ConversationHost
from bough.tui.widgets.list_items import ListItem


class AnnotatedHost(ConversationHost, Protocol):
    """A screen with a conversation, which can read another session instead."""

    def open_session(self, row: SessionRow) -> None:
        """Read another session of the project instead of this one."""


class MessageAnnotations:
    """Stars and notes on the message under the cursor; sessions before and after this one."""

    def __init__(self, screen: AnnotatedHost) -> None:
        self.screen = screen

    def load(self) -> None:
        """Ask for what is said of messages."""
        self.screen.run_in_thread(
            lambda: load_readable_annotations()[0],
            partial(take_annotations, self.screen),
            group="annotations",
        )

    def add_marks(self, content: ConversationContent, items: Sequence[ListItem]) -> list[ListItem]:
        """Put what is said of each message below the first of its items."""
        annotations = self.screen.bough.annotations
        found: list[ListItem] = []
        asked: set[str] = set()
        for item in items:
            found.append(item)
            message = item.about.message if isinstance(item.about, ItemSource) else None
            # Once: a long answer is one message of many items and many records.
            if message is None or message.key in asked:
                continue
            asked.add(message.key)
            said = annotations.find_message(message.uuids)
            if said is not None:
                words = " ".join(word for word in ("*" if said.starred else "", said.note) if word)
                found.append(content.build_annotation(item, message, words))
        return found

    def do_star(self) -> None:
        """Star the message under the cursor, or take its star."""
        toggle_star(self.screen, self._find_subject())

    def do_note(self) -> None:
        """Write a note on the message under the cursor."""
        write_note(self.screen, self._find_subject())

    def _find_subject(self) -> AnnotationSubject | None:
        message = self.screen.message
        if message is None or message.uuid is None:
            self.screen.bough.show_notice(
                "This can have no star or note: it has no id in the file."
            )
            return None
        said = self.screen.bough.annotations.find_message(message.uuids)
        uuid = said.id if said is not None else message.uuid
        return AnnotationSubject("message", uuid, "A message", self.screen.session_id)

    def do_previous_session(self) -> None:
        """Read the session before this one, in the order of the project."""
        self._go(-1)

    def do_next_session(self) -> None:
        """Read the session after this one, in the order of the project."""
        self._go(1)

    def _go(self, by: int) -> None:
        folder = str(Path(self.screen.path).parent)
        self.screen.run_in_thread(
            partial(self.screen.bough.source.list_project_sessions, folder),
            partial(self._open_beside, by),
            group="beside",
        )

    def _open_beside(self, by: int, found: object) -> None:
        rows = (
            [row for row in found if isinstance(row, SessionRow)] if isinstance(found, list) else []
        )
        at = next((n for n, row in enumerate(rows) if row.path == self.screen.path), None)
        if at is not None and 0 <= at + by < len(rows):
            self.screen.open_session(rows[at + by])
        else:
            end = "last" if by > 0 else "first"
            self.screen.bough.show_notice(f"That was the {end} session of this project.")
