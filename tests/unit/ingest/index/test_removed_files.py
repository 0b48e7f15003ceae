"""Which files bough itself removed, by its journal."""

from pathlib import Path

import pytest

from bough.ingest.index.removed_files import list_removed_files

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
