"""Each rule of who sees what, tried by a member who has psql and knows everybody's secrets."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest
from psycopg import errors

from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_check import find_gaps
from bough.store.postgres.team_members import share_project, unshare_project
from tests.team_people import WEB, People, Sent, team_of
from tests.team_server import TeamServer

NOT_ALLOWED = (errors.InsufficientPrivilege,)
BY_FILE = (
    *("session", "conversation", "record", "body", "frame", "outline", "summary", "call"),
    *(
        "result",
        "touch",
        "hook",
        "agent_run",
        "prompt",
        "trouble",
        "compaction",
        "stop",
        "tie",
        "usage",
    ),
    *("usage_sum", "unsummed"),
)
GUARDED = (*BY_FILE, "machine", "writing", "project", "file", "companion", "note")


class Team:
    """Ann and Mal, who each sent two projects, Ben who sent nothing, and those who keep watch."""

    def __init__(self, people: People, anns: list[Sent], mals: list[Sent]) -> None:
        self.people = people
        self.anns = anns
        self.mals = mals


@pytest.fixture(scope="module")
def team(team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """Lend a team in which nothing is shared."""
    with team_of(team_server) as people:
        for name in ("ann", "ben", "mal"):
            people.add(name)
        people.add("chief", "admin")
        people.add("watcher", "auditor")
        place = tmp_path_factory.mktemp("people")
        sent = []
        for name in ("ann", "mal"):
            (place / name / "projects").mkdir(parents=True)
            sent.append(people.send(name, place / name, [f"{name}s-orchard", f"{name}s-shop"]))
        yield Team(people, *sent)


@pytest.fixture
def mal(team: Team) -> Iterator[psycopg.Connection]:
    """Be Mal, with psql."""
    with team.people.sql("mal") as connection:
        yield connection


def run(connection: psycopg.Connection, statement: str, values: Any = None) -> list[Any]:
    """Run a statement; gives its rows, where it has some."""
    cursor = connection.execute(statement, values)
    return cursor.fetchall() if cursor.description else []


def one(connection: psycopg.Connection, statement: str, values: Any = None) -> Any:
    """Give the first column of the first row."""
    return run(connection, statement, values)[0][0]


def everything_of(connection: psycopg.Connection, owner: str) -> dict[str, Any]:
    """Look up, as one who may, what somebody has."""
    row = run(
        connection,
        "select f.id, f.project_id, f.machine_id, f.path, f.session, p.name, p.identity, p.folder"
        " from file f join project p on p.id = f.project_id join machine m on m.id = f.machine_id"
        " where m.owner = %s order by f.path",
        [owner],
    )[0]
    names = ("file", "project", "machine", "path", "session", "name", "identity", "folder")
    return dict(zip(names, row, strict=True))


@pytest.mark.parametrize("table", GUARDED)
def test_no_row_of_others_is_seen_counted_changed_or_removed(
    team: Team, mal: psycopg.Connection, table: str
) -> None:
    with team.people.sql() as chief:
        column, of_mal = {
            "machine": ("owner", "owner = 'mal'"),
            "project": ("name", "name like 'mals-%'"),
            "writing": ("writer", "false"),
            "note": ("body", "false"),
        }.get(
            table, ("project_id", "project_id in (select id from project where name like 'mals-%')")
        )
        own = one(chief, f"select count(*) from {table} where {of_mal}")

    assert len(run(mal, f"select * from {table}")) == own
    assert one(mal, f"select count(*) from {table}") == own
    with mal.transaction(force_rollback=True):
        changed = mal.execute(f"update {table} set {column} = {column}")
        assert changed.rowcount == own
    with mal.transaction(force_rollback=True):
        removed = mal.execute(f"delete from {table}")
        # Machines and projects stay, so that what was sent has an owner.
        assert removed.rowcount == (0 if table in ("machine", "project") else own)


def test_json_of_others_is_not_shown_by_its_view(team: Team, mal: psycopg.Connection) -> None:
    with team.people.sql() as chief:
        own = one(
            chief,
            "select count(*) from record where project_id in "
            "(select id from project where name like 'mals-%')",
        )

    bodies = run(mal, "select body ->> 'type', body::text from record_body")
    assert len(bodies) == own > 0
    assert all(kind for kind, _ in bodies)
    assert not any("kumquatann" in body for _, body in bodies)


def test_rows_cannot_be_added_to_what_belongs_to_others(
    team: Team, mal: psycopg.Connection
) -> None:
    with team.people.sql() as chief:
        anns, mals = everything_of(chief, "ann"), everything_of(chief, "mal")
    for table in BY_FILE:
        columns = [
            row[0]
            for row in run(
                mal,
                "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0"
                " and not attisdropped",
                [f"bough.{table}"],
            )
        ]
        for file, project in (
            (anns["file"], anns["project"]),
            (anns["file"], mals["project"]),
            (mals["file"], anns["project"]),
        ):
            if table == "unsummed" and project == mals["project"]:
                continue  # a note to oneself, about nothing
            wanted = ", ".join(f'"{name}"' for name in columns)
            given = ", ".join(
                {"file_id": str(file), "project_id": str(project)}.get(name, f'o."{name}"')
                for name in columns
            )
            with team.people.sql() as chief:
                some = one(
                    chief, f"select count(*) from {table} where project_id = %s", [mals["project"]]
                )
            if not some:
                continue
            with pytest.raises(NOT_ALLOWED):
                run(
                    mal,
                    f"insert into {table} ({wanted}) select {given} from {table} o"
                    f" where project_id = {mals['project']} limit 1",
                )
            with pytest.raises((*NOT_ALLOWED, errors.UniqueViolation)):
                run(
                    mal,
                    f"update {table} set file_id = {file}, project_id = {project}"
                    f" where project_id = {mals['project']}",
                )


def test_sums_are_of_a_file_of_ones_own(team: Team, mal: psycopg.Connection) -> None:
    """Else whoever's it is could add none, and a number that is taken would tell that it is."""
    with team.people.sql() as chief:
        anns, mals = everything_of(chief, "ann"), everything_of(chief, "mal")
    add = (
        "insert into stats_sum (file_id, project_id, kind, pushed, first, last)"
        " values (%s, %s, 'days', now(), '', '')"
    )
    for file, project in (
        (anns["file"], anns["project"]),
        (anns["file"], mals["project"]),
        (mals["file"], anns["project"]),
        (1, mals["project"]),
    ):
        with pytest.raises(NOT_ALLOWED):
            run(mal, add, [file, project])
    with mal.transaction(force_rollback=True):
        run(mal, add, [mals["file"], mals["project"]])


