"""`bough sql` as people run it: it answers, and it never changes anything."""

import sqlite3
import subprocess
from pathlib import Path

import msgspec
import pytest

from bough.sample import SampleSession, session
from tests.cli.screens import run_now
from tests.cli.test_frame import BOUGH
from tests.conftest import Home


@pytest.fixture
def made(home: Home) -> SampleSession:
    made = session().user("hello").tool("Bash", {"command": "ls"}, "x").assistant("a,b")
    with home.writing():
        made.raw(b'{"type": "user", "x": NaN}').raw(b"// no record").write(home)
    return made


@pytest.fixture
def index(no_index: Path) -> Path:
    return no_index


def test_an_answer_is_a_table(made: SampleSession) -> None:
    done = run_now("sql", "select id, records from session")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].split() == ["id", "records"]
    assert done.stdout.splitlines()[1].split() == [made.session_id, str(len(made.records()) + 1)]


@pytest.mark.usefixtures("made")
def test_json_is_an_array_of_objects() -> None:
    done = run_now("sql", "--json", "select 1 as a, null as b union all select 2, 'x'")

    assert msgspec.json.decode(done.stdout) == [{"a": 1, "b": None}, {"a": 2, "b": "x"}]


@pytest.mark.usefixtures("made")
def test_json_of_nothing_is_an_empty_array() -> None:
    assert run_now("sql", "--json", "select 1 where 0").stdout == "[]\n"


@pytest.mark.usefixtures("made")
def test_csv_quotes_what_needs_it() -> None:
    done = run_now("sql", "--csv", "select 'a,b' as x, null as y, 'c\"d' as z")

    assert done.stdout == 'x,y,z\n"a,b",,"c""d"\n'


@pytest.mark.usefixtures("made")
def test_a_reader_that_has_enough_ends_it_without_a_word() -> None:
    many = "with recursive n(i) as (select 1 union all select i + 1 from n limit 200000)"
    asked = [*BOUGH, "sql", "--csv", f"{many} select i from n"]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()

        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_the_view_has_the_json_that_the_client_wrote(made: SampleSession) -> None:
    question = """
        select session, json_extract(json, '$.message.content[0].name') as tool
        from record_json where tool is not null and kind = 'assistant'
    """

    done = run_now("sql", "--json", question)

    assert msgspec.json.decode(done.stdout) == [{"session": made.session_id, "tool": "Bash"}]


@pytest.mark.usefixtures("made")
def test_a_line_that_is_no_json_spoils_no_question() -> None:
    question = "select kind, count(*) as n, count(json) as j from record_json group by 1"

    rows = msgspec.json.decode(run_now("sql", "--json", question).stdout)

    counted = {row["kind"]: (row["n"], row["j"]) for row in rows}
    assert counted["bad line"] == (1, 0)
    assert counted["user"][0] == counted["user"][1] > 1


@pytest.mark.usefixtures("made")
def test_a_file_that_changed_since_gives_no_json(index: Path) -> None:
    run_now("sql", "select 1")
    connection = sqlite3.connect(index)
    connection.execute("update record set offset = offset + 7")
    connection.execute("update record set offset = 10000000 where id = 1")
    connection.commit()
    connection.close()

    done = run_now("sql", "--json", "select count(*) as n, count(json) as j from record_json")

    assert done.returncode == 0
    assert msgspec.json.decode(done.stdout)[0]["j"] == 0


@pytest.mark.usefixtures("made")
def test_without_a_question_the_tables_are_listed() -> None:
    done = run_now("sql")
    rows = msgspec.json.decode(run_now("sql", "--json").stdout)

    assert done.stdout.startswith("TABLE")
    shapes = {row["table"]: row["columns"] for row in rows}
    assert "uuid" in shapes["record"]
    assert shapes["record_json"][-3:] == ["path", "session", "json"]
    assert not any(name.startswith(("sqlite_", "words_")) for name in shapes)


@pytest.mark.usefixtures("made")
def test_a_question_can_come_from_stdin() -> None:
    done = subprocess.run(
        [*BOUGH, "sql", "-", "--json"],
        input="select 7 as n",
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == '[{"n":7}]\n'


@pytest.mark.usefixtures("made")
def test_a_question_that_is_no_text_is_misuse() -> None:
    done = subprocess.run(
        [*BOUGH, "sql", "-"], input=b"select '\xff'", capture_output=True, check=False
    )

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"The query is not UTF-8 text.\n"


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("selec 1", 'near "selec": syntax error.'),
        ("select nope from record", "no such column: nope."),
        ("select 1; select 2", "You can only execute one statement at a time."),
        ("select json_extract('{', '$')", "malformed JSON."),
        ("", "The query is empty."),
        (";", "That asks for nothing."),
    ],
)
def test_a_question_that_makes_no_sense_is_misuse(question: str, said: str) -> None:
    done = run_now("sql", question)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "question",
    [
        "delete from record",
        "update session set title = 'x'",
        "insert into meta values ('a', 'b')",
        "drop table record",
        "create table t (a)",
        "create temp table t (a)",
        "drop view record_json",
        "vacuum",
        "vacuum into '{}/copy.sqlite'",
        "reindex",
        "attach '{}/copy.sqlite' as other",
        "pragma journal_mode = delete",
        "pragma query_only = off",
        "pragma writable_schema = on",
        "begin immediate",
        "insert into words (words) values ('optimize')",
        "select load_extension('x')",
        "select fts3_tokenizer('x', x'4141414141414141')",
        "select FTS3_TOKENIZER('simple')",
    ],
)
@pytest.mark.usefixtures("made")
def test_nothing_can_be_changed(index: Path, question: str) -> None:
    run_now("sql", "select 1")
    before = _content(index)

    done = run_now("sql", question.format(index.parent))

    assert (done.returncode, done.stdout) == (2, "")
    assert _content(index) == before
    assert not (index.parent / "copy.sqlite").exists()


@pytest.mark.usefixtures("made")
def test_the_full_text_index_can_be_asked() -> None:
    question = "select count(*) as n from words where words match 'hello'"

    assert run_now("sql", "--json", question).stdout == '[{"n":1}]\n'


@pytest.mark.usefixtures("made")
def test_one_form_at_a_time() -> None:
    done = run_now("sql", "--json", "--csv", "select 1")

    assert (done.returncode, done.stderr) == (2, "Give --json or --csv, not both.\n")


@pytest.mark.usefixtures("made")
def test_no_other_file_can_be_read_through_it() -> None:
    done = run_now("sql", "--json", "select bough_record(999, 0, 100) as r")

    assert done.stdout == '[{"r":null}]\n'


def _content(index: Path) -> list[str]:
    connection = sqlite3.connect(index)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()
