"""Usage and statistics: what the commands print, and what is behind each number.

Every number comes from the functions that the commands call, asked of an index that this server
keeps current.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from bough import __version__, library
from bough.config import load_settings
from bough.errors import with_tilde
from bough.library import (
    Budgets,
    ExplainedCall,
    ExplainedModel,
    ExplainedShare,
    Explanation,
    IndexHandle,
    SessionRow,
    StatsReport,
    UsageTable,
    UsageTotal,
    amount_document,
    explain_models,
    find_weekday,
    find_zone,
    load_budgets,
    load_or_make_answer,
    parse_date_range,
    sum_left_behind,
)
from bough.memory import return_free_memory
from bough.model.outline.charged_calls import CostPart
from bough.model.usage.costs import NO_USAGE
from bough.web.open_sessions.open_session import ConversationRef
from bough.web.responses import ApiError
from bough.web.routes.compare import compare_open_sessions, find_compared_sessions
from bough.web.routes.conversation import find_open_session
from bough.web.routes.lists import make_kept_sign
from bough.web.runtime.list_cache import ListSnapshot, folder_of
from bough.web.state import AppState
from bough.web.wire.about import NoParams
from bough.web.wire.comparison import CompareQuery
from bough.web.wire.list_rows import KeptSign
from bough.web.wire.usage_report import (
    CallItem,
    ExplanationAnswer,
    ExplanationQuery,
    KeyName,
    ModelCost,
    RangeQuery,
    RangeTotal,
    ReportSessionItem,
    ReportSessionsAnswer,
    ReportSessionsQuery,
    StatsQuery,
    TotalsAnswer,
    UsageAnswer,
    UsageLimit,
    UsageQuery,
    UsageReportRow,
    UsageTotals,
)

_MONTH: Final = "29d"
_KEPT_REPORTS: Final = ("session", "branch")
_MARK: Final = "~"

_pack = msgspec.msgpack.Encoder(order="deterministic").encode
_unpack = msgspec.msgpack.Decoder(UsageAnswer).decode


def report_usage(state: AppState, query: UsageQuery) -> UsageAnswer:
    """Answer what `bough usage` would, with names for the keys."""
    with _lend_index(state) as handle:
        counted = _load_or_count(query, handle, datetime.now(UTC))
    sessions = _sessions_by_id(state)
    named = [_name_row(state, row, sessions) for row in counted.rows]
    return msgspec.structs.replace(counted, rows=named)


def _load_or_count(query: UsageQuery, handle: IndexHandle, moment: datetime) -> UsageAnswer:
    """Count, or give what was counted before where nothing has changed since.

    Reports by session and branch look at every one of them and show the first few. Like reports
    of statistics they are kept in the index until a file changes.
    """
    if query.report not in _KEPT_REPORTS or not query.limit:
        return _count_usage(query, handle, moment)
    settings = load_settings()
    stretch = _find_stretch(query, moment)
    found: UsageAnswer = load_or_make_answer(
        handle.store,
        _pack(("usage", __version__, query, stretch, settings.prices)),
        lambda: _count_usage(query, handle, moment),
        pack=_pack,
        unpack=_unpack,
    )
    return found


def _count_usage(query: UsageQuery, handle: IndexHandle, moment: datetime) -> UsageAnswer:
    table = library.usage(
        query.report,
        by=query.by or None,
        since=query.since or None,
        until=query.until or None,
        zone=query.zone or None,
        week_start=query.week_start or None,
        project=query.project or None,
        session=_own_id(query.session),
        existing=query.existing,
        index=handle,
        now=moment,
    )
    names = dict(table.names)
    if query.by == "agent":
        names |= _name_agents(query, handle, moment)
    first, last = _find_days(query, moment)
    shown = table.rows[: query.limit or None]
    document = library.usage_document(msgspec.structs.replace(table, rows=shown))
    made = msgspec.convert(document["rows"], list[UsageReportRow])
    return UsageAnswer(
        rows=[
            msgspec.structs.replace(one, label=row.label)
            for row, one in zip(shown, made, strict=True)
        ],
        totals=_make_amount(table.total),
        unpriced_models=list(table.unpriced),
        total_rows=len(table.rows),
        names=[KeyName(key, name) for key, name in sorted(names.items())],
        notes=list(table.notes),
        first_day=first,
        last_day=last,
        left_behind=_make_amount(sum_left_behind(table.rows)) if query.report == "branch" else None,
        limits=msgspec.convert(document.get("limits", []), list[UsageLimit]),
    )


def sum_recent(state: AppState, _: NoParams) -> TotalsAnswer:
    """Add up today, this week and 30 days."""
    with _lend_index(state) as handle:
        moment = datetime.now(UTC)

        def add_up(since: str) -> RangeTotal:
            table = library.usage("model", since=since, index=handle, now=moment)
            return RangeTotal(since, _make_amount(table.total))

        today = add_up("today")
        # A team has budgets of its own; these are of who works here.
        budgets = Budgets() if state.member is not None else load_budgets()
        return TotalsAnswer(
            today,
            add_up(find_weekday(load_settings().week_start)),
            add_up(_MONTH),
            budgets.share_day(today.amount.cost_usd),
        )


def explain_cost(state: AppState, query: ExplanationQuery) -> ExplanationAnswer:
    """Say what is behind a cost: of a session call by call, of anything else by model."""
    match query.part:
        case "":
            pass
        case "a" | "b":
            return _list_calls(_explain_side(state, query), query)
        case part:
            return _list_calls(_explain_part(state, query, part), query)
    with _lend_index(state) as handle:
        if query.session:
            return _list_calls(_explain_session(query, handle), query)
        table = _report_models(query, handle)
    amounts = {row.key: row.amount for row in table.rows}
    return ExplanationAnswer(
        session=None,
        title=None,
        totals=_make_amount(table.total),
        models=[_make_model_cost(one) for one in explain_models(amounts, load_settings())],
        total_calls=table.total.calls,
        calls=[],
        notes=list(table.notes),
    )


def make_stats_route(report: str) -> Callable[[AppState, StatsQuery], StatsReport]:
    """Make what answers one report of statistics."""

    def report_stats(state: AppState, query: StatsQuery) -> StatsReport:
        with _lend_index(state) as handle:
            return library.stats(
                None if report == "overview" else report,
                project=query.project or None,
                session=_own_id(query.session),
                since=query.since or None,
                until=query.until or None,
                zone=query.zone or None,
                limit=query.limit or None,
                index=handle,
                now=datetime.now(UTC),
            )

    return report_stats


def list_sessions_behind(state: AppState, query: ReportSessionsQuery) -> ReportSessionsAnswer:
    """List the sessions behind a row of a report of statistics."""
    with _lend_index(state) as handle:
        found = library.stats_sessions(
            query.report,
            query.key,
            project=query.project or None,
            session=_own_id(query.session),
            since=query.since or None,
            until=query.until or None,
            zone=query.zone or None,
            index=handle,
            now=datetime.now(UTC),
        )
    lists, sessions = state.lists(), _sessions_by_id(state)
    rows = [
        ReportSessionItem(
            one.session,
            _open_id(state, sessions.get(one.session)),
            _title_of(sessions.get(one.session), one.session),
            _project_name(lists, sessions.get(one.session)) or "",
            one.count,
            one.last,
            _make_sign(sessions.get(one.session)),
        )
        for one in found
    ]
    return ReportSessionsAnswer(len(rows), rows)


@contextmanager
def _lend_index(state: AppState) -> Iterator[IndexHandle]:
    if not state.ready:
        raise ApiError(409, "not_ready", "Nothing is read yet, so nothing can be counted.")
    with state.source.lend_handle() as handle:
        try:
            yield handle
        finally:
            # Each thread has an index of its own open, and a report goes through much of it.
            handle.store.release_pages()
            return_free_memory()


def _own_id(session: str) -> str | None:
    """Give the id a session has itself: an address may name a copy of it by a mark."""
    return session.partition(_MARK)[0] or None


def _report_models(query: RangeQuery, handle: IndexHandle) -> UsageTable:
    return library.usage(
        "model",
        since=query.since or None,
        until=query.until or None,
        zone=query.zone or None,
        project=query.project or None,
        index=handle,
        now=datetime.now(UTC),
    )


def _name_agents(query: UsageQuery, handle: IndexHandle, moment: datetime) -> dict[str, str]:
    table = library.usage(
        "agent",
        since=query.since or None,
        until=query.until or None,
        zone=query.zone or None,
        project=query.project or None,
        session=_own_id(query.session),
        existing=query.existing,
        index=handle,
        now=moment,
    )
    named = {row.key: row.label or str(row.about.get("type") or "") for row in table.rows}
    return {key: name for key, name in named.items() if name}


def _find_days(query: RangeQuery, moment: datetime) -> tuple[str | None, str | None]:
    """Name the first and the last day of a stretch, as its zone has them."""
    zone = find_zone(query.zone or load_settings().zone)
    since, until = _find_stretch(query, moment)
    first = datetime.fromisoformat(since).astimezone(zone) if since else None
    last = moment.astimezone(zone)
    if until:
        last = (datetime.fromisoformat(until) - timedelta(milliseconds=1)).astimezone(zone)
    return first.date().isoformat() if first else None, last.date().isoformat()


def _find_stretch(query: RangeQuery, moment: datetime) -> tuple[str | None, str | None]:
    zone = find_zone(query.zone or load_settings().zone)
    stretch = parse_date_range(query.since or None, query.until or None, moment, zone)
    return stretch.since, stretch.until


def _sessions_by_id(state: AppState) -> dict[str, SessionRow]:
    return {row.id: row for row in state.lists().rows}


def _name_row(
    state: AppState, row: UsageReportRow, sessions: Mapping[str, SessionRow]
) -> UsageReportRow:
    """Add the session that addresses can name, its project, and where it is kept."""
    known = sessions.get(row.session or row.key)
    return msgspec.structs.replace(
        row,
        open_id=_open_id(state, known),
        project_name=_project_name(state.lists(), known),
        kept=_make_sign(known),
    )


def _make_sign(row: SessionRow | None) -> KeptSign | None:
    return make_kept_sign(row.kept_in) if row is not None else None


def _open_id(state: AppState, row: SessionRow | None) -> str | None:
    """Name a session as addresses do; one that was deleted cannot be opened."""
    if row is None or row.deleted_at is not None:
        return None
    return state.session_ids.id_of(row.path)


def _title_of(row: SessionRow | None, session: str) -> str:
    return row.title if row is not None else session[:8]


def _project_name(lists: ListSnapshot, row: SessionRow | None) -> str | None:
    if row is None:
        return None
    project = lists.project(folder_of(row))
    return project.name if project is not None else row.project


def _make_amount(amount: UsageTotal) -> UsageTotals:
    return msgspec.convert(amount_document(amount), UsageTotals)


def _explain_session(query: ExplanationQuery, handle: IndexHandle) -> Explanation:
    share = ExplainedShare(
        query.since or None,
        query.until or None,
        query.zone or None,
        query.by or None,
        query.key,
    )
    return library.explain_usage(_own_id(query.session) or "", share=share, index=handle)


def _explain_part(state: AppState, query: ExplanationQuery, part: CostPart) -> Explanation:
    """Explain a cost that stands in a session itself, as the page of the session counted it."""
    which = ConversationRef(query.tip or None, query.agent or None, query.to or None)
    view = find_open_session(state, query.session).full_view(which)
    return library.explain_cost(view.session, view.session_outline, view.items, part, query.at)


def _explain_side(state: AppState, query: ExplanationQuery) -> Explanation:
    compared = CompareQuery(query.a, query.b, query.other)
    one, other = find_compared_sessions(state, query.session, compared)
    seen = compare_open_sessions(one, other, compared)
    if query.part == "a":
        return library.explain_counted_calls(one.session, seen.a.calls)
    return library.explain_counted_calls((other or one).session, seen.b.calls)


def _list_calls(found: Explanation, query: ExplanationQuery) -> ExplanationAnswer:
    amounts: dict[str, UsageTotal] = {}
    for call in found.calls:
        if call.counted_in == found.session:
            amounts[call.model] = amounts.get(call.model, NO_USAGE) + call.amount
    shown: Sequence[ExplainedCall] = found.calls[query.first : query.first + query.limit]
    return ExplanationAnswer(
        session=found.session,
        title=found.title,
        totals=_make_amount(found.total),
        models=[_make_model_cost(one) for one in explain_models(amounts, load_settings())],
        total_calls=len(found.calls),
        calls=[_make_call_cost(call, found.session) for call in shown],
        notes=list(found.notes),
    )


def _make_model_cost(one: ExplainedModel) -> ModelCost:
    price = one.price
    return msgspec.convert(
        {
            **amount_document(one.amount),
            "model": price.model,
            "calls": one.amount.calls,
            "price_name": price.name,
            "as_of": price.as_of,
            "rates": price.rates,
            "above": price.above,
            "rates_above": price.rates_above,
            "fast_multiplier": price.fast_multiplier,
            "web_search_usd": price.web_search,
        },
        ModelCost,
    )


def _make_call_cost(call: ExplainedCall, session: str) -> CallItem:
    line = call.lines[0]
    return msgspec.convert(
        {
            **amount_document(call.amount),
            "model": call.model,
            "timestamp": line.timestamp,
            "message_id": call.message_id,
            "counted_in": call.counted_in,
            "counted_here": call.counted_in == session,
            "priced": not call.amount.unpriced_calls,
            "file": with_tilde(line.file),
            "line": line.line,
            "other_lines": len(call.lines) - 1,
        },
        CallItem,
    )
