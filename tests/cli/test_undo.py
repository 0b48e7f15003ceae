"""`bough undo`, `bough restore` and `bough history`: everything can be taken back."""

import os
import re
import shlex
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.travelled import BROKEN, BUSHY, PLAIN, Place

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")


def travelled(place: Place) -> None:
    """Do four things."""
    for words in (
        ("fork", BUSHY, "--at", "b41f"),
        ("goto", PLAIN, "--at", "-2", "--yes"),
        ("rename", PLAIN, "Taxes", "--yes"),
        ("repair", BROKEN, "--in-place", "--yes"),
    ):
        done = place.bough(*words)
        assert done.returncode == 0, done.stderr


def test_all_of_it_taken_back_gives_the_same_bytes(place: Place) -> None:
    before = place.bytes()
    travelled(place)

    for number in ("2", "1", "4", "3"):
        done = place.bough("undo", number, "--yes")
        assert done.returncode == 0, done.stderr

    assert place.bytes() == before


def test_without_a_number_the_last_one_goes(place: Place) -> None:
    travelled(place)

    done = place.bough("undo", "--yes")
    undone = place.json("undo", "--yes")

    assert done.stderr == "Operation 4 was undone. To redo it: bough undo 5\n"
    fields = ["operation", "session", "path", "claude_dir", "changes", "creates", "undoes"]
    assert list(undone) == fields
    assert undone["undoes"] == [3]


def test_an_undo_can_be_undone(place: Place) -> None:
    place.bough("rename", PLAIN, "Taxes", "--yes")
    renamed = place.bytes()
    place.bough("undo", "--yes")

    place.bough("undo", "2", "--yes")

    assert place.bytes() == renamed


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ((), 1, "There is no operation to undo. bough history lists them.\n"),
        (("7",), 1, "There is no operation 7. bough history lists them.\n"),
        (("x",), 2, "takes a number from 1 up, not x"),
        (("0",), 2, "takes a number from 1 up, not 0"),
    ],
)
def test_what_cannot_be_undone_is_said(
    place: Place, words: tuple[str, ...], code: int, sentence: str
) -> None:
    done = place.bough("undo", *words, "--yes")

    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr


def test_an_undo_twice_names_the_first(place: Place) -> None:
    place.bough("rename", PLAIN, "Taxes", "--yes")
    place.bough("undo", "1", "--yes")

    done = place.bough("undo", "1", "--yes")

    assert done.returncode == 1
    assert done.stderr == (
        "Operation 1 cannot be undone: operation 2 did so already. Nothing was changed.\n"
    )


def test_a_dry_run_takes_nothing_back(place: Place) -> None:
    place.bough("rename", PLAIN, "Taxes", "--yes")
    before = place.bytes()

    shown = place.bough("undo", "--dry-run")
    lines = place.bough("undo", "--diff").stdout.splitlines()

    assert shown.stdout.startswith(
        'Undo 1: Rename 51d0c9aa to "Taxes"\nClaude folder     ~/.claude\n'
        "Changes           projects/"
    )
    assert any(line.startswith('-{"type":"custom-title","customTitle":"Taxes"') for line in lines)
    assert place.bytes() == before


@POSIX
def test_on_a_terminal_it_asks_once(place: Place) -> None:
    before = place.bytes()
    place.bough("rename", PLAIN, "Taxes", "--yes")

    code, shown = place.talk("undo", answers={"Undo it? (y/N) ": "y\n"})

    assert code == 0
    assert shown.startswith('Undo 1: Rename 51d0c9aa to "Taxes"\n')
    assert place.bytes() == before


def test_restore_takes_back_all_that_was_done_to_a_session(place: Place) -> None:
    before = place.bytes()
    for words in (("goto", PLAIN, "--at", "-2"), ("rename", PLAIN, "Taxes")):
        assert place.bough(*words, "--yes").returncode == 0

    refused = place.bough("restore", PLAIN)
    done = place.bough("restore", PLAIN, "--yes")

    assert refused.returncode == 2
    assert refused.stderr.startswith("bough restore changes existing files")
    assert (done.returncode, done.stdout) == (0, "")
    assert place.bytes() == before


