"""Rows of lists: what every face shows of projects, sessions and conversations.

Apart from those who fill them, so that a list from the index loads no reader. Old clients
wrote a session's summary into the files of later ones: it is the better title where the
session itself has only its prompts to be named by.
"""

from collections.abc import Mapping, Sequence
from os import PathLike

from msgspec import UNSET, Struct, UnsetType

from bough.files.directory import Problem
from bough.model.interpret.kept_places import KeptPlace
from bough.model.interpret.pull_requests import PullRequest
from bough.model.text.formats import is_title, to_one_line
from bough.model.usage.budget_share import BudgetShare

Dirs = Sequence[str | PathLike[str]]
"""Claude folders; none means the usual places."""


class Project(Struct, frozen=True):
    """One folder below `projects`, under the path its records name.

    `id` is the folder's name, `folder` where it lies. `path` is None where no record names
    one. `sessions` counts those with a conversation. `worktree_of` is the path of the
    repository whose worktree this is. `starred` and `hidden` are what a person said of it;
    `machine` and `owner` say whose it is in a team's store.
    """

    id: str
    path: str | None
    name: str
    sessions: int
    last_active: str | None
    worktree_of: str | None
    folder: str
    problems: tuple[Problem, ...] = ()
    starred: bool = False
    hidden: bool = False
    machine: str | None = None
    owner: str | None = None


class SessionRow(Struct, frozen=True, omit_defaults=True, gc=False):
    """One session in a list; see docs/library.md for the fields.

    `turns` and `messages` are those of its active conversation. Costs are added by
    `bough.query.lists.costs`; None where nobody did, or where nothing has a price.

    `deleted_at` is written out only for what the client has deleted, `excerpt` only where there
    are words besides the title: the first prompt, or the last one where that is the title.
    `starred` and `note` are added by `bough.query.lists.annotated_rows`, and written out only for
    what a person starred or noted; `pull_requests` only where some came out of the session,
    `kept_in` only where the client has deleted the file, `machine` and `owner` only of what is in a
    team's store, `budget` only where it is near its budget or over it.
    """

    id: str
    project: str
    path: str
    title: str
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
    models: list[str]
    git_branch: str | None
    version: str | None
    kind: str
    run: str
    bytes: int
    cost_usd: float | None
    copied_cost_usd: float | None
    unpriced_models: list[str]
    deleted_at: str | None = None
    excerpt: str = ""
    starred: bool = False
    note: str = ""
    pull_requests: list[PullRequest] = []
    kept_in: KeptPlace = KeptPlace.FILE
    machine: str | None = None
    owner: str | None = None
    budget: BudgetShare | None = None


class ConversationRow(Struct, frozen=True, gc=False):
    """One conversation in a list; `kept_in` is written out only where the file is deleted."""

    session: str
    tip: str | None
    active: bool
    title: str
    turns: int
    messages: int
    started_at: str | None
    ended_at: str | None
    branch_point: str | None
    cost_usd: float | None = None
    copied_cost_usd: float | None = None
    unpriced_models: list[str] = []
    kept_in: KeptPlace | UnsetType = UNSET


class ScopedSessions(Struct, frozen=True):
    """Sessions of some projects, and the folders in which others lie that are not theirs."""

    rows: list[SessionRow]
    shared: frozenset[str] = frozenset()


class SessionList(Struct, frozen=True):
    """Sessions, and what could not be read among them."""

    rows: list[SessionRow]
    problems: list[Problem]


class ConversationList(Struct, frozen=True):
    """Conversations of several sessions, and what could not be read among them."""

    rows: list[ConversationRow]
    problems: list[Problem]


_STRONGER = frozenset({"custom-title", "ai-title", "summary"})


def may_have_better_title(source: str | None) -> bool:
    """Tell whether a summary elsewhere would be preferred to a title of this source."""
    return source not in _STRONGER


def title_of(
    session: str, own: str | None, file: int | None, others: Mapping[int, Sequence[str]]
) -> str:
    """Choose a session's title; `others` holds the summaries in other files, by file."""
    better = None if file is None else find_better_title(file, others)
    return better or own or f"Session {session[:8]}"


def find_better_title(file: int, others: Mapping[int, Sequence[str]]) -> str | None:
    """Give the last summary in another file that can serve as a title."""
    summaries = others.get(file)
    if not summaries:
        return None
    better = next((text for text in reversed(summaries) if is_title(text)), None)
    return None if better is None else to_one_line(better)
