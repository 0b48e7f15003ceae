"""What a push has to send, found by comparing what is here with what the database has.

A secret that is learnt from new lines may be mentioned in old ones, which were sent before
anybody knew: such files are sent again, whole. They are marked first, all at once, so that a push
that is cut off anywhere finds them again.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder, require_source
from bough.files.directory import Problem
from bough.ingest.index.work_plan import FileAction, FileTask, ListedFile, plan_files
from bough.store.rows import FileState
from bough.store.team_rows import CrossedMark
from bough.team.line_redactor import HiddenKind, LineRedactor
from bough.team.redacted_source import RedactedFinder, read_whole
from bough.team.session_groups import ChosenSessions, CompanionFile, SessionGroup

PushLevel: TypeAlias = Literal["all", "numbers"]
Progress: TypeAlias = Callable[[int, int], None]
States: TypeAlias = Mapping[str, FileState]
SentCompanions: TypeAlias = Mapping[str, tuple[int, int]]

_REMEMBERED = 2 << 30
"""Of so many bytes it is remembered which lines hold nothing; of what is more, it is asked anew."""


class SessionPush(Struct):
    """What is to be sent of a session.

    `stale` are files that have to be sent again because of a secret that was learnt since.
    """

    group: SessionGroup
    tasks: list[FileTask]
    companions: list[CompanionFile] = []
    stale: list[FileState] = []
    redactor: LineRedactor | None = None

    @property
    def bytes(self) -> int:
        """Give how many bytes are sent."""
        files = sum(task.found.size - task.start for task in self.tasks)
        return files + sum(one.size for one in self.companions)


class PushReport(Struct, frozen=True, kw_only=True):
    """What leaves, or has left, and what is hidden in it.

    `unchanged` sessions are there already, `ignored` ones are kept by an ignore file, `older` ones
    were written before the time that was asked for, and `removed` ones were taken back once.
    `secrets` are as many different things that look like one, `hidden` says of which kinds.
    `crossed` are the marks of budgets that were crossed by it, as far as one may know them.
    """

    store: str
    level: PushLevel
    sessions: int
    projects: int
    files: int
    bytes: int
    secrets: int
    hidden: tuple[HiddenKind, ...] = ()
    unchanged: int = 0
    ignored: int = 0
    older: int = 0
    removed: int = 0
    problems: tuple[Problem, ...] = ()
    crossed: tuple[CrossedMark, ...] = ()


class PushPlan(Struct, frozen=True):
    """Everything that is to be sent, and the report on it."""

    sessions: list[SessionPush]
    report: PushReport


def plan_push(
    chosen: ChosenSessions,
    sent: tuple[States, SentCompanions],
    store: str,
    level: PushLevel = "all",
    progress: Progress | None = None,
) -> PushPlan:
    """Compare what was chosen with what was sent, and look for secrets in what is new."""
    states, companions = sent
    removed = {state.session for state in states.values() if state.deleted_at is not None}
    wanted = [group for group in chosen.groups if group.id not in removed]
    changed = [group for group in wanted if _has_changed(group, states, companions, level)]
    total = sum(file.size for group in changed for file in group.files)
    problems = list(chosen.problems)
    pushes: list[SessionPush] = []
    hidden: dict[str, int] = {}
    done = remembered = 0
    for group in changed:
        redactor = LineRedactor() if level == "all" else None
        try:
            push = plan_session(group, states, companions, redactor)
        except Unreadable as error:
            problems.append(Problem(group.project.path / group.id, error.message))
            continue
        for kind in redactor.list_hidden() if redactor is not None else ():
            hidden[kind.kind] = hidden.get(kind.kind, 0) + kind.secrets
        done += sum(file.size for file in group.files)
        remembered += push.bytes
        if remembered <= _REMEMBERED:
            push.redactor = redactor
        if push.tasks or push.companions:
            pushes.append(push)
        if progress is not None:
            progress(done, total)
    report = PushReport(
        store=store,
        level=level,
        sessions=sum(push.group.is_session for push in pushes),
        projects=len({push.group.project.folder for push in pushes}),
        files=sum(len(push.tasks) + len(push.companions) for push in pushes),
        bytes=sum(push.bytes for push in pushes),
        secrets=sum(hidden.values()),
        hidden=tuple(HiddenKind(kind, count) for kind, count in sorted(hidden.items())),
        unchanged=len(wanted) - len(pushes),
        ignored=chosen.ignored,
        older=chosen.older,
        removed=len(chosen.groups) - len(wanted),
        problems=tuple(problems),
    )
    return PushPlan(pushes, report)


def plan_session(
    group: SessionGroup,
    states: States,
    companions: SentCompanions,
    redactor: LineRedactor | None,
) -> SessionPush:
    """Find what is to be sent of a session; without a redactor, at the level `numbers`.

    Raises:
        Unreadable: A file of it cannot be read.
    """
    known = {file.path: states[file.path] for file in group.files if file.path in states}
    if redactor is None:
        tasks = [
            FileTask(file, FileAction.READ, known=known.get(file.path))
            for file in group.files
            if _differs(file, known.get(file.path), "numbers")
        ]
        return SessionPush(group, tasks)
    changed = [one for one in group.companions if _is_new(one, companions)]
    fresh = _learn_group(group, known, {one.path for one in changed}, redactor)
    full = {path: _as_full(state) for path, state in known.items()}
    sources = RedactedFinder(DISK_THEN_ARCHIVE)
    assign_group(sources, group, redactor)
    tasks = plan_files(group.files, full, sources)
    stale = _find_stale(group.files, known, tasks, redactor, fresh) if fresh else []
    again = {state.path for state in stale}
    tasks = [task for task in tasks if task.found.path not in again]
    tasks += [
        FileTask(file, FileAction.READ, known=known[file.path])
        for file in group.files
        if file.path in again
    ]
    sent = list(group.companions) if fresh else changed
    return SessionPush(group, tasks, sent, stale, redactor)


def assign_group(sources: RedactedFinder, group: SessionGroup, redactor: LineRedactor) -> None:
    """Let what is known of all files of a session mask each of them."""
    titles = (file.title for file in group.files if file.title is not None)
    beside = (*(one.path for one in group.companions), *titles)
    sources.assign(redactor, (file.path for file in group.files), beside)


def learn_again(push: SessionPush) -> LineRedactor:
    """Learn the secrets of a session again, where that was not remembered."""
    redactor = LineRedactor()
    _learn_group(push.group, {}, set(), redactor)
    return redactor


def _has_changed(
    group: SessionGroup, states: States, companions: SentCompanions, level: PushLevel
) -> bool:
    """Tell by sizes and times alone whether there may be something to send."""
    if any(_differs(file, states.get(file.path), level) for file in group.files):
        return True
    return level == "all" and any(_is_new(one, companions) for one in group.companions)


def _differs(file: ListedFile, known: FileState | None, level: PushLevel) -> bool:
    if known is None or (known.size, known.mtime_ns) != (file.size, file.mtime_ns):
        return True
    if _is_bare(known) != (level == "numbers"):
        return True
    times = (known.meta_mtime_ns, known.title_mtime_ns)
    return level == "all" and times != (file.meta_mtime_ns, file.title_mtime_ns)


def _is_bare(known: FileState) -> bool:
    """Tell whether only the numbers of a file were sent; of an empty one, there is no more."""
    return known.read_to > 0 and not known.head_length


def _as_full(known: FileState) -> FileState:
    """Take a file whose numbers alone were sent for one that has to be sent whole."""
    if not _is_bare(known):
        return known
    return msgspec.structs.replace(known, size=-1, mtime_ns=0, read_to=0)


def _is_new(one: CompanionFile, companions: SentCompanions) -> bool:
    return companions.get(one.path) != (one.size, one.mtime_ns)


def _learn_group(
    group: SessionGroup, known: States, changed: set[str], redactor: LineRedactor
) -> set[str]:
    """Learn all secrets of a session; give those that nobody knew when it was last sent."""
    fresh: set[str] = set()
    for file in group.files:
        state = known.get(file.path)
        sent_to = state.read_to if state is not None else 0
        for line in require_source(DISK_THEN_ARCHIVE, file.path).lines():
            learnt = redactor.learn(line.raw)
            if learnt and line.offset >= sent_to:
                fresh.update(learnt)
    for path in dict.fromkeys(_list_texts(group)):
        if (source := DISK_THEN_ARCHIVE.find(path)) is not None:
            learnt = redactor.learn(read_whole(source))
            fresh.update(learnt if path in changed else ())
    return fresh if known else set()


def _list_texts(group: SessionGroup) -> Iterable[str]:
    yield from (one.path for one in group.companions)
    yield from (file.title for file in group.files if file.title is not None)


def _find_stale(
    files: Iterable[ListedFile],
    known: States,
    tasks: Iterable[FileTask],
    redactor: LineRedactor,
    fresh: set[str],
) -> list[FileState]:
    """Find the files that were sent and mention a secret that nobody knew then."""
    whole = {task.found.path for task in tasks if task.todo is FileAction.READ}
    return [
        known[file.path]
        for file in files
        if file.path in known
        and file.path not in whole
        and _mentions(file.path, known[file.path].read_to, DISK_THEN_ARCHIVE, redactor, fresh)
    ]


def _mentions(
    path: str, end: int, sources: SourceFinder, redactor: LineRedactor, secrets: set[str]
) -> bool:
    for line in require_source(sources, path).lines():
        if line.offset >= end:
            return False
        if redactor.is_mentioned(line.raw, secrets):
            return True
    return False
