"""Lists on the wire: projects, sessions, and the facts of one session."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bough.library import BudgetShare, ResumeKind, TodoList

SessionState = Literal[
    "working", "background", "waiting", "compacting", "failed", "interrupted", "finished", "deleted"
]
Sort = Literal["newest", "oldest", "cost", "turns", "title", "state"]
Word = Annotated[str, Meta(max_length=2_000)]


class ProjectItem(Struct, frozen=True):
    """One project; `days` counts what was said on each of the last 30 days, newest last.

    `starred` and `hidden` are what a person said of it; one that is hidden is not on Home.
    `machine` and `owner` say whose it is in a team's store; null elsewhere.
    """

    id: str
    name: str
    path: str | None
    worktree_of: str | None
    gone: bool
    git_branch: str | None
    sessions: int
    last_active: str | None
    cost_30d_usd: float | None
    unpriced_models: list[str]
    days: list[int]
    starred: bool
    hidden: bool
    machine: str | None
    owner: str | None


class ProjectsAnswer(Struct, frozen=True):
    """All projects, the most recently active first; `sessions` counts those of all."""

    projects: list[ProjectItem]
    sessions: int
    sentence: str | None


class SessionTitle(Struct, frozen=True):
    """A session by its id and its title."""

    id: str
    title: str


class PlanInfo(Struct, frozen=True):
    """What ties a session to a plan: its part in it, and the sessions of the other part."""

    role: Literal["plan", "implementation"]
    others: list[SessionTitle]


class PullRequestItem(Struct, frozen=True):
    """A pull request that came out of a session, named as people do; its page where known."""

    label: str
    number: int
    url: str | None


class KeptSign(Struct, frozen=True):
    """What is left of a session whose file the client deleted, in a word and in a sentence."""

    place: Literal["archive", "index"]
    label: str
    words: str


class OtherNote(Struct, frozen=True):
    """What another member of a team said of a session or a message: a star, a note."""

    author: str
    starred: bool
    note: str


class SessionItem(Struct, frozen=True):
    """One session in a list; `turns` and `messages` are those of its active conversation.

    `cost_usd` is null where nothing in it has a price, or nobody has counted it yet;
    `copied_cost_usd` is what other sessions paid for what it only has copies of. `excerpt` are
    words besides the title by which a session is known, empty where there are none; `note` are
    those that a person wrote on it, `other_notes` those of other members of a team. `kept` is
    null where the file is there. `machine` and `owner` say whose it is in a team's store; null
    elsewhere. `budget` is null unless it is near its budget or over it.
    """

    id: str
    project: str
    project_name: str
    worktree_of: str | None
    title: str
    state: SessionState
    sure: bool
    asks: str | None
    since: str | None
    turns: int
    messages: int
    branches: int
    agents: int
    cost_usd: float | None
    copied_cost_usd: float | None
    unpriced_models: list[str]
    model: str | None
    git_branch: str | None
    started_at: str | None
    ended_at: str | None
    deleted_at: str | None
    kind: str
    run: str
    plan: PlanInfo | None
    forked_from: str | None
    bytes: int
    resume: str
    resume_note: str
    resume_kind: ResumeKind
    excerpt: str
    starred: bool
    note: str
    pull_requests: list[PullRequestItem]
    kept: KeptSign | None
    machine: str | None
    owner: str | None
    other_notes: list[OtherNote]
    budget: BudgetShare | None


class SessionsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What sessions are asked for; what is empty does not narrow.

    `since`, `until`, `model` and `branch` are those of `bough sessions`: times as 7d, yesterday,
    2026-11-01, a part of a model's name, a git branch in which * is anything. `filter` is looked
    for in titles, ids, branches and names of projects. `visible` leaves out the sessions of
    hidden projects; `machine` and `member` are names in a team's store. The sort `state` sets
    what goes on before the rest, the newest first in each.
    """

    project: Word = ""
    state: Annotated[str, Meta(pattern="^(|[a-z]+(,[a-z]+)*)$", max_length=100)] = ""
    kind: Annotated[str, Meta(pattern="^(|[a-z]+)$", max_length=20)] = ""
    since: Annotated[str, Meta(max_length=40)] = ""
    until: Annotated[str, Meta(max_length=40)] = ""
    model: Word = ""
    branch: Word = ""
    machine: Word = ""
    member: Word = ""
    starred: bool = False
    visible: bool = False
    sort: Sort = "newest"
    filter: Word = ""
    cursor: Word = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class SessionsAnswer(Struct, frozen=True):
    """A page of sessions; `next` is the cursor of the one after it.

    `models`, `branches`, `machines` and `members` are the values by which the list can be narrowed,
    the most frequent first, whatever it is narrowed to of these now.
    """

    total: int
    next: str | None
    rows: list[SessionItem]
    sentence: str | None
    models: list[str]
    branches: list[str]
    machines: list[str]
    members: list[str]


