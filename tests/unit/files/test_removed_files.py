"""Which files bough itself removed, by its journal."""

from pathlib import Path

import pytest

from bough.files.removed_files import list_removed_files, list_vacated_paths

REMOVED = (
    '{"type":"begin","number":1,"at":"a","deeds":[{"do":"remove","path":"/f"},'
    '{"do":"create","path":"/g"}]}'
)
DONE = '{"type":"end","number":1,"at":"a","outcome":"done"}'
TAKEN_BACK = '{"type":"end","number":1,"at":"a","outcome":"taken back"}'
MADE_AGAIN = '{"type":"begin","number":2,"at":"a","deeds":[{"do":"create","path":"/f"}]}'
DONE_AGAIN = '{"type":"end","number":2,"at":"a","outcome":"done"}'


@pytest.mark.parametrize(
    ("lines", "removed"),
    [
        ((), set()),
        ((REMOVED,), set()),
        ((REMOVED, DONE), {"/f"}),
        ((REMOVED, TAKEN_BACK), set()),
        ((REMOVED, DONE, MADE_AGAIN, DONE_AGAIN), set()),
        ((REMOVED, DONE, MADE_AGAIN), {"/f"}),
        (('{"torn', REMOVED, DONE), {"/f"}),
    ],
)
def test_a_file_counts_whose_last_operation_removed_it(
    tmp_path: Path, lines: tuple[str, ...], removed: set[str]
) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text("\n".join(lines))

    assert list_removed_files(journal) == removed


def test_without_a_journal_nothing_was_removed(tmp_path: Path) -> None:
    assert list_removed_files(tmp_path / "none") == frozenset()


MOVED = '{"type":"begin","number":3,"at":"a","deeds":[{"do":"move","path":"/p","target":"/q"}]}'
MOVED_BACK = (
    '{"type":"begin","number":4,"at":"a","deeds":[{"do":"move","path":"/q","target":"/p"}]}'
)


def test_a_path_that_was_moved_away_is_vacated_until_something_comes_back_to_it(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "journal.jsonl"
    done, done_again = (DONE.replace("1", number, 1) for number in "34")
    journal.write_text(f"{REMOVED}\n{DONE}\n{MOVED}\n{done}")
    assert list_vacated_paths(journal) == {"/f", "/p"}

    journal.write_text(f"{MOVED}\n{done}\n{MOVED_BACK}\n{done_again}")
    assert list_vacated_paths(journal) == {"/q"}
