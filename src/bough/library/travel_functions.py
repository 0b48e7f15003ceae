"""Going back in time: each call gives a plan, and `apply` alone writes it.

    plan = bough.fork("3f9c", "-2")      # nothing is written yet
    print(bough.preview(plan))
    bough.apply(plan)

A plan is a value: what its preview shows is what `apply` does, or nothing where the files
changed since.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bough.config import claude_dirs, load_settings
from bough.errors import BoughError, Misuse, SessionNotFound
from bough.files.companions import SUFFIX
from bough.files.discover import find_claude_folders
from bough.library.archive.status_functions import find_archived_session
from bough.library.parameters import (
    ClaudeDir,
    Folder,
    SessionLike,
    as_dirs,
    as_path,
    as_session,
)
from bough.model.outline.branch_names import name_tips
from bough.model.session import Session
from bough.model.usage.price_list import apply_overrides
from bough.query.lists.projects import project_listings
from bough.query.lookup import find_project
from bough.query.sessions.session_parts import find_message
from bough.timetravel import operations
from bough.timetravel.apply import AppliedOperation
from bough.timetravel.backups import BackupLimits, BackupReport
from bough.timetravel.backups import prune_backups as prune
from bough.timetravel.compare.compare_branches import (
    BranchComparison,
    compare_branches,
    find_branch_tip,
)
from bough.timetravel.compare.compare_files import FileDifference, find_file_differences
from bough.timetravel.journal import Operation
from bough.timetravel.operations import rename as plan_rename
from bough.timetravel.plan import Plan
from bough.timetravel.plans.find_point import PointSpec
from bough.timetravel.plans.repair import Remedy, list_remedies
from bough.timetravel.preview import render_diff, render_preview

_ACTIVE = "active"
_NAMED_BRANCHES = 5
"""So many branches an error names."""
_CARRIED_OUT = ("done", "undone", "unfinished")


def fork(
    session: SessionLike,
    at: str | PointSpec,
    *,
    title: str | None = None,
    cwd: Folder | None = None,
    claude_dir: ClaudeDir = None,
) -> Plan:
    """Plan a new session that is a session up to a point; no existing file is touched.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        at: Where it ends: an id or its beginning, words of one turn, or `-2` for two turns back.
        title: What the client's list calls it.
        cwd: The folder it will be resumed in, if another one.
        claude_dir: Where ids are looked for; by default the usual places.
    """
    return operations.fork(as_path(session, claude_dir), at, title=title, cwd=cwd)


def goto(
    session: SessionLike,
    at: str | PointSpec,
    *,
    force: bool = False,
    claude_dir: ClaudeDir = None,
) -> Plan:
    """Plan to let the next resume of a session continue at a point of it.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        at: Where: an id or its beginning, words of one turn, or `-2` for two turns back.
        force: Go on although an old client may have the file open.
        claude_dir: Where ids are looked for; by default the usual places.

    Raises:
        Refusal: Clients are known not to follow there, or one has it open; a fork works.
    """
    return operations.goto(as_path(session, claude_dir), at, force=force)


def branch(session: SessionLike, at: str | PointSpec, *, claude_dir: ClaudeDir = None) -> Plan:
    """Plan to continue at a point in place, or to fork there where that is not safe."""
    return operations.branch(as_path(session, claude_dir), at)


def rename(
    session: SessionLike, title: str, *, force: bool = False, claude_dir: ClaudeDir = None
) -> Plan:
    """Plan a title that the client's own list shows."""
    return plan_rename(as_path(session, claude_dir), title, force=force)


def move(project: str, new_path: Folder, *, claude_dir: ClaudeDir = None) -> Plan:
    """Plan to let the sessions of a project follow its folder, which was moved to `new_path`."""
    found = find_project(project, project_listings(as_dirs(claude_dir)))
    return operations.move(found.path, new_path)


def repair(
    session: SessionLike,
    *,
    in_place: bool = False,
    title: str | None = None,
    force: bool = False,
    claude_dir: ClaudeDir = None,
) -> Plan:
    """Plan a repaired copy of a session, or the repair of its own file.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        in_place: Mend the file itself; what it held is kept.
        title: What the client's list calls the copy.
        force: Go on although an old client may have the file open.
        claude_dir: Where ids are looked for; by default the usual places.

    Raises:
        Refusal: There is nothing to repair, or a client has it open.
    """
    if in_place and title is not None:
        raise Misuse("--title names the copy, and --in-place makes none. bough rename does that.")
    path = as_path(session, claude_dir)
    return operations.repair(path, in_place=in_place, title=title, force=force)


