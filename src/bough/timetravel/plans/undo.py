"""Undo: the plan that takes an operation back exactly, also after others, or why not.

What was appended is cut out where it stands, what was replaced gets its old content, what
was made goes. Whatever was written later by anyone else stays; where it leans on what would
go, the undo is refused. An undo is an operation like any other and can be undone itself.
"""

import hashlib
import os
from collections.abc import Collection
from pathlib import Path

import msgspec

from bough.files.companions import SUFFIX
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import (
    AlreadyThere,
    CannotUndo,
    OperationNotFound,
    OtherClaudeFolder,
    shorten_id,
)
from bough.timetravel.journal import (
    ABANDONED,
    DONE,
    TAKEN_BACK,
    UNDONE,
    JournalStep,
    Operation,
)
from bough.timetravel.plan import (
    Create,
    MakeFolder,
    Move,
    Plan,
    Remove,
    RemoveFolder,
    Replace,
    Step,
)
from bough.timetravel.plans.content_digest import parse_session
from bough.timetravel.session_file import (
    FileSnapshot,
    begins_with,
    resolve_in_projects,
    take_snapshot,
)
from bough.timetravel.settings_file import SettingsEdit

_COPY_SUFFIX = ".backup"
"""What other programs put behind the name of a session's file when they keep it."""


def plan_undo(
    environment: TravelEnvironment,
    number: int | None = None,
    within: Collection[Path] | None = None,
) -> Plan:
    """Plan to take back an operation: the last one that stands, or the one with a number.

    `within` names the Claude folders it may belong to; without it every folder's count.

    Raises:
        OperationNotFound: There is none.
        OtherClaudeFolder: It belongs to another Claude folder.
        CannotUndo: It cannot be taken back, with the reason.
    """
    operations = environment.journal.list_operations()
    operation = _choose_operation(operations, number, within)
    steps: list[Step] = []
    for journal_step in reversed(operation.steps):
        steps += [
            _restore_time(step, operations)
            for step in _invert_step(operations, operation, journal_step)
        ]
    return _build_plan(operation, tuple(steps), f"Undo {operation.number}: {operation.headline}")


def plan_restore(environment: TravelEnvironment, path: Path) -> Plan:
    """Plan to give a session the content it had before bough first changed it.

    A session that is gone comes back as bough last saw it. Operations that were taken back or
    given up count where what they wrote stands, and where the file is not what it was before
    them, what is in their backup comes back, with the lines that came since.

    Where bough never changed it and another program left a copy beside it (`.jsonl.backup`),
    that is what comes back.

    Raises:
        OperationNotFound: bough never changed it, and nobody left a copy.
        AlreadyThere: It holds already what it held then.
        CannotUndo: Something in between cannot be taken back.
    """
    operations = environment.journal.list_operations()
    own = [
        (operation, step)
        for operation in operations
        for step in operation.steps
        if step.path == str(path) and step.before is not None
    ]
    if not own:
        if (copy := find_foreign_copy(path)) is not None:
            return _plan_from_copy(path, copy)
        raise OperationNotFound(f"that changed session {shorten_id(path.stem)}")
    if not path.exists():
        return _plan_return([one for one in own if one[0].state == DONE] or own, path)
    # An undo and what it undid are as good as nothing.
    standing = [one for one in own if one[0].state == DONE and not one[0].undoes]
    ended = [one for one in own if one[0].state in (ABANDONED, TAKEN_BACK)]
    old = path.read_bytes()
    data, undone = _remove_changes(operations, standing + ended, old)
    if not undone:
        undone = ended[-1:] or own[:1]
        data = _merge_backup(*undone[0], old)
    step = _restore_time(Replace(str(path), data, take_snapshot(path), old), operations)
    undoes = tuple(sorted(operation.number for operation, _ in undone))
    headline = f"Restore {shorten_id(path.stem)} as it was before operation {undoes[0]}"
    return _build_plan(undone[0][0], (step,), headline, undoes=undoes)


def find_foreign_copy(path: Path) -> Path | None:
    """Find the copy of a session that another program left beside it, before it changed it."""
    copy = path.with_name(f"{path.name}{_COPY_SUFFIX}")
    return copy if copy.is_file() and not copy.is_symlink() else None


