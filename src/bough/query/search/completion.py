"""What may stand where somebody is typing a query: fields, and after `field:` its values.

Every face completes by this rule. The values come from the index, as a `Vocabulary`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct, field

from bough.model.interpret.pull_requests import PullRequest
from bough.model.interpret.stop_reasons import STOP_WORDS
from bough.model.text.formats import base_name_of, format_plural
from bough.query.index.handle import IndexHandle
from bough.query.stats.stats_scope import find_stats_scope
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
_OF_TEAMS: Final = (Field.MACHINE, Field.MEMBER)
"""Offered only where there are values."""
_NAME: Final = re.compile(r"(?:^|(?<=\s))-?([A-Za-z]{2,})$")
_VALUE: Final = re.compile(r"(?:^|(?<=\s))-?([A-Za-z]+):(\"[^\"]*|[^\s\"]*)$")
_REST: Final = re.compile(r"[^\s\"]*\"?")


class CompletionItem(Struct, frozen=True):
    """Something that may be put in; `about` says what it is."""

    text: str
    about: str = ""


class Vocabulary(Struct, frozen=True):
    """The values of fields that an index knows, by field, the likeliest first."""

    values: Mapping[str, Sequence[CompletionItem]] = {}


class Completion(Struct, frozen=True):
    """What may replace the characters of a query from `start` to `end`."""

    start: int = field(name="from")
    end: int = field(name="to")
    items: tuple[CompletionItem, ...] = ()


def complete_query(query: str, at: int, vocabulary: Vocabulary) -> Completion:
    """List what may stand at a place of a query; nothing where any word may."""
    at = max(0, min(at, len(query)))
    before = query[:at]
    if (typed := _VALUE.search(before)) and typed[1].lower() in _ABOUT:
        items = _quote_items(
            _filter_items(typed[2].removeprefix('"'), _field_values(typed[1], vocabulary))
        )
        return Completion(typed.start(2), _find_value_end(query, at), items)
    if typed := _NAME.search(before):
        # A span of time is chosen, never left out.
        names = _FIELDS if before[: typed.start(1)].endswith("-") else _ABOUT
        known = (
            CompletionItem(f"{name}:", about)
            for name, about in names.items()
            if name not in _OF_TEAMS or vocabulary.values.get(name)
        )
        return Completion(typed.start(1), at, tuple(_keep_prefixed(typed[1], known)))
    return Completion(at, at)


def apply_completion(query: str, completion: Completion, item: CompletionItem) -> tuple[str, int]:
    """Put an item into a query; give the query, and where to go on typing.

    A value is finished, so a space follows it; after the name of a field comes its value.
    """
    rest = query[completion.end :]
    text = item.text if item.text.endswith(":") or rest.startswith(" ") else f"{item.text} "
    return f"{query[: completion.start]}{text}{rest}", completion.start + len(text)


def _field_values(name: str, vocabulary: Vocabulary) -> Iterable[CompletionItem]:
    name = name.lower()
    if name in _TIMES:
        return [CompletionItem(text, about) for text, about in DATES]
    choices = FIELDS[Field(name)].choices
    return [CompletionItem(text) for text in choices] or vocabulary.values.get(name, ())


def _filter_items(typed: str, known: Iterable[CompletionItem]) -> list[CompletionItem]:
    """Keep what begins with what was typed, then what holds it; nothing that is there already."""
    known = list(known)
    first = _keep_prefixed(typed, known)
    wanted = typed.casefold()
    inside = [one for one in known if one not in first and wanted in one.text.casefold()]
    found = [*first, *inside][:MOST]
    return [] if [one.text for one in found] == [typed] else found


def _keep_prefixed(typed: str, known: Iterable[CompletionItem]) -> list[CompletionItem]:
    wanted = typed.casefold()
    return [one for one in known if one.text.casefold().startswith(wanted)][:MOST]


def _quote_items(items: Iterable[CompletionItem]) -> tuple[CompletionItem, ...]:
    """Put values with spaces in quotes, as the language wants them."""
    return tuple(
        CompletionItem(f'"{one.text}"', one.about) if re.search(r"\s", one.text) else one
        for one in items
    )


def _find_value_end(query: str, at: int) -> int:
    """Find where the value that is being typed ends."""
    rest = _REST.match(query, at)
    return rest.end() if rest else at


_SHORT = 8
_MOST = 2_000


def gather_vocabulary(handle: IndexHandle) -> Vocabulary:
    """Gather projects, sessions, tools, models and pull requests, the likeliest first."""
    store = handle.store
    projects = [one for one in store.projects() if handle.covers(one.folder)]
    projects.sort(key=lambda one: one.talked or one.touched or "", reverse=True)
    folders = {one.folder for one in projects}
    sessions = [one for one in store.sessions() if one.folder in folders and one.tips]
    models = Counter(
        model for one in sessions for model in msgspec.json.decode(one.models, type=list[str])
    )
    tools = store.behaviour().tools(find_stats_scope(handle))
    return Vocabulary(
        {
            Field.PROJECT: _drop_repeats(
                CompletionItem(base_name_of(one.path) if one.path else one.dir, one.path or "")
                for one in projects
            ),
            Field.SESSION: _drop_repeats(
                CompletionItem(one.id[:_SHORT], one.title or "") for one in sessions
            ),
            Field.TOOL: _drop_repeats(
                CompletionItem(tool, format_plural(calls, "call")) for tool, calls in tools
            ),
            Field.MODEL: _drop_repeats(
                CompletionItem(model, format_plural(number, "session"))
                for model, number in models.most_common()
            ),
            Field.PR: _drop_repeats(
                CompletionItem(str(pr.number), pr.repository or "")
                for one in sessions
                if one.pull_requests != "[]"
                for pr in msgspec.json.decode(one.pull_requests, type=list[PullRequest])
            ),
            Field.MACHINE: _drop_repeats(
                CompletionItem(one.machine, one.owner or "") for one in projects if one.machine
            ),
            Field.MEMBER: _drop_repeats(CompletionItem(one.owner) for one in projects if one.owner),
            Field.STOP: tuple(
                CompletionItem(reason, words) for reason, words in STOP_WORDS.items()
            ),
        }
    )


def _drop_repeats(items: Iterable[CompletionItem]) -> tuple[CompletionItem, ...]:
    """Keep the first of what is called the same."""
    found: dict[str, CompletionItem] = {}
    for item in items:
        found.setdefault(item.text, item)
        if len(found) >= _MOST:
            break
    return tuple(found.values())
