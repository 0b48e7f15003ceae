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
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import (
    AlreadyThere,
    CannotWrite,
    FileChanged,
    NotAsPlanned,
    OutsideClaude,
)
from bough.timetravel.execution.do_step import back_up_file, execute_step
from bough.timetravel.execution.journal_steps import is_applied, make_journal_step
from bough.timetravel.execution.lock import hold_lock
from bough.timetravel.execution.undo_step import CannotRevert, remove_temp_file, revert_step
from bough.timetravel.journal import (
    ABANDONED,
    DONE,
    TAKEN_BACK,
    UNFINISHED,
    JournalStep,
    Operation,
    OperationBegin,
    OperationEnd,
)
from bough.timetravel.plan import Append, Create, Move, Plan, Remove, Replace
from bough.timetravel.plans.content_digest import find_difference
from bough.timetravel.plans.open_check import require_closed, require_quiet
from bough.timetravel.session_file import FileSnapshot, take_snapshot

_FULL = {errno.ENOSPC, errno.EDQUOT}
_HARM = 'Its exit would undo "make active".'
_INSTEAD = "Fork instead: f."


class AppliedOperation(Struct, frozen=True):
    """An operation that happened: its number in the journal and what to do with the result."""

    number: int
    operation: str
    session: str
    path: str | None
    result: str | None
    resume: str | None


def apply(
    plan: Plan, desk: TravelEnvironment | None = None, *, force: bool = False
) -> AppliedOperation:
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
    desk = desk or TravelEnvironment()
    _require_separate_folder(plan, desk)
    try:
        desk.make_folders()
        with hold_lock(desk.folder, desk.disk):
            recover_stopped(desk)
            _require_inside(plan)
            _require_unchanged(plan)
            _require_not_open(plan, desk, force=force)
            return _execute_plan(plan, desk)
    except OSError as error:
        raise _explain_write_error(plan, error) from error


def recover_stopped(desk: TravelEnvironment) -> list[Operation]:
    """Finish or take back what was stopped in the middle; the caller holds the lock."""
    stopped = [op for op in desk.journal.list_operations() if op.state == UNFINISHED]
    for operation in stopped:
        if all(is_applied(deed) for deed in operation.deeds):
            for deed in operation.deeds:
                remove_temp_file(deed, desk.disk)
            _write_end_event(desk, operation.number, DONE, operation.deeds, "finished after a stop")
            continue
        try:
            _revert_all(operation.deeds, desk)
        except CannotRevert as error:
            _write_end_event(desk, operation.number, ABANDONED, (), str(error))
        else:
            _write_end_event(desk, operation.number, TAKEN_BACK, (), "stopped in the middle")
    return stopped


# -- before -------------------------------------------------------------------------------------


def _require_separate_folder(plan: Plan, desk: TravelEnvironment) -> None:
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


def _require_state(before: FileSnapshot) -> None:
    try:
        now = take_snapshot(before.path)
    except BoughError as error:
        raise FileChanged(before.path, "it is gone") from error
    if now.sha256 != before.sha256 or now.size != before.size:
        more = now.lines - before.lines
        what = f"{more} new lines" if more > 1 else "1 new line" if more == 1 else "its content"
        raise FileChanged(before.path, what)
    if now.stat_key != before.stat_key:
        raise FileChanged(before.path, "it was written again")


def _require_not_open(plan: Plan, desk: TravelEnvironment, *, force: bool) -> None:
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
            own = desk.journal.last_own_write_ns(step.path)
            require_quiet(claude_dir, step.before, plan.version, desk.now_ns(), own_ns=own)


# -- doing it -----------------------------------------------------------------------------------