def list_foreign_copies(projects: Path) -> list[Path]:
    """List the sessions of which another program left a copy, also those that are gone."""
    return [
        copy.with_name(copy.name.removesuffix(_COPY_SUFFIX))
        for copy in sorted(projects.glob(f"*/*.jsonl{_COPY_SUFFIX}"))
        if copy.is_file() and not copy.is_symlink()
    ]


def _plan_from_copy(path: Path, copy: Path) -> Plan:
    """Plan to give a session what a copy of it holds, and the lines that came since."""
    file, projects = resolve_in_projects(copy)
    kept = take_snapshot(file)
    data = file.read_bytes()
    name = shorten_id(path.stem)
    step: Step
    if path.exists():
        old = path.read_bytes()
        data = _join_since(data, _drop_replaced(data, old))
        if data == old:
            raise AlreadyThere(f"Session {name} holds what {copy.name} holds. Nothing was changed.")
        step = Replace(str(path), data, take_snapshot(path), old)
    else:
        step = Create(str(path), data, kept.mode, kept.mtime_ns)
    states = [kept, *([step.before] if isinstance(step, Replace) else [])]
    return Plan(
        operation="restore",
        session=path.stem,
        headline=f"Restore {name} from {copy.name}, which another program left",
        projects=str(projects),
        steps=(step,),
        reads=tuple(states),
        closed=(path.stem,),
        checked=("what was written since stays", "no client has the session open"),
        path=str(path),
        version=_find_client_version((step,)),
    )


def _drop_replaced(copy: bytes, data: bytes) -> bytes:
    """Leave out the lines at the end of a file that stand for other ones in its copy.

    Programs that move a pointer write the last lines anew. What a client wrote since has ids
    that the copy does not know, and stays.
    """
    known, lines = copy.split(b"\n"), data.split(b"\n")
    shared = set(known) & set(lines) - {b""}
    last = max((at for at, line in enumerate(lines) if line in shared), default=-1)
    other = (
        len(known) - 1 - max((at for at, line in enumerate(known) if line in shared), default=-1)
    )
    end = last + 1 + sum(bool(line) for line in known[len(known) - other :])
    uuids = {record.uuid for record in parse_session(copy, "").records}
    new = (line for line in lines[last + 1 : end] if line and _is_node_beside(line, uuids))
    return b"\n".join([*lines[: last + 1], *new, *lines[end:]])


def _is_node_beside(line: bytes, uuids: Collection[str | None]) -> bool:
    """Tell whether a line is a node that is none of these."""
    return any(r.uuid is not None and r.uuid not in uuids for r in parse_session(line, "").records)


def _plan_return(own: list[tuple[Operation, JournalStep]], path: Path) -> Plan:
    """Plan to bring back a session that is gone, from the newest backup."""
    last, step = own[-1]
    added = step.data if last.state == DONE else b""
    create: Step = _recreate_file(last, step, added)
    return _build_plan(last, (create,), f"Bring back {shorten_id(path.stem)}", undoes=())


def _remove_changes(
    operations: list[Operation], own: list[tuple[Operation, JournalStep]], data: bytes
) -> tuple[bytes, list[tuple[Operation, JournalStep]]]:
    """Take out what each operation did to a file, the last one first, and list which did.

    One that was taken back or given up may be there, in part, or not at all.
    """
    undone = []
    for operation, step in sorted(own, key=lambda one: one[0].number, reverse=True):
        before = step.before
        if operation.state != DONE and step.do != "append" and before is not None:
            # What it was may begin with what was planned; then the longer one tells.
            longer = before.size >= step.size
            if longer and begins_with(data, before.size, before.sha256):
                continue
        try:
            data = _remove_change(operations, operation, step, data)
        except CannotUndo:
            if operation.state == DONE:
                raise
        else:
            undone.append((operation, step))
    return data, undone


def _merge_backup(operation: Operation, step: JournalStep, data: bytes) -> bytes:
    """Give what is in a backup, and the lines behind the last one that it shares with the file."""
    before = step.before
    if before is not None and begins_with(data, before.size, before.sha256):
        raise AlreadyThere(
            f"Session {shorten_id(Path(step.path).stem)} holds what it held before operation "
            f"{operation.number}. Nothing was changed."
        )
    return _join_since(_read_backup(operation, step), data)


def _join_since(old: bytes, data: bytes) -> bytes:
    """Give an old content, and the lines behind the last one that it shares with the file."""
    known = set(old.split(b"\n"))
    lines = data.split(b"\n")
    last = max((at for at, line in enumerate(lines) if line and line in known), default=-1)
    since = b"\n".join(lines[last + 1 :])
    return old + (b"\n" if since and not old.endswith(b"\n") else b"") + since


