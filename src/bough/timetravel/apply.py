"""Carrying out a plan: the only writer of the user's files.

Under a lock: the files must still be what the plan was made from, nothing may have them
open; the plan goes into the journal, what will change is copied elsewhere, each step is
done, and the result is read back and must mean what was planned. Whatever goes wrong on the
way, everything is taken back and the error says so. A stop in the middle is finished or
taken back by the next bough that writes. What a client writes meanwhile to a file that is
replaced is carried over: looked for at once, a moment later, and by the next bough that writes.
"""

import errno
import os
from pathlib import Path

from msgspec import Struct

from bough.errors import BoughError, Misuse, reason_of
from bough.files.byte_source import DISK, SourceFinder, require_source
from bough.files.companions import SESSION_FOLDERS, SUFFIX
from bough.query.sessions.load_session import read_session
from bough.timetravel.environment import TravelEnvironment, parse_time
from bough.timetravel.errors import (
    AlreadyThere,
    CannotWrite,
    FileChanged,
    NotAsPlanned,
    OutsideClaude,
)
from bough.timetravel.execution.do_step import back_up_file, execute_step
from bough.timetravel.execution.held_files import (
    KEPT,
    LateWrite,
    find_holding,
    list_held,
    settle_held,
    watch_held,
)
from bough.timetravel.execution.journal_steps import (
    is_applied,
    is_as_before,
    is_there,
    make_journal_step,
)
from bough.timetravel.execution.lock import hold_lock
from bough.timetravel.execution.undo_step import (
    CannotRevert,
    bring_back_removed,
    has_own_part,
    remove_temp_file,
    revert_step,
)
from bough.timetravel.execution.verify_chain import (
    RULES,
    find_chain_problem,
    find_source_problem,
)
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
from bough.timetravel.plan import (
    Append,
    ChainExpectation,
    Create,
    MakeFolder,
    Move,
    Plan,
    Remove,
    RemoveFolder,
    Replace,
)
from bough.timetravel.plans.content_digest import find_difference
from bough.timetravel.plans.open_check import require_closed, require_quiet
from bough.timetravel.session_file import FileSnapshot, take_snapshot
from bough.timetravel.settings_file import SettingsEdit, find_settings_problem, is_settings_path

_FULL = {errno.ENOSPC, errno.EDQUOT}
_HARM = 'Its exit would undo "make active".'
_INSTEAD = "Fork instead: f."


class AppliedOperation(Struct, frozen=True):
    """An operation that happened: its number in the journal and what to do with the result.

    `notes` says what a client wrote meanwhile, where that needs to be known.
    """

    number: int
    operation: str
    session: str
    path: str | None
    result: str | None
    resume: str | None
    notes: tuple[str, ...] = ()


def apply(
    plan: Plan, environment: TravelEnvironment | None = None, *, force: bool = False
) -> AppliedOperation:
    """Carry out a plan.

    Args:
        plan: What to do.
        environment: Where the journal and the backups are; the usual place by default.
        force: Go on although the file changed so lately that an old client may have it
            open. A client that is known to run is never overridden.

    Raises:
        Refused: Doing it could harm; nothing was done.
        CannotWrite: The system did not let us write; nothing is changed.
        NotAsPlanned: The result did not read back as planned, and was taken back.
    """
    environment = environment or TravelEnvironment()
    _require_separate_folder(plan, environment)
    try:
        environment.make_folders()
        with hold_lock(environment.folder, environment.disk):
            recover_stopped(environment)
            notes = carry_over_late(environment)
            require_applicable(plan, environment, force=force)
            return _execute_plan(plan, environment, notes)
    except OSError as error:
        raise _explain_write_error(plan, error) from error


def require_applicable(
    plan: Plan, environment: TravelEnvironment | None = None, *, force: bool = False
) -> None:
    """Refuse a plan that must not be carried out now; a dry run asks the same as `apply`.

    Raises:
        Refused: Doing it could harm.
        Misuse: bough's own things would lie in the Claude folder.
    """
    environment = environment or TravelEnvironment()
    _require_separate_folder(plan, environment)
    _require_inside(plan)
    _require_unchanged(plan, environment)
    _require_not_open(plan, environment, force=force)


def recover_stopped(environment: TravelEnvironment) -> list[Operation]:
    """Finish or take back what was stopped in the middle; the caller holds the lock."""
    stopped = [op for op in environment.journal.list_operations() if op.state == UNFINISHED]
    for operation in stopped:
        number, steps = operation.number, operation.steps
        try:
            if all(is_applied(step) for step in steps):
                for step in steps:
                    remove_temp_file(step, environment.disk)
                _write_end_event(environment, number, DONE, steps, "finished after a stop")
            else:
                _revert_all(steps, environment)
                _write_end_event(environment, number, TAKEN_BACK, (), "stopped in the middle")
        except CannotRevert as error:
            _write_standing(environment, number, steps, str(error))
    return stopped