def test_a_project_or_file_has_the_number_of_its_own_path_on_ones_own_machine(
    team: Team, mal: psycopg.Connection
) -> None:
    """Else the error of a number that is taken would tell what somebody else has."""
    with team.people.sql() as chief:
        anns, mals = everything_of(chief, "ann"), everything_of(chief, "mal")
    prefix = one(mal, "select prefix from machine")
    project = "insert into project (id, machine_id, identity, folder, dir, name) values "
    file = (
        "insert into file (id, machine_id, path, project_id, session, role, device, inode, size,"
        " mtime_ns, head_length, head, read_to, lines) values "
    )
    rest = "'x', 'session', 0, 0, 0, 0, 0, '', 0, 0)"
    for statement, values in (
        (project + "(%s, %s, 1, %s, 'd', 'n')", [anns["project"], mals["machine"], f"{prefix}/x"]),
        (project + "(%s, %s, 1, %s, 'd', 'n')", [7, mals["machine"], f"{prefix}/x"]),
        (project + "(%s, %s, 1, %s, 'd', 'n')", [7, mals["machine"], anns["folder"]]),
        (project + "(%s, %s, 1, %s, 'd', 'n')", [7, anns["machine"], anns["folder"]]),
        (file + f"(%s, %s, %s, %s, {rest}",
         [anns["file"], mals["machine"], f"{prefix}/x", mals["project"]]),
        (file + f"(%s, %s, %s, %s, {rest}",
         [anns["file"], mals["machine"], anns["path"], mals["project"]]),
        (file + f"(%s, %s, %s, %s, {rest}",
         [anns["file"], anns["machine"], anns["path"], anns["project"]]),
    ):  # fmt: skip
        with pytest.raises(NOT_ALLOWED) as caught:
            run(mal, statement, values)
        assert "row-level security" in str(caught.value)
        assert not _names_a_secret(team, str(caught.value))