def belongs_to(operation: Operation, within: Collection[Path]) -> bool:
    """Tell whether an operation was done in one of these Claude folders."""
    folder = operation.claude_dir
    return bool(folder) and Path(folder).resolve() in {place.resolve() for place in within}


def _choose_operation(
    operations: list[Operation], number: int | None, within: Collection[Path] | None
) -> Operation:
    if number is None:
        everywhere = [op for op in operations if op.state == DONE and not op.undoes]
        standing = [op for op in everywhere if within is None or belongs_to(op, within)]
        if not standing:
            raise OperationNotFound("to undo", elsewhere=bool(everywhere))
        return standing[-1]
    found = next((op for op in operations if op.number == number), None)
    if found is None:
        raise OperationNotFound(str(number))
    if within is not None and not belongs_to(found, within):
        raise OtherClaudeFolder(number, found.claude_dir)
    if found.state == UNDONE:
        raise CannotUndo(number, f"operation {found.undone_by} did so already")
    if found.state == ABANDONED:
        raise CannotUndo(number, f"it was abandoned: {found.reason or 'nobody knows why'}")
    if found.state != DONE:
        raise CannotUndo(number, f"it was {found.state}")
    return found


def _build_plan(
    operation: Operation,
    steps: tuple[Step, ...],
    headline: str,
    undoes: tuple[int, ...] | None = None,
) -> Plan:
    touched = [step.path for step in steps if isinstance(step, Replace | Remove)]
    moved = [Path(step.target).name for step in steps if isinstance(step, Move)]
    names = [Path(path).name for path in touched] + moved
    inside = [name for step in steps if isinstance(step, Move) for name in step.names]
    reads = [step.before for step in steps if isinstance(step, Replace | Remove)]
    sessions = {name.removesuffix(SUFFIX) for name in names + inside if name.endswith(SUFFIX)}
    checked = ["what was written since stays", "no client has the session open"]
    if operation.settings is not None:
        checked = ["nothing else has changed the file since"]
    return Plan(
        operation="undo",
        session=operation.session,
        headline=headline,
        projects=operation.projects,
        steps=steps,
        reads=tuple(reads),
        closed=tuple(sorted(sessions)),
        checked=tuple(checked),
        path=operation.path,
        version=_find_client_version(steps),
        settings=_invert_settings(operation.settings),
        undoes=(operation.number,) if undoes is None else undoes,
    )


def _invert_settings(edit: SettingsEdit | None) -> SettingsEdit | None:
    """Give the edit that takes another one back."""
    return edit and msgspec.structs.replace(edit, before=edit.after, after=edit.before)


def _find_client_version(steps: tuple[Step, ...]) -> str | None:
    """Find which client wrote last into the files that change."""
    for step in steps:
        if isinstance(step, Replace) and step.path.endswith(SUFFIX):
            return parse_session(step.old, "").version
    return None


def _invert_step(
    operations: list[Operation], operation: Operation, step: JournalStep
) -> list[Step]:
    match step.do:
        case "create":
            return [_remove_created(operation, step)]
        case "append" | "replace":
            return [_restore_content(operations, operation, step)]
        case "remove":
            return [_recreate_file(operation, step)]
        case "move":
            return _move_back(operation, step)
        case "make-folder":
            return [RemoveFolder(step.path)] if Path(step.path).is_dir() else []
        case _:
            return [] if Path(step.path).is_dir() else [MakeFolder(step.path)]


def _remove_created(operation: Operation, step: JournalStep) -> Remove:
    state = _read_state(operation, step.path)
    if state.sha256 != step.sha256:
        raise CannotUndo(
            operation.number,
            f"{shorten_id(Path(step.path).stem)} was written to since, and that would be lost",
        )
    return Remove(step.path, state)


def _recreate_file(operation: Operation, step: JournalStep, added: bytes = b"") -> Create:
    if os.path.lexists(step.path):
        raise CannotUndo(operation.number, f"{step.path} is there again")
    data = _read_backup(operation, step)
    before = step.before
    if before is None:
        raise CannotUndo(operation.number, "nothing is known of the file before it")
    return Create(step.path, data + added, before.mode, None if added else before.mtime_ns)


