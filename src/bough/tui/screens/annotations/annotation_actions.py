"""Stars and notes on what is under the cursor, written in a thread; the field for a note."""

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, Literal, Protocol

from msgspec import Struct
from textual.app import ComposeResult
from textual.widgets import Input

from bough.backports import override
from bough.library import (
    LONGEST_NOTE,
    Annotation,
    AnnotationChange,
    Annotations,
    change_annotation,
    load_annotations,
)
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import make_line_item
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from bough.tui.app.app import Bough

_changing: Final = threading.Lock()
"""A key that is pressed twice turns twice: the second change sees the first."""


class AnnotationSubject(Struct, frozen=True):
    """What a star or a note is about; `name` are the words of the bar."""

    kind: Literal["session", "message", "project"]
    id: str
    name: str
    session: str = ""


class AnnotationHost(Protocol):
    """A screen that shows stars and notes."""

    @property
    def bough(self) -> "Bough":
        """Give the app."""

    def draw(self) -> None:
        """Show everything anew."""

    def run_in_thread(
        self, question: Callable[[], object], answer: Callable[[object], None], group: str = "ask"
    ) -> None:
        """Ask something in a thread; the answer comes back to the screen."""


def toggle_star(screen: AnnotationHost, subject: AnnotationSubject | None) -> None:
    """Star something, or take its star."""
    if subject is not None:
        _change(screen, subject, lambda known: AnnotationChange(starred=not known.starred))


def toggle_hidden(screen: AnnotationHost, subject: AnnotationSubject | None) -> None:
    """Hide a project on Home, or show it again."""
    if subject is not None:
        _change(screen, subject, lambda known: AnnotationChange(hidden=not known.hidden))


def write_note(screen: AnnotationHost, subject: AnnotationSubject | None) -> None:
    """Open the field for a note; what was written is shown on the screen below."""
    if subject is not None:
        screen.bough.open(NoteScreen(screen, subject))


def _change(
    screen: AnnotationHost,
    subject: AnnotationSubject,
    choose: Callable[[Annotation], AnnotationChange],
) -> None:
    def run() -> Annotations:
        with _changing:
            known = load_annotations().find(subject.kind, subject.id)
            change_annotation(subject.kind, subject.id, choose(known), subject.session)
            return load_annotations()

    screen.run_in_thread(run, partial(take_annotations, screen), group="annotations")


def take_annotations(screen: AnnotationHost, found: object) -> None:
    """Show the annotations as they are now."""
    if isinstance(found, Annotations):
        screen.bough.annotations = found
        screen.draw()


class NoteScreen(BaseScreen):
    """A field with the note on something."""

    KEYS: ClassVar = ("open", "back")

    def __init__(self, below: AnnotationHost, subject: AnnotationSubject) -> None:
        super().__init__()
        self.below = below
        self.subject = subject

    @override
    def body(self) -> ComposeResult:
        """Set the field, and what keys do below it."""
        known = self.bough.annotations.find(self.subject.kind, self.subject.id).note
        words = " ".join(known.split("\n"))
        yield Input(words, placeholder="A short note", id="title", max_length=LONGEST_NOTE)
        yield ListView(id="list")

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name what is noted on."""
        return [self.subject.name, "Note"]

    @override
    def begin(self) -> None:
        """Begin in the field."""
        words = "Enter keeps the note, an empty one removes it. Esc leaves it as it was."
        self.query_one("#list", ListView).show([make_line_item("keys", words)])
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the note, and go back."""
        note = event.value
        self.bough.back()
        _change(self.below, self.subject, lambda _: AnnotationChange(note=note))
