"""The head of a session: its title, which it is, and how much it is."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from bough.files.worktrees import repository_of
from bough.model.outline.turn_summary import format_usage_cost
from bough.model.session import Agent, Session
from bough.model.text.formats import base_name_of, find_day, format_plural
from bough.model.text.times import parse_moment
from bough.model.usage.costs import UsageTotal
from bough.terminal.canvas import Canvas
from bough.terminal.style import Glyphs, Role, StyledLine, make_line
from bough.terminal.text import fit, one_line, width

__all__ = [
    "SHORT",
    "describe_counts",
    "find_short_length",
    "format_usage_cost",
    "name_project",
    "render_headline",
    "render_session_line",
]

SHORT: Final = 8
_LEAST: Final = 4
_LEAST_TITLE: Final = 32
_LEAST_TEXT: Final = 24
_BETWEEN: Final = 2


def find_short_length(uuids: Iterable[str], among: Iterable[str]) -> int:
    """Find how many characters tell some ids from all others of a session."""
    wanted = set(uuids)
    longest = max(map(len, wanted), default=_LEAST)
    ordered = sorted(wanted.union(among))
    # Of all others, those beside an id in their order have the longest beginning in common.
    shared = [_count_shared(*pair) for pair in pairwise(ordered)]
    beside = zip(ordered, [0, *shared], [*shared, 0], strict=False)
    needed = max((1 + max(around) for uuid, *around in beside if uuid in wanted), default=0)
    return min(max(_LEAST, needed), longest)


def _count_shared(first: str, second: str) -> int:
    """Count the characters that two ids begin with alike."""
    for at, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return at
    return min(len(first), len(second))


def render_session_line(session: Session, canvas: Canvas, columns: int) -> StyledLine:
    """Set the title of a session, and at the right which it is and where it was led."""
    repository = repository_of(session.cwd) if session.cwd else None
    title, name = session.title, session.id[:SHORT]
    place = one_line(name_project(session, repository))
    if isinstance(session, Agent):
        title = ": ".join(filter(None, (session.type, session.description))) or title
        name, place = f"agent {session.id}", ""
    facts = f"{name}  {place}".rstrip()
    if columns - width(facts) < _LEAST_TITLE:
        facts = name
    return render_headline(one_line(title), facts, columns, canvas.glyphs)


def name_project(session: Session, repository: str | None) -> str:
    """Name the project of a session, a worktree behind its repository."""
    folder = session.cwd
    if folder is None:
        return ""
    return (
        f"{base_name_of(repository)}/{base_name_of(folder)}" if repository else base_name_of(folder)
    )


def describe_counts(tips: int, turns: int, bill: UsageTotal) -> str:
    """Say how many branches and turns there are, and what they cost."""
    facts = [
        format_plural(tips, "branch", "branches"),
        format_plural(turns, "turn"),
        format_usage_cost(bill),
    ]
    return ", ".join(fact for fact in facts if fact)


def describe_end(ended_at: str | None, canvas: Canvas) -> str:
    """Say when a session or a branch ended, where that was not today."""
    ended = parse_moment(ended_at)
    if ended is None or find_day(ended, canvas.words) == canvas.today:
        return ""
    return f"ended {canvas.time(ended_at)}"


def render_headline(title: str, facts: str, columns: int, glyphs: Glyphs) -> StyledLine:
    """Set a title at the left and facts at the right of a line as wide as the drawing."""
    room = columns - width(facts) - _BETWEEN
    words = fit(title, max(_LEAST_TEXT, room), glyphs.ellipsis)
    blank = " " * max(_BETWEEN, columns - width(words) - width(facts))
    return make_line([(Role.PROMPT, words), (Role.META, blank + facts)])
