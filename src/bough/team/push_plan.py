"""What a push has to send, found by comparing what is here with what the database has.

A secret that is learnt from new lines may be mentioned in old ones, which were sent before
anybody knew: such files are sent again, whole. So are those that were sent by a bough that hid
less, where there is more to hide in them. They are marked first, all at once, so that a push that
is cut off anywhere finds them again.

A session that is in the archive alone is sent from there, one that was adopted too: it is this
machine's since somebody said so. Only where another machine of the same person has sent it, it is
there already.
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
from bough.store.postgres.sent_files import SentFiles
from bough.store.rows import FileState
from bough.store.team_rows import CrossedMark
from bough.team.line_redactor import REDACTION_FORM, HiddenKind, LineRedactor
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

    `stale` are files that have to be sent again because of a secret that was learnt since, or
    because this bough hides more. `is_rehidden` says that it is the latter.
    """

    group: SessionGroup
    tasks: list[FileTask]
    companions: list[CompanionFile] = []
    stale: list[FileState] = []
    redactor: LineRedactor | None = None
    is_rehidden: bool = False

    @property
    def bytes(self) -> int:
        """Give how many bytes are sent."""
        files = sum(task.found.size - task.start for task in self.tasks)
        return files + sum(one.size for one in self.companions)


class PushReport(Struct, frozen=True, kw_only=True):
    """What leaves, or has left, and what is hidden in it.

    `unchanged` sessions are there already, `ignored` ones are kept by an ignore file, `older` ones
    were written before the time that was asked for, `removed` ones were taken back once,
    `forgotten` ones are those of which no copy is wanted, and `elsewhere` are those of the archive
    that another machine of the same person has sent. `rehidden` sessions are sent again because
    this bough hides more than the one that sent them.
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
    forgotten: int = 0
    elsewhere: int = 0
    rehidden: int = 0
    problems: tuple[Problem, ...] = ()
    crossed: tuple[CrossedMark, ...] = ()


class PushPlan(Struct, frozen=True):
    """Everything that is to be sent, and the report on it.

    `checked` were sent by older rules, and have nothing that this bough hides and that one did not.
    """

    sessions: list[SessionPush]
    report: PushReport
    checked: list[SessionGroup] = []


def plan_push(
    chosen: ChosenSessions,
    sent: SentFiles,
    store: str,
    level: PushLevel = "all",
    progress: Progress | None = None,
) -> PushPlan:
    """Compare what was chosen with what was sent, and look for secrets in what is new."""
    removed = {state.session for state in sent.states.values() if state.deleted_at is not None}
    kept = {group.id: _find_elsewhere(group, sent) for group in chosen.groups}
    removed |= {session for session, found in kept.items() if found == "removed"}
    elsewhere = {session for session, found in kept.items() if found == "sent"} - removed
    wanted = [one for one in chosen.groups if one.id not in removed and one.id not in elsewhere]
    changed = [group for group in wanted if _has_changed(group, sent, level)]
    total = sum(file.size for group in changed for file in group.files)
    problems = list(chosen.problems)
    pushes: list[SessionPush] = []
    checked: list[SessionGroup] = []
    hidden: dict[str, int] = {}
    done = remembered = 0
    for group in changed:
        redactor = LineRedactor() if level == "all" else None
        try:
            push = plan_session(group, sent, redactor)
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
        elif redactor is not None:
            checked.append(group)
        if progress is not None:
            progress(done, total)
    sending = {push.group.id for push in pushes}
    report = PushReport(
        store=store,
        level=level,
        sessions=sum(push.group.is_session for push in pushes),
        projects=len({push.group.project.folder for push in pushes}),
        files=sum(len(push.tasks) + len(push.companions) for push in pushes),
        bytes=sum(push.bytes for push in pushes),
        secrets=sum(hidden.values()),
        hidden=tuple(HiddenKind(kind, count) for kind, count in sorted(hidden.items())),
        unchanged=sum(group.is_session for group in wanted if group.id not in sending),
        ignored=chosen.ignored,
        older=chosen.older,
        removed=sum(group.id in removed for group in chosen.groups),
        forgotten=chosen.forgotten,
        elsewhere=sum(group.id in elsewhere for group in chosen.groups),
        rehidden=sum(push.is_rehidden and push.group.is_session for push in pushes),
        problems=tuple(problems),
    )
    return PushPlan(pushes, report, checked)


def plan_session(
    group: SessionGroup, sent: SentFiles, redactor: LineRedactor | None
) -> SessionPush:
    """Find what is to be sent of a session; without a redactor, at the level `numbers`.

    Raises:
        Unreadable: A file of it cannot be read.
    """
    states = sent.states
    known = {file.path: states[file.path] for file in group.files if file.path in states}
    if redactor is None:
        tasks = [
            FileTask(file, FileAction.READ, known=known.get(file.path))
            for file in group.files
            if _differs(file, known.get(file.path), "numbers")
        ]
        return SessionPush(group, tasks)
    changed = [one for one in group.companions if _is_new(one, sent.companions)]
    fresh = _learn_group(group, known, {one.path for one in changed}, redactor)
    full = {path: _as_full(state) for path, state in known.items()}
    sources = RedactedFinder(DISK_THEN_ARCHIVE)
    assign_group(sources, group, redactor)
    tasks = plan_files(group.files, full, sources)
    stale = _find_stale(group.files, known, tasks, redactor, fresh) if fresh else []
    older = _find_rehidden(group, known, sent, redactor)
    stale += [state for state in older if state not in stale]
    again = {state.path for state in stale}
    tasks = [task for task in tasks if task.found.path not in again]
    tasks += [
        FileTask(file, FileAction.READ, known=known[file.path])
        for file in group.files
        if file.path in again
    ]
    beside = list(group.companions) if fresh or stale else changed
    return SessionPush(group, tasks, beside, stale, redactor, bool(older))


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


def _find_elsewhere(group: SessionGroup, sent: SentFiles) -> Literal["sent", "removed"] | None:
    """Tell what became of a session that only the archive has, on another machine of one's own."""
    own = next((file for file in group.files if file.role == "session"), None)
    if own is None or not own.is_archived or group.id not in sent.others:
        return None
    size = sent.others[group.id]
    if size is None:
        return "removed"
    return "sent" if size >= own.size and own.path not in sent.states else None