def test_restore_brings_back_a_session_that_is_gone(place: Place) -> None:
    place.bough("rename", PLAIN, "Taxes", "--yes")
    file = place.file(PLAIN)
    last = file.read_bytes()
    file.unlink()

    done = place.bough("restore", PLAIN, "--yes")

    assert done.returncode == 0
    assert file.read_bytes() == last


def test_restore_finds_a_session_by_its_id_where_only_a_foreign_copy_is_left(
    place: Place,
) -> None:
    file = place.file(PLAIN)
    held = file.read_bytes()
    file.rename(file.with_name(f"{file.name}.backup"))

    done = place.bough("restore", PLAIN, "--yes")

    assert done.returncode == 0, done.stderr
    assert file.read_bytes() == held


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (PLAIN, "There is no operation that changed session 51d0c9aa."),
        ("0000", "No session begins with 0000."),
    ],
)
def test_restore_of_what_was_never_changed_is_said(
    place: Place, session: str, sentence: str
) -> None:
    done = place.bough("restore", session, "--yes")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(sentence)


def test_history_lists_the_newest_first(place: Place) -> None:
    travelled(place)
    place.bough("undo", "3", "--yes")

    lines = place.bough("history").stdout.splitlines()

    assert lines[0].split() == ["N", "WHEN", "DID", "STATE", "WHAT"]
    assert [line.split()[0] for line in lines[1:]] == ["5", "4", "3", "2", "1"]
    assert "undone by 5" in lines[3]
    assert lines[3].endswith('Rename 51d0c9aa to "Taxes"')


def test_history_in_json(place: Place) -> None:
    travelled(place)

    rows = place.jsons("history")

    assert [row["operation"] for row in rows] == ["repair", "rename", "goto", "fork"]
    fields = [
        *("number", "at", "operation", "session", "headline", "state", "reason", "path"),
        *("result", "undoes", "undone_by", "claude_dir"),
    ]
    assert [list(row) for row in rows] == [fields] * 4


def test_history_of_nothing_is_fine(place: Place) -> None:
    done = place.bough("history")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "bough has changed nothing yet.\n"
    assert place.jsons("history") == []


def other_folder(place: Place) -> Path:
    """Make a second Claude folder whose operations are in the same journal."""
    return Path(shutil.copytree(place.claude, place.claude.parent / "it's other"))


def test_undo_reaches_into_no_other_claude_folder(place: Place) -> None:
    other = other_folder(place)
    place.bough("rename", PLAIN, "Taxes", "--yes")
    before = place.bytes()

    last = place.bough("--claude-dir", str(other), "undo", "--yes")
    named = place.bough("--claude-dir", str(other), "undo", "1", "--yes")

    assert (last.returncode, named.returncode) == (1, 1)
    assert last.stderr == (
        "There is no operation to undo in this Claude folder. bough history --all-folders lists "
        "those of others.\n"
    )
    assert named.stderr == (
        "Operation 1 belongs to the Claude folder ~/.claude. Nothing was changed. "
        f"Undo it there: bough --claude-dir {place.claude} undo 1\n"
    )
    assert place.bytes() == before


def test_the_command_that_a_refusal_names_works(place: Place) -> None:
    other = other_folder(place)
    (file,) = other.glob(f"projects/*/{PLAIN}*.jsonl")
    before = file.read_bytes()
    renamed = place.bough("--claude-dir", str(other), "rename", PLAIN, "Taxes", "--yes")
    refused = place.bough("undo", "1", "--yes")
    words = shlex.split(refused.stderr.partition("Undo it there: bough ")[2])

    done = place.bough(*words, "--yes")

    assert f"To undo it: bough {shlex.join(words)}" in renamed.stderr
    assert done.returncode == 0, done.stderr
    assert file.read_bytes() == before


def test_history_lists_the_operations_of_the_folder_that_is_read(place: Place) -> None:
    other = other_folder(place)
    place.bough("rename", PLAIN, "Taxes", "--yes")
    place.bough("--claude-dir", str(other), "rename", PLAIN, "Other taxes", "--yes")

    own = place.jsons("history")
    others = place.jsons("--claude-dir", str(other), "history")
    every = place.jsons("history", "--all-folders")
    table = place.bough("history", "--all-folders").stdout.splitlines()

    assert [row["number"] for row in own] == [1]
    assert [row["number"] for row in others] == [2]
    assert [row["claude_dir"] for row in every] == [str(other), str(place.claude)]
    assert "CLAUDE FOLDER" in table[0]
    assert "~/it's other" in table[1]