def remedies(session: SessionLike, claude_dir: ClaudeDir = None) -> list[Remedy]:
    """Say for each finding of `doctor` how `repair` mends it, or why it does not."""
    return list_remedies(as_session(session, claude_dir))


def list_unrepaired(found: Sequence[Remedy], plan: Plan) -> list[Remedy]:
    """List the findings about which a repair does nothing; its notes name those it mends."""
    done = {note.rpartition("(")[2].rstrip(")") for note in plan.notes}
    return [one for one in found if one.repair is None and one.kind not in done]


def restore(
    session: SessionLike,
    *,
    to: Folder | None = None,
    cwd: Folder | None = None,
    keep_times: bool = False,
    generation: int | None = None,
    claude_dir: ClaudeDir = None,
) -> Plan:
    """Plan to give a session the content it had before bough first changed it.

    What clients wrote since stays. A session whose file is gone comes back from the archive, else
    as bough last saw it, else from the copy that another program left beside it (`.jsonl.backup`).
    From the archive come all files that belong to it; where only some of these are gone, those.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        to: Write the archived session to this Claude folder instead of the one it was in.
        cwd: Where its project lies now, for the archived session.
        keep_times: Give the files of the archived session the times that they had.
        generation: The archived session as it was before it was written anew: 1 is the first.
        claude_dir: Where ids are looked for; by default the usual places.

    Raises:
        AlreadyThere: Another transcript is there by its name; nothing is written over.
    """
    is_archived = to is not None or cwd is not None or generation is not None or keep_times
    try:
        path = _find_also_gone(session, claude_dir)
    except SessionNotFound:
        is_archived, path = True, Path(str(session))
    if not is_archived:
        return operations.restore(path)
    name = path.stem if path.suffix == SUFFIX else str(session)
    return operations.restore_archived(
        find_archived_session(name),
        to=to,
        cwd=cwd,
        keep_times=keep_times,
        generation=generation,
        within=_list_claude_folders(claude_dir),
    )


def undo(number: int | None = None, *, claude_dir: ClaudeDir = None) -> Plan:
    """Plan to take back the last operation, or the one with a number of `history`.

    Args:
        number: Which one.
        claude_dir: The Claude folders it may belong to; by default the usual places.

    Raises:
        OtherClaudeFolder: It was done in another Claude folder.
        CannotUndo: It cannot be taken back, with the reason.
    """
    return operations.undo(number, within=_list_claude_folders(claude_dir))


def history(
    *, everything: bool = False, all_folders: bool = False, claude_dir: ClaudeDir = None
) -> list[Operation]:
    """List what bough did to sessions, newest first.

    Args:
        everything: Also what was not carried out, or was taken back at once.
        all_folders: Also what was done in other Claude folders.
        claude_dir: The Claude folders; by default the usual places.
    """
    within = None if all_folders else _list_claude_folders(claude_dir)
    done = operations.list_operations(within=within)
    return done if everything else [one for one in done if one.state in _CARRIED_OUT]


def preview(plan: Plan, *, diff: bool = False) -> str:
    """Tell what a plan would do, as a person reads it; `diff` adds each line it writes."""
    return f"{render_preview(plan)}\n\n{render_diff(plan)}" if diff else render_preview(plan)


def apply(plan: Plan, *, force: bool = False) -> AppliedOperation:
    """Carry out a plan; `undo` takes it back.

    Args:
        plan: What to do.
        force: Go on although an old client may have the file open.

    Raises:
        Refusal: Doing it could harm, or the files changed since; nothing was done.
        CannotWrite: The system did not let us write; nothing is changed.
        NotAsPlanned: The result did not read back as planned, and was taken back.
    """
    applied = operations.apply(plan, force=force)
    # What was asked for is done; the next one, or `bough history --prune`, says what is wrong.
    with suppress(BoughError, OSError):
        prune_backups()
    return applied