def _has_changed(group: SessionGroup, sent: SentFiles, level: PushLevel) -> bool:
    """Tell by sizes and times alone whether there may be something to send."""
    if any(_differs(file, sent.states.get(file.path), level) for file in group.files):
        return True
    if level == "numbers":
        return False
    return any(_is_of_older_form(file.path, sent) for file in group.files) or any(
        _is_new(one, sent.companions) for one in group.companions
    )


def _is_of_older_form(path: str, sent: SentFiles) -> bool:
    """Tell whether a file was sent by a bough that may have hidden less."""
    state = sent.states.get(path)
    return state is not None and not _is_bare(state) and sent.forms.get(path, 0) < REDACTION_FORM


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


def _find_rehidden(
    group: SessionGroup, known: States, sent: SentFiles, redactor: LineRedactor
) -> list[FileState]:
    """Find the files that were sent by older rules and have something to hide.

    What of it was hidden then is not known here; what has nothing to hide is as it was. Where only
    something beside them has, the session's own file stands for it.
    """
    older = [path for path in known if _is_of_older_form(path, sent)]
    if not older:
        return []
    found = [known[path] for path in older if _hides_something(path, redactor)]
    beside = any(_hides_something(path, redactor) for path in _list_texts(group))
    return found or ([known[older[0]]] if beside else [])


def _hides_something(path: str, redactor: LineRedactor) -> bool:
    source = DISK_THEN_ARCHIVE.find(path)
    if source is None:
        return False
    if not path.endswith(".jsonl"):
        return redactor.is_changing(read_whole(source))
    return any(redactor.is_changing(line.raw) for line in source.lines())


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
