"""What is pushed is there once, whole and masked; what grew is added; what is kept stays here."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bough.errors import IndexTrouble
from bough.sample import session
from bough.store.postgres.server_connection import ServerConnection
from bough.team.line_redactor import REDACTION_FORM
from bough.team.push_run import TeamPush
from bough.team.session_groups import choose_sessions, list_pushable
from tests.team_server import TeamServer
from tests.unit.export.planted import SHAPED, Maker, planted
from tests.unit.export.planted_words import planted_words
from tests.unit.team.histories import (
    CWD,
    dump,
    machine,
    plant,
    push,
    read_frames,
    touch_later,
    write,
    write_plain,
)

TOKEN = SHAPED["GitHub"](Maker(3))
TYPED = "p0mmes-" + "frites-94"


@pytest.fixture
def url(team_server: TeamServer) -> Iterator[str]:
    with team_server.database() as made:
        yield made


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[Path]:
    with machine(tmp_path):
        folder = tmp_path / "claude"
        (folder / "projects").mkdir(parents=True)
        yield folder


def count(url: str, question: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute(question).fetchone()
    return int(row[0]) if row else 0


def test_pushed_twice_is_the_same_rows(url: str, claude: Path) -> None:
    path = write_plain(claude)
    first = push(url, claude)
    before = dump(url)
    second = push(url, claude)

    assert (first.sessions, first.projects) == (1, 1)
    assert (second.sessions, second.files, second.unchanged) == (0, 0, 1)
    after = dump(url)
    assert {k: v for k, v in after.items() if k != "machine"} == {
        k: v for k, v in before.items() if k != "machine"
    }
    assert read_frames(url)[str(path)] == path.read_bytes()


def test_small_sessions_are_sent_together(
    url: str, claude: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        write(session(f"small-{number}", cwd=CWD).user("Begin").assistant("Yes."), claude)
    statements: list[str] = []
    run = ServerConnection.run

    def noted(self: ServerConnection, statement: str, values: Any = ()) -> int:
        statements.append(statement)
        return run(self, statement, values)

    monkeypatch.setattr(ServerConnection, "run", noted)
    push(url, claude)

    assert count(url, "select count(*) from bough.session") == 5
    assert count(url, "select min(redaction) from bough.file") == REDACTION_FORM
    for table in ("project", "file", "record", "frame", "unsummed"):
        assert len([one for one in statements if one.startswith(f"insert into {table} ")]) == 1


@pytest.mark.slow
def test_no_planted_secret_is_anywhere_in_the_database(url: str, claude: Path) -> None:
    secrets = [*planted(200), *planted_words()]
    told = plant(secrets).title(f"Rotate {TOKEN}")
    path = write(told, claude)
    beside = path.with_suffix("")
    (beside / "tool-results").mkdir(parents=True, exist_ok=True)
    texts = "\n".join(one.text for one in secrets)
    (beside / "tool-results" / "out.txt").write_text(texts)
    (beside / "custom-title.json").write_text(f'{{"customTitle": "now {TOKEN}"}}')
    report = push(url, claude)

    assert report.secrets >= 200
    everything = [*("\n".join(rows) for rows in dump(url).values())]
    everything += [data.decode("utf-8", "surrogateescape") for data in read_frames(url).values()]
    whole = "\n".join(everything)
    lowered = whole.lower()
    left = [
        (one.kind, part)
        for one in secrets
        for part in one.secrets
        # A copied row escapes a backslash, and words are kept in small letters.
        if part in whole or (len(part) > 8 and part.lower() in lowered)
    ]
    assert left == []
    assert TOKEN not in whole
    assert TOKEN.lower() not in lowered
    data = read_frames(url)
    assert len(data[str(path)]) == path.stat().st_size
    assert len(data) >= 3


def test_only_what_grew_is_sent_and_is_what_one_push_would_have_made(
    url: str, team_server: TeamServer, claude: Path
) -> None:
    path = write_plain(claude)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    push(url, claude)
    with path.open("ab") as file:
        file.write(b"".join(lines[3:]))
    touch_later(path)
    report = push(url, claude)

    assert report.bytes == sum(map(len, lines[3:]))
    with team_server.database() as other:
        push(other, claude)
        once, twice = dump(other, moments=False), dump(url, moments=False)
    for table in ("outline", "frame", "body"):  # cut where each push ended
        del once[table], twice[table]
    assert twice == once
    assert read_frames(url)[str(path)] == path.read_bytes()


def test_a_rewritten_file_is_sent_whole_again(url: str, claude: Path) -> None:
    path = write_plain(claude)
    push(url, claude)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:3]))
    touch_later(path)
    report = push(url, claude)

    assert report.files == 1
    assert read_frames(url)[str(path)] == path.read_bytes()
    assert (
        count(
            url,
            f"select count(*) from bough.record r join bough.file f on f.id = r.file_id "
            f"where f.path like '%{path.name}'",
        )
        == 2
    )


def test_a_password_that_is_learnt_later_is_hidden_in_what_was_sent_before(
    url: str, claude: Path
) -> None:
    told = session("learnt", cwd=CWD).user(f"I typed {TYPED} by hand").assistant("Yes.")
    told.agent("Explore", "look", prompt=f"Try {TYPED} there")
    path = write(told, claude)
    push(url, claude)
    assert TYPED in "".join(str(data) for data in read_frames(url).values())
    with path.open("ab") as file:
        file.write(
            b'{"type":"user","uuid":"u9","sessionId":"x","message":{"role":"user",'
            b'"content":"DB_PASSWORD=' + TYPED.encode() + b'"}}\n'
        )
    touch_later(path)
    report = push(url, claude)

    assert report.secrets == 1
    left = [*("\n".join(rows) for rows in dump(url).values()), *map(str, read_frames(url).values())]
    assert not any(TYPED in text for text in left)


def test_what_the_client_deleted_stays_there(url: str, claude: Path) -> None:
    path = write_plain(claude)
    write_plain(claude, "second")
    push(url, claude)
    path.unlink()
    push(url, claude)

    assert count(url, "select count(*) from bough.session") == 2


def test_what_was_sent_by_a_bough_that_hid_less_is_sent_again_where_there_is_more_to_hide(
    url: str, claude: Path
) -> None:
    write_plain(claude)
    delicate = write(session("delicate", cwd=CWD).user(f"Use {TOKEN}").assistant("Yes."), claude)
    push(url, claude)
    before = dump(url, moments=False)
    with psycopg.connect(url) as connection:
        connection.execute("update bough.file set redaction = 0")

    said = push(url, claude, send=False)
    again = push(url, claude)
    third = push(url, claude)

    assert (said.sessions, said.rehidden, said.unchanged) == (1, 1, 1)
    assert (again.sessions, again.rehidden) == (1, 1)
    assert (third.files, third.rehidden, third.unchanged) == (0, 0, 2)
    assert dump(url, moments=False) == before
    assert TOKEN.encode() not in read_frames(url)[str(delicate)]


def test_a_removed_session_is_gone_and_is_not_sent_again(url: str, claude: Path) -> None:
    path = write_plain(claude)
    push(url, claude)
    with closing(TeamPush(url)) as team:
        (found,) = team.find_session(path.stem[:6])
        assert team.remove(found) == 2
    report = push(url, claude)

    assert (report.sessions, report.removed) == (0, 1)
    left = {table for table, rows in dump(url).items() if rows}
    assert left <= {"file", "machine", "project", "meta", "dialect"}


def test_a_session_that_was_moved_is_there_once(url: str, claude: Path) -> None:
    path = write_plain(claude)
    push(url, claude)
    path.parent.rename(path.parent.with_name("-home-dev-elsewhere"))
    push(url, claude)

    assert count(url, "select count(*) from bough.session") == 1
    assert count(url, "select count(*) from bough.file where path like '%elsewhere%'") == 2


def test_the_level_numbers_sends_what_was_used_and_no_words(url: str, claude: Path) -> None:
    told = session("numbers", cwd=CWD, branch="secret-branch").user("Kumquats?").assistant("Yes.")
    told.agent("Explore", "Kumquat search", answer="Kumquat found").title("All about kumquats")
    write(told, claude)
    push(url, claude, "numbers")

    tables = dump(url)
    filled = {table for table, rows in tables.items() if rows}
    assert filled == {
        *("conversation", "file", "machine", "dialect", "meta", "project", "session", "usage"),
        "usage_sum",
    }
    words = "\n".join(row for rows in tables.values() for row in rows).lower()
    assert "kumquat" not in words
    assert "secret-branch" not in words
    with psycopg.connect(url) as connection:
        row = connection.execute("select records, messages, title from bough.session").fetchone()
    assert row is not None
    assert row[0] > 2
    assert row[1] > 1
    assert row[2] is None


def test_a_session_goes_from_numbers_to_all_and_back(
    url: str, team_server: TeamServer, claude: Path
) -> None:
    write_plain(claude)
    push(url, claude, "numbers")
    push(url, claude)
    with team_server.database() as other:
        push(other, claude)
        assert dump(url, moments=False) == dump(other, moments=False)
    push(url, claude, "numbers")
    assert dump(url)["frame"] == []
    assert dump(url)["word"] == []


def test_a_database_without_tables_is_refused_with_what_to_do(
    team_server: TeamServer, claude: Path
) -> None:
    write_plain(claude)
    with (
        team_server.database(empty=True) as bare,
        pytest.raises(IndexTrouble, match="bough team init"),
    ):
        push(bare, claude)


def test_a_last_line_that_is_not_finished_is_sent_when_it_is(url: str, claude: Path) -> None:
    path = write_plain(claude)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"type":"user","message":{"content":"gh' + TOKEN[2:12].encode())
    push(url, claude)
    assert read_frames(url)[str(path)] == whole


def test_an_ignore_file_keeps_a_project_a_session_or_files(
    url: str, claude: Path, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    kept = write_plain(claude, "kept", str(work))
    write_plain(claude, "sent", str(work))
    (work / ".boughignore").write_text(f"# mine\n{kept.stem[:8]}\n*/subagents/*\n")
    report = push(url, claude)
    assert (report.sessions, report.ignored) == (1, 1)
    assert count(url, "select count(*) from bough.file") == 1
    (work / ".boughignore").write_text("")
    assert list_pushable([claude])[0].is_kept
    chosen = choose_sessions([claude], [one.folder for one in list_pushable([claude])])
    assert (chosen.groups, chosen.ignored) == ((), 2)
