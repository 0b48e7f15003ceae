"""The archive on the wire: what is kept, what the client deletes next, and work on it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class ForecastAnswer(Struct, frozen=True):
    """What the client may delete within `days`; `sentence` is empty where nothing is due."""

    sentence: str
    sessions: int
    not_kept: int
    days: int


class RetentionItem(Struct, frozen=True):
    """How many days the client keeps the sessions of a folder, and which file says so."""

    folder: str
    days: int
    source: str | None
    sentence: str


class ExpiringItem(Struct, frozen=True):
    """A session that the client may delete from `deleted_from` on; `id` is that of addresses."""

    id: str
    session: str
    title: str
    project_name: str
    deleted_from: str
    kept: bool


class GoneItem(Struct, frozen=True):
    """A session that the client deleted and the archive has.

    `open_id` is the id by which addresses name it, null where no list has it.
    """

    session: str
    open_id: str | None
    title: str
    project_name: str
    bytes: int
    gone_at: str | None


class VerifiedItem(Struct, frozen=True):
    """What the last verification found; `left_out` counts damage that is not listed."""

    at: str
    sentence: str
    damage: list[str]
    left_out: int


class ArchiveWork(Struct, frozen=True):
    """How far work on the archive is; once it ended, `sentence` says what came of it."""

    kind: Literal["", "keep", "verify"]
    state: Literal["none", "running", "done", "cancelled", "failed"]
    done: int
    total: int
    sentence: str


class ArchiveAnswer(Struct, frozen=True):
    """How the archive stands. `behind` are on disk and not kept as they are now.

    `expiring_total` and `gone_total` count all of them, also those that are not listed; `later`
    says what the client deletes after a week, in a sentence.
    It `is_missing` where it was there before. `automatic` is the setting archive, null until a
    person answered.
    """

    archive: str
    exists: bool
    is_missing: bool
    sentence: str
    automatic: bool | None
    sessions: int
    deleted: int
    behind: int
    bytes: int
    packed: int
    forgotten: int
    written_at: str | None
    retention: list[RetentionItem]
    forecast: ForecastAnswer
    expiring: list[ExpiringItem]
    expiring_total: int
    later: str
    gone: list[GoneItem]
    gone_total: int
    verified: VerifiedItem | None
    work: ArchiveWork


class WorkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What shall be done: take in what is new, verify every byte, or stop what is being done."""

    do: Literal["keep", "verify", "cancel"]


class ForgetBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The session of which no copy is wanted, by its whole id."""

    session: Annotated[str, Meta(min_length=1, max_length=300)]


class ForgottenAnswer(Struct, frozen=True):
    """What was removed of a session."""

    session: str
    files: int
    bytes: int
