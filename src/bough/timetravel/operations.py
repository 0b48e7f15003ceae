"""What a person can ask for, each turned into a plan; what every face calls.

    plan = fork(path, "-2")          # nothing is written yet
    build_preview(plan)              # bough.timetravel.preview
    apply(plan)                      # bough.timetravel.apply

Everything is read fresh, so a plan is as old as the moment it was asked for.
"""

import os
from collections.abc import Collection, Iterable, Sequence
from os import PathLike
from pathlib import Path

from bough.archive.reports.archived_sessions import (
    PROJECTS,
    KeptSession,
    find_kept_at,
    find_kept_sessions,
    list_generations,
)
from bough.archive.storage.archive_catalog import read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder, machine_id
from bough.config import archive_path
from bough.errors import AmbiguousSession, Misuse, SessionNotFound, Unreadable, reason_of
from bough.files.byte_source import DISK
from bough.files.discover import encode_cwd
from bough.model.session import Session
from bough.timetravel.apply import apply as _apply
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import (
    AlreadyThere,
    GotoUnsafe,
    OperationNotFound,
    SessionMaybeOpen,
    SessionOpen,
    shorten_id,
)
from bough.timetravel.journal import Operation
from bough.timetravel.plan import Plan, Point
from bough.timetravel.plans.archived_return import RestoreRequest, plan_archived_return
from bough.timetravel.plans.find_point import PointSpec, find_point
from bough.timetravel.plans.fork import ForkRequest, plan_fork
from bough.timetravel.plans.goto import GotoRequest, plan_goto
from bough.timetravel.plans.move_rename import MoveRequest, plan_move, plan_rename
from bough.timetravel.plans.open_check import require_closed, require_quiet
from bough.timetravel.plans.pulled_session import PulledFile, PulledSessionRequest, plan_pull
from bough.timetravel.plans.repair import plan_repair, plan_repair_in_place
from bough.timetravel.plans.turn_ends import describe_point, list_turn_ends
from bough.timetravel.plans.undo import belongs_to, list_foreign_copies, plan_restore, plan_undo
from bough.timetravel.session_file import SessionFile, open_session, resolve_in_projects

File = str | PathLike[str]

__all__ = [
    "PointSpec",
    "apply",
    "branch",
    "find_changed_file",
    "find_copied_file",
    "fork",
    "goto",
    "list_operations",
    "list_points",
    "move",
    "pull",
    "rename",
    "repair",
    "resolve_point",
    "restore",
    "restore_archived",
    "undo",
]

apply = _apply


def list_points(session: Session) -> list[Point]:
    """List every point of a session that can be gone to."""
    return list_turn_ends(session)


def resolve_point(session: Session, at: PointSpec | str) -> Point:
    """Find the point that an id, words or `-N` mean; see `target.find_point`."""
    return describe_point(session, find_point(session, at))


def fork(
    path: File,
    at: PointSpec | str,
    *,
    title: str | None = None,
    cwd: File | None = None,
    environment: TravelEnvironment | None = None,
) -> Plan:
    """Plan a new session that ends at a point; nothing existing is touched.

    Args:
        path: The session's file.
        at: A uuid or the start of one, words, `-N` for N turns back, or an Aim.
        title: The new session's title; by default the prompt's words with "(fork)".
        cwd: The folder the client will be started in, where that is another one.
        environment: Where sessions are read from, and new ids come from.
    """
    environment = environment or TravelEnvironment()
    source = open_session(path, environment.sources)
    group = find_point(source.session, at)
    return plan_fork(source, group, _make_fork_request(source, environment, title, cwd))


def goto(
    path: File,
    at: PointSpec | str,
    *,
    force: bool = False,
    environment: TravelEnvironment | None = None,
) -> Plan:
    """Plan to let the next resume of this very session continue at a point.

    Raises:
        GotoUnsafe: It is known not to work here; a fork does.
        SessionOpen: A client has the session open.
        PerhapsOpen: A client may have it open; `force` says that none has.
    """
    environment = environment or TravelEnvironment()
    source = open_session(path)
    group = find_point(source.session, at)
    _require_closed(source, environment, force=force, going=True)
    return plan_goto(source, group, GotoRequest(environment.new_uuid(), environment.now()))


def branch(
    path: File,
    at: PointSpec | str,
    *,
    environment: TravelEnvironment | None = None,
) -> Plan:
    """Plan the safe way to a point: in place where that is known to work, else a fork."""
    try:
        return goto(path, at, environment=environment)
    except (GotoUnsafe, SessionOpen, SessionMaybeOpen):
        return fork(path, at, environment=environment)


def rename(
    path: File, title: str, *, force: bool = False, environment: TravelEnvironment | None = None
) -> Plan:
    """Plan a title that the client's own picker shows."""
    source = open_session(path)
    _require_closed(source, environment or TravelEnvironment(), force=force)
    return plan_rename(source, title)


