"""Words as PostgreSQL keeps them: tsvectors of the very tokens that FTS5 gets.

PostgreSQL's own parser never sees a text, so that URLs, paths, hyphens and versions are cut the
same in both stores. A vector has limits: positions up to 16,383, 256 of them for one word, a
megabyte in all. So a long text is several parts; they overlap, so that a phrase that lies across
the end of one is found in the next.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from bough.model.text.search_tokens import cut_tokens
from bough.store.query_language.tsquery import NAME_PARTS, quote_lexeme

OVERLAP: Final = 64
_LONGEST_PART: Final = 8_000
_MOST_POSITIONS: Final = 250
_MOST_BYTES: Final = 400_000

Vector = tuple[int, int, str]
"""A kind, the number of a part, and a tsvector as it is written."""


def build_vectors(words: Sequence[str | None]) -> Iterator[Vector]:
    """Build the vectors of a record from its words by kind, the parts of names last."""
    for kind, written in enumerate(words):
        if not written:
            continue
        tokens = [quote_lexeme(token) for token in cut_tokens(written)]
        if kind == NAME_PARTS:
            # Without positions: no phrase is found in them.
            if tokens:
                yield kind, 0, " ".join(dict.fromkeys(tokens))
            continue
        for part, vector in enumerate(_cut_parts(tokens)):
            yield kind, part, vector


def find_kinds(vectors: Sequence[Vector]) -> int:
    """Give a number with a bit for each kind that has words."""
    found = 0
    for kind, _, _ in vectors:
        found |= 1 << kind
    return found


def _cut_parts(tokens: Sequence[str]) -> Iterator[str]:
    start = 0
    while start < len(tokens):
        positions: dict[str, list[str]] = {}
        size = 0
        end = start
        for end in range(start, min(start + _LONGEST_PART, len(tokens))):
            token = tokens[end]
            known = positions.get(token)
            if known is None:
                known = positions[token] = []
                size += 4 * len(token)
            known.append(str(end - start + 1))
            if len(known) >= _MOST_POSITIONS or size >= _MOST_BYTES:
                break
        end += 1
        yield " ".join(f"{token}:{','.join(places)}" for token, places in positions.items())
        if end >= len(tokens):
            return
        start = max(end - OVERLAP, start + 1)