def carry_over_late(environment: TravelEnvironment) -> tuple[str, ...]:
    """Look again at files that were replaced; the caller holds the lock.

    A removal is taken back where a client has gone on in the file since.

    Returns:
        What of it a person should know.
    """
    notes = []
    operations = environment.journal.list_operations()
    holding = find_holding([step for operation in operations for step in operation.steps])
    for operation in operations:
        held = [step for step in operation.steps if step in holding]
        if not held:
            continue
        old = _is_old(operation, environment)
        late = [settle_held(step, environment.disk, old=old) for step in held]
        notes += [_describe_torn(one.torn) for one in late if one.torn and old]
        if any(one.homeless for one in late):
            _bring_back(operation, environment)
    return tuple(notes)


def _is_old(operation: Operation, environment: TravelEnvironment) -> bool:
    begun = parse_time(operation.at)
    return begun is None or (environment.clock() - begun).total_seconds() > KEPT


def _bring_back(operation: Operation, environment: TravelEnvironment) -> None:
    """Bring a removed file back to which a client wrote late, and say so in the journal."""
    number, disk = operation.number, environment.disk
    try:
        if operation.state == DONE and any(step.do == "remove" for step in operation.steps):
            _revert_all(operation.steps, environment)
            reason = "a client has gone on in a file that was removed"
            _write_end_event(environment, number, TAKEN_BACK, (), reason)
        for step in operation.steps:
            if step.do == "create" and not is_there(step.path) and list_held(step):
                bring_back_removed(step, disk)
    except CannotRevert as error:
        _write_standing(environment, number, operation.steps, str(error))


def _describe_torn(path: str | None) -> str:
    return f"A client wrote half a line to a file that was replaced; it is kept in {path}."


# -- before -------------------------------------------------------------------------------------


def _require_separate_folder(plan: Plan, environment: TravelEnvironment) -> None:
    """Refuse to keep our own things in the Claude folder."""
    if environment.folder.resolve().is_relative_to(Path(plan.projects).resolve().parent):
        raise Misuse(
            f"The backups in {environment.folder} would lie inside the Claude folder, which the "
            "client cleans. Set XDG_DATA_HOME to another place."
        )


def _require_inside(plan: Plan) -> None:
    """Refuse to write anywhere but where clients keep sessions, or through a link out of it.

    Below `projects` anything may change. In the folders beside it, where clients keep more of a
    session, files are only made, and taken away again.
    """
    if plan.settings is not None:
        _require_settings_only(plan, plan.settings)
        return
    projects = Path(plan.projects).resolve()
    beside = [projects.parent / name for name in SESSION_FOLDERS]
    for step in plan.steps:
        is_folder = isinstance(step, MakeFolder | RemoveFolder)
        roots = [projects, *(beside if is_folder or isinstance(step, Create | Remove) else ())]
        for path in (step.path, step.target) if isinstance(step, Move) else (step.path,):
            place = _resolve_parent(path)
            if not any(
                place.is_relative_to(root) and (is_folder or place != root) for root in roots
            ):
                raise OutsideClaude(path, "is not below the Claude folder it was planned for")
            if Path(path).is_symlink():
                raise OutsideClaude(path, "is a link")


def _require_settings_only(plan: Plan, edit: SettingsEdit) -> None:
    """Refuse to write any file but the settings that a plan names, where their link leads."""
    if not is_settings_path(Path(edit.path), Path(plan.projects).parent):
        raise OutsideClaude(edit.path, "is not a settings file of the client")
    for step in plan.steps:
        if not isinstance(step, Create | Replace | Remove) or step.path != edit.target:
            raise OutsideClaude(step.path, f"is not what {edit.path} leads to")


def _resolve_parent(path: str) -> Path:
    """Follow the links of the folders that a path lies in, as far as they are there."""
    parent = Path(path).parent
    while not parent.exists():
        parent = parent.parent
    # What is not there yet has no links, but may lead upwards again.
    return Path(os.path.normpath(parent.resolve() / Path(path).relative_to(parent)))


