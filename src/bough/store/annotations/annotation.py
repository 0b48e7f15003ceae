"""What a person adds to what they read: stars, short notes, projects they do not want to see.

Sessions go by their id and messages by their uuid, wherever the file lies: so an annotation
follows a session that is moved, and stands at every copy of a message that a fork made.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

AnnotationKind = Literal["session", "message", "project"]
AnnotationField = Literal["starred", "note", "hidden"]
LONGEST_NOTE: Final = 2_000
"""So many characters has a note at most: it stands in lists and beside a message."""
SET: Final = "1"
"""The value of a star, or of a project being hidden; nothing is the empty text."""


class AnnotationEntry(Struct, frozen=True):
    """One thing that was said of a session, a message or a project, and when.

    What was taken away stays as an empty value, so that an older copy does not bring it back.
    """

    kind: AnnotationKind
    id: str
    field: AnnotationField
    value: str
    changed_at: str
    session: str = ""
    """Of a message: the session in which it was annotated."""


class Annotation(Struct, frozen=True):
    """All that a person said of one session, message or project."""

    kind: AnnotationKind
    id: str
    session: str = ""
    starred: bool = False
    note: str = ""
    hidden: bool = False
    changed_at: str = ""

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is said, or no longer."""
        return not (self.starred or self.note or self.hidden)


class Annotations:
    """All annotations, by what they are about."""

    def __init__(self, found: Mapping[tuple[str, str], Annotation] | None = None) -> None:
        self._found = found or {}

    def find(self, kind: AnnotationKind, about: str) -> Annotation:
        """Give what is said of something; an empty annotation where that is nothing."""
        return self._found.get((kind, about)) or Annotation(kind, about)

    def find_message(self, uuids: Iterable[str]) -> Annotation | None:
        """Give what is said of a message that has several records; None where that is nothing."""
        return next(filter(None, (self._found.get(("message", one)) for one in uuids)), None)

    def list_all(self) -> list[Annotation]:
        """List all, the newest first."""
        return sorted(self._found.values(), key=lambda one: one.changed_at, reverse=True)


def gather_annotations(entries: Iterable[AnnotationEntry]) -> Annotations:
    """Put together what is said of the same thing; what was taken away is left out."""
    found: dict[tuple[str, str], Annotation] = {}
    for entry in entries:
        key = (entry.kind, entry.id)
        known = found.get(key) or Annotation(entry.kind, entry.id)
        found[key] = replace(
            _set_field(known, entry),
            session=entry.session or known.session,
            changed_at=max(known.changed_at, entry.changed_at),
        )
    return Annotations({key: one for key, one in found.items() if not one.is_empty})


def _set_field(known: Annotation, entry: AnnotationEntry) -> Annotation:
    match entry.field:
        case "starred":
            return replace(known, starred=bool(entry.value))
        case "note":
            return replace(known, note=entry.value)
        case "hidden":
            return replace(known, hidden=bool(entry.value))
