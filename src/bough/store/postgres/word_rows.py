"""Words as a team's store keeps them: the very tokens that FTS5 gets, as one text for each kind.

PostgreSQL's own parser never sees a text, so that URLs, paths, hyphens and versions are cut the
same in both stores. Tokens stand in their order with one space between two: the server makes the
vectors of its index of them, and looks for phrases in the text. A vector has less than a megabyte
of different words, so a long text is several parts; they overlap, so that a phrase that lies
across the end of one is found in the next.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from bough.model.text.search_tokens import cut_tokens
from bough.store.query_language.tsquery import LONGEST_TOKEN, NAME_PARTS

OVERLAP: Final = 64
LONGEST_PART: Final = 1_000
_MOST_CHARACTERS: Final = 200_000
"""Of four bytes each they are less than a megabyte."""

WordRow = tuple[int, int, str]
"""A kind, the number of a part, and its tokens."""


def build_word_rows(words: Sequence[bytes | None]) -> Iterator[WordRow]:
    """Build the rows of a record from its words by kind, the parts of names last."""
    for kind, written in enumerate(words):
        if not written:
            continue
        tokens = cut_tokens(written.decode())
        if kind == NAME_PARTS:
            # Each once: no phrase is found in them.
            tokens = list(dict.fromkeys(tokens))
        for part, text in enumerate(_cut_parts(tokens)):
            yield kind, part, text


def find_kinds(rows: Sequence[WordRow]) -> int:
    """Give a number with a bit for each kind that has words."""
    found = 0
    for kind, _, _ in rows:
        found |= 1 << kind
    return found


def _cut_parts(tokens: Sequence[str]) -> Iterator[str]:
    text = " ".join(tokens)
    # Fast path: almost every text is short.
    if len(text) <= LONGEST_TOKEN:
        if text:
            yield text
        return
    if max(map(len, tokens)) > LONGEST_TOKEN:
        tokens = [token[:LONGEST_TOKEN] for token in tokens]
        text = " ".join(tokens)
    if len(tokens) <= LONGEST_PART and len(text) <= _MOST_CHARACTERS:
        yield text
        return
    start = 0
    while start < len(tokens):
        end = _find_end(tokens, start)
        yield " ".join(tokens[start:end])
        if end >= len(tokens):
            return
        start = max(end - OVERLAP, start + 1)


def _find_end(tokens: Sequence[str], start: int) -> int:
    """Find up to which token a part goes."""
    size = 0
    for number in range(start, min(start + LONGEST_PART, len(tokens))):
        size += len(tokens[number]) + 1
        if size > _MOST_CHARACTERS:
            return number
    return min(start + LONGEST_PART, len(tokens))
