"""What grows with a session grows like the session: four times the branches, four times the work.

Steps are counted, no time is taken. Half as much again is allowed for what is sorted.
"""

from collections.abc import Callable

import pytest
from msgspec import Raw

from bough.export.document import choose_conversations
from bough.export.document_options import ExportOptions, build_views
from bough.export.header import list_facts
from bough.export.html.page import render_page
from bough.ingest.index.session_facts import RecordCounts, compute_session_facts
from bough.model.outline.session_outline import outline_of
from bough.model.session import Session
from bough.model.tree.lineage import LineageFacts, find_origins
from bough.query.json_documents import tree_document
from bough.query.lists.from_files import list_conversations
from bough.records.record import Record
from bough.records.types import Assistant, User
from tests.unit.model.work import count_steps

FEW, MANY = 24, 96
MOST = 1.5 * MANY / FEW


def stamp(number: int) -> str:
    return f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"


def prompt(uuid: str, parent: str | None, number: int) -> User:
    said = Raw(b'{"role":"user","content":"%s"}' % uuid.encode())
    return User(
        uuid=uuid,
        parent_uuid=parent,
        timestamp=stamp(number),
        offset=number,
        message_json=said,
        version="2.1.250",
    )


def answer(uuid: str, parent: str | None, number: int) -> Assistant:
    said = Raw(b'{"id":"m%s","role":"assistant","content":"yes"}' % uuid.encode())
    return Assistant(
        uuid=uuid,
        parent_uuid=parent,
        timestamp=stamp(number),
        offset=number,
        message_json=said,
        version="2.1.250",
    )


def comb(branches: int) -> list[Record]:
    """Write a long line and then a prompt beside each of its prompts."""
    found: list[Record] = []
    for n in range(branches):
        above = f"a{n - 1}" if n else None
        found += [prompt(f"p{n}", above, 2 * n), answer(f"a{n}", f"p{n}", 2 * n + 1)]
    found += [prompt(f"q{n}", f"a{n}", 2 * branches + n) for n in range(branches - 1)]
    return found


def ladder(branches: int) -> list[Record]:
    """Write branches that leave one another, each at the end of the last."""
    found: list[Record] = []
    for n in range(branches):
        above = f"a{n - 1}" if n else None
        found.append(prompt(f"q{n}", above, 3 * n))
        found += [prompt(f"p{n}", above, 3 * n + 1), answer(f"a{n}", f"p{n}", 3 * n + 2)]
    return found


def star(branches: int) -> list[Record]:
    """Write one answer and many prompts on it."""
    return [answer("a", None, 0), *(prompt(f"p{n}", "a", n + 1) for n in range(branches))]


def count_all_paths(session: Session) -> object:
    return [
        (c.turn_count, c.message_count, c.title, c.started_at, c.ended_at, c.branch_point)
        for c in session.conversations
    ]


def index_facts(session: Session) -> object:
    counts = RecordCounts(len(session.records), 0, 0)
    return compute_session_facts("s", (session.records, ()), counts, None)


def write_all_branches(session: Session) -> object:
    include = ExportOptions(all_branches=True, redact=False)
    views = build_views(session, choose_conversations(session, include), include, most_whole=0)
    main = next(views)
    return "".join(render_page(main, views, list_facts(main, include)))


def examine(session: Session) -> object:
    return session.health


@pytest.mark.parametrize("shape", [comb, ladder, star])
@pytest.mark.parametrize(
    "work",
    [
        count_all_paths,
        outline_of,
        tree_document,
        list_conversations,
        index_facts,
        examine,
        write_all_branches,
    ],
)
def test_the_work_on_a_session_grows_like_its_branches(
    shape: Callable[[int], list[Record]], work: Callable[[Session], object]
) -> None:
    few, many = (Session("s", shape(branches)) for branches in (FEW, MANY))
    work(Session("s", shape(2)))  # what is read once, on first use, is no part of it

    assert len(many.tips) in (MANY - 1, MANY, MANY + 1)
    assert count_steps(lambda: work(many)) < MOST * count_steps(lambda: work(few))


def shared_by_all(count: int) -> list[LineageFacts]:
    return [
        LineageFacts(f"s{n:03}", stamp(n), frozenset({"everywhere", f"own {n}"}))
        for n in range(count)
    ]


def copies_in_pairs(count: int) -> list[LineageFacts]:
    return [
        LineageFacts(f"s{n:03}", stamp(n), frozenset({"everywhere", f"pair {n // 2}"}))
        for n in range(count)
    ]


@pytest.mark.parametrize("sessions", [shared_by_all, copies_in_pairs])
def test_the_search_for_origins_grows_like_the_sessions_that_share_a_uuid(
    sessions: Callable[[int], list[LineageFacts]],
) -> None:
    few, many = sessions(FEW), sessions(MANY)

    assert count_steps(lambda: find_origins(many)) < MOST * count_steps(lambda: find_origins(few))


def test_what_thousands_of_sessions_share_comes_from_the_earliest() -> None:
    found = find_origins(shared_by_all(2_000))

    assert len(found) == 1_999
    assert {origin.session for origin in found.values()} == {"s000"}
