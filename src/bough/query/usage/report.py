"""Usage: what was spent, by day, week, month, session, project, model, agent, branch or block.

Calls are counted once over everything first, then filtered and added up, so that the parts
of any report sum to the same total.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, get_args

from msgspec import Struct

from bough.config import Settings
from bough.errors import Misuse
from bough.model.usage.across_files import MAIN, Book, Entry, Reported, count_once
from bough.model.usage.amounts import NOTHING, Amount
from bough.model.usage.price_list import PriceList, with_overrides
from bough.query.ledger_finding import find_project, find_session
from bough.query.usage.calendar import UNDATED, Calendar, Stretch, stretch, weekday_named
from bough.query.usage.sources import Source
from bough.query.usage.time_zones import zone_named
from bough.query.usage.totals import at_rest, tally

Report = Literal[
    "daily", "weekly", "monthly", "session", "project", "model", "agent", "branch", "blocks"
]
REPORTS: tuple[Report, ...] = get_args(Report)
BY = ("model", "project", "session", "agent")
"""What rows may be broken down by."""

_IN_TIME = ("daily", "weekly", "monthly", "blocks")
_NAMED = ("project", "agent")
_MAIN_LINE = "main"
_INLINE = "inline"
"""The agents that have no file of their own."""

Json = dict[str, object]


class Question(Struct, frozen=True, kw_only=True):
    """What is asked. Words for time are read in `zone`; see `bough.query.usage.calendar`.

    `existing` leaves out what was spent in sessions that are deleted since.
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


class Row(Struct, frozen=True):
    """One line of a report.

    `models` has the amount of each model, the costliest first; `by` those of the breakdown
    that was asked for. `about` holds what only this kind of report has, `label` what a person
    would call the key. `path` is what a branch used from the start on.
    """

    key: str
    amount: Amount
    models: dict[str, Amount]
    by: dict[str, Amount] = {}
    about: Json = {}
    label: str | None = None
    path: Amount | None = None


class Answer(Struct, frozen=True):
    """A report: rows that sum to the total, and models without a price among them.

    `names` are what people call the projects in it, by folder.
    """

    rows: Sequence[Row]
    total: Amount
    unpriced: Mapping[str, Amount]
    notes: Sequence[str] = ()
    names: Mapping[str, str] = {}


class Counted(Struct, frozen=True):
    """All books, and of each call in them the line that counts."""

    books: Sequence[Book]
    calls: Sequence[Entry]


class Ledger(Struct, frozen=True):
    """The calls that a question is about, and how they are to be priced and dated."""

    question: Question
    books: Sequence[Book]
    calls: Sequence[Entry]
    prices: PriceList
    calendar: Calendar
    stretch: Stretch
    source: Source


def usage(
    question: Question,
    source: Source,
    *,
    now: datetime,
    settings: Settings | None = None,
    counted: Counted | None = None,
) -> Answer:
    """Answer a question about usage; who asks several counts the calls once for all."""
    _check(question)
    with at_rest():
        ledger = open_ledger(question, source, now, settings or Settings(), counted)
        if question.report == "blocks":
            from bough.query.usage.by_window import block_rows  # noqa: PLC0415 - only this report

            rows = block_rows(ledger, now)
        elif question.report == "branch":
            from bough.query.usage.by_branch import branch_rows  # noqa: PLC0415 - only this report

            rows = branch_rows(ledger)
        else:
            rows = _rows(ledger)
    return _answer(rows, [*source.notes, *ledger.prices.problems], ledger.books)


def count_all(source: Source, *, named: bool = False, existing: bool = False) -> Counted:
    """Count all calls once."""
    books = [book for book in source.books(named=named) if not (existing and book.deleted)]
    return Counted(books, count_once(books))


def open_ledger(
    question: Question,
    source: Source,
    now: datetime,
    settings: Settings,
    counted: Counted | None = None,
) -> Ledger:
    """Count all calls, unless that is done, and keep those that are asked about."""
    named = question.project is not None or not {question.report, question.by}.isdisjoint(_NAMED)
    if counted is None:
        counted = count_all(source, named=named, existing=question.existing)
    books, calls = counted.books, counted.calls
    zone = zone_named(question.zone or settings.zone)
    asked = stretch(question.since, question.until, now, zone)
    if question.project is not None:
        project = find_project(question.project, books)
        calls = [entry for entry in calls if entry[0].project == project]
    if question.session is not None:
        session = find_session(question.session, books)
        calls = [entry for entry in calls if entry[0].session == session]
    # Blocks are cut from all calls and chosen afterwards: where one begins must not depend
    # on what is shown.
    if question.report != "blocks" and asked != Stretch():
        calls = [entry for entry in calls if asked.holds(entry[1].timestamp)]
    week_start = weekday_named(question.week_start or settings.week_start)
    return Ledger(
        question,
        books,
        list(calls),
        with_overrides(settings.prices),
        Calendar(zone, week_start),
        asked,
        source,
    )


def document(answer: Answer) -> Json:
    """Give the answer as it is printed in JSON."""
    return {
        "rows": [_row_document(row) for row in answer.rows],
        "totals": numbers(answer.total),
        "unpriced_models": list(answer.unpriced),
    }


