"""Whatever is shared, each sees what a small model says, through bough and through SQL."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Literal

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from bough.store.postgres.frame_bytes import FrameFinder, close_shared
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_members import share_project
from bough.store.search_protocol import Order, SearchRequest
from bough.store.team_rows import ShareLevel
from bough.store.usage_protocol import SumRequest
from tests.searched import asked
from tests.team_people import People, Sent, team_of
from tests.team_server import TeamServer

OWNERS = ("ann", "ben", "cat")
READERS = (*OWNERS, "dan", "chief", "watcher")
PROJECTS = ("orchard", "shop", "secret")
SENT: Mapping[str, tuple[str, ...]] = {
    "ann": ("orchard", "shop"),
    "ben": ("orchard", "secret"),
    "cat": ("shop", "secret", "orchard"),
}
BY_PROJECT = (
    *("session", "conversation", "record", "body", "outline", "summary", "call", "result"),
    *("touch", "hook", "agent_run", "prompt", "trouble", "compaction", "stop", "tie", "file"),
)
NUMBERS = ("usage", "usage_sum", "unsummed")
CALLS_EACH = 2
ORDERS: tuple[Order, ...] = ("newest", "relevance")
Folder = tuple[str, str]
"""Whose a project is, and its name."""


class Share(Struct, frozen=True):
    """That somebody shares a project with somebody; `chief` shares what is everybody's."""

    by: str
    member: str
    project: str
    level: ShareLevel


def folders_seen(
    reader: str, shares: list[Share], level: Literal["read", "numbers"]
) -> set[Folder]:
    """Say which folders somebody may read, or know the numbers of: the rule, in Python."""
    everything = {(owner, project) for owner, projects in SENT.items() for project in projects}
    if reader == "watcher" or (reader == "chief" and level == "numbers"):
        return everything
    seen = {folder for folder in everything if folder[0] == reader}
    # Who shares a project anew says anew at which level.
    last = {(one.by, one.member, one.project): one for one in shares if one.member == reader}
    for one in last.values():
        if level == "numbers" or one.level == "read":
            seen |= {
                (owner, project)
                for owner, project in everything
                if project == one.project and one.by in ("chief", owner)
            }
    return seen


@st.composite
def shares_of_a_team(draw: st.DrawFn) -> list[Share]:
    """Draw what is shared, and with whom."""
    shares = []
    for _ in range(draw(st.integers(0, 8))):
        by = draw(st.sampled_from((*OWNERS, "chief")))
        member = draw(st.sampled_from([one for one in (*OWNERS, "dan") if one != by]))
        project = draw(st.sampled_from(SENT.get(by, PROJECTS)))
        shares.append(Share(by, member, project, draw(st.sampled_from(["read", "numbers"]))))
    return shares


class SentTeam:
    """A team, what was sent, and which project of the database is which folder."""

    def __init__(self, people: People, sent: list[Sent]) -> None:
        self.people = people
        self.sent = {(one.owner, one.project): one for one in sent}
        with people.sql() as chief:
            self.numbers = dict(
                chief.execute(
                    "select p.id, (m.owner, p.name) from project p"
                    " join machine m on m.id = p.machine_id"
                ).fetchall()
            )
            self.rows = {
                table: _count_by_project(chief, table) for table in (*BY_PROJECT, *NUMBERS, "frame")
            }

    def share(self, shares: list[Share]) -> None:
        """Share these things and nothing else."""
        with self.people.sql() as chief:
            chief.execute("delete from share")
        for one in shares:
            with closing(ServerConnection(self.people.url_of(one.by))) as connection:
                share_project(connection, one.project, one.member, one.level)

    def count_rows(self, table: str, folders: set[Folder]) -> dict[int, int]:
        """Count the rows that a table has of some folders."""
        return {
            number: rows
            for number, rows in self.rows[table].items()
            if self.numbers[number] in folders
        }


@pytest.fixture(scope="module")
def team(team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentTeam]:
    """Lend a team of which three have sent something."""
    with team_of(team_server) as people:
        for name in (*OWNERS, "dan"):
            people.add(name)
        people.add("chief", "admin")
        people.add("watcher", "auditor")
        place = tmp_path_factory.mktemp("people")
        sent = []
        for name, projects in SENT.items():
            (place / name / "projects").mkdir(parents=True)
            sent += people.send(name, place / name, projects)
        yield SentTeam(people, sent)
        close_shared()


def _count_by_project(connection: psycopg.Connection, table: str) -> dict[int, int]:
    statement = f"select project_id, count(*) from {table} group by project_id"
    return dict(connection.execute(statement).fetchall())


