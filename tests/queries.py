"""Queries made up from the words of an index: of every form the search language has."""

import random
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

_FILTERS = (
    *("kind:prompt", "kind:text", "kind:thinking", "kind:tool_input", "kind:tool_result"),
    *("kind:note", "-kind:tool_result", "kind:text kind:prompt", "role:user", "role:assistant"),
    *("-role:user", "branch:active", "branch:left", "-branch:left", "is:error", "-is:error"),
    *("has:image", "tool:Bash", "tool:Edit", "-tool:Read", "tool:*e*", "model:opus", "-model:opus"),
    *("file:py", "file:.md", "-file:src", "stop:max_tokens", "stop:*", "pr:4*", "project:o"),
    *(
        "-project:o",
        "session:0",
        "-session:1",
        "after:2026-01-15",
        "before:2026-06",
        "after:2026-11",
    ),
)
_MOST_ROWS = 400_000


class QueryMaker:
    """Makes queries, the same ones from the same number."""

    def __init__(self, index: Path, seed: int) -> None:
        self._random = random.Random(seed)
        self._words, self._texts = _read_words(index)

    def make(self, number: int) -> Iterator[str]:
        """Make so many queries."""
        for _ in range(number):
            parts = [self._expression(0) for _ in range(self._random.choice((1, 1, 1, 2, 3)))]
            if self._random.random() < 0.4:
                parts.append(self._random.choice(_FILTERS))
            if self._random.random() < 0.1:
                parts = [self._random.choice(_FILTERS) for _ in range(2)]
            self._random.shuffle(parts)
            yield " ".join(parts)

    def _expression(self, depth: int) -> str:
        choice = self._random.random()
        if choice < 0.35 or depth > 2:
            return self._word()
        if choice < 0.5:
            return self._phrase()
        if choice < 0.6:
            word = self._word()
            return f"{word[: self._random.randint(1, len(word))]}*"
        if choice < 0.7:
            return f"-{self._word()}"
        if choice < 0.85:
            return f"{self._operand(depth)} OR {self._operand(depth)}"
        items = " ".join(self._expression(depth + 1) for _ in range(2))
        return f"({items})"

    def _operand(self, depth: int) -> str:
        if depth < 2 and self._random.random() < 0.3:
            return f"({self._expression(depth + 1)} {self._expression(depth + 1)})"
        return self._word()

    def _word(self) -> str:
        return self._random.choice(self._words)

    def _phrase(self) -> str:
        text = self._random.choice(self._texts)
        length = min(self._random.randint(2, 5), len(text))
        start = self._random.randint(0, len(text) - length)
        return '"' + " ".join(text[start : start + length]) + '"'


def _read_words(index: Path) -> tuple[list[str], list[list[str]]]:
    """Read the words of an index, rare and common ones alike, and texts as words in a row."""
    connection = sqlite3.connect(index)
    try:
        connection.execute(
            "create virtual table temp.seen using fts5vocab('main', 'words', 'instance')"
        )
        rows = connection.execute(
            "select s.doc, s.col, s.term, s.offset from temp.seen s "
            "where s.col <> 'parts' and length(s.term) < 60 limit ?",
            (_MOST_ROWS,),
        )
        texts: dict[tuple[int, str], dict[int, str]] = defaultdict(dict)
        words: dict[str, int] = defaultdict(int)
        for doc, column, term, offset in rows:
            texts[doc, column][offset] = term
            words[term] += 1
    finally:
        connection.close()
    by_number = sorted(words, key=lambda word: (-words[word], word))
    # As many of the common ones as of all.
    chosen = by_number[:200] * (1 + len(by_number) // 400) + by_number
    runs = [
        [text[place] for place in sorted(text)]
        for text in texts.values()
        if len(text) > 1 and max(text) - min(text) == len(text) - 1
    ]
    return chosen, runs