def _execute_plan(plan: Plan, desk: TravelEnvironment) -> AppliedOperation:
    number = desk.journal.next_number()
    deeds = tuple(_make_journal_steps(plan, desk, number))
    try:
        desk.journal.write(_make_begin_event(plan, desk, number, deeds))
        if any(deed.backup for deed in deeds):
            desk.disk.make_folder(str(desk.backups / str(number)))
        for deed in deeds:
            back_up_file(deed, desk.disk)
        for step, deed in zip(plan.steps, deeds, strict=True):
            execute_step(step, deed, desk.disk)
        _verify_result(plan, deeds)
        _write_end_event(desk, number, DONE, deeds)
    except BaseException as error:
        _roll_back(plan, desk, number, deeds, error)
        raise
    return AppliedOperation(
        number, plan.operation, plan.session, plan.path, plan.result, plan.resume
    )


def _make_journal_steps(plan: Plan, desk: TravelEnvironment, number: int) -> list[JournalStep]:
    """Note the steps; what is written beside a file has a name no client looks at."""
    found = []
    for at, step in enumerate(plan.steps):
        file = Path(step.path)
        temp = str(file.with_name(f".bough-{number}-{at}.tmp"))
        backup = str(desk.backups / str(number) / f"{at}-{file.name}")
        found.append(make_journal_step(step, temp, backup))
    return found


def _make_begin_event(
    plan: Plan, desk: TravelEnvironment, number: int, deeds: tuple[JournalStep, ...]
) -> OperationBegin:
    return OperationBegin(
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


def _write_end_event(
    desk: TravelEnvironment,
    number: int,
    outcome: str,
    deeds: tuple[JournalStep, ...],
    reason: str = "",
) -> None:
    times: dict[str, int] = {}
    for deed in deeds:
        if deed.do in ("create", "append", "replace") and Path(deed.path).exists():
            times[deed.path] = Path(deed.path).stat().st_mtime_ns
    event = OperationEnd(number=number, at=desk.now(), outcome=outcome, reason=reason, times=times)
    desk.journal.write(event)


def _verify_result(plan: Plan, deeds: tuple[JournalStep, ...]) -> None:
    """Read the result back: the bytes first, then what they mean."""
    for deed in deeds:
        if not is_applied(deed):
            raise NotAsPlanned(plan.operation, f"{Path(deed.path).name} is not what was written")
    for expect in plan.expects:
        if problem := find_difference(expect, read_session(expect.path)):
            raise NotAsPlanned(plan.operation, problem)


# -- when it goes wrong -------------------------------------------------------------------------


def _roll_back(
    plan: Plan,
    desk: TravelEnvironment,
    number: int,
    deeds: tuple[JournalStep, ...],
    error: BaseException,
) -> None:
    """Take everything back; what cannot be taken back now is left to the next bough."""
    try:
        _revert_all(deeds, desk)
        _write_end_event(desk, number, TAKEN_BACK, (), str(error))
    except (OSError, CannotRevert) as trouble:
        if all(is_untouched(deed) for deed in deeds):
            return  # only the journal could not be written
        kept = ", ".join(deed.backup for deed in deeds if deed.backup)
        left = f"What was there before is kept in {kept}." if kept else ""
        raise CannotWrite(
            f"The {plan.operation} failed ({error}) and could not be taken back ({trouble}).",
            f"The next bough that writes will try again. {left}".rstrip(),
        ) from error


def is_untouched(deed: JournalStep) -> bool:
    """Tell whether nothing of a step is to be seen."""
    if deed.temp is not None and os.path.lexists(deed.temp):
        return False
    if deed.before is not None:
        try:
            return take_snapshot(deed.path).sha256 == deed.before.sha256
        except BoughError:
            return False
    return not is_applied(deed) or deed.do == "remove-folder"


def _revert_all(deeds: tuple[JournalStep, ...], desk: TravelEnvironment) -> None:
    for deed in reversed(deeds):
        revert_step(deed, desk.disk)


def _explain_write_error(plan: Plan, error: OSError) -> CannotWrite:
    left = "Nothing was changed."
    if any(isinstance(step, Create) for step in plan.steps):
        left = "Nothing was changed; the unfinished file was removed."
    if error.errno in _FULL:
        return CannotWrite(f"Disk full while writing the {plan.operation}.", left)
    where = error.filename or plan.path or ""
    return CannotWrite(f"Cannot write {where}: {reason_of(error)}.", left)
