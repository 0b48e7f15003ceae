"""Why something is not done: every refusal of time travel, as errors for people.

All of them are below BoughError:

    BoughError
    ├─ Refused             1  409   doing it could harm, so nothing was done
    │  ├─ SessionOpen, PerhapsOpen, SessionDeleted
    │  ├─ EndsNoTurn, InsideAgent, NothingSaid
    │  ├─ GotoUnsafe
    │  ├─ Changed, AlreadyThere, OutsideClaude
    │  └─ CannotUndo, OtherClaudeFolder, Busy
    ├─ CannotWrite         1  500   the system did not let us write; nothing is changed
    ├─ NotAsPlanned        1  500   it was written, did not read back as planned, was removed
    ├─ NotFound: PointNotFound, OperationNotFound
    └─ Misuse:   AmbiguousPoint
"""

from collections.abc import Sequence
from shlex import quote
from typing import ClassVar

from bough.errors import BoughError, Misuse, NotFound, with_tilde

_SHORT = 8


def shorten_id(uuid: str) -> str:
    """Cut an id to the length people know it by."""
    return uuid[:_SHORT]


class Refusal(BoughError):
    """Say that nothing was done, because doing it could harm."""

    http_status = 409


class SessionOpen(Refusal):
    """Say that a client has the session open; no force overrides that."""

    forcible: ClassVar[bool] = False

    def __init__(self, pid: int, harm: str = "", instead: str = "") -> None:
        self.pid = pid
        harm = harm or "It may write at any moment."
        instead = instead or "Close it first."
        super().__init__(f"A client has this session open (pid {pid}). {harm} {instead}")


class SessionDeleted(Refusal):
    """Say that the client deleted a session's file, which the archive has: it comes back first."""

    def __init__(self, session: str) -> None:
        self.session = session
        name = shorten_id(session)
        super().__init__(
            f"The file of session {name} was deleted by the client, so there is nothing to change. "
            f"Restore it first: bough restore {name} brings it back from the archive."
        )


class SessionMaybeOpen(Refusal):
    """Say that the file changed so lately that a client may have it open."""

    forcible: ClassVar[bool] = True

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(
            f"{what}, so a client may have it open. Close it, or use --force if none has."
        )


class NotATurnEnd(Refusal):
    """Say that a point ends no turn, and name the nearest that does."""

    def __init__(self, reason: str, nearest: str | None) -> None:
        self.reason = reason
        self.nearest = nearest
        offer = (
            f"The turn ends at {shorten_id(nearest)}; use that?"
            if nearest
            else "No turn ended before it."
        )
        super().__init__(f"This point ends no turn: {reason}. {offer}")


class InsideAgent(Refusal):
    """Say that a point lies in an agent's own conversation."""

    def __init__(self, uuid: str) -> None:
        super().__init__(
            f"{shorten_id(uuid)} lies in an agent's own conversation, which the client cannot "
            "resume. Choose a point of the main conversation."
        )


class NoFinishedTurn(Refusal):
    """Say that a session has no turn to go back to."""

    def __init__(self, session: str) -> None:
        super().__init__(f"Session {shorten_id(session)} has no finished turn to go back to.")


class GotoUnsafe(Refusal):
    """Say which danger forbids going to a point in place; a fork is always possible."""

    def __init__(self, danger: str, reason: str) -> None:
        self.danger = danger
        self.reason = reason
        super().__init__(f"{reason} Fork instead: bough fork.")


class FileChanged(Refusal):
    """Say that a file is not what the plan was made from."""

    def __init__(self, path: str, what: str) -> None:
        self.path = path
        name = path.replace("\\", "/").rpartition("/")[2]
        subject = name if name.startswith("settings.") else "The session"
        super().__init__(f"{subject} changed while you looked ({what}). Nothing was written.")


class AlreadyThere(Refusal):
    """Say that there is nothing to do, or that the place is taken."""


class OutsideClaude(Refusal):
    """Say that a file does not lie in a Claude folder."""

    def __init__(self, path: str, why: str = "") -> None:
        self.path = path
        why = why or "is not in a Claude folder (projects/<project>/<session>.jsonl)"
        super().__init__(f"{path} {why}. bough writes nowhere else.")


class Busy(Refusal):
    """Say that another bough is writing."""

    def __init__(self, pid: str) -> None:
        who = f" (pid {pid})" if pid else ""
        super().__init__(f"Another bough is changing sessions{who}. Try again when it is done.")


class CannotUndo(Refusal):
    """Say why an operation cannot be taken back."""

    def __init__(self, number: int, reason: str) -> None:
        self.number = number
        super().__init__(f"Operation {number} cannot be undone: {reason}. Nothing was changed.")


class OtherClaudeFolder(Refusal):
    """Say that an operation belongs to another Claude folder, and the command that reaches it."""

    def __init__(self, number: int, folder: str) -> None:
        self.number = number
        self.folder = folder
        super().__init__(
            f"Operation {number} belongs to the Claude folder {with_tilde(folder)}. Nothing was "
            f"changed. Undo it there: bough --claude-dir {quote(folder)} undo {number}"
        )


class CannotWrite(BoughError):
    """Say that the system did not let us write, and what is left of it."""

    def __init__(self, what: str, left: str) -> None:
        super().__init__(f"{what} {left}".rstrip())


class NotAsPlanned(BoughError):
    """Say that what was written does not mean what was planned, so it was taken back."""

    def __init__(self, operation: str, difference: str) -> None:
        self.difference = difference
        super().__init__(
            f"The {operation} was written but does not read back as planned ({difference}), so it "
            "was removed. Report it, with what bough doctor says about the session."
        )


class PointNotFound(NotFound):
    """Say that a session has no such point."""

    def __init__(self, wanted: str, session: str) -> None:
        self.wanted = wanted
        super().__init__(
            f'Nothing in session {shorten_id(session)} has the id or the words "{wanted}". '
            f"bough tree {shorten_id(session)} shows what there is."
        )


class OperationNotFound(NotFound):
    """Say that there is no such operation; `elsewhere` tells of some in other Claude folders."""

    def __init__(self, wanted: str, *, elsewhere: bool = False) -> None:
        if elsewhere:
            where = " in this Claude folder. bough history --all-folders lists those of others."
        else:
            where = ". bough history lists them."
        super().__init__(f"There is no operation {wanted}{where}")


class AmbiguousPoint(Misuse):
    """Say that several points fit; `matches` holds the ends of their turns, `shown` a line each."""

    def __init__(self, wanted: str, matches: Sequence[str], shown: Sequence[str]) -> None:
        self.wanted = wanted
        self.matches = tuple(matches)
        self.shown = tuple(shown)
        listed = "; ".join(shown[:4]) + (f"; and {len(shown) - 4} more" if len(shown) > 4 else "")
        super().__init__(f'"{wanted}" fits {len(matches)} turns: {listed}. Give the id of one.')
