"""Time travel on the wire: what is asked for, the preview of it, what was done, and the history."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bough.web.wire.about import Fault
from bough.web.wire.list_rows import Word

TravelOperation = Literal["fork", "goto", "rename", "repair", "restore", "undo"]
RefusalOffer = Literal["fork", "copy", "force"]


class TravelBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A change that somebody would like to see the preview of.

    `session` is an id as in lists; `at` names the message of a fork or a goto, and `branch` one of
    the branch along which it is moved, where that is another. `title` is that of a new session, or
    the new one of a rename, `cwd` the folder that a fork is resumed in, if another one. `in_place`
    is for a repair, `number` the operation that an undo takes back, null for the last. `force` says
    that no client has the session open.
    """

    operation: TravelOperation
    session: Annotated[str, Meta(max_length=300)] = ""
    at: Word = ""
    branch: Word = ""
    title: Word | None = None
    cwd: Annotated[str, Meta(max_length=4_096)] = ""
    in_place: bool = False
    number: Annotated[int, Meta(ge=1, le=1_000_000_000)] | None = None
    force: bool = False


class PreviewItem(Struct, frozen=True):
    """One row of a preview; the headline has no label."""

    label: str
    text: str


class PointFact(Struct, frozen=True):
    """Where a plan begins: the record that the next prompt follows, and the turn it ends.

    `earlier` and `later` are the prompts of the turns beside it that have an end, null where the
    branch has none. `is_before_unfinished` says that the next turn has none.
    """

    uuid: str
    text: str
    timestamp: str | None
    earlier: str | None
    later: str | None
    is_before_unfinished: bool


class PlanPreview(Struct, frozen=True):
    """What a plan would do. It is carried out by its name and the digest of what is shown here.

    `sees` says what Claude will see, `prompts` are the words it will see of each turn, `files`
    those that were changed after the point and stay as they are. `stays` is what a repair leaves.
    `cwd` is the folder of the new session, null where there is none. `diff` holds the first lines
    that are written, `diff_left` counts the rest.
    """

    plan: str
    digest: str
    operation: TravelOperation
    session: str
    headline: str
    rows: list[PreviewItem]
    point: PointFact | None
    sees: str | None
    prompts: list[str]
    files: list[str]
    stays: list[str]
    title: str | None
    cwd: str | None
    diff: list[str]
    diff_left: int


class TravelRefusal(Struct, frozen=True):
    """Why something is not done, and what could be instead: fork, repair a copy, or insist."""

    code: str
    message: str
    offers: list[RefusalOffer]


class TravelAnswer(Struct, frozen=True):
    """A preview, or why there is none."""

    preview: PlanPreview | None
    refusal: TravelRefusal | None


class PlanBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The plan to carry out: its name, and the digest of what was shown of it."""

    plan: Annotated[str, Meta(min_length=1, max_length=100)]
    digest: Annotated[str, Meta(min_length=1, max_length=100)]


class PlanChangedAnswer(Struct, frozen=True):
    """An error, and the preview of what would be done now instead; null where there is none."""

    error: Fault
    preview: PlanPreview | None


class AppliedAnswer(Struct, frozen=True):
    """What was done: its number in the history, and the session to go on with."""

    number: int
    operation: TravelOperation
    headline: str
    session: str | None
    resume: str | None
    resume_note: str
    notes: list[str]


class OperationItem(Struct, frozen=True):
    """One operation; `session` is the address of what came of it, null where that is gone."""

    number: int
    at: str
    operation: str
    headline: str
    state: str
    reason: str
    session: str | None
    undone_by: int | None
    can_undo: bool


class OperationsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which operations: `all` also has those that were not carried out."""

    all: bool = False
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 200


class OperationsAnswer(Struct, frozen=True):
    """Operations of this Claude folder, the newest first; `total` counts all there are."""

    operations: list[OperationItem]
    total: int
