"""Words of many times: the newest records and the totals are those of a model in plain Python.

Rows of words are written straight into their table, with moments over years, on few days, and with
such as no clock gives; the database is asked by its own functions.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

import psycopg
import pytest

from tests.team_server import TeamServer

SEEN, UNSEEN = 1, 2
"""A project that is there, and one that is not, whose rows nobody may read."""
COMMON, MIDDLING, RARE = "common", "middling", "rare"
STRANGE = ["", "0", "2026", "2026-11-1", "zz top", "it's \\ odd", "@2026-11-1", "~~~~~~~~~~~~"]
_MACHINE = "insert into machine values ('1a1a1a1a-1a1a-1a1a-1a1a-1a1a1a1a1a1a', 'ann', 'x', '//x')"
_PROJECT = """
    insert into project (id, machine_id, identity, folder, dir, name)
    values (1, '1a1a1a1a-1a1a-1a1a-1a1a-1a1a1a1a1a1a', 1, '//x/f', 'd', 'n')
"""
_FOUND = """
    select file_id, "offset", moment from found(%s::tsquery[], %s::integer[], %s::integer[],
        %s, %s, %s, %s)
"""
_COUNT = "select * from count_found(%s::tsquery[], %s::integer[], %s::integer[], %s)"


class Words(NamedTuple):
    """One row of words."""

    file: int
    project: int
    offset: int
    moment: str
    kind: int
    part: int
    text: str


class Asked(NamedTuple):
    """What is asked for: queries with their groups, and which texts they are about."""

    queries: list[str]
    groups: list[int]

    def matches(self, rows: list[str]) -> bool:
        """Tell whether the texts of a record match."""
        wanted = {group for group in self.groups if group > 0}
        met = {
            group
            for query, group in zip(self.queries, self.groups, strict=True)
            if any(f" {query.replace(' <-> ', ' ')} " in f" {text} " for text in rows)
        }
        return wanted <= met and not met - wanted


ASKED = [
    Asked([COMMON], [1]),
    Asked([MIDDLING], [1]),
    Asked([RARE], [1]),
    Asked(["nowhere"], [1]),
    Asked([RARE, MIDDLING], [1, 1]),
    Asked([COMMON, MIDDLING], [1, 2]),
    Asked([COMMON, RARE], [1, -1]),
    Asked([f"{COMMON} <-> {MIDDLING}"], [1]),
    Asked([f"{MIDDLING} <-> {RARE}"], [1]),
    Asked([f"{COMMON} <-> {COMMON}", RARE], [1, -1]),
]


def make_rows(seed: int, records: int, moments: list[str]) -> list[Words]:
    """Make rows of some records, each with one moment and up to three texts."""
    dice = random.Random(seed)
    rows = []
    for offset in range(records):
        moment = dice.choice(moments)
        project = SEEN if dice.random() < 0.9 else UNSEEN
        for number in range(dice.choice([1, 1, 1, 2, 3])):
            words = dice.choices(
                [COMMON, MIDDLING, RARE, "a", "b"], [30, 5, 0.2, 20, 20], k=dice.randint(1, 6)
            )
            rows.append(
                Words(7 + offset % 5, project, offset, moment, number % 2, number, " ".join(words))
            )
    return rows


def days(first: str, number: int) -> list[str]:
    """Give moments of so many days: three for each."""
    year = int(first[:4])
    return [
        f"{year + day // 360}-{day // 30 % 12 + 1:02}-{day % 30 + 1:02}T{hour:02}:00:00.000Z"
        for day in range(number)
        for hour in (1, 9, 23)
    ]


@pytest.fixture
def database(team_server: TeamServer) -> Iterator[psycopg.Connection]:
    with team_server.database() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set search_path = bough")
        connection.execute(_MACHINE)
        connection.execute(_PROJECT)
        yield connection


def write(connection: psycopg.Connection, rows: list[Words]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            'insert into word (file_id, project_id, "offset", moment, kind, part, words)'
            " values (%s, %s, %s, %s, %s, %s, %s)",
            rows,
        )


def expect(rows: list[Words], asked: Asked) -> list[tuple[str, int, int]]:
    """List the records that match, the newest first."""
    records: dict[tuple[str, int, int], list[str]] = {}
    for row in rows:
        if row.project == SEEN:
            records.setdefault((row.moment, row.file, row.offset), []).append(row.text)
    return sorted((place for place, texts in records.items() if asked.matches(texts)), reverse=True)


def find(
    connection: psycopg.Connection,
    asked: Asked,
    newest: int | None,
    before: tuple[str, int, int] | None = None,
) -> list[tuple[str, int, int]]:
    kinds = [127] * len(asked.queries)
    found = connection.execute(
        _FOUND, [asked.queries, kinds, asked.groups, newest, *(before or (None,) * 3)]
    ).fetchall()
    return [(moment, file, offset) for file, offset, moment in found]


@pytest.mark.parametrize("takes_several_words", [True, False])
@pytest.mark.parametrize(
    "moments",
    [
        days("2023", 1_000),
        days("2026", 1),
        days("2026", 12) + STRANGE,
        STRANGE,
        [*days("2020", 3), *days("2026", 3), ""],
    ],
    ids=["years", "a day", "days and no days", "no days", "long ago and now"],
)
def test_the_newest_are_found_page_by_page_whatever_the_times(
    database: psycopg.Connection, moments: list[str], *, takes_several_words: bool
) -> None:
    rows = make_rows(len(moments), 1_500, moments)
    write(database, rows)
    if not takes_several_words:
        database.execute("update dialect set works = false where name = 'gin_and'")

    for asked in ASKED:
        expected = expect(rows, asked)
        assert sorted(find(database, asked, None), reverse=True) == expected
        assert find(database, asked, 21) == expected[:21]
        before, shown = None, 0
        for size in (5, 100, 700):
            page = find(database, asked, size, before)
            assert page == expected[shown : shown + size]
            if page:
                before, shown = page[-1], shown + len(page)
        counted = database.execute(
            _COUNT, [asked.queries, [127] * len(asked.queries), asked.groups, 10_000]
        ).fetchone()
        assert counted is not None
        assert (counted[0], counted[2]) == (len(expected), True)


def test_a_day_that_has_more_than_can_be_put_in_order_is_walked(
    database: psycopg.Connection,
) -> None:
    rows = make_rows(3, 6_000, ["2026-11-15T01:00:00Z", "2026-11-15T02:00:00Z"])
    write(database, rows)
    asked = Asked(["a", "b", COMMON], [1, 1, 1])

    expected = expect(rows, asked)

    assert len(expected) > 5_000
    assert find(database, asked, 21) == expected[:21]
    assert find(database, asked, 1_000, expected[2_000]) == expected[2_001:3_001]


def test_of_a_common_word_more_than_the_most_are_told_and_of_others_all_are_counted(
    database: psycopg.Connection,
) -> None:
    """The table is said to be large, so that a common word is counted from the newest times on."""
    rows = make_rows(4, 4_000, days("2025", 500))
    write(database, rows)
    database.execute("analyze word")
    database.execute("update pg_class set reltuples = 1e7 where oid = 'word'::regclass")

    for asked in ASKED[:7]:
        expected = len(expect(rows, asked))
        for most in (100, 400, 1_500, 10_000):
            counted = database.execute(
                _COUNT, [asked.queries, [127] * len(asked.queries), asked.groups, most]
            ).fetchone()
            assert counted is not None
            assert (counted[0], counted[2]) == (min(expected, most), expected <= most)
