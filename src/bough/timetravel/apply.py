"""Carrying out a plan: the only writer of the user's files.

Under a lock: the files must still be what the plan was made from, nothing may have them
open; the plan goes into the journal, what will change is copied elsewhere, each step is
done, and the result is read back and must mean what was planned. Whatever goes wrong on the
way, everything is taken back and the error says so. A stop in the middle is finished or
taken back by the next bough that writes.
"""

import errno
import os
from pathlib import Path

from msgspec import Struct

from bough.errors import BoughError, Misuse, reason_of
from bough.files.companions import SUFFIX
from bough.query.sessions.load_session import read_session
from bough.timetravel.environment import Desk
from bough.timetravel.errors import (
    AlreadyThere,
    CannotWrite,
    Changed,
    NotAsPlanned,
    OutsideClaude,
)
from bough.timetravel.execution.do_step import back_up, do
from bough.timetravel.execution.journal_steps import deed_of, is_done
from bough.timetravel.execution.lock import locked
from bough.timetravel.execution.undo_step import CannotTakeBack, clear, take_back
from bough.timetravel.journal import (
    ABANDONED,
    DONE,
    TAKEN_BACK,
    UNFINISHED,
    Begin,
    Deed,
    End,
    Operation,
)
from bough.timetravel.plan import Append, Create, Move, Plan, Remove, Replace
from bough.timetravel.plans.content_digest import difference
from bough.timetravel.plans.open_check import require_closed, require_quiet
from bough.timetravel.session_file import FileState, observe

_FULL = {errno.ENOSPC, errno.EDQUOT}
_HARM = 'Its exit would undo "make active".'
_INSTEAD = "Fork instead: f."


class Applied(Struct, frozen=True):
    """An operation that happened: its number in the journal and what to do with the result."""

    number: int
    operation: str
    session: str
    path: str | None
    result: str | None
    resume: str | None


def apply(plan: Plan, desk: Desk | None = None, *, force: bool = False) -> Applied:
    """Carry out a plan.

    Args:
        plan: What to do.
        desk: Where the journal and the backups are; the usual place by default.
        force: Go on although the file changed so lately that an old client may have it
            open. A client that is known to run is never overridden.

    Raises:
        Refused: Doing it could harm; nothing was done.
        CannotWrite: The system did not let us write; nothing is changed.
        NotAsPlanned: The result did not read back as planned, and was taken back.
    """
    desk = desk or Desk()
    _require_apart(plan, desk)
    try:
        desk.prepare()
        with locked(desk.folder, desk.disk):
            recover(desk)
            _require_inside(plan)
            _require_unchanged(plan)
            _require_untouched(plan, desk, force=force)
            return _carry_out(plan, desk)
    except OSError as error:
        raise _cannot_write(plan, error) from error


def recover(desk: Desk) -> list[Operation]:
    """Finish or take back what was stopped in the middle; the caller holds the lock."""
    stopped = [op for op in desk.journal.operations() if op.state == UNFINISHED]
    for operation in stopped:
        if all(is_done(deed) for deed in operation.deeds):
            for deed in operation.deeds:
                clear(deed, desk.disk)
            _end(desk, operation.number, DONE, operation.deeds, "finished after a stop")
            continue
        try:
            _take_all_back(operation.deeds, desk)
        except CannotTakeBack as error:
            _end(desk, operation.number, ABANDONED, (), str(error))
        else:
            _end(desk, operation.number, TAKEN_BACK, (), "stopped in the middle")
    return stopped


# -- before -------------------------------------------------------------------------------------


def _require_apart(plan: Plan, desk: Desk) -> None:
    """Refuse to keep our own things in the Claude folder."""
    if desk.folder.resolve().is_relative_to(Path(plan.projects).resolve().parent):
        raise Misuse(
            f"The backups in {desk.folder} would lie inside the Claude folder, which the client "
            "cleans. Set XDG_DATA_HOME to another place."
        )


def _require_inside(plan: Plan) -> None:
    """Refuse to write anywhere but below `projects`, or through a link out of it."""
    projects = Path(plan.projects).resolve()
    for step in plan.steps:
        for path in (step.path, step.target) if isinstance(step, Move) else (step.path,):
            parent = Path(path).parent
            while not parent.exists():
                parent = parent.parent
            if not parent.resolve().is_relative_to(projects):
                raise OutsideClaude(path, "is not below the Claude folder it was planned for")
            if Path(path).is_symlink():
                raise OutsideClaude(path, "is a link")


def _require_unchanged(plan: Plan) -> None:
    """Refuse where a file is not what the plan was made from, or a new name is taken."""
    for state in plan.reads:
        _require_state(state)
    for step in plan.steps:
        if isinstance(step, Append | Replace | Remove):
            _require_state(step.before)
        new = step.path if isinstance(step, Create) else None
        new = step.target if isinstance(step, Move) else new
        if new is not None and os.path.lexists(new):
            raise AlreadyThere(f"{new} is there already, and nothing is written over.")


def _require_state(before: FileState) -> None:
    try:
        now = observe(before.path)
    except BoughError as error:
        raise Changed(before.path, "it is gone") from error
    if now.sha256 != before.sha256 or now.size != before.size:
        more = now.lines - before.lines
        what = f"{more} new lines" if more > 1 else "1 new line" if more == 1 else "its content"
        raise Changed(before.path, what)
    if now.place != before.place:
        raise Changed(before.path, "it was written again")


