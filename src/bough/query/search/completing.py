"""What may stand where somebody is typing a query: fields, and after `field:` its values.

Pure: the values an index knows are given as a `Vocabulary`, which `bough.query.search.vocabulary`
gathers. Every face completes by this rule.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from bough.store.query_language import FIELDS, Field

MOST: Final = 12
"""So many are offered at once."""
DATES: Final = (
    ("today", "since midnight"),
    ("yesterday", "the day before"),
    ("this-week", "from Monday on"),
    ("last-week", "from the Monday before"),
    ("this-month", "from the first on"),
    ("last-month", "from the first of the month before"),
    ("2h", "two hours ago"),
    ("3d", "three days ago"),
    ("1w", "a week ago"),
)
_TIMES: Final = {"after": "this moment and later", "before": "earlier than this moment"}
_FIELDS: Final = {one.value: rule.wants for one, rule in FIELDS.items() if one.value not in _TIMES}
_ABOUT: Final = _FIELDS | _TIMES
_NAME: Final = re.compile(r"(?:^|(?<=\s))-?([A-Za-z]{2,})$")
_VALUE: Final = re.compile(r"(?:^|(?<=\s))-?([A-Za-z]+):(\"[^\"]*|[^\s\"]*)$")
_REST: Final = re.compile(r"[^\s\"]*\"?")


class Item(Struct, frozen=True):
    """Something that may be put in; `about` says what it is."""

    text: str
    about: str = ""


class Vocabulary(Struct, frozen=True):
    """The values of fields that an index knows, by field, the likeliest first."""

    values: Mapping[str, Sequence[Item]] = {}


class Completion(Struct, frozen=True):
    """What may replace the characters of a query from `start` to `end`."""

    start: int = field(name="from")
    end: int = field(name="to")
    items: tuple[Item, ...] = ()


def complete(query: str, at: int, vocabulary: Vocabulary) -> Completion:
    """List what may stand at a place of a query; nothing where any word may."""
    at = max(0, min(at, len(query)))
    before = query[:at]
    if (typed := _VALUE.search(before)) and typed[1].lower() in _ABOUT:
        items = _quoted(_fitting(typed[2].removeprefix('"'), _values(typed[1], vocabulary)))
        return Completion(typed.start(2), _end(query, at), items)
    if typed := _NAME.search(before):
        # A span of time is chosen, never left out.
        names = _FIELDS if before[: typed.start(1)].endswith("-") else _ABOUT
        known = (Item(f"{name}:", about) for name, about in names.items())
        return Completion(typed.start(1), at, tuple(_starting(typed[1], known)))
    return Completion(at, at)


def put(query: str, completion: Completion, item: Item) -> tuple[str, int]:
    """Put an item into a query; give the query, and where to go on typing.

    A value is finished, so a space follows it; after the name of a field comes its value.
    """
    rest = query[completion.end :]
    text = item.text if item.text.endswith(":") or rest.startswith(" ") else f"{item.text} "
    return f"{query[: completion.start]}{text}{rest}", completion.start + len(text)


def _values(name: str, vocabulary: Vocabulary) -> Iterable[Item]:
    name = name.lower()
    if name in _TIMES:
        return [Item(text, about) for text, about in DATES]
    choices = FIELDS[Field(name)].choices
    return [Item(text) for text in choices] or vocabulary.values.get(name, ())


def _fitting(typed: str, known: Iterable[Item]) -> list[Item]:
    """Keep what begins with what was typed, then what holds it; nothing that is there already."""
    known = list(known)
    first = _starting(typed, known)
    wanted = typed.casefold()
    inside = [one for one in known if one not in first and wanted in one.text.casefold()]
    found = [*first, *inside][:MOST]
    return [] if [one.text for one in found] == [typed] else found


def _starting(typed: str, known: Iterable[Item]) -> list[Item]:
    wanted = typed.casefold()
    return [one for one in known if one.text.casefold().startswith(wanted)][:MOST]


def _quoted(items: Iterable[Item]) -> tuple[Item, ...]:
    """Put values with spaces in quotes, as the language wants them."""
    return tuple(
        Item(f'"{one.text}"', one.about) if re.search(r"\s", one.text) else one for one in items
    )


def _end(query: str, at: int) -> int:
    """Find where the value that is being typed ends."""
    rest = _REST.match(query, at)
    return rest.end() if rest else at
