"""Usage: what was spent, by day, week, month, session, project, model, agent, branch or block.

Calls are counted once over everything first, then filtered and added up, so that the parts
of any report sum to the same total.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal, get_args

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from bough.config import Settings
from bough.errors import LATEST, Misuse
from bough.memory import pause_collector
from bough.model.interpret.kept_places import KeptPlace
from bough.model.usage.across_files import FileUsage, charged_session_of, count_once
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.model.usage.price_list import PriceList, apply_overrides
from bough.model.usage.published_prices import PUBLISHED
from bough.model.usage.sums import can_price_sums
from bough.model.usage.tokens import MAIN
from bough.query.usage.calendar import UNDATED, Calendar, DateRange, find_weekday, parse_date_range
from bough.query.usage.client_limits import ClientLimit, list_client_limits
from bough.query.usage.sources import UsageSource
from bough.query.usage.time_zones import find_zone, identify_zone
from bough.query.usage.totals import CountedUsage, KeyOf, LedgerEntry, sum_by_key
from bough.query.usage.usage_lookup import find_usage_project, find_usage_session
from bough.query.usage.usage_rows import Json, UsageRow, sort_by_cost, sort_rows, sum_amounts
from bough.store.usage_protocol import SumKey, SumRequest

ReportName = Literal[
    "daily", "weekly", "monthly", "session", "project", "model", "agent", "branch", "blocks"
]
REPORTS: tuple[ReportName, ...] = get_args(ReportName)
BY = ("model", "project", "session", "agent", "agent-type", "machine", "member")
"""What rows may be broken down by."""
BY_FOLDER = "folder"
"""For lists: by the whole folders of projects, as machines may have some of the same name."""

_TIME_REPORTS = ("daily", "weekly", "monthly", "blocks")
_NAMED_REPORTS = ("project", "agent", "agent-type")
_NAMING_REPORTS = ("session", "agent", "branch")
_SUMMED_BY: Mapping[str | None, SumKey] = {
    "daily": "quarter",
    "weekly": "quarter",
    "monthly": "quarter",
    "blocks": "quarter",
    "session": "session",
    "project": "project",
    "agent": "agent",
    "agent-type": "agent",
    "branch": "file",
    BY_FOLDER: "folder",
    "machine": "machine",
    "member": "machine",
}
_OF_TEAMS = ("machine", "member")
_KEPT_REPORTS = ("session", "branch")
_MAIN_LINE = "main"
_INLINE = "inline"
"""The agents that have no file of their own."""
_NO_TYPE = "unknown"
"""The type of an agent of which the client kept none."""


class UsageQuestion(Struct, frozen=True, kw_only=True):
    """What is asked. Words for time are read in `zone`; see `bough.query.report_usage.calendar`.

    `existing` leaves out what was spent in sessions that are deleted since; `within` are the names
    of folders, where only some projects are asked about.
    """

    report: str = "daily"
    by: str | None = None
    since: str | None = None
    until: str | None = None
    zone: str | None = None
    week_start: str | None = None
    project: str | None = None
    session: str | None = None
    existing: bool = False
    within: tuple[str, ...] | None = None


class UsageTable(Struct, frozen=True):
    """A report: rows that sum to the total, and models without a price among them.

    `names` are what people call the projects in it, by folder. `limits` are those of the
    subscription, as the client says; None in reports that have nothing to do with them. `kept` are
    sessions whose file the client deleted, by their ids, in a report by session.
    """

    rows: Sequence[UsageRow]
    total: UsageTotal
    unpriced: Mapping[str, UsageTotal]
    notes: Sequence[str] = ()
    names: Mapping[str, str] = {}
    limits: Sequence[ClientLimit] | None = None
    kept: Mapping[str, KeptPlace] = {}


class Ledger(Struct, frozen=True):
    """The calls that a question is about, and how they are to be priced and dated.

    `usages` are the files, where the report names sessions, projects or agents.
    """

    question: UsageQuestion
    usages: Sequence[FileUsage]
    calls: Sequence[LedgerEntry]
    prices: PriceList
    calendar: Calendar
    stretch: DateRange
    source: UsageSource


def report_usage(
    question: UsageQuestion,
    source: UsageSource,
    *,
    now: datetime,
    settings: Settings | None = None,
    calls: Sequence[LedgerEntry] | None = None,
) -> UsageTable:
    """Answer a question about usage; of these calls, where they are given, else of all."""
    _check_question(question, source)
    options = settings or Settings()
    with pause_collector():
        rows: Sequence[UsageRow] | None = None
        if calls is None and question.report in _KEPT_REPORTS:
            rows = _load_or_count_rows(question, source, now, options)
        elif calls is None and (question.report == "project" or question.by is not None):
            rows = _load_or_make_rows(question, source, now, options)
        if rows is None:
            rows = _count_rows(open_ledger(question, source, now, options, calls), now)
        names = {} if "project" not in (question.report, question.by) else source.project_names()
        if question.report == "project":
            rows = [_relabel(row, label=names.get(row.key)) for row in rows]
    problems = apply_overrides(options.prices).problems
    table = _build_table(rows, [*source.notes, *problems], names)
    if question.report == "session":
        return replace(table, kept=source.kept_places())
    if question.report != "blocks":
        return table
    return replace(table, limits=list_client_limits(now))


def _count_rows(ledger: "Ledger", now: datetime) -> Sequence[UsageRow]:
    if ledger.question.report == "blocks":
        from bough.query.usage.by_window import window_rows  # noqa: PLC0415 - it builds on this module

        return window_rows(ledger, now)
    if ledger.question.report == "branch":
        from bough.query.usage.by_branch import branch_rows  # noqa: PLC0415 - it builds on this module

        return branch_rows(ledger)
    return _build_rows(ledger)


def _load_or_count_rows(
    question: UsageQuestion, source: UsageSource, now: datetime, settings: Settings
) -> Sequence[UsageRow] | None:
    """Give rows by session or branch, counted again only where something changed.

    None where sums cannot tell, and where only some of the rows are asked for.
    """
    store = source.store
    if store is None or (question.project, question.session, question.within) != (None,) * 3:
        return None
    from bough.query.usage.kept_rows import load_or_count_rows  # noqa: PLC0415 - only with an index

    ledger = _begin_ledger(question, source, now, settings)

    def count(sessions: tuple[str, ...] | None) -> Sequence[UsageRow] | None:
        found = _load_sums(question, source, ledger.stretch, ledger.prices, sessions)
        if found is None:
            return None
        usages, calls = found
        return _count_rows(replace(ledger, usages=usages, calls=calls), now)

    words, facts = _name_question(ledger, settings)
    return load_or_count_rows(store, words, facts, count)


def _load_or_make_rows(
    question: UsageQuestion, source: UsageSource, now: datetime, settings: Settings
) -> Sequence[UsageRow] | None:
    """Give rows that hold several sessions each, counted again after any change.

    None where only some of the rows are asked for.

    Fast path: `usage daily --by project` on 12,400 sessions, 250 ms less where nothing changed.
    """
    store = source.store
    if store is None or (question.project, question.session, question.within) != (None,) * 3:
        return None
    from bough.query.usage.kept_rows import load_or_make_rows  # noqa: PLC0415 - only with an index

    ledger = _begin_ledger(question, source, now, settings)
    words, facts = _name_question(ledger, settings)
    days = (
        identify_zone(question.zone or settings.zone),
        question.week_start or settings.week_start,
    )
    return load_or_make_rows(
        store,
        words,
        (facts, days),
        lambda: _count_rows(open_ledger(question, source, now, settings), now),
    )


def _name_question(ledger: Ledger, settings: Settings) -> tuple[object, object]:
    """Give the words of a question, and what they mean now beside the files."""
    question = ledger.question
    words = (question.report, question.by, question.since, question.until, question.existing)
    stretch = (ledger.stretch.since, ledger.stretch.until)
    return (*words, ledger.source.roots), (stretch, settings.prices, PUBLISHED)


def open_ledger(
    question: UsageQuestion,
    source: UsageSource,
    now: datetime,
    settings: Settings,
    calls: Sequence[LedgerEntry] | None = None,
) -> Ledger:
    """Find the calls that are asked about, each counted once over everything."""
    ledger = _begin_ledger(question, source, now, settings)
    # Blocks are cut from all calls and chosen afterwards: where one begins must not depend
    # on what is shown.
    within = DateRange() if question.report == "blocks" else ledger.stretch
    found: _Found | None = None if calls is None else (_list_files(question, source), calls)
    found = found or _load_sums(question, source, within, ledger.prices)
    usages, counted = found or _load_calls(question, source, within)
    return replace(ledger, usages=usages, calls=counted)


def _begin_ledger(
    question: UsageQuestion, source: UsageSource, now: datetime, settings: Settings
) -> Ledger:
    """Read a question's words, before any call is looked at."""
    zone = find_zone(question.zone or settings.zone)
    asked = parse_date_range(question.since, question.until, now, zone)
    week_start = find_weekday(question.week_start or settings.week_start)
    prices = apply_overrides(settings.prices)
    return Ledger(question, (), (), prices, Calendar(zone, week_start), asked, source)