def prune_backups(*, dry_run: bool = False) -> BackupReport:
    """Remove the backups whose time is over, as the settings say; every `apply` does it too.

    Args:
        dry_run: Only tell which would go.
    """
    settings = load_settings()
    limits = BackupLimits.from_settings(settings.backup_days, settings.backup_megabytes)
    return prune(limits, dry_run=dry_run)


def compare(
    session: SessionLike,
    tip1: str | None = None,
    tip2: str = _ACTIVE,
    *,
    other: SessionLike | None = None,
    claude_dir: ClaudeDir = None,
) -> BranchComparison:
    """Compare two branches: where they part, and what each said, wrote and cost.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        tip1: A message of one branch, by the beginning of its uuid, or `active`; by default
            the one branch beside the active, or the active one of two sessions.
        tip2: A message of the other.
        other: Another session, which `tip2` is of.
        claude_dir: Where ids are looked for; by default the usual places.
    """
    read, second, tips = _read_compared(session, other, (tip1, tip2), claude_dir)
    return compare_branches(read, *tips, apply_overrides(load_settings().prices), other=second)


def compare_files(
    session: SessionLike,
    tip1: str | None = None,
    tip2: str = _ACTIVE,
    *,
    other: SessionLike | None = None,
    claude_dir: ClaudeDir = None,
) -> list[FileDifference]:
    """Tell how two branches left every file that one of them wrote to.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        tip1: A message of one branch, by the beginning of its uuid, or `active`; by default
            the one branch beside the active, or the active one of two sessions.
        tip2: A message of the other.
        other: Another session, which `tip2` is of.
        claude_dir: Where ids are looked for; by default the usual places.
    """
    read, second, tips = _read_compared(session, other, (tip1, tip2), claude_dir)
    return find_file_differences(read, *tips, second)


def _read_compared(
    session: SessionLike,
    other: SessionLike | None,
    named: tuple[str | None, str],
    claude_dir: ClaudeDir,
) -> tuple[Session, Session | None, tuple[str, str]]:
    """Read what is compared, one session or two, and find the tips that are meant."""
    read = as_session(session, claude_dir)
    second = as_session(other, claude_dir) if other is not None else None
    first, last = named
    if first is None:
        first = _ACTIVE if second is not None else _name_other_branch(read)
    return read, second, (find_compared_tip(read, first), find_compared_tip(second or read, last))


def find_compared_tip(session: Session, wanted: str) -> str:
    """Give the tip that a message, or `active`, stands for in a comparison."""
    if wanted != _ACTIVE:
        return find_branch_tip(session, find_message(session, wanted))
    if session.active_tip is None:
        raise Misuse(f"Session {session.id[:8]} has no active tip. Name a message.")
    return session.active_tip


def _name_other_branch(session: Session) -> str:
    """Name the tip of the branch beside the active one, where there is only one."""
    names = name_tips(session)
    others = [one.tip for one in session.conversations if one.tip and not one.active]
    if len(others) == 1:
        return others[0]
    if not others:
        raise Misuse(f"Session {session.id[:8]} has one branch. There is nothing to compare.")
    named = ", ".join(f'{tip[:4]} "{names[tip]}"' for tip in others[:_NAMED_BRANCHES])
    more = ", …" if len(others) > _NAMED_BRANCHES else ""
    raise Misuse(
        f"Session {session.id[:8]} has {len(others)} branches beside the active one: "
        f"{named}{more}. Name one; bough conversations {session.id[:8]} lists them."
    )


def _find_also_gone(session: SessionLike, claude_dir: ClaudeDir) -> Path:
    """Find a session's file, also one that is gone: by what bough did to it, else by a copy."""
    try:
        return as_path(session, claude_dir)
    except SessionNotFound:
        wanted, within = str(session), _list_claude_folders(claude_dir)
        found = operations.find_changed_file(wanted, within=within)
        found = found or operations.find_copied_file(wanted, within)
        if found is None:
            raise
        return found


def _list_claude_folders(claude_dir: ClaudeDir) -> list[Path]:
    """List the Claude folders that are meant, also those that are not there."""
    places = claude_dirs([Path(folder) for folder in as_dirs(claude_dir)])
    there = [place for place in places if place.is_dir()]
    return [*places, *(find_claude_folders(there) if there else ())]