def _restore_content(
    operations: list[Operation], operation: Operation, step: JournalStep
) -> Replace:
    state = _read_state(operation, step.path)
    old = Path(step.path).read_bytes()
    data = _remove_change(operations, operation, step, old)
    return Replace(step.path, data, state, old)


def _restore_time(step: Step, operations: list[Operation]) -> Step:
    """Give a file the time it had when it last held what it will hold again."""
    if not isinstance(step, Replace):
        return step
    digest = hashlib.sha256(step.data).hexdigest()
    known = [d.before for op in operations for d in op.steps if d.path == step.path and d.before]
    times = [state.mtime_ns for state in known if state.sha256 == digest]
    return msgspec.structs.replace(step, mtime_ns=times[0]) if times else step


def _remove_change(
    operations: list[Operation], operation: Operation, step: JournalStep, data: bytes
) -> bytes:
    """Give the content of a file as if one step had not been done to it."""
    if step.do == "append":
        return _cut_appended(operations, operation, step, data)
    if hashlib.sha256(data[: step.size]).hexdigest() != step.sha256:
        raise CannotUndo(operation.number, "the file was changed since")
    old, since = _read_backup(operation, step), data[step.size :]
    if since and not old.endswith(b"\n"):
        raise CannotUndo(operation.number, "lines were added since, after one without a newline")
    return old + since


def _cut_appended(
    operations: list[Operation], operation: Operation, step: JournalStep, data: bytes
) -> bytes:
    """Cut out what was appended, wherever it stands now."""
    own = step.data
    start = _find_appended(operations, operation, step, data)
    head, since = data[:start], data[start + len(own) :]
    if since and head and not head.endswith(b"\n"):
        raise CannotUndo(operation.number, "lines were added since, after one without a newline")
    for uuid in step.list_uuids():
        if uuid in since:
            raise CannotUndo(operation.number, "the conversation has gone on from there")
    return head + since


def _find_appended(
    operations: list[Operation], operation: Operation, step: JournalStep, data: bytes
) -> int:
    """Find where the bytes of an append stand, also after others were taken out before them.

    The same line may have been added more than once; they stand in the order they were added.
    """
    later = [op for op in operations if op.number > operation.number]
    rewritten = any(d.do == "replace" and d.path == step.path for op in later for d in op.steps)
    start = step.before.size if step.before else 0
    if not rewritten and data[start : start + len(step.data)] == step.data:
        return start
    earlier = (op for op in operations if op.number < operation.number and op.state == DONE)
    same = sum(d.data == step.data and d.path == step.path for op in earlier for d in op.steps)
    start = -1
    for _ in range(same + 1):
        start = data.find(step.data, start + 1)
        if start < 0:
            raise CannotUndo(operation.number, "what it added is not there any more")
    return start


def _move_back(operation: Operation, step: JournalStep) -> list[Step]:
    """Move a file or a folder back; what came to the folder since stays there."""
    source, target = Path(step.target or ""), Path(step.path)
    if not os.path.lexists(source):
        raise CannotUndo(operation.number, f"{source} is gone")
    if not source.is_dir() or set(os.listdir(source)) == set(step.names):  # noqa: PTH208
        if os.path.lexists(target):
            raise CannotUndo(operation.number, f"{target} is there again")
        return [Move(str(source), str(target), step.names)]
    missing = [name for name in step.names if not os.path.lexists(source / name)]
    taken = [name for name in step.names if os.path.lexists(target / name)]
    if missing or taken:
        name = (missing or taken)[0]
        raise CannotUndo(operation.number, f"{name} is {'gone' if missing else 'there again'}")
    made: list[Step] = [] if target.is_dir() else [MakeFolder(str(target))]
    return [*made, *(Move(str(source / name), str(target / name)) for name in step.names)]


def _read_backup(operation: Operation, step: JournalStep) -> bytes:
    try:
        data = Path(step.backup or "").read_bytes()
    except OSError as error:
        raise CannotUndo(operation.number, f"its backup {step.backup} is gone") from error
    before = step.before
    if before is None or not begins_with(data, before.size, before.sha256):
        raise CannotUndo(operation.number, f"its backup {step.backup} is damaged")
    return data[: before.size]


def _read_state(operation: Operation, path: str) -> FileSnapshot:
    if not Path(path).is_file() or Path(path).is_symlink():
        raise CannotUndo(operation.number, f"{path} is gone")
    return take_snapshot(path)
