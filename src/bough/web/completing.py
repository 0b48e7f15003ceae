"""What could stand where the cursor is in a query: filters, then their values.

The names come from the search language itself, the values from what is known of the
history. Nothing here asks the index: it is asked with every key.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from bough.store.searchql import FIELDS
from bough.web.house import House
from bough.web.shelves import Gathered
from bough.web.wire_search import CompleteAnswer, CompleteQuery, Completion

_WORD: Final = re.compile(r'(?:[^\s"]|"[^"]*"?)*$')
_MOST: Final = 12
_ABOUT: Final = {
    **{field.value: rule.wants for field, rule in FIELDS.items()},
    "after": "a date and later, as in after:yesterday",
    "before": "earlier than a date, as in before:2026-11-01",
}
_CHOICES: Final = {field.value: rule.choices for field, rule in FIELDS.items()}
_DATES: Final = ("today", "yesterday", "this-week", "last-week", "this-month", "7d", "30d")
_TOOLS: Final = (
    *("Bash", "Read", "Edit", "Write", "Grep", "Glob", "Task", "WebFetch", "WebSearch"),
    *("TodoWrite", "NotebookEdit", "AskUserQuestion"),
)


def complete(house: House, query: CompleteQuery) -> CompleteAnswer:
    """List what could stand at the cursor."""
    before = query.q[: query.at]
    match = _WORD.search(before)
    word = match.group() if match is not None else ""
    start = len(before) - len(word)
    minus = word[:1] == "-"
    name, colon, value = word.removeprefix("-").partition(":")
    if colon and name in _ABOUT:
        begin = value.lstrip('"').casefold()
        found = _values(house.lists(), name, begin)
        items = [Completion(f"{'-' if minus else ''}{name}:{one} ", about) for one, about in found]
    elif word.removeprefix("-"):
        items = [
            Completion(f"{'-' if minus else ''}{field}:", about)
            for field, about in _ABOUT.items()
            if field.startswith(name.casefold()) and not (minus and field in ("after", "before"))
        ]
    else:
        items = []
    return CompleteAnswer(start, min(query.at, len(query.q)), items[:_MOST])


def _values(gathered: Gathered, name: str, begin: str) -> Iterator[tuple[str, str]]:
    match name:
        case "project":
            pairs = ((_quoted(p.name), p.path or "") for p in gathered.projects)
            yield from _fitting(pairs, begin, anywhere=True)
        case "session":
            rows = ((row.id[:8], row.title) for row in gathered.rows)
            yield from _fitting(rows, begin)
        case "model":
            models = dict.fromkeys(m for row in gathered.rows for m in row.models)
            yield from _fitting(((m, "") for m in models), begin, anywhere=True)
        case "tool":
            yield from _fitting(((tool, "") for tool in _TOOLS), begin)
        case "after" | "before":
            yield from _fitting(((word, "") for word in _DATES), begin)
        case _:
            yield from _fitting(((value, "") for value in _CHOICES.get(name, ())), begin)


def _fitting(
    pairs: Iterable[tuple[str, str]], begin: str, *, anywhere: bool = False
) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for text, about in pairs:
        plain = text.strip('"').casefold()
        fits = begin in plain if anywhere else plain.startswith(begin)
        if fits and text not in seen:
            seen.add(text)
            yield text, about


def _quoted(name: str) -> str:
    return f'"{name}"' if re.search(r"\s", name) else name
