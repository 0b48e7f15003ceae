"""The sums that reports need, made before anybody asks for a report.

A report makes what is missing itself. After a first index that is everything: seconds, on a large
history, that a person would wait for. So a face that stays lets another process make them, which
takes none of its time and lets others write in between.
"""

import sys
from os import PathLike
from pathlib import Path
from typing import Final

from bough.errors import BoughError
from bough.memory import pause_collector
from bough.query.index.background_task import BackgroundTask, end_with_owner
from bough.store.sqlite.store import SqliteStore

_FEW: Final = 1_000
"""So many sums are made in a moment by whoever asks."""


class BackgroundSums:
    """Makes the missing sums of an index once; it can be stopped from any thread."""

    def __init__(self, index: str | PathLike[str]) -> None:
        self._index = Path(index)
        self._task = BackgroundTask(__name__)

    def run(self) -> None:
        """Make them, where they are many; return when they are made, or cannot be."""
        try:
            if not self._task.is_stopped and self._are_many():
                with self._task.start(str(self._index)) as child:
                    child.wait()
        except (BoughError, OSError):
            return  # whoever asks for a report makes what it needs, or says what is wrong

    def stop(self) -> None:
        """Give up; what was made so far stays."""
        self._task.stop()

    def _are_many(self) -> bool:
        from bough.query.stats.stats_report import list_sum_kinds  # noqa: PLC0415 - no app waits for it at its start

        store = SqliteStore(self._index)
        try:
            return store.is_writable and store.behaviour().count_missing(list_sum_kinds()) > _FEW
        finally:
            store.close()


def main(index: str) -> int:
    """Be the other process."""
    from bough.query.stats.stats_report import list_sum_kinds  # noqa: PLC0415 - as above

    end_with_owner()
    store = SqliteStore(Path(index))
    with pause_collector():
        for builder in list_sum_kinds():
            store.behaviour().make_sums(builder)
    store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
