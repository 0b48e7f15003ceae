"""`bough fork`: a new session that ends at an earlier point, and how a point is named."""

import os
import re
from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from tests.cli.travelled import BUSHY, PLAIN, Place

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
LOCK = "Why is the lock held so long?"


def test_a_dry_run_looks_as_in_the_guide(place: Place) -> None:
    before = place.bytes()

    done = place.bough("fork", BUSHY, "--at", "b41f", "--dry-run")

    assert (done.returncode, done.stderr) == (0, "")
    new = r"[0-9a-f]{8}-[0-9a-f-]{27}"
    assert re.fullmatch(
        rf"""Fork of 3f9c21d0 after "Why is the lock held so long\?" \(13:58\)
Claude will see   6 turns, 101k tokens, 1 agent's answer
Writes            projects/\S+resume-import/{new}\.jsonl   185 lines, 268\.\d kB, mode 0600
Changes           no existing file
Checked           the point ends a turn; the new id is free; the planned file .* same 6 turns
Files on disk stay as they are now: 4 were changed after this point\.
Dry run\. Without --dry-run:  bough fork 3f9c --at b41f   then   the command it prints.*
""",
        done.stdout,
    ), done.stdout
    assert place.bytes() == before
    assert not place.data.exists()


def test_a_fork_prints_the_command_and_changes_no_file(place: Place) -> None:
    before = place.bytes()

    done = place.bough("fork", BUSHY, "--at", "b41f")

    assert done.returncode == 0
    command = re.fullmatch(r"cd '/home/dev/\S+' && claude --resume (\S+)\n", done.stdout)
    assert command is not None
    after = place.bytes()
    (new,) = after.keys() - before.keys()
    assert Path(new).stem == command[1]
    assert {name: after[name] for name in before} == before
    assert "To undo it: bough undo 1\n" in done.stderr


def test_the_fork_reads_as_the_conversation_up_to_the_point(place: Place) -> None:
    fork = place.json("fork", BUSHY, "--at", "b41f", "--title", "Locks")

    assert list(fork) == ["session", "path", "at", "turns", "resume"]
    session = read_session(str(fork["path"]))
    original = read_session(place.file(BUSHY)).conversation(str(fork["at"]))
    assert session.title == "Locks"
    assert session.active_tip == fork["at"]
    assert [t.uuid for t in session.conversation().messages] == [t.uuid for t in original.messages]
    assert fork["turns"] == 6
    assert str(fork["resume"]).endswith(f" && claude --resume {fork['session']}")


def test_json_of_a_dry_run_says_so_and_tells_the_plan(place: Place) -> None:
    plan = place.json("fork", PLAIN, "--at", "-1", "--diff")

    assert list(plan) == ["session", "path", "at", "turns", "resume", "dry_run", "plan"]
    assert plan["dry_run"] is True
    assert isinstance(plan["plan"], dict)
    assert list(plan["plan"]) == [
        *("operation", "headline", "sees", "creates", "changes", "checked", "notes", "diff"),
    ]
    assert plan["plan"]["diff"].startswith("--- /dev/null\n+++ projects/")
    assert not Path(str(plan["path"])).exists()


def test_a_diff_shows_every_line_and_writes_none(place: Place) -> None:
    before = place.bytes()

    lines = place.bough("fork", PLAIN, "--at", "-1", "--diff").stdout.splitlines()

    added = [line for line in lines if line.startswith("+{")]
    assert f"{len(added)} lines" in "\n".join(lines)
    assert lines[-1] == (
        "Dry run. Without --dry-run:  bough fork 51d0 --at -1   then   the command it prints"
    )
    assert place.bytes() == before


@pytest.mark.parametrize("words", [("--at", "-2"), ("--at=-2",)])
def test_turns_are_counted_back_from_the_tip(place: Place, words: tuple[str, ...]) -> None:
    plan = place.json("fork", BUSHY, *words, "--dry-run")

    conversation = read_session(place.file(BUSHY)).conversation()
    prompts = [t for t in conversation.messages if t.kind in ("prompt", "command")]
    assert plan["turns"] == len(prompts) - 2


def test_words_of_one_turn_name_it(place: Place) -> None:
    by_words = place.json("fork", BUSHY, "--at", LOCK, "--dry-run")
    by_id = place.json("fork", BUSHY, "--at", "b41f", "--dry-run")

    assert by_words["at"] == by_id["at"]


