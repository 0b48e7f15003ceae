"""`bough usage --explain`: every call of a session with the lines and prices behind it."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from bough.model.text.formats import MISSING, format_count, format_moment, format_plural
from bough.model.text.times import parse_moment
from bough.query.usage.explain import ExplainedCall, ExplainedLine, ExplainedPrice, Explanation
from bough.terminal.list_cells import shorten_model
from bough.terminal.reports.usage_tables import UsageCanvas, format_amount
from bough.terminal.style import Role, StyledLine, line_of
from bough.terminal.table import Cell, Column, TableRow, draw_table

_SHORT: Final = 8
_COLUMNS: Final = (
    Column("WHEN"),
    Column("MODEL", leaves=2),
    Column("IN", right=True),
    Column("OUT", right=True),
    Column("CACHE W", right=True),
    Column("CACHE R", right=True),
    Column("COST", right=True),
    Column("WHERE", least=12),
    Column("WHY", leaves=1, least=12),
)
_RATES: Final = {
    "input": "in",
    "output": "out",
    "cache_write_5m": "cache write",
    "cache_write_1h": "for an hour",
    "cache_read": "cache read",
}


def render_explanation(explanation: Explanation, page: UsageCanvas) -> Iterator[StyledLine]:
    """Write an explanation: a heading, the prices, then the calls."""
    short = explanation.session[:_SHORT]
    here = [call for call in explanation.calls if call.counted_in == explanation.session]
    spent = format_amount(explanation.total)
    yield line_of(" ".join(filter(None, (short, explanation.title))), Role.PROMPT)
    yield line_of(f"{format_plural(len(here), 'call')}, {spent}")
    yield ()
    yield line_of("PRICES in USD per million tokens", Role.HEADER)
    for price in explanation.prices:
        yield from map(line_of, _describe_price(price))
    yield ()
    rows = [row for call in explanation.calls for row in _render_call(call, explanation, page)]
    yield from draw_table(_COLUMNS, rows, page.glyphs, page.columns)


def _describe_price(price: ExplainedPrice) -> Iterator[str]:
    if price.rates is None:
        yield f"{price.model}: no price. Its tokens are counted, its cost is not."
        return
    named = "" if price.name == price.model else f", found as {price.name}"
    origin = "set by you" if price.as_of == "yours" else f"as of {price.as_of}"
    yield f"{price.model}{named}, {origin}: {_format_rates(price.rates)}"
    if price.rates_above is not None and price.above is not None:
        above = f"{price.above:,}"
        yield f"  above {above} tokens of a class: {_format_rates(price.rates_above)}"
    extras = []
    if price.fast_multiplier is not None:
        extras.append(f"fast mode costs {price.fast_multiplier:g} times as much")
    if price.web_search is not None:
        extras.append(f"a web search costs ${price.web_search:g}")
    if extras:
        yield f"  {'; '.join(extras)}"


def _format_rates(rates: dict[str, float]) -> str:
    return ", ".join(f"{word} ${rates[key]:g}" for key, word in _RATES.items())


def _render_call(
    call: ExplainedCall, explanation: Explanation, page: UsageCanvas
) -> Iterator[TableRow]:
    elsewhere = call.counted_in != explanation.session
    for number, line in enumerate(call.lines):
        counts = number == 0
        role = Role.CLAUDE if counts and not elsewhere else Role.META
        why = line.why or ""
        if counts and elsewhere:
            why = f"counted in {call.counted_in[:_SHORT]}"
        elif counts and line.said_by != "main":
            why = f"counts, from a {line.said_by} line"
        elif counts:
            why = "counts"
        charged = counts and not elsewhere
        yield (
            Cell(_format_when(line, page) if counts else "", role),
            Cell(shorten_model(call.model) if counts else "", role),
            *(Cell(text, role) for text in _format_tokens(line)),
            Cell(format_amount(call.amount) if charged else "", role),
            Cell(_format_place(line), role),
            Cell(why, Role.META),
        )


def _format_when(line: ExplainedLine, page: UsageCanvas) -> str:
    return format_moment(parse_moment(line.timestamp), page.now, page.zone, page.words)


def _format_tokens(line: ExplainedLine) -> tuple[str, ...]:
    counts = (
        line.input_tokens,
        line.output_tokens,
        line.cache_creation_tokens,
        line.cache_read_tokens,
    )
    return tuple(format_count(number) if number else MISSING for number in counts)


def _format_place(line: ExplainedLine) -> str:
    """Name the place as editors do; by its offset where the file is gone."""
    name = PurePath(line.file).name
    return f"{name}:{line.line}" if line.line is not None else f"{name} at byte {line.offset:,}"