def repair(
    path: File,
    *,
    in_place: bool = False,
    title: str | None = None,
    force: bool = False,
    environment: TravelEnvironment | None = None,
) -> Plan:
    """Plan a repaired copy of a session, or its repair in place."""
    environment = environment or TravelEnvironment()
    source = open_session(path, DISK if in_place else environment.sources)
    if not in_place:
        name = title or f"{source.session.title} (repaired)"
        return plan_repair(source, _make_fork_request(source, environment, name, None))
    _require_closed(source, environment, force=force)
    return plan_repair_in_place(source, GotoRequest(environment.new_uuid(), environment.now()))


def move(folder: File, new_path: File) -> Plan:
    """Plan to let the sessions in a folder below `projects` follow their project.

    Args:
        folder: The project's folder below `projects`.
        new_path: Where the project lies now.
    """
    old, projects = resolve_in_projects(Path(folder))
    if old.parent != projects or not old.is_dir():
        raise Misuse(f"{folder} is not the folder of a project.")
    cwd = _resolve_folder(new_path)
    target = projects / encode_cwd(cwd)
    taken = _list_names(target) if target.is_dir() else None
    names = _list_names(old)
    for name in names:
        if name.endswith(".jsonl"):
            require_closed(projects.parent, name.removesuffix(".jsonl"))
    return plan_move(
        MoveRequest(projects=str(projects), folder=old.name, cwd=cwd, names=names, taken=taken)
    )


def undo(
    number: int | None = None,
    *,
    within: Collection[Path] | None = None,
    environment: TravelEnvironment | None = None,
) -> Plan:
    """Plan to take back an operation: the last, or the one with a number.

    `within` names the Claude folders it may belong to; without it every folder's count.
    """
    return plan_undo(environment or TravelEnvironment(), number, within)


def restore(path: File, *, environment: TravelEnvironment | None = None) -> Plan:
    """Plan to give a session the content it had before bough first changed it.

    One that is gone comes back from the archive, where that has it. One that is there, and that
    bough never changed, gets back what is gone of the files that belong to it.
    """
    environment, file = environment or TravelEnvironment(), Path(path).expanduser().resolve()
    if not os.path.lexists(file) and environment.sources.find(str(file)) is not None:
        plan = _plan_kept(file, environment)
        if plan is not None:
            return plan
    try:
        return plan_restore(environment, file)
    except (OperationNotFound, AlreadyThere):
        plan = _plan_kept(file, environment) if file.exists() else None
        if plan is None:
            raise
        return plan


def restore_archived(
    session: str,
    *,
    to: File | None = None,
    cwd: File | None = None,
    keep_times: bool = False,
    generation: int | None = None,
    within: Collection[Path] | None = None,
) -> Plan:
    """Plan to write a session of the archive, with all that belongs to it.

    Args:
        session: Its whole id.
        to: The Claude folder it goes to; the one it was in by default.
        cwd: Where its project lies now.
        keep_times: Give files the times that they had.
        generation: Which generation of its transcript; the newest by default.
        within: The Claude folders that it may go to without being named.

    Raises:
        SessionNotFound: The archive has none that is called so.
        Misuse: It has no such generation.
        AlreadyThere: It is there, or another one by its name is.
    """
    archive = ArchiveFolder(archive_path())
    entries = read_catalog(archive)
    found = find_kept_sessions(archive, entries, session, generation)
    if not found:
        if numbers := list_generations(entries, session):
            raise Misuse(
                f"The archive has no generation {generation} of session {shorten_id(session)}: "
                f"it has {', '.join(map(str, numbers))}."
            )
        raise SessionNotFound(session)
    folder = _resolve_claude_folder(to) if to is not None else None
    kept, claude_dir = (found[0], folder) if folder else _choose_kept(found, within)
    place = _resolve_folder(cwd) if cwd is not None else None
    plan = plan_archived_return(
        RestoreRequest(kept=kept, claude_dir=claude_dir, cwd=place, keeps_times=keep_times)
    )
    if plan is None:
        raise AlreadyThere(f"Session {shorten_id(session)} is there as the archive has it.")
    return plan


def pull(
    session: str,
    files: Sequence[PulledFile],
    *,
    cwd: File,
    to: File,
    machine: str,
    notes: Sequence[str] = (),
) -> Plan:
    """Plan to write a session that another machine sent to a team's database.

    Args:
        session: Its whole id.
        files: Its files, its own transcript first.
        cwd: The folder that it shall be continued in.
        to: The Claude folder it goes to.
        machine: What the other machine is called.
        notes: Sentences on what is not as it was.

    Raises:
        AlreadyThere: It is here already.
    """
    return plan_pull(
        PulledSessionRequest(
            session=session,
            machine=machine,
            files=tuple(files),
            projects=(_resolve_claude_folder(to) / PROJECTS).resolve(),
            cwd=_resolve_folder(cwd),
            notes=tuple(notes),
        )
    )