def _require_unchanged(plan: Plan, environment: TravelEnvironment) -> None:
    """Refuse where a file is not what the plan was made from, or a new name is taken."""
    for state in plan.reads:
        _require_state(state, environment.sources)
    for step in plan.steps:
        if isinstance(step, Append | Replace | Remove):
            _require_state(step.before, DISK)
        new = step.path if isinstance(step, Create) else None
        new = step.target if isinstance(step, Move) else new
        if new is not None and os.path.lexists(new):
            raise AlreadyThere(f"{new} is there already, and nothing is written over.")


def _require_state(before: FileSnapshot, sources: SourceFinder) -> None:
    try:
        now = take_snapshot(before.path, sources)
    except BoughError as error:
        raise FileChanged(before.path, "it is gone") from error
    if now.sha256 != before.sha256 or now.size != before.size:
        more = now.lines - before.lines
        what = f"{more} new lines" if more > 1 else "1 new line" if more == 1 else "its content"
        raise FileChanged(before.path, what)
    if now.stat_key != before.stat_key:
        raise FileChanged(before.path, "it was written again")


def _require_not_open(plan: Plan, environment: TravelEnvironment, *, force: bool) -> None:
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
            own = environment.journal.last_own_write_ns(step.path)
            require_quiet(claude_dir, step.before, plan.version, environment.now_ns(), own_ns=own)


# -- doing it -----------------------------------------------------------------------------------


def _execute_plan(
    plan: Plan, environment: TravelEnvironment, notes: tuple[str, ...]
) -> AppliedOperation:
    number = environment.journal.next_number()
    steps = tuple(_make_journal_steps(plan, environment, number))
    try:
        environment.journal.write(_make_begin_event(plan, environment, number, steps))
        if any(journal_step.backup for journal_step in steps):
            environment.disk.make_folder(str(environment.backups / str(number)))
        for journal_step in steps:
            back_up_file(journal_step, environment.disk)
        for step, journal_step in zip(plan.steps, steps, strict=True):
            execute_step(step, journal_step, environment.disk)
        late = watch_held(steps, environment.disk, environment.sleep)
        _require_homed(plan, late)
        _verify_result(plan, steps, environment)
        _write_end_event(environment, number, DONE, steps)
    except BaseException as error:
        _roll_back(plan, environment, number, steps, error)
        raise
    if late.torn:
        notes = (*notes, _describe_torn(late.torn))
    return AppliedOperation(
        number, plan.operation, plan.session, plan.path, plan.result, plan.resume, notes
    )


def _require_homed(plan: Plan, late: LateWrite) -> None:
    """Refuse to remove a file that a client has written to meanwhile."""
    if late.homeless:
        raise FileChanged(plan.path or "", "it was written to just now")


def _make_journal_steps(
    plan: Plan, environment: TravelEnvironment, number: int
) -> list[JournalStep]:
    """Note the steps; what is written beside a file has a name no client looks at."""
    found = []
    for at, step in enumerate(plan.steps):
        file = Path(step.path)
        temp = str(file.with_name(f".bough-{number}-{at}.tmp"))
        backup = str(environment.backups / str(number) / f"{at}-{file.name}")
        holds = plan.settings is None
        found.append(make_journal_step(step, temp, backup, holds=holds))
    return found


def _make_begin_event(
    plan: Plan, environment: TravelEnvironment, number: int, steps: tuple[JournalStep, ...]
) -> OperationBegin:
    return OperationBegin(
        number=number,
        at=environment.now(),
        operation=plan.operation,
        session=plan.session,
        headline=plan.headline,
        projects=plan.projects,
        steps=steps,
        path=plan.path,
        result=plan.result,
        undoes=plan.undoes,
        settings=plan.settings,
    )


def _write_end_event(
    environment: TravelEnvironment,
    number: int,
    outcome: str,
    steps: tuple[JournalStep, ...],
    reason: str = "",
) -> None:
    times: dict[str, int] = {}
    for step in steps:
        if step.do in ("create", "append", "replace") and Path(step.path).exists():
            times[step.path] = Path(step.path).stat().st_mtime_ns
    event = OperationEnd(
        number=number, at=environment.now(), outcome=outcome, reason=reason, times=times
    )
    environment.journal.write(event)


def _verify_result(
    plan: Plan, steps: tuple[JournalStep, ...], environment: TravelEnvironment
) -> None:
    """Read the result back: the bytes first, then what they mean."""
    for step in steps:
        if not is_applied(step):
            raise NotAsPlanned(plan.operation, f"{Path(step.path).name} is not what was written")
    if plan.settings is not None and (problem := _find_settings_problem(plan.settings)):
        raise NotAsPlanned(plan.operation, problem)
    for expect in plan.expects:
        if problem := find_difference(expect, read_session(expect.path, sources=DISK)):
            raise NotAsPlanned(plan.operation, problem)
        if expect.chain is None:
            continue
        if problem := _find_chain_problem(expect.path, expect.chain, environment.sources):
            raise NotAsPlanned(plan.operation, problem)