class BranchInfo(Struct, frozen=True):
    """A conversation of a session, to one of its tips.

    `own_turns` are those of them that no branch shares with it, `own_cost_usd` what only it used.
    """

    tip: str
    title: str
    active: bool
    turns: int
    own_turns: int
    own_cost_usd: float | None
    copied_cost_usd: float | None
    unpriced_models: list[str]
    left_because: str | None
    left_at: str | None


class CostFact(Struct, frozen=True):
    """A cost; null where nothing in it has a price, and the models of which something has none.

    `copied_cost_usd` is what other sessions paid for what is only a copy here.
    """

    cost_usd: float | None
    copied_cost_usd: float | None
    unpriced_models: list[str]


class ContextPart(Struct, frozen=True):
    """Something that fills the model's window."""

    name: str
    tokens: int


class ContextUsage(Struct, frozen=True):
    """How full the model's window was at the last answer."""

    tokens: int
    window: int | None
    parts: list[ContextPart]


class AgentFact(Struct, frozen=True):
    """An agent of the session; `call_uuid` is the message that started it."""

    id: str
    type: str | None
    description: str | None
    steps: int
    state: str
    cost_usd: float | None
    unpriced_models: list[str]
    call_uuid: str | None


class FileFact(Struct, frozen=True):
    """A file that the conversation changed; `touches` are the messages that did."""

    path: str
    added: int
    removed: int
    touches: list[str]


class FindingFact(Struct, frozen=True):
    """Something `doctor` would say about the session."""

    level: str
    sentence: str


class ForkFact(Struct, frozen=True):
    """A session that was forked off this one, at a message where that is known."""

    id: str
    title: str
    at: str | None


class ConversationSelector(Struct, frozen=True, forbid_unknown_fields=True):
    """Which conversation of a session is meant: the path to `tip`, or an agent's own."""

    tip: Word = ""
    agent: Word = ""


class ConversationPartSelector(ConversationSelector, frozen=True, forbid_unknown_fields=True):
    """Which conversation, or how much of it: `until` a message is the path to it, no further."""

    until: Word = ""


class FactsQuery(ConversationPartSelector, frozen=True, forbid_unknown_fields=True):
    """Whose facts are asked for: of the branch to `tip`, else of the active one."""


class PlanFileFact(Struct, frozen=True):
    """A plan as the client keeps it in a file of its own."""

    name: str
    text: str


class SessionDetails(Struct, frozen=True):
    """Everything beside the words of a session.

    `todos` are what is to be done, as the client keeps it; `todo_words` says how much is done.
    """

    row: SessionItem
    cwd: str | None
    path: str
    version: str | None
    tip_rule: str
    branches: list[BranchInfo]
    cost_path: CostFact
    cost_all: CostFact
    duration_seconds: float | None
    context: ContextUsage | None
    agents: list[AgentFact]
    files: list[FileFact]
    hooks: int
    notes: int
    findings: list[FindingFact]
    plan: PlanInfo | None
    plan_texts: list[PlanFileFact]
    todos: list[TodoList]
    todo_words: str
    forks: list[ForkFact]
    resume: str
    resume_note: str
    resume_kind: ResumeKind
