"""A conversation on the wire: pieces, what changed in them, and what hangs on them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from bough.web.wire.list_rows import (
    ConversationPartSelector,
    ConversationSelector,
    SessionState,
    Word,
)

_MOST_PIECES = 80
Number = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]


class ConversationQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Where reading begins: at a message, else at the end; `whole` waits for all of it."""

    at: Word = ""
    whole: bool = False


class PiecesQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Which pieces: `count` from number `from` on, of the `revision` the page knows."""

    from_: Number = field(name="from", default=0)
    count: Annotated[int, Meta(ge=1, le=_MOST_PIECES)] = 40
    revision: Word = ""


class ChangesQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Since which revision."""

    since: Word = ""


class BodyQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Which fold's body."""

    key: Word = ""


class FindQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Which words, on this branch or on all."""

    q: Word = ""
    scope: Literal["branch", "all"] = "branch"


class RawQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which message's records."""

    uuid: Word = ""
    agent: Word = ""
    offset: Annotated[int, Meta(ge=-1, le=1_000_000_000_000)] = -1


class PictureQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which picture: the nth of the record at an offset."""

    offset: Number = 0
    n: Annotated[int, Meta(ge=0, le=10_000)] = 0
    agent: Word = ""


class OutputQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which kept output, from which byte on, and how much of it."""

    name: Word = ""
    from_: Number = field(name="from", default=0)
    count: Annotated[int, Meta(ge=1, le=1_000_000)] = 200_000
    agent: Word = ""


class MarkdownQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """The whole conversation, or one message of it."""

    uuid: Word = ""


class ExportQuery(ConversationSelector, frozen=True, forbid_unknown_fields=True):
    """What goes into a document; `emails` replaces e-mail addresses too."""

    to: Literal["md", "html", "json", "present"] = "md"
    thinking: bool = True
    tools: bool = True
    results: bool = True
    agents: bool = True
    redact: bool = True
    emails: bool = False


class PieceHtml(Struct, frozen=True):
    """One piece of a conversation, rendered."""

    number: int
    key: str
    kind: str
    uuid: str | None
    timestamp: str | None
    html: str


class PiecePage(Struct, frozen=True):
    """Pieces in a row."""

    from_: int = field(name="from")
    pieces: list[PieceHtml]


class OutlineEntry(Struct, frozen=True):
    """A line of the outline: the piece it leads to, and what it says of it.

    `kind` is prompt, command, shell, queued, retry or continued; compaction or side-branch.
    `about` says what is not in the text: how long a side branch is and why it was left. `tip` is
    the end of a side branch.
    """

    number: int
    kind: str
    text: str
    time: str | None
    agents: int
    failed: int
    steps: int
    end: str
    about: str
    tip: str | None
    uuid: str | None


class ConversationAnswer(Struct, frozen=True):
    """A conversation: all its pieces by name, and those around the start rendered.

    `partial` says that this is a stretch of a large session only: ask again with `whole`. `note`
    says why a message that was asked for is not where it begins. `row` is the row inside the piece
    at the start that was asked for, and `opens` are the folds on the way to it. `is_other_tip`
    says that the tip that was asked for is named otherwise, or is none.
    """

    session: str
    title: str
    agent: str | None
    tip: str | None
    active: bool
    revision: str
    partial: bool
    count: int
    keys: list[str]
    kinds: list[str]
    lines: list[int]
    marks: list[str]
    outline: list[OutlineEntry]
    start: int
    page: PiecePage
    banner: str | None
    note: str | None = None
    row: str | None = None
    opens: list[str] = []
    is_other_tip: bool = False


class PiecesAnswer(Struct, frozen=True):
    """Pieces in a row, of a revision."""

    revision: str
    from_: int = field(name="from")
    pieces: list[PieceHtml]


class ChangesAnswer(Struct, frozen=True):
    """What is other since a revision: everything from piece `from` on.

    `pieces` holds the first of them rendered; `outline` is null where it is the same.
    """

    revision: str
    from_: int = field(name="from")
    count: int
    keys: list[str]
    kinds: list[str]
    lines: list[int]
    marks: list[str]
    pieces: list[PieceHtml]
    outline: list[OutlineEntry] | None
    title: str
    state: SessionState
    sure: bool
    tip: str | None
    active: bool


class BodyAnswer(Struct, frozen=True):
    """What is inside a fold."""

    html: str


class FindHit(Struct, frozen=True):
    """A place where words were found; `opens` are the folds on the way to it.

    `tip` names the branch it is on, where that is another one; `number` counts there.
    """

    number: int
    key: str
    opens: list[str]
    uuid: str | None
    tip: str | None
    count: int


class FindAnswer(Struct, frozen=True):
    """Where words were found."""

    total: int
    hits: list[FindHit]


class RawRecord(Struct, frozen=True):
    """A record as it lies in the file."""

    line: int
    offset: int
    json: str


class RawAnswer(Struct, frozen=True):
    """The records of a message."""

    records: list[RawRecord]


class OutputAnswer(Struct, frozen=True):
    """A stretch of an output that is kept in a file of its own."""

    name: str
    bytes: int
    from_: int = field(name="from")
    to: int
    text: str


class TextAnswer(Struct, frozen=True):
    """A text, as Markdown."""

    text: str


class MaskedFinding(Struct, frozen=True):
    """What looks like a secret of one kind; each one masked."""

    kind: str
    count: int
    masked: list[str]


class IncludedCounts(Struct, frozen=True):
    """What a document holds, counted."""

    turns: int
    thinking: int
    tools: int
    results: int
    agents: int


class ExportPreview(Struct, frozen=True):
    """What an export would write; `left_out` says what would not be in it, empty where nothing."""

    name: str
    bytes: int
    findings: list[MaskedFinding]
    included: IncludedCounts
    left_out: str