def test_a_machine_is_ones_own_and_stays_so(team: Team, mal: psycopg.Connection) -> None:
    for statement in (
        (
            "insert into machine (id, owner, name, prefix)"
            " values (gen_random_uuid(), 'ann', 'x', '//x')"
        ),
        (
            "insert into machine (id, owner, name, prefix)"
            " values (gen_random_uuid(), 'mal', 'x', '//x/home/ann')"
        ),
        "update machine set owner = 'ann'",
        "update machine set prefix = '//x/y'",
    ):
        with pytest.raises(NOT_ALLOWED):
            run(mal, statement)


def test_nobody_says_who_they_are(team: Team, mal: psycopg.Connection) -> None:
    run(mal, "set bough.member = 'ann'")
    assert one(mal, "select me()") == "mal"
    for statement in (
        "set role ann",
        "set role bough_web",
        "set role bough_guard",
        "set role postgres",
        "set session authorization ann",
        "grant bough_guard to mal",
        "grant ann to mal",
        "alter role mal superuser",
        "alter role mal bypassrls",
        "alter role ann password 'x'",
        "create role friend in role bough_member",
    ):
        with pytest.raises((*NOT_ALLOWED, errors.InvalidParameterValue)):
            run(mal, statement)
    # This one may be taken: it has the rights of members, and is nobody.
    run(mal, "set role bough_member")
    assert one(mal, "select me()") == "mal"
    assert one(mal, "select count(*) from session") == len(team.mals)


def test_policies_cannot_be_switched_off(mal: psycopg.Connection) -> None:
    for statement in (
        "alter table session disable row level security",
        "alter table session no force row level security",
        "drop policy seen on session",
        "create policy mine on session using (true)",
        "alter table word enable row level security",
        "drop table session",
        "truncate session",
        "create table mine (x int)",
        "create view mine as select * from session",
        "create function mine() returns int language sql as 'select 1'",
        "create or replace function me() returns text language sql as 'select ''ann'''",
        "alter function me() owner to mal",
        "create index on session (title)",
        "comment on table session is 'mine'",
        "analyze session; set row_security = off; select * from session",
        "copy session to program 'cat'",
        "copy session to '/tmp/session'",
        "create trigger mine before insert on session execute function me()",
        "alter table session add foreign key (file_id) references file (id)",
        "select * from pg_statistic",
        "select pg_read_file('/etc/passwd')",
        "select lo_import('/etc/passwd')",
        "insert into meta values ('schema', '99') on conflict (key) do update set value = '99'",
        "update meta set value = '0'",
        "insert into member (name, role) values ('friend', 'admin')",
        "update member set role = 'admin'",
        "select token_sha256 from member",
        "insert into audit (who, what, on_what) values ('ann', 'opened', 'x')",
        "delete from audit",
        (
            "insert into share (member, identity, owner, level, added_by)"
            " values ('mal', 1, '*', 'read', 'ann')"
        ),
        "select member_of_token('x')",
        "select mark_all_unsummed()",
        "select * from kin",
        "insert into budget values (1, 'team', '', 'day', 1, '{1}', null)",
    ):
        with pytest.raises((*NOT_ALLOWED, errors.WrongObjectType, errors.InvalidTableDefinition)):
            run(mal, statement)


def test_nobody_has_any_right_on_words(team: Team, mal: psycopg.Connection) -> None:
    for name in ("mal", "chief", WEB):
        with team.people.sql(name) as connection:
            for statement in (
                "select * from word",
                "select count(*) from word",
                "select 1 from word",
                "insert into word values (1, 1, 1, 1, 1, '', '')",
                "delete from word",
                "update word set part = 1",
                "begin; lock table word",
                "truncate word",
                "copy word to stdout",
                "explain analyze select * from word",
                "select ts_stat('select words::tsvector from bough.word')",
                "select choose_group('{a,b}', '{127,127}', '{1,2}', '{1}')",
                "select found_among('{1}', '{a}', '{127}', '{1}', 1, 9, null, null, null)",
                "select count_among('{1}', '{a}', '{127}', '{1}', 1, 9, 1, '')",
                "select times_before(null, 10, 9)",
                "select readable_among('{1}')",
                "select * from readable_project",
                "create statistics mine on kind, part from word",
            ):
                with pytest.raises(NOT_ALLOWED):
                    run(connection, statement)
                run(connection, "rollback")