def _choose_kept(
    found: list[KeptSession], within: Collection[Path] | None
) -> tuple[KeptSession, Path]:
    """Choose which of the places of a session is meant, where nobody named one."""
    machine = machine_id()
    usual = None if within is None else {str(place.resolve()) for place in within}
    for kept in found:
        if kept.machine == machine and (usual is None or kept.folder in usual):
            return kept, Path(kept.folder)
    kept = found[0]
    where = kept.folder if kept.machine == machine else f"{kept.folder} of another machine"
    raise Misuse(
        f"Session {shorten_id(kept.session)} was archived from {where}. Name the Claude folder "
        "that it shall go to with --to."
    )


def _plan_kept(file: Path, environment: TravelEnvironment) -> Plan | None:
    """Plan to bring back what is gone of a session of this machine; None where nothing is."""
    archive = environment.archive
    kept = find_kept_at(archive, read_catalog(archive), machine_id(), str(file))
    if kept is None:
        return None
    return plan_archived_return(RestoreRequest(kept=kept, claude_dir=Path(kept.folder)))


def find_changed_file(
    wanted: str,
    environment: TravelEnvironment | None = None,
    *,
    within: Collection[Path] | None = None,
) -> Path | None:
    """Find a session's file by what bough did to it, also one that is gone.

    `within` names the Claude folders it may lie in; without it every folder's count.

    Raises:
        AmbiguousSession: Several sessions begin so.
    """
    known = {
        Path(step.path)
        for operation in list_operations(environment, within=within)
        for step in operation.steps
        if step.before is not None and step.path.endswith(".jsonl")
    }
    return _choose_file(wanted, known)


def find_copied_file(wanted: str, within: Iterable[Path]) -> Path | None:
    """Find a session's file by the copy that another program left of it; the file may be gone.

    Raises:
        AmbiguousSession: Several sessions begin so.
    """
    folders = {folder.resolve() for folder in within}
    return _choose_file(
        wanted, {path for folder in folders for path in list_foreign_copies(folder / "projects")}
    )


def _choose_file(wanted: str, known: Collection[Path]) -> Path | None:
    prefix = wanted.casefold()
    found = [path for path in known if prefix and path.stem.casefold().startswith(prefix)]
    if len(found) > 1:
        raise AmbiguousSession(wanted, [path.stem for path in found])
    return found[0] if found else None


def list_operations(
    environment: TravelEnvironment | None = None, *, within: Collection[Path] | None = None
) -> list[Operation]:
    """List operations, the newest first: all, or those done in some Claude folders."""
    operations = (environment or TravelEnvironment()).journal.list_operations()[::-1]
    return [one for one in operations if within is None or belongs_to(one, within)]


def _make_fork_request(
    source: SessionFile, environment: TravelEnvironment, title: str | None, cwd: File | None
) -> ForkRequest:
    """Choose where a new session goes, and a name for it that is free."""
    there = _resolve_folder(cwd) if cwd is not None else None
    folder = Path(source.projects, encode_cwd(there)) if there is not None else source.folder
    new_id = environment.new_uuid()
    if os.path.lexists(folder / f"{new_id}.jsonl"):
        raise AlreadyThere(f"A session {new_id} is there already. Try again.")
    return ForkRequest(
        new_id=new_id,
        folder=str(folder),
        title=title,
        cwd=there,
        make_folder=not folder.is_dir(),
    )


def _require_closed(
    source: SessionFile, environment: TravelEnvironment, *, force: bool, going: bool = False
) -> None:
    """Refuse early what `apply` would refuse, so that nobody is shown an empty promise."""
    harm = 'Its exit would undo "make active".' if going else ""
    instead = "Fork instead: f." if going else ""
    require_closed(source.claude_dir, source.session.id, harm=harm, instead=instead, force=force)
    if not force:
        own = environment.journal.last_own_write_ns(source.state.path)
        version = source.session.version
        require_quiet(source.claude_dir, source.state, version, environment.now_ns(), own_ns=own)


def _resolve_folder(path: File) -> str:
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise Misuse(f"There is no folder {path}. Name the place where the project lies now.")
    return str(folder.resolve())


def _resolve_claude_folder(path: File) -> Path:
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise Misuse(f"There is no folder {path}. Name a Claude folder that is there.")
    return folder.resolve()


def _list_names(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(os.listdir(folder)))  # noqa: PTH208 - the names alone
    except OSError as error:
        raise Unreadable(folder, reason_of(error)) from error