def numbers(amount: Amount) -> Json:
    """Give the numbers of an amount as they are printed in JSON."""
    return {
        "input_tokens": amount.input_tokens,
        "output_tokens": amount.output_tokens,
        "cache_creation_tokens": amount.cache_creation_tokens,
        "cache_read_tokens": amount.cache_read_tokens,
        "cost_usd": amount.cost_usd,
    }


def costliest_first(amounts: Mapping[str, Amount]) -> dict[str, Amount]:
    """Sort by cost, then by tokens, then by name."""
    names = sorted(amounts, key=lambda name: (*_weight(amounts[name]), name))
    return {name: amounts[name] for name in names}


def summed(amounts: Iterable[Amount]) -> Amount:
    """Add amounts up."""
    return sum(amounts, NOTHING)


def _check(question: Question) -> None:
    if question.report not in REPORTS:
        raise Misuse(f"No report is called {question.report}. There are {', '.join(REPORTS)}.")
    if question.by is not None and question.by not in BY:
        raise Misuse(f"--by takes {', '.join(BY)}, and {question.by} is none of them.")
    if question.by is not None and question.report in ("blocks", "branch"):
        raise Misuse(f"The report {question.report} cannot be broken down: leave out --by.")


def _rows(ledger: Ledger) -> list[Row]:
    report, by = ledger.question.report, ledger.question.by
    key_of = _key_of(report, ledger.calendar)
    if by is None or by == "model":
        found = tally(ledger.calls, key_of, ledger.prices)
        parts = found if by else {}
    else:
        found, parts = _broken_down(ledger, key_of, _key_of(by, ledger.calendar))
    rows = [
        Row(
            key,
            summed(models.values()),
            costliest_first(models),
            costliest_first(parts.get(key, {})),
        )
        for key, models in found.items()
    ]
    if report in _IN_TIME:
        rows.sort(key=lambda row: (row.key == UNDATED, row.key))
    else:
        rows.sort(key=lambda row: (*_weight(row.amount), row.key))
    return list(_described(report, rows, ledger.books))


def _broken_down(
    ledger: Ledger, key_of: "_KeyOf", part_of: "_KeyOf"
) -> tuple[dict[str, dict[str, Amount]], dict[str, dict[str, Amount]]]:
    """Add up by key and model, and by key and part."""
    both = tally(
        ledger.calls, lambda book, line: (key_of(book, line), part_of(book, line)), ledger.prices
    )
    found: dict[str, dict[str, Amount]] = {}
    parts: dict[str, dict[str, Amount]] = {}
    for (key, part), models in both.items():
        parts.setdefault(key, {})[part] = summed(models.values())
        mine = found.setdefault(key, {})
        for model, amount in models.items():
            mine[model] = mine.get(model, NOTHING) + amount
    return found, parts


_KeyOf = Callable[[Book, Reported], str]


def _key_of(report: str, calendar: Calendar) -> _KeyOf:
    day, week, month = calendar.day, calendar.week, calendar.month
    keys: dict[str, _KeyOf] = {
        "daily": lambda _, line: day(line.timestamp),
        "weekly": lambda _, line: week(line.timestamp),
        "monthly": lambda _, line: month(line.timestamp),
        "session": lambda book, _: book.session,
        "project": lambda book, _: book.project,
        "model": lambda _, line: line.model,
        "agent": agent_of,
    }
    return keys[report]


def agent_of(book: Book, line: Reported) -> str:
    """Name the agent that made a call; `inline` are those that live in their session's file."""
    return book.agent or (_MAIN_LINE if line.rank == MAIN else _INLINE)


def _described(report: str, rows: list[Row], books: Sequence[Book]) -> Iterable[Row]:
    """Add what a person would call the keys."""
    if report == "session":
        titles = {book.session: book.title for book in books if book.agent is None}
        return [_with(row, label=titles.get(row.key)) for row in rows]
    if report == "project":
        named = {book.project: book.project_name for book in books}
        return [_with(row, label=named.get(row.key)) for row in rows]
    if report == "agent":
        agents = {book.agent: book for book in books if book.agent is not None}
        return [_agent_row(row, agents.get(row.key)) for row in rows]
    return rows


def _agent_row(row: Row, book: Book | None) -> Row:
    about: Json = {
        "session": book.session if book else None,
        "type": book.agent_type if book else None,
        "description": book.agent_description if book else None,
    }
    return _with(row, label=book.agent_description if book else None, about=about)


def _with(row: Row, *, label: str | None, about: Json | None = None) -> Row:
    return Row(row.key, row.amount, row.models, row.by, about or {}, label)


def _answer(rows: Sequence[Row], notes: Sequence[str], books: Sequence[Book]) -> Answer:
    unpriced: dict[str, Amount] = {}
    for row in rows:
        for model, amount in row.models.items():
            if amount.unpriced:
                unpriced[model] = unpriced.get(model, NOTHING) + amount
    return Answer(
        rows,
        summed(row.amount for row in rows),
        dict(sorted(unpriced.items())),
        tuple(dict.fromkeys(notes)),
        {book.project: book.project_name for book in books if book.project_name},
    )


def _row_document(row: Row) -> Json:
    found: Json = {"key": row.key, "models": list(row.models), **numbers(row.amount)}
    if row.by:
        found["by"] = [{"key": name, **numbers(amount)} for name, amount in row.by.items()]
    return found | row.about


def _weight(amount: Amount) -> tuple[int, int]:
    return -amount.cost, -amount.tokens
