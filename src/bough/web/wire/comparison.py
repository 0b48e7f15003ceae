"""Two branches side by side, on the wire."""

from typing import Literal

from msgspec import Struct

from bough.web.wire.list_rows import Word


class CompareQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which branches: a message of each, or `active`; B may be of another session, `other`."""

    a: Word = "active"
    b: Word = "active"
    other: Word = ""


class ComparedText(Struct, frozen=True):
    """A turn of a side: what was asked, as typed, and what was answered last, as HTML with marks.

    `changed` says that prompt or answer differ from those of the turn beside it.
    """

    uuid: str
    time: str | None
    prompt: str
    answer: str
    steps: int
    failed: int
    changed: bool


class ComparedPair(Struct, frozen=True):
    """The turns with the same number after the parting; null where a side has none."""

    a: ComparedText | None
    b: ComparedText | None


class ComparedSide(Struct, frozen=True):
    """What is on one side alone."""

    session: str
    title: str
    tip: str
    name: str
    active: bool
    turns: int
    files: int
    calls: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float | None
    unpriced_models: list[str]
    duration_seconds: float | None


class SplitPoint(Struct, frozen=True):
    """Where two branches part: the last turn they have in common."""

    uuid: str
    text: str
    time: str | None


class CompareAnswer(Struct, frozen=True):
    """Two branches side by side; `parting` is null where they have nothing in common."""

    a: ComparedSide
    b: ComparedSide
    shared: int
    parting: SplitPoint | None
    pairs: list[ComparedPair]


class ComparedFile(Struct, frozen=True):
    """A file that a side wrote to, and how the sides left it.

    `differs` is null where one of them is not known; then `html_a` and `html_b` have what each
    did to it. `html` leads from A to B where both wrote to it, else from what was there before.
    """

    path: str
    by: Literal["a", "b", "both"]
    differs: bool | None
    added_a: int
    removed_a: int
    added_b: int
    removed_b: int
    html: str
    html_a: str
    html_b: str


class CompareFilesAnswer(Struct, frozen=True):
    """The files that the sides wrote to, by path."""

    files: list[ComparedFile]
