"""Usage: tokens and money, each API call counted once."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bough.config import load_settings
from bough.errors import NotFound
from bough.library.parameters import ClaudeDir, IndexLike, as_dirs, as_session, is_open_index
from bough.model.usage import tokens
from bough.query.usage.report import UsageQuestion, UsageTable, report_usage
from bough.query.usage.sources import IndexUsageSource, UsageSource, open_usage_source

if TYPE_CHECKING:
    from bough.model.outline.branch_path import OutlineItem
    from bough.model.outline.charged_calls import CostPart
    from bough.model.outline.session_outline import SessionOutline
    from bough.model.session import Session
    from bough.model.usage.tokens import Usage, UsageSnapshot
    from bough.query.usage.explain import ExplainedShare, Explanation


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


def explain_usage(  # noqa: PLR0913 - one for each thing that may be said
    session: str,
    *,
    tip: str | None = None,
    share: "ExplainedShare | None" = None,
    no_index: bool = False,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
    now: datetime | None = None,
) -> "Explanation":
    """Show where a session's numbers come from: its calls, the lines that report them, prices.

    Args:
        session: The beginning of a session's id, or `latest`.
        tip: Only what is on the branch through this message, as the head of the branch counts it.
        share: Only the calls of a stretch of time, or of a part of a breakdown.
        no_index: Read the files; neither use nor make an index.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is, or an open one; without one the files are read.
        now: The moment that days are counted from; by default the clock's.
    """
    from bough.query.usage.explain import explain  # noqa: PLC0415 - reports need none of it

    if tip is not None:
        return _explain_branch(as_session(session, claude_dir), tip)
    with _open_source(claude_dir, index, no_index=no_index) as source:
        moment = now or datetime.now(UTC)
        return explain(session, source, now=moment, settings=load_settings(), share=share)


def explain_cost(
    session: "Session",
    seen: "SessionOutline",
    items: "Sequence[OutlineItem]",
    part: "CostPart",
    at: str = "",
) -> "Explanation":
    """Show where a cost comes from that stands in a session that was read.

    Args:
        session: The session, or an agent of it.
        seen: Its outline.
        items: What is on the path that is read.
        part: Which cost: of the path, of all, of the agents; of a branch alone, a turn, an agent.
        at: The name of that branch, turn or agent.

    Raises:
        NotFound: It has no such part.
    """
    from bough.model.outline.charged_calls import list_charged_calls  # noqa: PLC0415 - as above

    calls = list_charged_calls(seen, items, part, at)
    if calls is None:
        raise NotFound(f"This session has nothing that costs by the name {at[:40]}.")
    return explain_counted_calls(session, calls)


def explain_counted_calls(session: "Session", calls: "Iterable[UsageSnapshot]") -> "Explanation":
    """Show where the cost of some calls of a session comes from."""
    from bough.query.usage.explain import explain_calls  # noqa: PLC0415 - as above

    return explain_calls(session, calls, load_settings())


def _explain_branch(session: "Session", tip: str) -> "Explanation":
    from bough.model.outline.branch_path import (  # noqa: PLC0415 - as above
        find_conversation_through,
        path_to_tip,
    )
    from bough.query.priced_outline import outline_with_prices  # noqa: PLC0415 - as above

    conversation = find_conversation_through(session, session.find(tip))
    seen = outline_with_prices(session)
    return explain_cost(session, seen, path_to_tip(seen, conversation.tip), "path")


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