def test_a_word_is_found_where_one_may_read_it_and_nowhere_else(
    team: Team, mal: psycopg.Connection
) -> None:
    found = "select count(*) from found(array[%s]::tsquery[], array[127], array[1])"
    assert one(mal, found, [team.mals[0].word]) > 0
    page = "select count(*) from found_page(array[%s]::tsquery[], array[127], array[1], 20, 10000)"
    assert one(mal, page, [team.mals[0].word]) > 0
    assert one(mal, found, ["'@':*"]) == one(mal, found, ["!zzz"])
    for sent in team.anns:
        assert one(mal, found, [sent.word]) == 0
        assert one(mal, page, [sent.word]) == 0
        assert one(mal, found, [f"'@':* & {sent.word}"]) == 0
        assert one(mal, found, [f"{sent.word[:-2]}:*"]) == 0
        assert one(mal, found, [f"!{sent.word}"]) == one(mal, found, ["!zzz"])
    with team.people.sql() as chief:
        anns = everything_of(chief, "ann")
        places = run(chief, 'select file_id, "offset" from word where file_id = %s', [anns["file"]])
    files, offsets = [row[0] for row in places], [row[1] for row in places]
    assert files
    at_places = (
        "select count(*) from found(array['!zzz']::tsquery[], array[127], array[1],"
        " at_files => %s::bigint[], at_offsets => %s::bigint[])"
    )
    assert one(mal, at_places, [files, offsets]) == 0
    assert run(
        mal, "select * from word_scores('!zzz', %s::bigint[], %s::bigint[])", [files, offsets]
    ) == []  # fmt: skip
    assert one(
        mal,
        "select count(*) from found(array['!zzz']::tsquery[], array[127], array[1], 5, '~', 0, 0)",
    ) <= 5  # fmt: skip


def test_the_function_takes_no_sql(mal: psycopg.Connection) -> None:
    for queries, kinds, groups in (
        (["zzz'); select 1 --"], [127], [1]),
        (["zzz' or 1=1"], [127], [1]),
        (["zzz", "yyy"], [127], [1]),
        (["zzz"], [127], [1, 1, 2]),
        (["zzz"], [127], [-1]),
        (["zzz"], [127], [0]),
        ([], [], []),
        (["zzz"], [None], [None]),
        ([None], [127], [1]),
    ):
        try:
            rows = run(
                mal,
                "select * from found(%s::tsquery[], %s::integer[], %s::integer[])",
                [queries, kinds, groups],
            )
        except errors.SyntaxError:  # of the query of words
            continue
        assert rows == []


def test_words_are_written_and_dropped_only_of_ones_own_files(
    team: Team, mal: psycopg.Connection
) -> None:
    with team.people.sql() as chief:
        anns, mals = everything_of(chief, "ann"), everything_of(chief, "mal")
        before = one(chief, "select count(*) from word")
    put = (
        "select put_words(array[%s], array[%s], array[9], array[''], array[1], array[0],"
        " %s::text[])"
    )
    for file, project in (
        (anns["file"], anns["project"]),
        (anns["file"], mals["project"]),
        (mals["file"], anns["project"]),
        (1, mals["project"]),
    ):
        with pytest.raises(NOT_ALLOWED):
            run(mal, put, [file, project, ["mine"]])
    run(mal, "select drop_words(%s, 0)", [anns["file"]])
    with team.people.sql() as chief:
        assert one(chief, "select count(*) from word") == before


def test_names_that_stand_for_others_change_nothing(team: Team, mal: psycopg.Connection) -> None:
    with team.people.sql() as chief:
        files = one(chief, "select count(*) from file")
    run(mal, "create temp table share as select 'mal' as member, p.identity, '*' as owner,"
             " 'read' as level from bough.project p")  # fmt: skip
    run(mal, "create temp table member as select 'mal' as name, 'auditor' as role,"
             " null::timestamptz as revoked_at, ''::bytea as token_sha256")  # fmt: skip
    run(mal, "create temp table machine as select id, 'mal' as owner from bough.machine")
    run(mal, "create function pg_temp.me() returns text language sql as 'select ''ann'''")
    run(mal, "create function pg_temp.yes(bigint, bigint) returns boolean language sql"
             " as 'select true'")  # fmt: skip
    run(mal, "create operator pg_temp.= (leftarg = bigint, rightarg = bigint,"
             " function = pg_temp.yes)")  # fmt: skip
    run(mal, "set search_path = pg_temp, bough, pg_catalog")
    assert one(mal, "select count(*) from bough.session") == len(team.mals)
    assert one(mal, "select count(*) from bough.file") == len(team.mals) < files
    assert one(mal, "select count(*) from bough.counted_files()") == len(team.mals)
    found = "select count(*) from bough.found(array[%s]::tsquery[], array[127], array[1])"
    assert one(mal, found, [team.anns[0].word]) == 0


