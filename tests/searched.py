"""A made-up history in an index, and questions about it in few words."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bough.ingest.index.refresh import refresh_index
from bough.sample import SampleSession
from bough.store.query_language import Query, parse
from bough.store.search_protocol import Order, Position, SearchRequest, SearchRows
from bough.store.sqlite.store import SqliteStore

NOW = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)


@contextmanager
def indexed(
    folder: Path, *books: SampleSession, index: Path | None = None
) -> Iterator[SqliteStore]:
    """Write sessions below a folder and open an index of it; one call may add to another's."""
    for builder in books:
        builder.write(folder)
    store = SqliteStore(index or folder / "index.sqlite")
    try:
        refresh_index(store, [folder], workers=1)
        yield store
    finally:
        store.close()


def asked(text: str) -> Query:
    """Read a query as of a fixed moment."""
    return parse(text, NOW, UTC)


def found(
    store: SqliteStore,
    text: str,
    order: Order = "relevance",
    *,
    limit: int = 100,
    after: Position | None = None,
    roots: tuple[str, ...] = (),
) -> SearchRows:
    """Ask a store."""
    return store.search(SearchRequest(asked(text), order, limit, after, roots=roots))


def names(
    store: SqliteStore, text: str, *books: SampleSession, order: Order = "newest"
) -> list[str]:
    """Name the steps that are found, the newest first unless told otherwise."""
    uuids = [row.uuid or "" for row in found(store, text, order).rows]
    return [_name(uuid, books) for uuid in uuids]


def _name(uuid: str, books: tuple[SampleSession, ...]) -> str:
    drafts = [draft for builder in books for draft in (builder, *builder.agent_files.values())]
    return next((name for d in drafts if (name := d.name_of(uuid)) != uuid), uuid)