_Found = tuple[Sequence[FileUsage], Sequence[LedgerEntry]]


def _load_sums(
    question: UsageQuestion,
    source: UsageSource,
    within: DateRange,
    prices: PriceList,
    sessions: tuple[str, ...] | None = None,
) -> _Found | None:
    """Ask for sums, of all or of some sessions, where they can tell what the calls would."""
    if source.store is None:
        return None
    by: set[SumKey] = {_SUMMED_BY[question.report]} if question.report in _SUMMED_BY else set()
    if question.by in _SUMMED_BY:
        by.add(_SUMMED_BY[question.by])
    asked_for = question.project is not None or question.session is not None
    usages: Sequence[FileUsage] = ()
    if asked_for or question.report in _NAMING_REPORTS or question.by == "agent-type":
        usages = _list_files(question, source, sessions)
    request = SumRequest(
        frozenset(by),
        None if question.project is None else find_usage_project(question.project, usages),
        None if question.session is None else find_usage_session(question.session, usages),
        within.since,
        within.until,
        existing=question.existing,
        sessions=sessions,
        projects=question.within,
    )
    calls = source.sums(request)
    if calls is None or not all(
        can_price_sums(model, prices) for model in {line.model for _, line in calls}
    ):
        return None
    return usages, calls


def _list_files(
    question: UsageQuestion, source: UsageSource, sessions: tuple[str, ...] | None = None
) -> Sequence[FileUsage]:
    """List the files that rows may be named by."""
    usages = source.files(dated=question.session == LATEST, sessions=sessions)
    return [one for one in usages if not one.deleted] if question.existing else usages