def _require_untouched(plan: Plan, desk: Desk, *, force: bool) -> None:
    """Refuse where a client has one of the sessions open, or may have."""
    claude_dir = Path(plan.projects).parent
    going = plan.operation == "goto"
    for session in plan.closed:
        harm, instead = (_HARM, _INSTEAD) if going else ("", "")
        require_closed(claude_dir, session, harm=harm, instead=instead, force=force)
    if force or not plan.closed:
        return
    for step in plan.steps:
        if isinstance(step, Append | Replace | Remove) and step.path.endswith(SUFFIX):
            own = desk.journal.own_time(step.path)
            require_quiet(claude_dir, step.before, plan.version, desk.now_ns(), own_ns=own)


# -- doing it -----------------------------------------------------------------------------------


def _carry_out(plan: Plan, desk: Desk) -> Applied:
    number = desk.journal.next_number()
    deeds = tuple(_deeds(plan, desk, number))
    try:
        desk.journal.write(_begin(plan, desk, number, deeds))
        if any(deed.backup for deed in deeds):
            desk.disk.make_folder(str(desk.backups / str(number)))
        for deed in deeds:
            back_up(deed, desk.disk)
        for step, deed in zip(plan.steps, deeds, strict=True):
            do(step, deed, desk.disk)
        _verify(plan, deeds)
        _end(desk, number, DONE, deeds)
    except BaseException as error:
        _give_up(plan, desk, number, deeds, error)
        raise
    return Applied(number, plan.operation, plan.session, plan.path, plan.result, plan.resume)


def _deeds(plan: Plan, desk: Desk, number: int) -> list[Deed]:
    """Note the steps; what is written beside a file has a name no client looks at."""
    found = []
    for at, step in enumerate(plan.steps):
        file = Path(step.path)
        temp = str(file.with_name(f".bough-{number}-{at}.tmp"))
        backup = str(desk.backups / str(number) / f"{at}-{file.name}")
        found.append(deed_of(step, temp, backup))
    return found


def _begin(plan: Plan, desk: Desk, number: int, deeds: tuple[Deed, ...]) -> Begin:
    return Begin(
        number=number,
        at=desk.now(),
        operation=plan.operation,
        session=plan.session,
        headline=plan.headline,
        projects=plan.projects,
        deeds=deeds,
        path=plan.path,
        result=plan.result,
        undoes=plan.undoes,
    )


def _end(desk: Desk, number: int, outcome: str, deeds: tuple[Deed, ...], reason: str = "") -> None:
    times: dict[str, int] = {}
    for deed in deeds:
        if deed.do in ("create", "append", "replace") and Path(deed.path).exists():
            times[deed.path] = Path(deed.path).stat().st_mtime_ns
    event = End(number=number, at=desk.now(), outcome=outcome, reason=reason, times=times)
    desk.journal.write(event)


def _verify(plan: Plan, deeds: tuple[Deed, ...]) -> None:
    """Read the result back: the bytes first, then what they mean."""
    for deed in deeds:
        if not is_done(deed):
            raise NotAsPlanned(plan.operation, f"{Path(deed.path).name} is not what was written")
    for expect in plan.expects:
        if problem := difference(expect, read_session(expect.path)):
            raise NotAsPlanned(plan.operation, problem)


# -- when it goes wrong -------------------------------------------------------------------------


def _give_up(
    plan: Plan, desk: Desk, number: int, deeds: tuple[Deed, ...], error: BaseException
) -> None:
    """Take everything back; what cannot be taken back now is left to the next bough."""
    try:
        _take_all_back(deeds, desk)
        _end(desk, number, TAKEN_BACK, (), str(error))
    except (OSError, CannotTakeBack) as trouble:
        if all(is_untouched(deed) for deed in deeds):
            return  # only the journal could not be written
        kept = ", ".join(deed.backup for deed in deeds if deed.backup)
        left = f"What was there before is kept in {kept}." if kept else ""
        raise CannotWrite(
            f"The {plan.operation} failed ({error}) and could not be taken back ({trouble}).",
            f"The next bough that writes will try again. {left}".rstrip(),
        ) from error


def is_untouched(deed: Deed) -> bool:
    """Tell whether nothing of a step is to be seen."""
    if deed.temp is not None and os.path.lexists(deed.temp):
        return False
    if deed.before is not None:
        try:
            return observe(deed.path).sha256 == deed.before.sha256
        except BoughError:
            return False
    return not is_done(deed) or deed.do == "remove-folder"


def _take_all_back(deeds: tuple[Deed, ...], desk: Desk) -> None:
    for deed in reversed(deeds):
        take_back(deed, desk.disk)


def _cannot_write(plan: Plan, error: OSError) -> CannotWrite:
    left = "Nothing was changed."
    if any(isinstance(step, Create) for step in plan.steps):
        left = "Nothing was changed; the unfinished file was removed."
    if error.errno in _FULL:
        return CannotWrite(f"Disk full while writing the {plan.operation}.", left)
    where = error.filename or plan.path or ""
    return CannotWrite(f"Cannot write {where}: {reason_of(error)}.", left)
