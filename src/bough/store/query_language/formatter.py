"""Writing a query down again.

What is written reads back as the same query, at any time and in any zone: dates are
written in full, in UTC. Faces use it to offer a query with a filter added or removed.
"""

import re
from datetime import datetime

from bough.store.query_language.ast import And, Filter, Not, Or, Query, Regex, Term, Text

# Anything less plain than this goes in quotes; cheaper to prove than to save quotes.
_PLAIN_WORD = re.compile(r"""(?!(?:OR|AND|NOT)\Z)[^\s"()*:/>=-][^\s"()*:]*""")
_PLAIN_VALUE = re.compile(r"""[^\s"]\S*""")


def format(query: Query) -> str:  # noqa: A001 - parse and format are each other's inverse
    """Write a query so that it reads back the same."""
    parts: list[str] = []
    if query.text is not None:
        parts.append(_text(query.text))
    parts += map(_filter, query.filters)
    if query.after:
        parts.append(f"after:{_time(query.after)}")
    if query.before:
        parts.append(f"before:{_time(query.before)}")
    return " ".join(parts)


def _text(text: Text) -> str:
    match text:
        case Term():
            return _quoted(text.text, _PLAIN_WORD) + ("*" if text.prefix else "")
        case Regex():
            slashes = text.pattern.replace("/", "\\/")
            return f"/{slashes}/" + ("i" if text.ignore_case else "")
        case Not():
            return "-" + _grouped(text.item)
        case And():
            return " ".join(map(_text, text.items))
        case Or():
            return " OR ".join(
                _grouped(item) if isinstance(item, And) else _text(item) for item in text.items
            )


def _grouped(text: Text) -> str:
    return f"({_text(text)})" if isinstance(text, And | Or) else _text(text)


def _filter(wanted: Filter) -> str:
    return f"{'-' if wanted.negated else ''}{wanted.field}:{_quoted(wanted.value, _PLAIN_VALUE)}"


def _quoted(text: str, plain: re.Pattern[str]) -> str:
    if plain.fullmatch(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _time(time: datetime) -> str:
    return time.isoformat().replace("+00:00", "Z")
