"""Questions of the search screen, asked in workers: hits, what to try instead, what fits."""

from time import perf_counter
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.errors import BoughError
from bough.query.search.search import SearchPage, search
from bough.query.search.suggestions import Suggestion, suggest
from bough.query.search.vocabulary import vocabulary_of
from bough.query.usage.zones import Local
from bough.store.query_language import Query, parse
from bough.tui.style.style import now

if TYPE_CHECKING:
    from bough.query.search.completing import Vocabulary
    from bough.tui.data import Source

LIMIT: Final = 100


class Found(Struct, frozen=True):
    """What a query gave, or why it makes no sense."""

    query: str
    page: SearchPage | None = None
    trouble: str = ""
    took: float = 0.0
    instead: Suggestion | None = None


def ask(source: "Source", text: str) -> Found:
    """Search; what is wrong with a query is an answer too."""
    if not text.strip():
        return Found(text)
    start = perf_counter()
    try:
        query = parse(text, now(), Local())
        if query == Query():
            return Found(text)
        with source.handle() as handle:
            roots = tuple(f"{folder / 'projects'}/" for folder in handle.folders)
            page = search(handle.store, query, limit=LIMIT, roots=roots)
            took = perf_counter() - start
            instead = None if page.hits else suggest(handle.store, query, roots)
    except BoughError as error:
        return Found(text, trouble=error.message)
    return Found(text, page, took=took, instead=instead)


def words_known(source: "Source") -> "Vocabulary":
    """Gather what may complete a query."""
    with source.handle() as handle:
        return vocabulary_of(handle)
