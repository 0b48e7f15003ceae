"""Opening the store that a place names: an index in a file, or a team's database by its URL."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bough.store.protocol import Store

_SCHEMES: Final = ("postgresql://", "postgres://")


def is_store_url(place: object) -> bool:
    """Tell whether a store is named by a URL and not by a path."""
    return isinstance(place, str) and place.startswith(_SCHEMES)


def open_store(place: str | Path) -> "Store":
    """Open the store at a place: for reading where it is a URL.

    Raises:
        IndexTrouble: It cannot be used.
        Misuse: psycopg is not installed, or the URL cannot be read.
    """
    if isinstance(place, str) and is_store_url(place):
        from bough.store.postgres.postgres_store import PostgresStore  # noqa: PLC0415 - an extra

        return PostgresStore(place)
    from bough.store.sqlite.store import SqliteStore  # noqa: PLC0415 - teams need none

    return SqliteStore(Path(place))