def test_a_function_of_ones_own_is_shown_no_row_of_others(
    team: Team, mal: psycopg.Connection
) -> None:
    told: list[str] = []
    mal.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
    run(
        mal,
        """
        create function pg_temp.tell(told text) returns boolean language plpgsql cost 0.0000001
        as $$ begin raise notice '%', told; return true; end $$
        """,
    )
    run(mal, "select 1 from session where pg_temp.tell(title)")
    run(mal, "select 1 from file where pg_temp.tell(path)")
    run(mal, "select 1 from project where pg_temp.tell(name)")
    run(mal, "select 1 from record r join session s using (file_id) where pg_temp.tell(s.title)")
    assert any(team.mals[0].word in line for line in told)
    assert not any(_names_a_secret(team, line) for line in told)


def test_no_error_tells_what_others_have(team: Team, mal: psycopg.Connection) -> None:
    with team.people.sql() as chief:
        anns = everything_of(chief, "ann")
    for statement, values in (
        ("select 1 / (case when title like '%%ann%%' then 0 else 1 end) from session", None),
        ("select cast(path as integer) from file where path like '%%/ann/%%'", None),
        ("select 1 / (id - %s) from project", [anns["project"]]),
        ("select 1 / (case when me() = 'ann' then 0 else 1 end)", None),
    ):
        run(mal, statement, values)
    for statement, values in (
        ("select share_project(%s, 'ben', 'read')", [anns["identity"]]),
        ("select share_project(%s, 'ben', 'read')", [12345]),
        ("select share_project(%s, 'mal', 'read')", [anns["identity"]]),
    ):
        with pytest.raises(errors.NoDataFound) as caught:
            run(mal, statement, values)
        assert str(caught.value).startswith("there is no such project")
    assert one(mal, "select unshare_project(%s, 'ben')", [anns["identity"]]) == 0
    assert run(mal, "select * from frame_places(%s)", [anns["file"]]) == []
    assert run(mal, "select * from read_frames(%s, array[0])", [anns["file"]]) == []
    assert run(mal, "select * from read_frames(%s, array[0])", [1]) == []
    at_once = "select * from read_frames_at(array[%s, 1], array[0, 0])"
    assert run(mal, at_once, [anns["file"]]) == []
    assert run(mal, "select * from hit_rows(array[%s, 1], array[0, 0])", [anns["file"]]) == []
    assert run(mal, "select * from files_at(array[%s, 'x'])", [anns["path"]]) == []
    assert run(mal, "select * from titles_from_others(array[%s, 1])", [anns["file"]]) == []
    assert one(mal, "select own_path(%s, %s)", [anns["machine"], anns["path"]]) is None


def test_no_plan_tells_whether_a_guess_is_right(team: Team, mal: psycopg.Connection) -> None:
    """What was looked at and passed over is counted by `explain analyze`, whosever it is."""
    with team.people.sql() as chief:
        anns = everything_of(chief, "ann")
        for statement in ANN_DID:
            run(chief, statement, anns)
        run(chief, "vacuum analyze")
        values = _values_of_others(chief)
    assert {("project", "name"), ("project", "id"), ("session", "title"), ("share", "member"),
        ("note", "body"), ("spend", "day"), ("budget", "scope_id")} <= values.keys()  # fmt: skip
    told = []
    run(mal, "set jit = off")
    for by_index in (True, False):
        run(mal, f"set enable_seqscan = {'off' if by_index else 'on'}")
        for (table, column), (kind, there) in values.items():
            shown = [
                _explain(mal, table, f'"{column}" = %s::{kind}', [value])
                for value in (there, NOWHERE.get(kind, "zzz"))
            ]
            if shown[0] != shown[1] and (table, column) not in BY_WHO_KNOWS_IT:
                told.append(("one", table, column))
            if kind == "text" and column not in KEYS_OF_PARTS:
                shown = [
                    _explain(mal, table, f'"{column}" >= %s and "{column}" < %s', [begin, end])
                    for begin, end in ((there, f"{there}~"), ("zzz", "zzz~"))
                ]
                if shown[0] != shown[1]:
                    told.append(("many", table, column))
    with team.people.sql() as chief:
        for table in ("share", "note", "spend", "budget"):
            run(chief, f"delete from {table}")
    assert told == []
    assert run(mal, "select * from pg_stats where schemaname = 'bough'") == []


