"""`bough tree`: a session as a graph of its branches."""

import os
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from bough.cli.main import run
from bough.sample import session
from tests.cli.screens import on_screen, one, piped
from tests.conftest import Home

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
PICTURE = """\
Make the CSV import resumable                         3f9c21d0  orchard-shop/resume-import
3 branches, 13 turns, $6.19. Active tip 078c, in turn d07e: \
named by last-prompt (rule of clients from 2.1.120)

●  8a1f  13:02  The nightly import dies half way. Make it resumable.       22 steps  $0.84
●  51c3  13:19  Where do we lose the cursor today?                         14 steps  $0.51
├─◆             Explore: where the cursor is lost                       ✓  18 steps  $0.17
●  0e77  13:31  Write the plan first, no code yet                           3 steps  $0.22
├─╮
│ ○  c2a9  13:40  Use a job table instead                                   9 steps  $0.24
│ ○  7d10  13:52  Add the migration                                        17 steps  $0.39
│ ○  b41f  13:58  Why is the lock held so long?            rewound 14:02   12 steps  $0.29
●  94be  14:05  Keep a checkpoint file next to the CSV                     31 steps  $1.40
┊╌╌╌╌╌╌  14:31  Compacted, 168k → 22k tokens, 6 messages kept, 146 dropped ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
●  2f60  14:33  Now wire it to the command line, with @cli/main.py          2 steps  $0.09
├─╮
│ ○  66d8  14:36  Use new click options for it               interrupted    2 steps  $0.05
●  e9a4  14:38  Use the existing flags, no new ones                         5 steps  $0.72
├─◆             Explore: find every caller of ImportJob                 ✓  31 steps  $0.41
●  13cc  14:51  What happens when the CSV changes between two runs?         6 steps  $0.31
├─▢             forked to 7c2e91ab, Checkpoint in object storage   14:55
●  5b02  14:58  /review src/import                                         40 steps  $1.02
◉  d07e  15:10  Run the whole suite and fix what breaks          working    4 steps  $0.11
"""


def test_the_graph_is_the_one_of_the_guide(demo: Path) -> None:
    done = piped("tree", "3f9c", claude=demo)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == PICTURE


@POSIX
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
def test_the_graph_on_a_terminal(
    demo: Path, columns: int, rows: int, snapshot: SnapshotAssertion
) -> None:
    code, shown = on_screen("tree", "3f9c", claude=demo, columns=columns, rows=rows)

    assert code == 0
    assert shown == snapshot


@POSIX
def test_without_colours_the_signs_still_tell(demo: Path, snapshot: SnapshotAssertion) -> None:
    _, shown = on_screen("tree", "3f9c", claude=demo, columns=100, environ={"NO_COLOR": "1"})

    assert "\x1b[3" not in shown
    assert shown == snapshot


def test_a_locale_without_unicode_gets_letters_for_the_signs(demo: Path) -> None:
    done = piped("tree", "3f9c", claude=demo, environ={"LC_ALL": "C"})

    assert done.stdout.isascii()
    assert "*  8a1f  13:02  The nightly import" in done.stdout
    assert "+-<>" in done.stdout


def test_json_tells_the_shape(demo: Path) -> None:
    shape = one("tree", "3f9c", claude=demo)

    assert list(shape) == [
        *("session", "roots", "nodes", "orphans", "duplicates", "copies", "cycles"),
        *("branch_points", "tips", "active_tip", "tip_rule"),
    ]
    assert (shape["orphans"], shape["cycles"], shape["tip_rule"]) == (0, 0, "last-prompt")
    points, tips = shape["branch_points"], shape["tips"]
    assert isinstance(points, list)
    assert isinstance(tips, list)
    assert [list(point) for point in points] == [["uuid", "cause", "children"]] * 2
    assert [point["cause"] for point in points] == ["edit", "edit"]
    assert [list(tip) for tip in tips] == [
        [
            "uuid",
            "active",
            "turns",
            "messages",
            "cost_usd",
            "copied_cost_usd",
            "unpriced_models",
            "title",
        ]
    ] * 3
    assert [tip["uuid"] for tip in tips if tip["active"]] == [shape["active_tip"]]


def test_another_client_would_take_another_tip(home: Home) -> None:
    builder = session(version="2.1.325").user("one").assistant("a", name="A").user("two")
    builder.assistant("b").at("A").user("three").assistant("c", name="C").rewind_pointer()
    with home.writing():
        builder.last_prompt("two", leaf=4).write(home)

    newer = one("tree", "latest")
    older = one("tree", "latest", "--client", "2.1.50")

    assert (newer["tip_rule"], older["tip_rule"]) == ("last-prompt", "newest-timestamp")
    assert older["active_tip"] == builder.uuid("C")
    assert newer["active_tip"] != older["active_tip"]


def test_newest_first_turns_it_over(demo: Path) -> None:
    lines = piped("tree", "3f9c", "--reverse", claude=demo).stdout.splitlines()

    assert lines[3].startswith("◉  d07e")
    assert lines[-1].startswith("●  8a1f")


def test_around_a_message_there_are_only_its_neighbours(demo: Path) -> None:
    lines = piped("tree", "3f9c", "--around", "0e77", claude=demo).stdout.splitlines()

    assert lines[3].startswith("●  8a1f")
    assert any("0e77" in line for line in lines)
    assert lines[-1] == "9 rows after"


@pytest.mark.parametrize("words", [("--client", "new"), ("--around", ""), ("--around", "0")])
def test_what_makes_no_sense_is_misuse(demo: Path, words: tuple[str, ...]) -> None:
    done = piped("tree", "3f9c", *words, claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_a_message_that_is_not_there_is_said(demo: Path) -> None:
    done = piped("tree", "3f9c", "--around", "zzzz", claude=demo)

    assert (done.returncode, done.stdout) == (1, "")
    assert "begins with zzzz" in done.stderr


def test_a_session_without_talk_has_no_graph(home: Home) -> None:
    with home.writing():
        session("quiet").mode().write(home)

    done = piped("tree", session("quiet").session_id)

    assert (done.returncode, done.stdout) == (1, "")
    assert "holds no conversation" in done.stderr


def test_a_session_of_long_ago_says_when_it_ended(demo: Path) -> None:
    lines = piped("tree", "51d0", claude=demo).stdout.splitlines()

    assert ", ended Tue 16:" in lines[1]
    rows = [line.split() for line in lines[3:] if line[0] in "●◉"]
    assert rows[0][2] == "Tue"
    assert all(":" in row[2] for row in rows[1:])


def test_of_too_many_branches_the_newest_records_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = session("long")
    for number in range(30):
        builder.user(f"prompt {number}").assistant("yes")
    path = builder.write(tmp_path)
    monkeypatch.setattr("bough.query.sessions.load_part._MOST_DRAWN", 10)
    run(["tree", str(path)])
    assert "prompt 0" in capsys.readouterr().out
    monkeypatch.setattr("bough.query.sessions.load_part._MOST_ENDS", 0)

    for command in ("tree", "show"):
        run([command, str(path)])
        shown = capsys.readouterr()
        run([command, str(path), "--whole"])
        whole = capsys.readouterr()

        assert "has 60 records. Shown are the newest 10" in shown.err
        assert ("prompt 24" in shown.out, "prompt 25" in shown.out) == (False, True)
        assert ("prompt 0" in whole.out, whole.err) == (True, "")
