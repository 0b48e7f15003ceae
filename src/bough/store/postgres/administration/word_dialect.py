"""What the engine of a team's store cannot do, as `team migrate` found, and what is done instead.

Where phrases cannot be asked for, all their words are, and the texts are read. Where an index of
words takes one word at a time, each is asked for by itself. Where there are no advisory locks, a
row of a table is locked by a connection of its own, with which the lock ends.
"""

from typing import Final

from msgspec import Struct

from bough.model.text.search_tokens import fts_phrase
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.word_rows import OVERLAP
from bough.store.query_language import And, Not, Or, Regex, Term, TextQuery

_MISSING: Final = "select name from dialect where not works"
_ANYTHING: Final = Regex("")
"""Of it an index of words knows nothing."""
_MOST_ASKED: Final = 8
"""So many words of a long phrase are asked for; the texts tell the rest."""


class WordDialect(Struct, frozen=True):
    """How words are asked for: phrases as such, several words at once."""

    has_phrases: bool = True
    joins_words: bool = True


def load_dialect(connection: ServerConnection) -> WordDialect:
    """Read what `team migrate` found."""
    missing = {row[0] for row in connection.fetch_all(_MISSING)}
    return WordDialect("phrase" not in missing, missing.isdisjoint(("gin_or", "gin_and")))


def loosen_phrases(text: TextQuery | None, dialect: WordDialect) -> TextQuery | None:
    """Say of each phrase that an index only knows a part of it: that all its words are there.

    So it is where the engine knows no phrases; and of a phrase that is longer than what parts of a
    text have in common, which may be whole in none of them, it knows that some words are there.
    """
    match text:
        case Term():
            return _loosen_term(text, dialect)
        case And():
            return And(tuple(_loosen(item, dialect) for item in text.items))
        case Or():
            return Or(tuple(_loosen(item, dialect) for item in text.items))
        case Not():
            return Not(_loosen(text.item, dialect))
        case _:
            return text


def finds_phrases(text: TextQuery | None, dialect: WordDialect) -> bool:
    """Tell whether what an index finds has all words that shall stand in a row in a row."""
    return loosen_phrases(text, dialect) == text


def _loosen(text: TextQuery, dialect: WordDialect) -> TextQuery:
    return loosen_phrases(text, dialect) or text


def _loosen_term(term: Term, dialect: WordDialect) -> TextQuery:
    written = fts_phrase(term.text, prefix=term.prefix)
    if written is None or " " not in written:
        return term
    tokens = written.partition('"')[2].partition('"')[0].split()
    if len(tokens) > OVERLAP:
        # Without the last, which may be open. The longest are the rarest, mostly.
        longest = sorted(dict.fromkeys(tokens[:-1]), key=len, reverse=True)[:_MOST_ASKED]
        return And((*map(Term, longest), _ANYTHING))
    return term if dialect.has_phrases else And((term, _ANYTHING))