def _find_settings_problem(edit: SettingsEdit) -> str | None:
    file = Path(edit.target)
    return find_settings_problem(edit, file.read_bytes() if file.exists() else None)


def _find_chain_problem(path: str, chain: ChainExpectation, sources: SourceFinder) -> str | None:
    """Hold the parents in a written file against what was promised, and those in its source."""
    data = Path(path).read_bytes()
    rules = chain.rules or RULES
    problem = find_chain_problem(data, chain.messages, whole=chain.whole, rules=rules)
    if problem is None and chain.source is not None and chain.point is not None:
        source = require_source(sources, chain.source)
        original = source.at(0, source.state().size)
        return find_source_problem(original, chain.point, chain.messages)
    return problem


# -- when it goes wrong -------------------------------------------------------------------------


def _roll_back(
    plan: Plan,
    environment: TravelEnvironment,
    number: int,
    steps: tuple[JournalStep, ...],
    error: BaseException,
) -> None:
    """Take everything back; what cannot be taken back now is left to the next bough."""
    try:
        _reopen(plan, environment, number, error)
        try:
            _revert_all(steps, environment)
            _watch_reverted(steps, environment)
        except CannotRevert as trouble:
            _write_standing(environment, number, steps, f"{error}; {trouble}")
            raise _explain_standing(plan, error, trouble, "") from error
        _write_end_event(environment, number, TAKEN_BACK, (), str(error))
    except OSError as trouble:
        if all(is_untouched(step) for step in steps):
            return  # only the journal could not be written
        kept = ", ".join(step.backup for step in steps if step.backup)
        left = f"What was there before is kept in {kept}." if kept else ""
        left = f"The next bough that writes will try again. {left}".rstrip()
        raise _explain_standing(plan, error, trouble, left) from error


def _explain_standing(
    plan: Plan, error: BaseException, trouble: Exception, left: str
) -> CannotWrite:
    failed = f"The {plan.operation} failed ({error}) and could not be taken back ({trouble})."
    return CannotWrite(failed, left)


def _write_standing(
    environment: TravelEnvironment, number: int, steps: tuple[JournalStep, ...], reason: str
) -> None:
    """Note how an operation ended that cannot be taken back: done where all of it stands."""
    outcome = DONE if all(is_applied(step) for step in steps) else ABANDONED
    _write_end_event(environment, number, outcome, (), reason)


def _reopen(plan: Plan, environment: TravelEnvironment, number: int, error: BaseException) -> None:
    """Note that an operation is not ended after all, before anything of it is taken back.

    Its last line may be written and only not confirmed; the journal must not say "done" about
    what is being taken back. Where that cannot be noted, the operation stands.
    """
    if not environment.journal.has_end(number):
        return
    try:
        _write_end_event(environment, number, UNFINISHED, (), str(error))
    except OSError as trouble:
        raise CannotWrite(
            f"The {plan.operation} is done, but the disk did not confirm it ({trouble}).",
            "bough history lists it.",
        ) from error


def _watch_reverted(steps: tuple[JournalStep, ...], environment: TravelEnvironment) -> None:
    """Carry over what a client wrote to our files while they were taken back."""
    if not watch_held(steps, environment.disk, environment.sleep).homeless:
        return
    for step in steps:
        if not is_there(step.path) and list_held(step):
            bring_back_removed(step, environment.disk)


def is_untouched(step: JournalStep) -> bool:
    """Tell whether nothing of a step is to be seen."""
    try:
        if step.temp is not None and is_there(step.temp):
            return False
        if step.before is not None:
            return is_as_before(step) and not (step.do == "append" and has_own_part(step))
        return not is_applied(step) or step.do == "remove-folder"
    except OSError:
        return False


def _revert_all(steps: tuple[JournalStep, ...], environment: TravelEnvironment) -> None:
    for step in reversed(steps):
        revert_step(step, environment.disk)


def _explain_write_error(plan: Plan, error: OSError) -> CannotWrite:
    left = "Nothing was changed."
    if any(isinstance(step, Create) for step in plan.steps):
        left = "Nothing was changed; the unfinished file was removed."
    if error.errno in _FULL:
        return CannotWrite(f"Disk full while writing the {plan.operation}.", left)
    where = error.filename or plan.path or ""
    return CannotWrite(f"Cannot write {where}: {reason_of(error)}.", left)
