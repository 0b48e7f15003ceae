"""Rows: what goes into a store and what comes out of it, as plain values.

A `RowBatch` is what one reading of one file gives. Stores keep it whole or not at all.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from bough.store.team_rows import DialectAnswer


class SqlResult(Struct, frozen=True):
    """The columns of an answer, and its rows as long as the question is open."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[object, ...]]


class TableColumns(Struct, frozen=True):
    """A table of the index and its columns."""

    table: str
    columns: tuple[str, ...]


FileStamp = tuple[int, int, int, int, int]
"""What tells at once whether a file has changed: its size and time, the times of the files that
tell about the agent and that give the title, and whether a session is in the archive only."""


class FileState(Struct, frozen=True):
    """A transcript file as it was when last read; enough to notice what became of it.

    `head` is a hash of the first `head_length` bytes, `tail` the last bytes before `read_to`.
    The `device` of a session that is in the archive only is -1.
    """

    path: str
    role: str
    session: str
    agent: str | None
    device: int
    inode: int
    size: int
    mtime_ns: int
    head_length: int
    head: bytes
    tail: bytes
    read_to: int
    lines: int
    meta_mtime_ns: int = 0
    title_mtime_ns: int = 0
    id: int = 0
    deleted_at: str | None = None


class ProjectRow(Struct, frozen=True):
    """A project's folder and what it is called.

    `repository` is where its repository comes from, written in one form: what is the same project
    on several machines. The local index does not keep it.
    """

    folder: str
    dir: str
    path: str | None
    name: str
    worktree_of: str | None
    repository: str | None = None


class MachineRow(Struct, frozen=True):
    """A machine whose files a team's store keeps: `id` is 32 hexadecimal digits."""

    id: str
    owner: str
    name: str


class MigrationReport(Struct, frozen=True):
    """What became of the tables of a team's store: the schema before (0: none) and after it.

    `place` names the database, `dialect` is what was tried of its engine, and `missing` says in a
    sentence what of that the engine cannot do.
    """

    place: str
    before: int
    after: int
    dialect: tuple[DialectAnswer, ...] = ()
    missing: str = ""


class CompanionRow(Struct, frozen=True):
    """Something beside a transcript that a team's store keeps, such as a long output."""

    session: str
    path: str
    size: int
    mtime_ns: int


class AgentInfo(Struct, frozen=True):
    """What is known about an agent beside its file."""

    type: str | None = None
    description: str | None = None
    call: str | None = None


class SessionFacts(Struct, frozen=True):
    """What a session's outline tells: its row in lists, and its branches."""

    id: str
    title: str | None
    title_source: str | None
    started_at: str | None
    ended_at: str | None
    records: int
    bad_lines: int
    unknown_records: int
    messages: int
    turns: int
    branch_points: int
    tips: int
    inline_agents: int
    models: str
    git_branch: str | None
    version: str | None
    entrypoint: str | None
    session_kind: str | None
    cwd: str | None
    slugs: str
    implements: int
    forked_from: str | None
    active_tip: str | None
    tip_rule: str
    first_prompt: str
    last_prompt: str
    pull_requests: str
    conversations: Sequence["ConversationFacts"] = ()
    branches: Sequence[tuple[int, int, int]] = ()
    """Runs of records on one branch: (first offset, branch, active)."""
    steps: str | None = None
    """Its steps (`model.outline.branch_steps`), as JSON; None where there is but one."""


ONE_BRANCH = ((0, 0, 1),)
"""The runs of a file that never parts: an agent's."""


class ConversationFacts(Struct, frozen=True):
    """One line of conversation; `parent` is the branch it parted from."""

    branch: int
    tip: str
    active: int
    title: str | None
    messages: int
    turns: int
    started_at: str | None
    ended_at: str | None
    branch_point: str | None
    parent: int | None
    step: int = 0
    """The step it ends on."""


class RowBatch(Struct):
    """What a stretch of a file holds. Rows are tuples in the order of their table."""

    records: list[tuple[object, ...]] = field(default_factory=list)
    words: list[tuple[bytes | None, ...] | None] = field(default_factory=list)
    """Texts by kind, in UTF-8 as the tokenizer gets them (`model.text.search_tokens`)."""
    summaries: list[tuple[object, ...]] = field(default_factory=list)
    usage: list[tuple[object, ...]] = field(default_factory=list)
    calls: list[tuple[object, ...]] = field(default_factory=list)
    results: list[tuple[object, ...]] = field(default_factory=list)
    touches: list[tuple[object, ...]] = field(default_factory=list)
    hooks: list[tuple[object, ...]] = field(default_factory=list)
    agent_runs: list[tuple[object, ...]] = field(default_factory=list)
    prompts: list[tuple[object, ...]] = field(default_factory=list)
    troubles: list[tuple[object, ...]] = field(default_factory=list)
    compactions: list[tuple[object, ...]] = field(default_factory=list)
    stops: list[tuple[object, ...]] = field(default_factory=list)
    ties: list[tuple[object, ...]] = field(default_factory=list)
    sums: list[tuple[object, ...]] | None = None
    """What the calls of a file used that was read whole, as if there were no other file."""
    outlines: list[tuple[int, bytes]] = field(default_factory=list)
    """Packed outlines, each with the offset its stretch begins at."""


class ListedProject(Struct, frozen=True):
    """A project as a list needs it: when a person last talked in it, and any record's time.

    `machine` and `owner` say whose it is in a team's store; None in the local index.
    """

    id: int
    folder: str
    dir: str
    path: str | None
    name: str
    worktree_of: str | None
    sessions: int
    talked: str | None
    touched: str | None
    machine: str | None = None
    owner: str | None = None


class ListedSession(Struct, frozen=True, gc=False):
    """A session as a list needs it; `machine` and `owner` as projects have them."""

    file: int
    id: str
    folder: str
    dir: str
    path: str
    bytes: int
    deleted_at: str | None
    title: str | None
    title_source: str | None
    started_at: str | None
    ended_at: str | None
    records: int
    bad_lines: int
    unknown_records: int
    turns: int
    messages: int
    branch_points: int
    tips: int
    agents: int
    models: str
    git_branch: str | None
    version: str | None
    entrypoint: str | None
    session_kind: str | None
    slugs: str
    implements: int
    forked_from: str | None
    mtime_ns: int
    first_prompt: str
    last_prompt: str
    pull_requests: str
    archived: int
    cwd: str | None
    machine: str | None = None
    owner: str | None = None


class SessionFileRow(Struct, frozen=True):
    """A session's file that was on disk when last looked."""

    session: str
    path: str
    size: int
    mtime_ns: int


class GoneSession(Struct, frozen=True):
    """A session whose file is gone; without `deleted_at` the archive has it."""

    dir: str
    session: str
    path: str
    deleted_at: str | None


class ConversationSteps(Struct, frozen=True):
    """A conversation of a file, and the step it ends on.

    The first of a file has the steps of its session as JSON: they grow with its branches.
    """

    file: int
    tip: str
    active: int
    step: int
    steps: str | None
    title: str = ""


class ListedConversation(Struct, frozen=True, gc=False):
    """A conversation as a list needs it."""

    file: int
    session: str
    tip: str
    active: int
    title: str | None
    turns: int
    messages: int
    started_at: str | None
    ended_at: str | None
    branch_point: str | None
    branch: int
    parent: int | None
    folder: str
    deleted_at: str | None