def test_words_of_several_turns_are_listed_and_misuse(place: Place) -> None:
    before = place.bytes()

    done = place.bough("fork", BUSHY, "--at", "job table")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        '"job table" fits 3 turns:',
        "  c2a94612  13:40  (left behind) Use a job table instead",
        "  b41fd157  13:58  (left behind) Why is the lock held so long?",
        "  94be249d  14:05  Keep a checkpoint file next to the CSV",
        "Give the id of one, as in --at c2a94612.",
    ]
    assert place.bytes() == before


@POSIX
def test_on_a_terminal_one_of_several_turns_is_chosen_by_its_number(place: Place) -> None:
    answers = {"Which one? (1-3) ": "7\n", " (1-3) ": "2\n"}

    code, shown = place.talk("fork", BUSHY, "--at", "job table", answers=answers)

    assert code == 0
    assert "  2  b41fd157  13:58  (left behind) Why is the lock held so long?" in shown
    assert f'Fork of 3f9c21d0 after "{LOCK}" (13:58)' in shown
    assert " && claude --resume " in shown


@POSIX
def test_choosing_none_writes_nothing(place: Place) -> None:
    before = place.bytes()

    code, shown = place.talk("fork", BUSHY, "--at", "job table", answers={"(1-3) ": "\n"})

    assert code == 1
    assert "Nothing was chosen. Nothing was changed." in shown
    assert place.bytes() == before


def test_a_point_inside_a_turn_is_refused_with_the_nearest(place: Place) -> None:
    done = place.bough("fork", BUSHY, "--at", "f9f3d4d1")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "This point ends no turn: Claude goes on after it. The turn ends at dc069d2b; "
        "use --at dc069d2b.\n"
    )
    assert place.bough("fork", BUSHY, "--at", "dc069d2b").returncode == 0


@POSIX
@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("\n", 1)])
def test_on_a_terminal_the_nearest_end_is_offered(place: Place, answer: str, code: int) -> None:
    words = ("fork", BUSHY, "--at", "f9f3d4d1")

    ended, shown = place.talk(*words, answers={"Use that? (y/N) ": answer})

    assert ended == code
    assert ('after "Use a job table instead"' in shown) is (code == 0)


@pytest.mark.parametrize(
    ("at", "code", "sentence"),
    [
        ("no such words", 1, "bough tree 3f9c21d0 shows what there is.\n"),
        ("-99", 1, "the conversation has only 9 turns"),
        ("", 2, "The name is empty."),
    ],
)
def test_a_point_that_is_none_is_said(place: Place, at: str, code: int, sentence: str) -> None:
    done = place.bough("fork", BUSHY, "--at", at)

    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_fork_is_possible_while_a_client_has_the_session_open(place: Place) -> None:
    place.open_in_a_client(BUSHY)

    assert place.bough("fork", BUSHY, "--at", "-1").returncode == 0


def test_a_fork_for_another_folder_lies_in_its_project(place: Place, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()

    fork = place.json("fork", PLAIN, "--at", "-1", "--cwd", str(other))

    assert Path(str(fork["path"])).parent.name.endswith("-elsewhere")
    assert read_session(str(fork["path"])).cwd == str(other.resolve())


@POSIX
def test_run_starts_the_client_where_the_session_belongs(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    words = ("fork", PLAIN, "--at", "-1", "--cwd", str(folder), "--run")

    done = place.bough(*words, PATH=place.client(tmp_path / "bin"))

    (new,) = place.claude.glob("projects/*-code/*.jsonl")
    assert done.returncode == 0
    assert done.stdout == f"claude --resume {new.stem} in {folder} with {place.claude}\n"


@POSIX
@pytest.mark.parametrize(
    ("more", "code", "sentence"),
    [
        ((), 1, "is gone, and the client must start there. Nothing was written."),
        (("--dry-run",), 2, "a dry run writes nothing"),
    ],
)
def test_run_is_refused_before_anything_is_written(
    place: Place, tmp_path: Path, more: tuple[str, ...], code: int, sentence: str
) -> None:
    before = place.bytes()
    path = place.client(tmp_path / "bin")

    done = place.bough("fork", PLAIN, "--at", "-1", "--run", *more, PATH=path)

    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr
    assert place.bytes() == before


def test_run_without_a_client_writes_nothing(place: Place, tmp_path: Path) -> None:
    before = place.bytes()

    done = place.bough("fork", PLAIN, "--at", "-1", "--run", PATH=str(tmp_path))

    assert done.returncode == 1
    assert done.stderr.startswith("There is no claude on PATH. Nothing was written.")
    assert place.bytes() == before
