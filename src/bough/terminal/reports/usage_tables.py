"""Reports of `bough usage` as tables, with what is to be said about them on stderr."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from msgspec import Struct

from bough.model.interpret.kept_places import KeptPlace
from bough.model.text.formats import (
    ENGLISH,
    MISSING,
    TimeFormat,
    format_age,
    format_clock,
    format_cost,
    format_count,
    format_duration,
    format_moment,
    format_percent,
    format_plural,
    format_tokens,
)
from bough.model.usage.costs import UsageTotal
from bough.query.usage.client_limits import ClientLimit
from bough.query.usage.report import UsageTable
from bough.query.usage.usage_rows import UsageRow as Spent
from bough.terminal.list_cells import format_kept_sign, shorten_model
from bough.terminal.style import UNICODE, Glyphs, Role, StyledLine
from bough.terminal.table import Cell, Column, TableRow, draw_table
from bough.terminal.text import fit

_SHORT: Final = 8
_LEAST: Final = 12
_LONGEST_MODEL: Final = 80
_HEADS: Final = {
    "daily": "DAY",
    "weekly": "WEEK",
    "monthly": "MONTH",
    "session": "SESSION",
    "project": "PROJECT",
    "model": "MODEL",
    "agent": "AGENT",
}


class UsageCanvas(Struct, frozen=True):
    """What a table is set for: the signs, the width, the moment, the zone, the locale."""

    now: datetime
    zone: tzinfo | None = None
    glyphs: Glyphs = UNICODE
    columns: int | None = None
    words: TimeFormat = ENGLISH


def render_usage(
    answer: UsageTable, report: str, page: UsageCanvas, *, every_day: bool = False
) -> list[StyledLine]:
    """Draw a report; `every_day` shows days without use too."""
    if not answer.rows:
        return []
    if report == "blocks":
        return _render_blocks(answer, page)
    if report == "branch":
        return _render_branches(answer, page)
    columns = [
        Column(_HEADS[report], least=_LEAST),
        *_TOKENS,
        Column("COST", right=True),
        *(Column(title, leaves=leaves, least=_LEAST) for title, leaves in _NOTES[report]),
    ]
    name = _choose_namer(report, page)
    rows: list[TableRow] = []
    shown = _fill_empty_days(answer.rows) if every_day else list(answer.rows)
    for row in shown:
        sign = format_kept_sign(answer.kept.get(row.key, KeptPlace.FILE), page.glyphs)
        tail = _render_tail(row, report, sign)
        rows.append((Cell(name(row)), *_render_numbers(row.amount), *tail))
        rows += (
            _render_part(answer.names.get(part, part), amount, report, page)
            for part, amount in row.by.items()
        )
    blank = [""] * (len(columns) - 6)
    rows.append((Cell("TOTAL", Role.HEADER), *_render_numbers(answer.total), *blank))
    return _draw_filled_columns(columns, rows, page)


def collect_notes(answer: UsageTable) -> list[str]:
    """Say what a person should know about the numbers."""
    talk = list(answer.notes)
    if unpriced := answer.unpriced:
        listed = ", ".join(
            f"{fit(model, _LONGEST_MODEL)} ({format_plural(amount.unpriced_calls, 'call')}, "
            f"{format_tokens(amount.output_tokens)} out)"
            for model, amount in unpriced.items()
        )
        some = "1 model has" if len(unpriced) == 1 else f"{format_count(len(unpriced))} models have"
        talk.append(f"{some} no price: {listed}. See bough usage --explain SESSION.")
    if answer.total.cost.unpriced - answer.unpriced.keys():
        talk.append("Web searches or fast mode without a known price are not in the cost.")
    return talk


def name_day(day: date, today: date, words: TimeFormat) -> str:
    """Write a day with its weekday; one of another year by its date."""
    if day.year != today.year:
        return day.isoformat()
    return f"{words.weekdays[day.weekday()]} {day.day} {words.months[day.month - 1]}"


_TOKENS: Final = (
    Column("IN", right=True, leaves=5),
    Column("OUT", right=True, leaves=6),
    Column("CACHE W", right=True, leaves=3),
    Column("CACHE R", right=True, leaves=4),
)
_MODELS: Final = ("MODELS", 2)
_NOTES: Final = {
    "daily": (_MODELS,),
    "weekly": (_MODELS,),
    "monthly": (_MODELS,),
    "session": (_MODELS, ("TITLE", 7)),
    "project": (_MODELS, ("FOLDER", 1)),
    "model": (),
    "agent": (("TYPE", 7), ("DESCRIPTION", 8), _MODELS),
}
"""What stands behind the numbers, and its turn to leave."""


def _render_numbers(amount: UsageTotal) -> tuple[Cell | str, ...]:
    return (*_render_tokens(amount), format_amount(amount))


def _render_tokens(amount: UsageTotal) -> tuple[str, ...]:
    counts = (
        amount.input_tokens,
        amount.output_tokens,
        amount.cache_creation_tokens,
        amount.cache_read_tokens,
    )
    return tuple(format_count(number) if number else MISSING for number in counts)


def format_amount(amount: UsageTotal) -> str:
    """Write what an amount cost, and whether that is all of it."""
    return format_cost(amount.usd, partly_unknown=not amount.cost.is_complete, in_table=True)


def _render_tail(row: Spent, report: str, sign: str) -> tuple[Cell, ...]:
    models = Cell(", ".join(map(shorten_model, row.models)), Role.META)
    match report:
        case "model":
            return ()
        case "session":
            named = Cell(row.label, note=sign) if row.label else Cell(sign, Role.META)
            return models, named
        case "project":
            return models, Cell(row.key, Role.META)
        case "agent":
            return Cell(str(row.about.get("type") or ""), Role.AGENT), Cell(row.label or ""), models
        case _:
            return (models,)


def _render_part(name: str, amount: UsageTotal, report: str, page: UsageCanvas) -> TableRow:
    blank = [""] * len(_NOTES[report])
    return (
        Cell(f"{page.glyphs.below} {shorten_model(name)}", Role.META),
        *_render_numbers(amount),
        *blank,
    )


def _choose_namer(report: str, page: UsageCanvas) -> Callable[[Spent], str]:
    today = page.now.astimezone(page.zone).date()

    def dated(row: Spent) -> str:
        try:
            return name_day(date.fromisoformat(row.key), today, page.words)
        except ValueError:
            return row.key

    def month(row: Spent) -> str:
        try:
            first = date.fromisoformat(f"{row.key}-01")
        except ValueError:
            return row.key
        return f"{page.words.months[first.month - 1]} {first.year}"

    names: dict[str, Callable[[Spent], str]] = {
        "daily": dated,
        "weekly": dated,
        "monthly": month,
        "session": lambda row: row.key[:_SHORT],
        "project": lambda row: row.label or row.key,
    }
    return names.get(report, lambda row: row.key)


def _fill_empty_days(rows: Sequence[Spent]) -> list[Spent]:
    """Put a row for every day between the first and the last."""
    found: list[Spent] = []
    before: date | None = None
    for row in rows:
        try:
            day = date.fromisoformat(row.key)
        except ValueError:
            found.append(row)
            continue
        while before is not None and (before := before + timedelta(days=1)) < day:
            found.append(Spent(before.isoformat(), UsageTotal(), {}))
        found.append(row)
        before = day
    return found


def _render_blocks(answer: UsageTable, page: UsageCanvas) -> list[StyledLine]:
    columns = (
        Column("BLOCK"),
        *_TOKENS,
        Column("COST", right=True),
        Column("PER MIN", right=True, leaves=2),
        Column("PER HOUR", right=True, leaves=2),
        Column("AT ITS END", right=True, leaves=2),
        Column("MODELS", leaves=1, least=_LEAST),
    )
    rows: list[TableRow] = []
    for row in answer.rows:
        start, end = (datetime.fromisoformat(str(row.about[key])) for key in ("start", "end"))
        if row.about["gap"]:
            text = f"{format_moment(start, page.now, page.zone, page.words)}, nothing for "
            gap = Cell(text + format_duration((end - start).total_seconds()), Role.META)
            rows.append((gap, *[""] * (len(columns) - 1)))
        else:
            rows.append(_render_block(row, start, end, page))
    total = (*_render_numbers(answer.total), "", "", "", "")
    rows.append((Cell("TOTAL", Role.HEADER), *total))
    lines = draw_table(columns, rows, page.glyphs, page.columns)
    if answer.limits:
        said = [f"The client says: {describe_limit(limit, page)}" for limit in answer.limits]
        lines += [(), *(((Role.META, line),) for line in said)]
    return lines


def describe_limit(limit: ClientLimit, page: UsageCanvas) -> str:
    """Say how much of a limit is used, until when, and how old that is."""
    words = f"{limit.label} {format_percent(limit.used_percentage / 100)} used"
    if limit.resets_at is not None:
        resets = datetime.fromisoformat(limit.resets_at)
        # Five hours ahead the time of day says it all, also behind midnight.
        clock = format_clock(resets, page.zone, page.words)
        day = format_moment(resets, page.now, page.zone, page.words)
        words += f", until {clock if limit.name == 'five_hour' else day}"
    age = format_age((page.now - datetime.fromisoformat(limit.heard_at)).total_seconds())
    return f"{words}, heard {'just now' if age == 'now' else f'{age} ago'}"


def _render_block(row: Spent, start: datetime, end: datetime, page: UsageCanvas) -> TableRow:
    dash = page.glyphs.range
    first = format_moment(start, page.now, page.zone, page.words)
    last = format_clock(end, page.zone, page.words)
    clock = format_clock(start, page.zone, page.words)
    name = f"{first}{dash}{last}" if first.endswith(clock) else f"{first} {clock}{dash}{last}"
    active = bool(row.about["active"])
    burn, ahead = row.about["burn"], row.about["projection"]
    return (
        Cell(name, Role.ACTIVE if active else Role.CLAUDE, "now" if active else ""),
        *_render_numbers(row.amount),
        format_count(round(burn["tokens_per_minute"])) if isinstance(burn, dict) else MISSING,
        format_cost(burn["cost_usd_per_hour"], in_table=True)
        if isinstance(burn, dict)
        else MISSING,
        format_cost(ahead["cost_usd"], in_table=True) if isinstance(ahead, dict) else MISSING,
        Cell(", ".join(map(shorten_model, row.models)), Role.META),
    )


def _render_branches(answer: UsageTable, page: UsageCanvas) -> list[StyledLine]:
    columns = (
        Column("SESSION"),
        Column("TIP"),
        *_TOKENS,
        Column("OWN", right=True),
        Column("PATH", right=True),
        Column("MODELS", leaves=2, least=_LEAST),
        Column("TITLE", leaves=1, least=_LEAST),
    )
    rows: list[TableRow] = []
    for row in answer.rows:
        tip, active = row.about["tip"], bool(row.about["active"])
        rows.append(
            (
                str(row.about["session"])[:_SHORT],
                Cell(
                    str(tip)[:_SHORT] if tip else MISSING,
                    Role.ACTIVE if active else Role.LEFT,
                    "active" if active else "",
                ),
                *_render_numbers(row.amount),
                format_amount(row.path or row.amount),
                Cell(", ".join(map(shorten_model, row.models)), Role.META),
                Cell(row.label or ""),
            )
        )
    rows.append((Cell("TOTAL", Role.HEADER), "", *_render_numbers(answer.total), "", "", ""))
    return _draw_filled_columns(columns, rows, page)


def _draw_filled_columns(
    columns: Sequence[Column], rows: Sequence[TableRow], page: UsageCanvas
) -> list[StyledLine]:
    """Draw a table without the columns that nobody has anything for."""
    kept = [at for at in range(len(columns)) if at == 0 or any(_cell_text(row[at]) for row in rows)]
    return draw_table(
        [columns[at] for at in kept],
        [[row[at] for at in kept] for row in rows],
        page.glyphs,
        page.columns,
    )


def _cell_text(cell: Cell | str) -> str:
    return cell if isinstance(cell, str) else cell.text