ANN_DID = (
    (
        "insert into share (member, identity, owner, level, added_by)"
        " values ('ben', %(identity)s, 'ann', 'read', 'ann')"
    ),
    (
        "insert into note (author, id, project_id, session, body)"
        " values ('ann', 5, %(project)s, %(session)s, 'fine')"
    ),
    "insert into spend (project_id, day, usd_micro) values (%(project)s, '2026-05-04', 321)",
    (
        "insert into budget (id, scope, scope_id, period, usd_micro, warn_at)"
        " values (6, 'member', 'ann', 'day', 654, '{1}')"
    ),
)
NOWHERE = {
    **dict.fromkeys(("bigint", "integer", "smallint", "real", "double precision"), "77"),
    "uuid": "00000000-0000-4000-8000-000000000000",
    "timestamp with time zone": "2001-01-01",
}
"""A value that nobody has, of each type."""
KEYS_OF_PARTS = ("call_id", "agent", "known_by", "kind")
BY_WHO_KNOWS_IT = {
    *((table, column) for table in BY_FILE for column in ("file_id", "offset", *KEYS_OF_PARTS)),
    *(("record", "uuid"), ("prompt", "uuid"), ("usage", "message_id"), ("session", "id")),
    *((table, column) for table in ("file", "companion") for column in ("id", "path", "session")),
    *(("machine", "id"), ("audit", "at"), ("audit", "file_id")),
    *(("note", "id"), ("note", "session")),
    *(("conversation", "branch"), ("hook", "number"), ("usage_sum", "number")),
    *(("stats_sum", "file_id"), ("stats_sum", "kind"), ("unsummed", "written_by")),
}
"""Random ids and hashes of them, with the places inside a file."""


def _values_of_others(chief: psycopg.Connection) -> dict[tuple[str, str], tuple[str, str]]:
    """List a value that only Ann has of each column that members may ask, with its type."""
    columns = run(
        chief,
        "select c.relname::text, a.attname::text, format_type(a.atttypid, null)"
        " from pg_attribute a join pg_class c on c.oid = a.attrelid"
        " where c.relnamespace = 'bough'::regnamespace and c.relkind = 'r' and a.attnum > 0"
        " and c.relname not in ('word', 'kin', 'meta', 'dialect', 'lock_row')"
        " and a.attname not in ('has_login', 'token_sha256') and not a.attisdropped",
    )
    by_project = {row[0] for row in columns if row[1] == "project_id"}
    of = {
        "project": "name like '{0}s-%%'",
        "machine": "owner = '{0}'",
        "member": "name = '{0}'",
        "audit": "on_what = '{0}'",
        "share": "owner = '{0}'",
        "budget": "scope_id = '{0}'",
        "writing": "machine_id in (select id from machine where owner = '{0}')",
    }
    own = "project_id in (select id from project where name like '{0}s-%%')"
    found = {}
    for table, column, kind in columns:
        where = own if table in by_project else of.get(table, "'{0}' is null")
        row = run(
            chief,
            f'select "{column}"::text from {table} where {where.format("ann")} and not exists ('
            f' select 1 from {table} m where {where.format("mal")} and m."{column}"::text'
            f' = {table}."{column}"::text) and "{column}" is not null limit 1',
            (),
        )
        if row and kind not in ("bytea", "jsonb", "boolean", "real[]"):
            found[table, column] = (kind, row[0][0])
    return found


def _explain(
    connection: psycopg.Connection, table: str, condition: str, values: list[str]
) -> list[str]:
    """Give the plan, with estimates, and what was counted while it ran; without its words."""
    shown = []
    for how in ("analyze, costs off, timing off, summary off, buffers off", "analyze off"):
        rows = run(connection, f"explain ({how}) select 1 from {table} where {condition}", values)
        # What names the value itself.
        shown += [row[0] for row in rows if "Filter: (" not in row[0] and "Cond: (" not in row[0]]
    return shown