def _assert_sees(team: SentTeam, store: PostgresStore, reader: str, shares: list[Share]) -> None:
    read, numbers = (folders_seen(reader, shares, level) for level in ("read", "numbers"))
    sessions = {team.sent[folder].session for folder in read}
    assert {row.id for row in store.sessions()} == sessions
    assert {(row.owner, row.name) for row in store.projects()} == numbers
    assert sum(row.sessions for row in store.projects()) == len(read)
    assert {row.session for row in store.conversations()} == sessions
    assert {state.session for state in store.states().values()} == sessions
    assert len(store.session_files()) == len(read)
    used = {team.sent[folder].session for folder in numbers}
    assert {usage.session for usage in store.usage_files()} == used
    assert {usage.session for usage in store.usages() if usage.lines} == used
    titles = {usage.session for usage in store.usage_files() if usage.title}
    assert titles == sessions
    sums = store.sum_usage(SumRequest(by=frozenset({"session"})))
    assert sums is not None
    assert {usage.session: total.calls for usage, total in sums} == dict.fromkeys(used, CALLS_EACH)


def _assert_finds(team: SentTeam, store: PostgresStore, read: set[Folder]) -> None:
    """Ask for each word; a word of others is answered as one that nobody ever wrote."""
    nothing = [store.search(SearchRequest(asked("nowherefound"), order)) for order in ORDERS]
    for folder, sent in team.sent.items():
        found = store.search(SearchRequest(asked(sent.word), "newest", limit=2))
        if folder in read:
            assert {row.session for row in found.rows} == {sent.session}
            assert found.total > len(found.rows)
            assert found.next is not None
        else:
            assert found == nothing[0]
        assert store.nearest_word(sent.word[:-1]) is None
    for folders in (read, team.sent.keys() - read):
        for folder in sorted(folders)[:1]:
            word = asked(team.sent[folder].word)
            facets = store.count_facets(SearchRequest(word))
            assert facets is not None
            best = store.search(SearchRequest(word, "relevance"))
            if folder in read:
                assert set(facets.sessions) == {team.sent[folder].session}
                assert {row.session for row in best.rows} == {team.sent[folder].session}
            else:
                assert facets == store.count_facets(SearchRequest(asked("nowherefound")))
                assert best == nothing[1]
    several = store.search(SearchRequest(asked("that is all"), "newest", limit=50))
    assert several.total == several.sessions == len(read)
    everywhere = store.search(SearchRequest(asked("project:secret"), "newest", limit=100))
    assert {row.session for row in everywhere.rows} == {
        team.sent[folder].session for folder in read if folder[1] == "secret"
    }


def _assert_rows(
    team: SentTeam, connection: psycopg.Connection, reader: str, shares: list[Share]
) -> None:
    read, numbers = (folders_seen(reader, shares, level) for level in ("read", "numbers"))
    for table in BY_PROJECT:
        assert _count_by_project(connection, table) == team.count_rows(table, read), table
    for table in NUMBERS:
        assert _count_by_project(connection, table) == team.count_rows(table, numbers), table


def _check(team: SentTeam, shares: list[Share]) -> None:
    team.share(shares)
    states = {}
    for reader in READERS:
        read = folders_seen(reader, shares, "read")
        with team.people.web_store(reader) as store:
            _assert_sees(team, store, reader, shares)
            _assert_rows(team, store.connection.raw, reader, shares)
            states[reader] = store.state()
            if reader == "watcher":
                _assert_finds(team, store, read)
                continue
        with team.people.store(reader) as store:
            _assert_sees(team, store, reader, shares)
            assert store.state() == states[reader]
            _assert_finds(team, store, read)
        with team.people.sql(reader) as connection:
            _assert_rows(team, connection, reader, shares)
            assert _count_by_project(connection, "frame") == team.count_rows("frame", read)
        finder = FrameFinder(team.people.url_of(reader))
        for folder, sent in team.sent.items():
            path = f"//{sent.owner}s-laptop"
            kept = finder.list_kept(path)
            assert any(sent.session in name for names in kept.values() for name in names) == (
                folder in read
            )


@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(shares=shares_of_a_team())
def test_each_sees_what_the_model_says(team: SentTeam, shares: list[Share]) -> None:
    _check(team, shares)


@pytest.mark.slow
@pytest.mark.whole
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(shares=shares_of_a_team())
def test_each_sees_what_the_model_says_of_many_teams(team: SentTeam, shares: list[Share]) -> None:
    _check(team, shares)
