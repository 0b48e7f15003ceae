"""What the engine of a team's store cannot do, as `team migrate` found, and what is done instead.

Where phrases cannot be asked for, all their words are, and the texts are read. Where an index of
words takes one word at a time, each is asked for by itself. Where there are no advisory locks, a
row of a table is locked by a connection of its own, with which the lock ends.
"""

from typing import Final

from msgspec import Struct

from bough.model.text.search_tokens import fts_phrase
from bough.store.postgres.server_connection import ServerConnection
from bough.store.query_language import And, Not, Or, Regex, Term, TextQuery

_MISSING: Final = "select name from dialect where not works"
_ANYTHING: Final = Regex("")
"""Of it an index of words knows nothing."""


class WordDialect(Struct, frozen=True):
    """How words are asked for: phrases as such, several words at once."""

    has_phrases: bool = True
    joins_words: bool = True


def load_dialect(connection: ServerConnection) -> WordDialect:
    """Read what `team migrate` found."""
    missing = {row[0] for row in connection.fetch_all(_MISSING)}
    return WordDialect("phrase" not in missing, missing.isdisjoint(("gin_or", "gin_and")))


def loosen_phrases(text: TextQuery | None) -> TextQuery | None:
    """Say of each phrase that an index only knows a part of it: that all its words are there."""
    match text:
        case Term():
            return And((text, _ANYTHING)) if _is_phrase(text) else text
        case And():
            return And(tuple(map(_loosen, text.items)))
        case Or():
            return Or(tuple(map(_loosen, text.items)))
        case Not():
            return Not(_loosen(text.item))
        case _:
            return text


def has_phrase(text: TextQuery | None) -> bool:
    """Tell whether a query has words that stand in a row."""
    return text is not None and loosen_phrases(text) != text


def _loosen(text: TextQuery) -> TextQuery:
    return loosen_phrases(text) or text


def _is_phrase(term: Term) -> bool:
    written = fts_phrase(term.text, prefix=term.prefix)
    return written is not None and " " in written