def _load_calls(question: UsageQuestion, source: UsageSource, within: DateRange) -> _Found:
    """Count all calls once, and keep those that are asked about."""
    named = question.project is not None or not {question.report, question.by}.isdisjoint(
        _NAMED_REPORTS
    )
    usages = source.usages(named=named)
    if question.existing:
        usages = [usage for usage in usages if not usage.deleted]
    calls = count_once(usages)
    if question.project is not None:
        project = find_usage_project(question.project, usages)
        calls = [entry for entry in calls if entry[0].project == project]
    if question.within is not None:
        calls = [entry for entry in calls if entry[0].project in question.within]
    if question.session is not None:
        session = find_usage_session(question.session, usages)
        calls = [entry for entry in calls if charged_session_of(*entry) == session]
    if within != DateRange():
        calls = [entry for entry in calls if within.contains(entry[1].timestamp)]
    return usages, calls


def usage_document(answer: UsageTable) -> Json:
    """Give the answer as it is printed in JSON."""
    found: Json = {
        "rows": [_row_document(row) for row in answer.rows],
        "totals": amount_document(answer.total),
        "unpriced_models": list(answer.unpriced),
    }
    if answer.limits is not None:
        found["limits"] = [to_builtins(limit) for limit in answer.limits]
    return found


def usage_records(answer: UsageTable) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Give the answer as columns and rows of plain values, for a spreadsheet.

    Where rows are broken down, each part is a row: they add up to the same total.
    """
    numbers = tuple(amount_document(NO_USAGE))
    columns = ("key", "label", "part", *numbers)
    rows = [
        (row.key, row.label, part, *_list_numbers(amount))
        for row in answer.rows
        for part, amount in (row.by.items() if row.by else ((None, row.amount),))
    ]
    return columns, rows


def _list_numbers(amount: UsageTotal) -> tuple[object, ...]:
    values = amount_document(amount).values()
    return tuple(" ".join(value) if isinstance(value, list) else value for value in values)


def amount_document(amount: UsageTotal) -> Json:
    """Give the numbers of an amount as they are printed in JSON."""
    return {
        "input_tokens": amount.input_tokens,
        "output_tokens": amount.output_tokens,
        "cache_creation_tokens": amount.cache_creation_tokens,
        "cache_read_tokens": amount.cache_read_tokens,
        "cost_usd": amount.usd,
        "unpriced_models": amount.cost.unpriced_models,
    }


def _check_question(question: UsageQuestion, source: UsageSource) -> None:
    if question.report not in REPORTS:
        raise Misuse(f"No report is called {question.report}. There are {', '.join(REPORTS)}.")
    if question.by is not None and question.by not in (*BY, BY_FOLDER):
        raise Misuse(f"--by takes {', '.join(BY)}, not {question.by}.")
    if question.by in _OF_TEAMS and not source.is_team:
        raise Misuse(
            f"--by {question.by} is for a team's store: name one with --store. "
            "What is read here is all of one machine."
        )
    if question.by is not None and question.report in ("blocks", "branch"):
        raise Misuse(f"The report {question.report} cannot be broken down: leave out --by.")


def _build_rows(ledger: Ledger) -> list[UsageRow]:
    report, by = ledger.question.report, ledger.question.by
    key_of = _key_of(report, ledger.calendar)
    if by is None or by == "model":
        found = sum_by_key(ledger.calls, key_of, ledger.prices)
        parts = found if by else {}
    else:
        found, parts = _break_down(ledger, key_of, make_part_of(by, ledger.usages))
    rows = [
        UsageRow(
            key,
            sum_amounts(models.values()),
            sort_by_cost(models),
            sort_by_cost(parts.get(key, {})),
        )
        for key, models in found.items()
    ]
    if report in _TIME_REPORTS:
        rows.sort(key=lambda row: (row.key == UNDATED, row.key))
    else:
        rows = sort_rows(rows)
    return list(_label_rows(report, rows, ledger.usages))


def _break_down(
    ledger: Ledger, key_of: "_KeyOf", part_of: "_KeyOf"
) -> tuple[dict[str, dict[str, UsageTotal]], dict[str, dict[str, UsageTotal]]]:
    """Add up by key and model, and by key and part."""
    both = sum_by_key(
        ledger.calls, lambda usage, line: (key_of(usage, line), part_of(usage, line)), ledger.prices
    )
    found: dict[str, dict[str, UsageTotal]] = {}
    parts: dict[str, dict[str, UsageTotal]] = {}
    for (key, part), models in both.items():
        parts.setdefault(key, {})[part] = sum_amounts(models.values())
        mine = found.setdefault(key, {})
        for model, amount in models.items():
            mine[model] = mine.get(model, NO_USAGE) + amount
    return found, parts


_KeyOf = KeyOf[str]


def _key_of(report: str, calendar: Calendar) -> _KeyOf:
    day, week, month = calendar.day, calendar.week, calendar.month
    keys: dict[str, _KeyOf] = {
        "daily": lambda _, line: day(line.timestamp),
        "weekly": lambda _, line: week(line.timestamp),
        "monthly": lambda _, line: month(line.timestamp),
        "session": charged_session_of,
        "project": lambda usage, _: usage.project,
        "model": lambda _, line: line.model,
        "agent": agent_of,
        BY_FOLDER: lambda usage, _: usage.folder,
        "machine": lambda usage, _: usage.machine or "",
        "member": lambda usage, _: usage.owner or "",
    }
    return keys[report]


def make_part_of(by: str, usages: Sequence[FileUsage]) -> _KeyOf:
    """Tell which part of a row that is broken down a call is in."""
    # No part is a stretch of time, so any calendar will do.
    return _make_type_of(usages) if by == "agent-type" else _key_of(by, Calendar(UTC))


def agent_of(usage: FileUsage, line: CountedUsage) -> str:
    """Name the agent that made a call; `inline` are those that live in their session's file."""
    return usage.agent or (_MAIN_LINE if line.rank == MAIN else _INLINE)