def test_what_is_shared_is_seen_of_whom_it_is_shared_by_and_until_it_is_not(team: Team) -> None:
    people, sent = team.people, team.anns[0]
    found = "select count(*) from found(array[%s]::tsquery[], array[127], array[1])"
    with closing(ServerConnection(people.url_of("ann"))) as ann, people.sql("ben") as ben:
        share_project(ann, sent.project, "ben", "numbers")
        assert one(ben, "select count(*) from session") == 0
        assert one(ben, "select count(*) from record") == 0
        assert one(ben, found, [sent.word]) == 0
        assert [row[0] for row in run(ben, "select name from project")] == [sent.project]
        assert one(ben, "select count(*) from usage") > 0
        files = run(ben, "select session, agent_description from counted_files()")
        assert [row[0] for row in files] == [sent.session]

        share_project(ann, sent.project, "ben", "read")
        assert [row[0] for row in run(ben, "select id from session")] == [sent.session]
        assert one(ben, found, [sent.word]) > 0
        run(ben, "update session set title = 'mine'")
        run(ben, "delete from record")
        assert one(ben, "select title from session") != "mine"
        assert one(ben, "select count(*) from record") > 0

        unshare_project(ann, sent.project, "ben")
        assert one(ben, "select count(*) from session") == 0
        assert one(ben, "select count(*) from project") == 0
        assert one(ben, found, [sent.word]) == 0


def test_a_project_of_the_same_repository_cannot_be_used_to_share_what_others_have_of_it(
    team: Team, mal: psycopg.Connection
) -> None:
    """Mal says that a folder of hers is Ann's repository, and shares that."""
    people = team.people
    with people.sql() as chief:
        anns, mals = everything_of(chief, "ann"), everything_of(chief, "mal")
    run(mal, "update project set identity = %s where id = %s", [anns["identity"], mals["project"]])
    try:
        run(mal, "select share_project(%s, 'ben', 'read')", [anns["identity"]])
        with people.sql("ben") as ben:
            assert {row[0] for row in run(ben, "select owner from machine")} == {"mal"}
            assert [row[0] for row in run(ben, "select project_id from file")] == [mals["project"]]
        assert one(mal, "select count(*) from session") == len(team.mals)
        run(mal, "select unshare_project(%s, 'ben')", [anns["identity"]])
    finally:
        run(mal, "update project set identity = %s where id = %s",
            [mals["identity"], mals["project"]])  # fmt: skip


def test_an_admin_knows_numbers_and_reads_nothing(team: Team) -> None:
    found = "select count(*) from found(array['!zzz']::tsquery[], array[127], array[1])"
    with team.people.sql("chief") as chief:
        assert one(chief, "select count(*) from project") == 4
        assert one(chief, "select count(*) from usage") > 0
        for table in ("session", "record", "frame", "conversation", "file", "call", "outline"):
            assert one(chief, f"select count(*) from {table}") == 0
        assert one(chief, found) == 0
        identity = one(chief, "select identity from project limit 1")
        for name in ("chief", "watcher", "nobody"):
            with pytest.raises(errors.NoDataFound):
                run(chief, "select share_project(%s, %s, 'read')", [identity, name])


def test_what_an_admin_shares_is_everybodys_and_is_kept_in_the_audit(team: Team) -> None:
    with team.people.sql("chief") as chief, team.people.sql("ben") as ben:
        identity = one(chief, "select identity from project where name = 'anns-shop'")
        run(chief, "select share_project(%s, 'ben', 'read')", [identity])
        assert [row[0] for row in run(ben, "select id from session")] == [team.anns[1].session]
        assert one(chief, "select unshare_project(%s, 'ben')", [identity]) == 1
        told = run(chief, "select who, what from audit where on_what = %s", [str(identity)])
        assert ("chief", "shared (read) with ben") in told
        assert ("chief", "no longer shared with ben") in told


def test_the_web_server_sees_what_the_member_sees_whom_it_answers(team: Team) -> None:
    with team.people.sql(WEB) as web:
        for table in ("session", "project", "usage", "member", "audit", "share"):
            assert one(web, f"select count(*) from {table}") == 0
        with web.transaction():
            run(web, "set local bough.member = 'mal'")
            assert one(web, "select count(*) from session") == len(team.mals)
        assert one(web, "select count(*) from session") == 0
        with web.transaction():
            run(web, "set local bough.member = 'nobody'")
            assert one(web, "select count(*) from session") == 0


