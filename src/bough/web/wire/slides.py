"""A presentation on the wire: slides, by name and rendered."""

from typing import Annotated

from msgspec import Meta, Struct, field

from bough.web.wire.list_rows import ConversationPartSelector, Word
from bough.web.wire.pieces import Number

_MOST_SLIDES = 60


class PresentationQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Which message it begins with, else the first; secrets are hidden unless that is refused."""

    at: Word = ""
    redact: bool = True


class SlidesQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Which slides: `count` from number `from` on, of the `revision` the page knows."""

    from_: Number = field(name="from", default=0)
    count: Annotated[int, Meta(ge=1, le=_MOST_SLIDES)] = 20
    revision: Word = ""
    redact: bool = True


class SlideBodyQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Which fold's body, of the `revision` the page knows."""

    key: Word = ""
    revision: Word = ""
    redact: bool = True


class SlidesAnswer(Struct, frozen=True):
    """Slides in a row, rendered."""

    from_: int = field(name="from")
    slides: list[str]


class PresentationAnswer(Struct, frozen=True):
    """A conversation as slides.

    `kinds`, `turn_numbers` and `message_keys` tell of each slide what it shows, which turn it is
    of and which message; `names` is what each turn is called. `start` is the slide to begin with.
    `left_out` says that the session is too long to be presented whole; empty where it is.
    """

    revision: str
    redacted: bool
    kinds: list[str]
    turn_numbers: list[int]
    message_keys: list[str]
    names: list[str]
    start: int
    left_out: str
    page: SlidesAnswer
