"""Stars, notes and hidden projects on the wire."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bough.library import LONGEST_NOTE
from bough.web.wire.list_rows import OtherNote, Word

AnnotatedKind = Literal["session", "message", "project"]


class AnnotationBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of an annotation; what is left out stays as it is.

    `id` is a session's or a project's as in lists, or a message's uuid; `session` is the session
    in which the message is read.
    """

    kind: AnnotatedKind
    id: Annotated[str, Meta(min_length=1, max_length=300)]
    session: Word = ""
    starred: bool | None = None
    note: Annotated[str, Meta(max_length=LONGEST_NOTE)] | None = None
    hidden: bool | None = None


class AnnotationItem(Struct, frozen=True):
    """What is said of a session, a message or a project; also the event `annotation`.

    `others` is what other members of a team say of it.
    """

    kind: AnnotatedKind
    id: str
    starred: bool
    note: str
    hidden: bool
    others: list[OtherNote] = []


class AnnotationsAnswer(Struct, frozen=True):
    """What is said of messages; what is said of sessions and projects stands in their rows."""

    annotations: list[AnnotationItem]
    sentence: str | None
