import errno
import os
from pathlib import Path

import pytest

from bough import errors
from bough.errors import (
    AmbiguousProject,
    AmbiguousSession,
    BoughError,
    ClaudeFolderNotFound,
    ExitCode,
    IndexTrouble,
    Misuse,
    NotFound,
    ProjectNotFound,
    SessionNotFound,
    TipNotFound,
    Unreadable,
    reason_of,
)

EXAMPLES: list[BoughError] = [
    ClaudeFolderNotFound(["/a"]),
    ProjectNotFound("shop"),
    SessionNotFound("3f"),
    TipNotFound("77", "3f9c21d0-0000"),
    AmbiguousProject("shop", ["-a-shop", "-b-shop"]),
    AmbiguousSession("3f", ["3f9c21d0", "3fa19966"]),
    Unreadable("a.jsonl", "permission denied"),
]


@pytest.mark.parametrize(
    ("error", "exit_code", "http_status"),
    [
        (NotFound, ExitCode.FAILED, 404),
        (Misuse, ExitCode.MISUSE, 400),
        (Unreadable, ExitCode.FAILED, 500),
        (IndexTrouble, ExitCode.INDEX, 503),
    ],
)
def test_every_branch_of_the_tree_has_its_codes(
    error: type[BoughError], exit_code: ExitCode, http_status: int
) -> None:
    for one in (error, *error.__subclasses__()):
        assert (one.exit_code, one.http_status) == (exit_code, http_status)


def test_every_error_stands_in_the_drawing_at_the_top() -> None:
    classes = [name for name, one in vars(errors).items() if _is_error(one)]

    assert [name for name in classes if name not in str(errors.__doc__)] == []


def _is_error(one: object) -> bool:
    return isinstance(one, type) and issubclass(one, BoughError)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_a_message_is_made_of_whole_sentences(error: BoughError) -> None:
    assert str(error) == error.message
    assert error.message.endswith(".")
    assert "!" not in error.message
    assert "\n" not in error.message


def test_a_missing_folder_names_all_places_and_the_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    error = ClaudeFolderNotFound([tmp_path / ".claude", tmp_path / ".config" / "claude"])

    assert str(error).replace(os.sep, "/") == (
        "No Claude folder at ~/.claude or ~/.config/claude. "
        "Name one with --claude-dir, or try bough demo."
    )


def test_an_unknown_session_names_the_nearest() -> None:
    error = SessionNotFound("3f9d", ["3f9c21d0 Make the CSV import resumable"])

    assert str(error) == (
        "No session begins with 3f9d. Nearest: 3f9c21d0 Make the CSV import resumable."
    )


def test_an_unknown_session_without_neighbours_says_where_to_look() -> None:
    assert str(SessionNotFound("x")) == "No session begins with x. bough sessions lists them."


def test_an_ambiguous_session_lists_the_first_four() -> None:
    ids = [f"3f{n:06}-aaaa" for n in range(6)]

    assert str(AmbiguousSession("3f", ids)) == (
        '"3f" fits 6 sessions: 3f000000, 3f000001, 3f000002, 3f000003 and 2 more. '
        "Give more characters."
    )


def test_ambiguous_ids_are_as_long_as_it_takes_to_tell_them_apart() -> None:
    error = AmbiguousSession("3f", ["3f9c21d0-1111-aaaa", "3f9c21d0-1222-bbbb"])

    assert "3f9c21d0-11, 3f9c21d0-12." in str(error)


def test_more_characters_do_not_help_against_copies() -> None:
    error = AmbiguousSession("3f", ["3f9c21d0-1111", "3f9c21d0-1111"])

    assert str(error).endswith("Give the file's path.")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "permission denied"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), "no such file"),
        (IsADirectoryError(errno.EISDIR, "Is a directory"), "it is a folder"),
        (OSError(errno.EIO, "Input/output error"), "input/output error"),
        (OSError("odd"), "the system gives no reason"),
    ],
)
def test_a_reason_is_worded_for_people(error: OSError, reason: str) -> None:
    assert reason_of(error) == reason


def test_a_name_with_line_breaks_stays_within_the_sentence() -> None:
    message = AmbiguousProject("shop", ["-a\nshop", "-b-shop"]).message

    assert message.startswith('"shop" fits 2 projects: -a shop, -b-shop. ')
