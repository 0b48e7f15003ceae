"""Both stores find the same in histories that are made to be hard, page by page to the end.

Texts longer than a part of a team's words, scripts without spaces, parts of names, and moments
that are one, at the edges of days and months, years apart, outside of this century, or missing.
"""

import random
from bisect import bisect
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

import pytest

from bough.model.text.search_tokens import split_tokens
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.search.search import search
from bough.sample import ABSENT, session
from bough.store.postgres.frame_bytes import FrameFinder
from bough.store.postgres.word_rows import LONGEST_PART, OVERLAP
from bough.store.protocol import Store
from bough.store.search_protocol import Order
from tests.searched import asked
from tests.unit.store.contract.conftest import PREFIX, StorePair

COMMON = ("the", "a", "b", "apple", "pear")
RARE = tuple(f"rare{number}" for number in range(12))
ODD = (
    *("applejack", "importJob", "import_job", "Café", "cafe", "naïve", "x1", "2026", "v1.2.3"),
    *(
        "日本",
        "日本語",
        "語",
        "東京タワー",
        "タワー",
        "한국어",
        "ภาษาไทย",
        "🚀go",
        "Ⅷ",
        "ﬁne",
        "straße",
    ),
    *("İstanbul", "O'Neil", "src/app/main.py", "foo-bar", "@2026-11", "q" * 401),
)
MOMENTS: tuple[object, ...] = (
    *("2026-11-15T23:59:59.999Z", "2026-11-16T00:00:00.000Z", "2026-11-16T00:30:00.000+01:00"),
    *("2026-10-31T23:59:59.999Z", "2026-11-01T00:00:00.000Z", "2026-11-10T00:00:00.000Z"),
    *("2026-11-09T12:00:00.000Z", "2025-12-31T23:59:59.999Z", "2024-02-29T10:00:00.000Z"),
    *("2000-01-01T00:00:00.000Z", "2099-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    *("9999-12-31T23:59:59.999Z", "2026-11-15", "2026-11-15T10:00", "yesterday", "", 7),
    *(None, ABSENT),
)
FILTERS = (
    *("kind:prompt", "kind:text", "-kind:text", "kind:thinking", "kind:tool_input", "role:user"),
    *("-kind:tool_result kind:prompt", "project:orchard", "-project:shop", "tool:Bash"),
    *("after:2026-11-15", "before:2026-11-16", "after:2026-11", "before:2000-01-02", "after:2099"),
    *("before:2026-11-15T23:59:59", "after:2026-11-16T00:00 before:2026-11-16T00:01"),
)
FEW, MANY = 50, 200
MOST_PAGES = 8


class OddHistory:
    """Such sessions, and queries about what is in them: the same ones from the same number."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._texts: list[list[str]] = []

    def write(self, folder: Path, records: int) -> None:
        """Write sessions of so many records each."""
        for place, number in (("orchard", 0), ("orchard", 1), ("shop", 2)):
            told = session(f"odd {number}", cwd=f"/home/dev/{place}")
            for _ in range(records):
                said, moment = self._text(), self._moment()
                match self._dice.randrange(5):
                    case 0:
                        told = told.assistant(said, timestamp=moment)
                    case 1:
                        told = told.thinking(said, timestamp=moment)
                    case 2:
                        told = told.tool("Bash", {"command": said}, self._text())
                    case _:
                        told = told.user(said, timestamp=moment)
            told.write(folder)

    def make_queries(self, number: int) -> Iterator[str]:
        """Make so many queries, and some for each long text: phrases where its words are cut."""
        for words in self._texts:
            if len(words) >= LONGEST_PART:
                yield from (_phrase_at_cut(words, before) for before in (1, 30, OVERLAP))
        for _ in range(number):
            parts = [self._expression(0) for _ in range(self._dice.choice((1, 1, 1, 2, 3)))]
            if self._dice.random() < 0.4:
                parts.append(self._dice.choice(FILTERS))
            self._dice.shuffle(parts)
            yield " ".join(parts)

    def _moment(self) -> object:
        dice = self._dice
        if dice.random() < 0.5:
            return dice.choice(MOMENTS)
        day = datetime(2026, 11, 20, tzinfo=UTC) - timedelta(days=int(dice.expovariate(1 / 60)))
        return f"{day:%Y-%m-%d}T{dice.choice((0, 9, 23)):02}:00:00.000Z"

    def _text(self) -> str:
        dice = self._dice
        length = dice.choice((1, 2, 3, 5, 8, 20))
        if dice.random() < 0.04:
            length = dice.choice((LONGEST_PART, LONGEST_PART + 1, 5 * LONGEST_PART // 2))
        words = dice.choices((dice.choice(ODD), *COMMON, *ODD), k=length)
        for _ in range(length // 300 + (dice.random() < 0.1)):
            words[dice.randrange(length)] = dice.choice(RARE)
        self._texts.append(words)
        return dice.choice((" ", " ", ", ", "\n", "" if length < 10 else " ")).join(words)

    def _expression(self, depth: int) -> str:
        choice = self._dice.random()
        if choice < 0.3 or depth > 2:
            return self._word()
        if choice < 0.55:
            return self._phrase()
        if choice < 0.65:
            word = self._word()
            return f"{word[: self._dice.randint(1, len(word))]}*"
        if choice < 0.75:
            return f"-{self._dice.choice((self._word, self._word, self._phrase))()}"
        joint = " OR " if choice < 0.9 else " "
        return f"({self._expression(depth + 1)}{joint}{self._expression(depth + 1)})"

    def _word(self) -> str:
        return self._dice.choice(self._dice.choice((ODD, RARE, COMMON)))

    def _phrase(self) -> str:
        """Take words in a row from a text."""
        words = self._dice.choice(self._texts)
        start = self._dice.randrange(len(words))
        end = start + self._dice.choice((2, 2, 3, 5, OVERLAP, OVERLAP + 1, 90))
        return f'"{" ".join(words[start:end])}"{self._dice.choice(("", "", "*"))}'


def _phrase_at_cut(words: list[str], before: int) -> str:
    """Take as many words as parts have in common, from so many before the end of the first."""
    ends = list(accumulate(len(split_tokens(word)) for word in words))
    start = bisect(ends, LONGEST_PART - before)
    end = bisect(ends, ends[start - 1] + OVERLAP)
    return f'"{" ".join(words[start:end])}"'


def list_hits(
    store: Store, text: str, order: Order, size: int, finder: FrameFinder | None = None
) -> list[tuple[str, str, int]]:
    """Give all hits in their order, page by page; totals that are said to be exact are theirs."""
    hits: list[tuple[str, str, int]] = []
    sessions: set[str] = set()
    totals, session_totals = set(), set()
    cursor = None
    while True:
        page = search(
            store,
            asked(text),
            order=order,
            limit=size,
            cursor=cursor,
            sources=finder or USUAL_SOURCES,
            excerpts=False,
        )
        hits += (
            (hit.timestamp or "", hit.path.removeprefix(PREFIX), hit.offset) for hit in page.hits
        )
        sessions |= {hit.session for hit in page.hits}
        totals |= {page.total} if page.exact else set()
        session_totals |= {page.sessions} if page.sessions is not None else set()
        cursor = page.next
        if cursor is None:
            assert totals <= {len(hits)}, text
            assert session_totals <= {len(sessions)}, text
            return hits


def assert_same_hits(pair: StorePair, seed: int, records: int, queries: int) -> None:
    """Fill both stores with a history, and compare what they find."""
    history = OddHistory(seed)
    history.write(pair.folder, records)
    pair.refresh()
    finder = FrameFinder(pair.url)
    dice = random.Random(seed)
    for text in history.make_queries(queries):
        here = list_hits(pair.local, text, "newest", 100)
        size = max(dice.choice((1, 3, 20, 100)), len(here) // MOST_PAGES)
        there = list_hits(pair.reader, text, "newest", size, finder)
        best = list_hits(pair.reader, text, "relevance", size, finder)

        # What has the same moment stands by numbers that only its store knows.
        assert [moment for moment, *_ in there] == [moment for moment, *_ in here], text
        assert sorted(there) == sorted(best) == sorted(here), text


def test_odd_histories_are_searched_alike(pair: StorePair) -> None:
    assert_same_hits(pair, 1, 60, FEW)


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize("seed", range(2, 8))
def test_large_odd_histories_are_searched_alike(pair: StorePair, seed: int) -> None:
    assert_same_hits(pair, seed, 250, MANY)
