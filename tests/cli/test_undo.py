"""`bough undo`, `bough restore` and `bough history`: everything can be taken back."""

import os

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

    assert done.stderr == "Operation 4 was taken back. Have it again: bough undo 5\n"
    assert list(undone) == ["operation", "session", "path", "changes", "creates", "undoes"]
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
        (("x",), 2, "takes a number from 1 on, and x is none"),
        (("0",), 2, "takes a number from 1 on, and 0 is none"),
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
        'Undo 1: Rename 51d0c9aa to "Taxes"\nChanges           projects/'
    )
    assert any(line.startswith('-{"type":"custom-title","customTitle":"Taxes"') for line in lines)
    assert place.bytes() == before


@POSIX
def test_on_a_terminal_it_asks_once(place: Place) -> None:
    before = place.bytes()
    place.bough("rename", PLAIN, "Taxes", "--yes")

    code, shown = place.talk("undo", answers={"Take it back? (y/N) ": "y\n"})

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
    assert refused.stderr.startswith("bough restore changes files that are there")
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
        *("result", "undoes", "undone_by"),
    ]
    assert [list(row) for row in rows] == [fields] * 4


def test_history_of_nothing_is_fine(place: Place) -> None:
    done = place.bough("history")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "bough has changed nothing yet.\n"
    assert place.jsons("history") == []