def _make_type_of(usages: Sequence[FileUsage]) -> _KeyOf:
    """Tell the type of the agent that made a call; sums know no more of it than its name."""
    types = {usage.agent: usage.agent_type for usage in usages if usage.agent is not None}

    def type_of(usage: FileUsage, line: CountedUsage) -> str:
        agent = agent_of(usage, line)
        return types[agent] or _NO_TYPE if agent in types else agent

    return type_of


def _label_rows(
    report: str, rows: list[UsageRow], usages: Sequence[FileUsage]
) -> Iterable[UsageRow]:
    """Add what a person would call the keys."""
    if report == "session":
        titles = {usage.session: usage.title for usage in usages if usage.agent is None}
        return [_relabel(row, label=titles.get(row.key)) for row in rows]
    if report == "agent":
        agents = {usage.agent: usage for usage in usages if usage.agent is not None}
        return [_label_agent_row(row, agents.get(row.key)) for row in rows]
    return rows


def _label_agent_row(row: UsageRow, usage: FileUsage | None) -> UsageRow:
    about: Json = {
        "session": usage.session if usage else None,
        "type": usage.agent_type if usage else None,
        "description": usage.agent_description if usage else None,
    }
    return _relabel(row, label=usage.agent_description if usage else None, about=about)


def _relabel(row: UsageRow, *, label: str | None, about: Json | None = None) -> UsageRow:
    return UsageRow(row.key, row.amount, row.models, row.by, about or {}, label)


def _build_table(
    rows: Sequence[UsageRow], notes: Sequence[str], names: Mapping[str, str]
) -> UsageTable:
    unpriced: dict[str, UsageTotal] = {}
    for row in rows:
        for model, amount in row.models.items():
            if amount.unpriced_calls:
                unpriced[model] = unpriced.get(model, NO_USAGE) + amount
    return UsageTable(
        rows,
        sum_amounts(row.amount for row in rows),
        dict(sorted(unpriced.items())),
        tuple(dict.fromkeys(notes)),
        names,
    )


def _row_document(row: UsageRow) -> Json:
    found: Json = {"key": row.key, "models": list(row.models), **amount_document(row.amount)}
    if row.by:
        found["by"] = [{"key": name, **amount_document(amount)} for name, amount in row.by.items()]
    found |= row.about
    if row.path is not None:
        found |= {"own": amount_document(row.amount), "path": amount_document(row.path)}
    return found
