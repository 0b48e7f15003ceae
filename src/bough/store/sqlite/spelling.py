"""The nearest word that the index knows, for a word it does not.

Only words with the same two first letters are looked at: the vocabulary is sorted, so
that costs little, while reading all of it takes a second.
"""

import sqlite3
from contextlib import suppress
from difflib import get_close_matches

from bough.model.text.search_tokens import tokens

_MAKE = "create virtual table if not exists temp.vocabulary using fts5vocab(main, words, row)"
_BEGINNING = """
    select term from temp.vocabulary where term >= :start and term < :end limit 5000
"""
_ALIKE = 0.7
_SHORTEST = 4


def nearest_word(connection: sqlite3.Connection, word: str) -> str | None:
    """Find the word most like this one; None where none is."""
    known = tokens(word)
    if len(known) != 1 or len(known[0]) < _SHORTEST:
        return None
    start = known[0][:2]
    bounds = {"start": start, "end": start[0] + chr(ord(start[1]) + 1)}
    # An index that is opened for reading alone takes no table, not even a passing one.
    with suppress(sqlite3.OperationalError):
        connection.execute(_MAKE)
        terms = [row[0] for row in connection.execute(_BEGINNING, bounds)]
        others = [term for term in terms if term != known[0]]
        return next(iter(get_close_matches(known[0], others, 1, _ALIKE)), None)
    return None
