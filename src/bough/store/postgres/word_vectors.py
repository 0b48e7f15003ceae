"""Words as PostgreSQL keeps them: tsvectors of the very tokens that FTS5 gets.

PostgreSQL's own parser never sees a text, so that URLs, paths, hyphens and versions are cut the
same in both stores. A vector has limits: positions up to 16,383, 256 of them for one word, a
megabyte in all. So a long text is several parts; they overlap, so that a phrase that lies across
the end of one is found in the next.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bough.model.text.search_tokens import cut_tokens
from bough.store.query_language.tsquery import NAME_PARTS, quote_lexeme

OVERLAP: Final = 64
_LONGEST_PART: Final = 8_000
_MOST_POSITIONS: Final = 250
_MOST_BYTES: Final = 400_000
_PLACES: Final = tuple(map(str, range(1, _LONGEST_PART + 1)))
_SURELY_SHORT: Final = 100
"""Shorter ones of plain letters need no quotes, and are never cut."""

Vector = tuple[int, int, str]
"""A kind, the number of a part, and a tsvector as it is written."""


def build_vectors(words: Sequence[str | None]) -> Iterator[Vector]:
    """Build the vectors of a record from its words by kind, the parts of names last."""
    for kind, written in enumerate(words):
        if not written:
            continue
        tokens = cut_tokens(written)
        if kind == NAME_PARTS:
            # Without positions: no phrase is found in them.
            if tokens:
                yield kind, 0, " ".join(map(quote_lexeme, dict.fromkeys(tokens)))
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
        part = tokens[start : start + _LONGEST_PART]
        end = start + len(part)
        if not _is_small(part):
            part = part[: _find_end(part)]
            end = start + len(part)
        yield _write_vector(part)
        if end >= len(tokens):
            return
        start = max(end - OVERLAP, start + 1)


def _write_vector(tokens: Sequence[str]) -> str:
    """Write tokens with the places they stand at."""
    # Fast path: a third of all the work of sending; most words stand in a text once.
    positions: dict[str, str] = {}
    for token, place in zip(tokens, _PLACES, strict=False):
        positions[token] = f"{positions[token]},{place}" if token in positions else place
    return " ".join(
        [
            f"{token}:{places}"
            if token.isascii() and token.isalnum() and len(token) < _SURELY_SHORT
            else f"{quote_lexeme(token)}:{places}"
            for token, places in positions.items()
        ]
    )


def _is_small(tokens: Sequence[str]) -> bool:
    """Tell whether a part is within all limits, without counting where that is plain."""
    if len(tokens) < _MOST_POSITIONS:
        return 4 * sum(map(len, tokens)) < _MOST_BYTES
    counts = Counter(tokens)
    return (
        max(counts.values()) < _MOST_POSITIONS
        and 4 * sum(map(len, counts)) + 8 * len(counts) < _MOST_BYTES
    )


def _find_end(tokens: Sequence[str]) -> int:
    """Find how many tokens fit into a part."""
    counts: dict[str, int] = {}
    size = 0
    for number, token in enumerate(tokens, 1):
        known = counts.get(token, 0)
        if not known:
            size += 4 * len(token) + 8
        counts[token] = known + 1
        if known + 1 >= _MOST_POSITIONS or size >= _MOST_BYTES:
            return number
    return len(tokens)