def test_history_says_where_only_other_folders_have_one(place: Place) -> None:
    other = other_folder(place)
    place.bough("rename", PLAIN, "Taxes", "--yes")

    done = place.bough("--claude-dir", str(other), "history")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("bough has changed nothing in this Claude folder.")


def test_restore_of_a_session_that_is_gone_stays_in_its_folder(place: Place) -> None:
    other = other_folder(place)
    place.bough("rename", PLAIN, "Taxes", "--yes")
    place.file(PLAIN).unlink()
    for file in other.glob(f"projects/*/{PLAIN}*.jsonl"):
        file.unlink()

    done = place.bough("--claude-dir", str(other), "restore", PLAIN, "--yes")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("No session begins with 51d0.")


def test_an_undone_fork_is_in_no_list(place: Place) -> None:
    place.bough("index")
    before = place.jsons("sessions"), place.jsons("projects")
    fork = place.json("fork", BUSHY, "--at", "b41f")
    assert len(place.jsons("sessions")) == len(before[0]) + 1

    place.bough("undo", "--yes")

    assert (place.jsons("sessions"), place.jsons("projects")) == before
    assert str(fork["session"]) not in place.bough("search", "checkpoint", "--json").stdout


def test_a_fork_that_came_back_and_was_deleted_is_listed_as_deleted(place: Place) -> None:
    fork = place.json("fork", BUSHY, "--at", "b41f")
    place.bough("undo", "--yes")
    place.bough("undo", "2", "--yes")
    place.bough("index")
    place.file(str(fork["session"])).unlink()

    (row,) = [row for row in place.jsons("sessions") if row["id"] == fork["session"]]

    assert row["deleted_at"] is not None


def test_prune_removes_backups_whose_time_is_over(place: Place) -> None:
    travelled(place)
    _make_older(place, days=91)
    travelled_again = place.bough("rename", PLAIN, "Duties", "--yes")
    kept = place.json("history", "--prune", "--dry-run")
    place.bough("history", "--prune")
    again = place.bough("history", "--prune")

    assert travelled_again.returncode == 0
    assert kept == {"removed": [], "kept": 1, "kept_bytes": kept["kept_bytes"], "dry_run": True}
    assert again.stderr.startswith("No backup is past its time. 1 kept, ")


def test_a_dry_run_of_a_prune_removes_nothing(place: Place) -> None:
    travelled(place)
    _make_older(place, days=91)
    folders = sorted(path.name for path in (place.data / "bough" / "backups").iterdir())

    shown = place.bough("history", "--prune", "--dry-run")

    assert [line.split()[0] for line in shown.stdout.splitlines()[1:]] == folders
    assert shown.stdout.count("older than 90 days") == len(folders)
    assert shown.stderr.startswith(f"Would remove {len(folders)} backups, ")
    assert sorted(path.name for path in (place.data / "bough" / "backups").iterdir()) == folders


def test_what_can_be_undone_stays_whatever_its_size(place: Place) -> None:
    settings = place.data / "config" / "bough" / "config.toml"
    settings.parent.mkdir(parents=True)
    place.environ["XDG_CONFIG_HOME"] = str(place.data / "config")
    settings.write_text("backup_megabytes = 0\n")
    travelled(place)
    place.bough("undo", "3", "--yes")
    _make_older(place, days=40)

    rows = place.json("history", "--prune")["removed"]
    back = place.bough("undo", "4", "--yes")

    assert isinstance(rows, list)
    assert [(row["number"], row["why"]) for row in rows] == [
        (3, "undone, and more than 0 MB are kept")
    ]
    assert back.returncode == 0, back.stderr


def test_a_dry_run_of_the_list_is_misuse(place: Place) -> None:
    assert place.bough("history", "--dry-run").returncode == 2


def _make_older(place: Place, days: int) -> None:
    """Set back the times of all operations."""
    journal = place.data / "bough" / "journal.jsonl"
    old = (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    lines = re.sub(r'"at":"[^"]*"', f'"at":"{old}"', journal.read_text())
    journal.write_text(lines)
