"""The values that an index knows of the fields of a query, for completing it."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from bough.model.text.numbers import plural
from bough.model.text.paths import name_of
from bough.query.index.index import IndexHandle
from bough.query.scope import scope_of
from bough.query.search.completing import Item, Vocabulary
from bough.store.query_language import Field

_SHORT = 8
_MOST = 2_000


def vocabulary_of(handle: IndexHandle) -> Vocabulary:
    """Gather projects, sessions, tools and models, the likeliest first."""
    store = handle.store
    projects = [one for one in store.projects() if handle.covers(one.folder)]
    projects.sort(key=lambda one: one.talked or one.touched or "", reverse=True)
    folders = {one.folder for one in projects}
    sessions = [one for one in store.sessions() if one.folder in folders and one.tips]
    models = Counter(
        model for one in sessions for model in msgspec.json.decode(one.models, type=list[str])
    )
    tools = store.behaviour().tools(scope_of(handle))
    return Vocabulary(
        {
            Field.PROJECT: _once(
                Item(name_of(one.path) if one.path else one.dir, one.path or "") for one in projects
            ),
            Field.SESSION: _once(Item(one.id[:_SHORT], one.title or "") for one in sessions),
            Field.TOOL: _once(Item(tool, plural(calls, "call")) for tool, calls in tools),
            Field.MODEL: _once(
                Item(model, plural(number, "session")) for model, number in models.most_common()
            ),
        }
    )


def _once(items: Iterable[Item]) -> tuple[Item, ...]:
    """Keep the first of what is called the same."""
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(item.text, item)
        if len(found) >= _MOST:
            break
    return tuple(found.values())
