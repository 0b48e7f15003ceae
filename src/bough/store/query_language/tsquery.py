"""From words to PostgreSQL: the terms of a query as tsqueries.

The bounds are those that FTS5 is asked for (`bounds`). A record has a row for each kind of words,
and long texts have several, so only single terms are asked of a row; what has to hold together is
put together by who asks for records.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from bough.model.text.identifiers import mark_kind
from bough.model.text.search_tokens import cut_tokens, fts_phrase, split_tokens
from bough.store.query_language.ast import Term
from bough.store.query_language.fts import WHOLE_WORDS

NAME_PARTS: Final = len(WHOLE_WORDS)
"""The kind under which the parts of names stand, behind the six kinds of words."""
LONGEST_TOKEN: Final = 400


class TermQuery(Struct, frozen=True):
    """How one term is asked of rows of words: a tsquery in rows of some kinds; None: of all."""

    query: str
    kinds: tuple[int, ...] | None = None


def to_term_queries(
    term: Term, kinds: Sequence[str] | None = None, *, names: bool = True
) -> tuple[TermQuery, ...]:
    """Translate a term to tsqueries, of which a row matches any: in some kinds, or in all.

    Without `names`, parts of names do not count.
    """
    phrase = fts_phrase(term.text, prefix=term.prefix)
    if phrase is None:
        return ()
    is_open = phrase.endswith("*")
    # What stands between the quotes is prepared: unspaced scripts are pairs there.
    tokens = cut_tokens(phrase.removesuffix("*")[1:-1])
    query = write_phrase(tokens, prefix=is_open)
    if kinds is None:
        if names:
            return (TermQuery(query),)
        return (TermQuery(query, tuple(range(NAME_PARTS))),)
    numbers = [WHOLE_WORDS.index(kind) for kind in kinds]
    whole = TermQuery(query, tuple(numbers))
    written = split_tokens(term.text)
    if not names or len(written) > 1 or not written[0].isascii():
        return (whole,)
    end = ":*" if term.prefix else ""
    parts = " | ".join(quote_lexeme(mark_kind(kind) + written[0]) + end for kind in numbers)
    return whole, TermQuery(parts, (NAME_PARTS,))


def write_phrase(tokens: Sequence[str], *, prefix: bool = False) -> str:
    """Write tokens that stand in a row as a tsquery; `prefix` leaves the last one open."""
    return " <-> ".join(map(quote_lexeme, tokens)) + (":*" if prefix else "")


def quote_lexeme(token: str) -> str:
    """Write a token as PostgreSQL reads it in vectors and queries, whatever is in it.

    A word may have 2,046 bytes there; of longer ones, as of data, only the beginning is kept.
    """
    cut = token[:LONGEST_TOKEN].replace("\\", "\\\\").replace("'", "''")
    return f"'{cut}'"
