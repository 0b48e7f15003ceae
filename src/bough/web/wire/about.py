"""What goes over the wire about bough itself, and the one form every error has.

The structs of `wire*` are the contract with the page: its types are generated from them
(scripts/wire_types.py), and so is the OpenAPI document. A field that is there is always
sent; what may be missing is null.
"""

from typing import Literal

from msgspec import Struct

from bough.library import ArchiveConsent
from bough.web.wire.setting_rows import PageSettings


class NearSession(Struct, frozen=True):
    """A session that may have been meant by an id that names none, or several."""

    id: str
    title: str


class Fault(Struct, frozen=True):
    """What went wrong, in a sentence a person can be shown.

    `code` is a short word for programs, `hint` says what to do where that is not in the
    message, `at` is the place in a query where it stops making sense. `near` are the sessions
    that an id may have meant.
    """

    code: str
    message: str
    hint: str | None = None
    at: int | None = None
    near: list[NearSession] = []


class ErrorAnswer(Struct, frozen=True):
    """What every route answers with where it cannot do what was asked."""

    error: Fault


IndexState = Literal["none", "building", "ready", "partial"]


class IndexStatus(Struct, frozen=True):
    """How far the index is; `sentence` says why answers may lack something."""

    state: IndexState
    done: int
    total: int
    seconds_left: float | None
    sentence: str | None


class About(Struct, frozen=True):
    """What this bough reads, and how far it is with it.

    `ready` says that a person has agreed to their transcripts being read; before that only
    names and numbers of files are known. `archive_consent` is a question, until it is answered.
    `member` is who reads a team's store; null where it is the history of one machine. They
    can log out where bough itself let them in, and not a proxy.
    """

    version: str
    folders: list[str]
    looked_in: list[str]
    projects: int
    sessions: int
    ready: bool
    index: IndexStatus
    settings: PageSettings
    token_needed: bool
    member: str | None
    can_log_out: bool
    archive_consent: ArchiveConsent | None


class ReadyAnswer(Struct, frozen=True):
    """The answer to "Read them"."""

    ready: bool
    index: IndexStatus


class NoParams(Struct, frozen=True, forbid_unknown_fields=True):
    """The params of a route that takes none."""