def test_what_an_auditor_opens_is_kept_and_there_is_no_other_way_to_the_bytes(team: Team) -> None:
    with team.people.sql() as chief:
        anns = everything_of(chief, "ann")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(team.people.url_of("watcher"))
    with team.people.sql(WEB) as web, web.transaction():
        run(web, "set local bough.member = 'watcher'")
        assert one(web, "select count(*) from session") == 4
        assert run(web, "select data from frame") == []
        places = [row[0] for row in run(web, "select * from frame_places(%s)", [anns["file"]])]
        assert run(web, "select * from read_frames(%s, %s)", [anns["file"], places])
        run(web, "select * from read_frames(%s, %s)", [anns["file"], places])
        assert run(web, "select * from read_frames_at(array[%s], array[0])", [anns["file"]])
        with pytest.raises(NOT_ALLOWED), web.transaction():
            run(web, "delete from audit")
    with team.people.sql("ann") as ann:
        assert run(ann, "select who, what, on_what from audit where what = 'opened'") == [
            ("watcher", "opened", anns["session"])
        ]


def test_an_auditor_writes_no_note_whatever_program_asks(team: Team) -> None:
    with team.people.sql() as chief:
        anns = everything_of(chief, "ann")
    values = [anns["project"], anns["session"]]
    with team.people.sql(WEB) as web:
        for member, is_refused in (("watcher", True), ("ann", False)):
            with web.transaction(force_rollback=True):
                run(web, "select set_config('bough.member', %s, true)", [member])
                note = (
                    "insert into note (author, id, project_id, session, body)"
                    " values (me(), 7, %s, %s, '{}')"
                    " on conflict (md5(author || ' ' || id::text)) do update set at = now()"
                )
                if is_refused:
                    with pytest.raises(NOT_ALLOWED), web.transaction():
                        run(web, note, values)
                else:
                    run(web, note, values)
                    assert one(web, "select count(*) from note where author = me()") == 1


def test_who_is_no_member_any_more_sees_nothing_at_once(team: Team) -> None:
    people = team.people
    people.add("gone")
    with people.sql("gone") as gone:
        assert one(gone, "select me()") == "gone"
        with people.sql() as chief:
            run(chief, "update member set revoked_at = now() where name = 'gone'")
        assert one(gone, "select me()") is None
        assert one(gone, "select count(*) from member") == 0
        with pytest.raises(NOT_ALLOWED):
            run(gone, "insert into machine (id, owner, name, prefix)"
                      " values (gen_random_uuid(), 'gone', 'x', '//x')")  # fmt: skip


def test_the_check_finds_no_gap_and_names_each_that_is_made(team: Team) -> None:
    with closing(ServerConnection(team.people.url)) as connection:
        assert find_gaps(connection) == []
        for statement, told in (
            ("alter table session disable row level security", "The table session is not guarded"),
            ("alter table usage no force row level security", "The table usage is not guarded"),
            ("grant select on word to bough_member", "bough_member may use the table of words"),
            ("grant select (words) on word to ann", "ann may use a column of the table of words"),
            ("grant select on file to public", "Everybody may use the table file"),
            ("grant execute on function me() to public", "me can be called by everybody"),
            ("alter function me() owner to current_user", "me does not belong to bough_guard"),
            ("alter function me() reset search_path", "me can be given other tables"),
            ("create view told as select * from session", "told shows what its owner sees"),
            ("alter role mal bypassrls", "mal passes all policies"),
            ("grant bough_guard to mal", "mal can act as bough_guard"),
            ("alter role bough_guard login", "bough_guard can log in"),
            ("grant create on schema bough to bough_member", "make things in the schema"),
            ("create role watcher", "watcher has a role of the database"),
            (
                "alter table session alter column title set statistics 100",
                "Plans tell what is in the columns of session",
            ),
        ):
            connection.run("begin")
            connection.run(statement)
            assert any(told in gap for gap in find_gaps(connection)), statement
            connection.run("rollback")


def _names_a_secret(team: Team, text: str) -> bool:
    return any(part in text for sent in team.anns for part in (sent.word, sent.session, "anns-"))
