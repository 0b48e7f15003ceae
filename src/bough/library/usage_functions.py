"""Usage: tokens and money, each API call counted once."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bough.config import load_settings
from bough.library.parameters import ClaudeDir, IndexLike, as_dirs, is_open_index
from bough.model.usage import tokens
from bough.query.usage.report import UsageQuestion, UsageTable, report_usage
from bough.query.usage.sources import IndexUsageSource, UsageSource, open_usage_source

if TYPE_CHECKING:
    from bough.model.session import Session
    from bough.model.usage.tokens import Usage
    from bough.query.usage.explain import Explanation


def usage(  # noqa: PLR0913 - one for each option of the command
    report: str = "daily",
    *,
    since: str | None = None,
    until: str | None = None,
    project: str | None = None,
    session: str | None = None,
    by: str | None = None,
    zone: str | None = None,
    week_start: str | None = None,
    existing: bool = False,
    within: Sequence[str] | None = None,
    no_index: bool = False,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
    now: datetime | None = None,
) -> UsageTable:
    """Count tokens and money, each API call once.

    Args:
        report: daily, weekly, monthly, session, project, model, agent, branch or blocks.
        since: Only from then on: 2026-11-01, yesterday, 7d.
        until: Only up to then, that day included.
        project: Only this project.
        session: Only this session and its agents.
        by: Break every row down by model, project, session, agent or agent-type; in a team's store
            also by machine or member.
        zone: Where days begin, as Europe/Prague; by default the machine's own.
        week_start: The day weeks begin on; by default monday.
        existing: Leave out sessions that are deleted since.
        within: Only the projects in these folders, each by its name.
        no_index: Read the files; neither use nor make an index.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is, or an open one; without one the files are read.
        now: The moment that days are counted from; by default the clock's.
    """
    question = UsageQuestion(
        report=report,
        by=by,
        since=since,
        until=until,
        zone=zone,
        week_start=week_start,
        project=project,
        session=session,
        existing=existing,
        within=None if within is None else tuple(within),
    )
    with _open_source(claude_dir, index, no_index=no_index) as source:
        moment = now or datetime.now(UTC)
        return report_usage(question, source, now=moment, settings=load_settings())


def explain_usage(
    session: str,
    *,
    no_index: bool = False,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
    now: datetime | None = None,
) -> "Explanation":
    """Show where a session's numbers come from: its calls, the lines that report them, prices."""
    from bough.query.usage.explain import explain  # noqa: PLC0415 - reports need none of it

    with _open_source(claude_dir, index, no_index=no_index) as source:
        moment = now or datetime.now(UTC)
        return explain(session, source, now=moment, settings=load_settings())


def sum_usage(sessions: "Iterable[Session]") -> "Usage":
    """Sum what several sessions used, each API call counted once over all of them.

    Forks and resumed sessions carry copies of the same calls; their own sums add up to more.
    """
    lines = (line for session in sessions for line in session.usage_lines())
    return tokens.sum_usage(tokens.count_calls_once(lines))


@contextmanager
def _open_source(
    claude_dir: ClaudeDir, index: IndexLike, *, no_index: bool
) -> Iterator[UsageSource]:
    if is_open_index(index):
        yield IndexUsageSource(index)
        return
    with open_usage_source(as_dirs(claude_dir), index, no_index=no_index) as source:
        yield source
