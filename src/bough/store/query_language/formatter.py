"""Writing a query down again.

What is written reads back as the same query, at any time and in any zone: dates are
written in full, in UTC. Faces use it to offer a query with a filter added or removed.
"""

import re
from datetime import datetime

from bough.store.query_language.ast import And, Filter, Not, Or, Query, Regex, Term, TextQuery

# Anything less plain than this goes in quotes; cheaper to prove than to save quotes.
_PLAIN_WORD = re.compile(r"""(?!(?:OR|AND|NOT)\Z)[^\s"()*:/>=-][^\s"()*:]*""")
_PLAIN_VALUE = re.compile(r"""[^\s"]\S*""")


def format_query(query: Query) -> str:
    """Write a query so that it reads back the same."""
    parts: list[str] = []
    if query.text is not None:
        parts.append(_format_text(query.text))
    parts += map(_format_filter, query.filters)
    if query.after:
        parts.append(f"after:{_format_time(query.after)}")
    if query.before:
        parts.append(f"before:{_format_time(query.before)}")
    return " ".join(parts)


def _format_text(text: TextQuery) -> str:
    match text:
        case Term():
            return _quote_text(text.text, _PLAIN_WORD) + ("*" if text.prefix else "")
        case Regex():
            slashes = text.pattern.replace("/", "\\/")
            return f"/{slashes}/" + ("i" if text.ignore_case else "")
        case Not():
            return "-" + _format_grouped(text.item)
        case And():
            return " ".join(map(_format_text, text.items))
        case Or():
            return " OR ".join(
                _format_grouped(item) if isinstance(item, And) else _format_text(item)
                for item in text.items
            )


def _format_grouped(text: TextQuery) -> str:
    return f"({_format_text(text)})" if isinstance(text, And | Or) else _format_text(text)


def _format_filter(wanted: Filter) -> str:
    return (
        f"{'-' if wanted.negated else ''}{wanted.field}:{_quote_text(wanted.value, _PLAIN_VALUE)}"
    )


def _quote_text(text: str, plain: re.Pattern[str]) -> str:
    if plain.fullmatch(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _format_time(time: datetime) -> str:
    return time.isoformat().replace("+00:00", "Z")
