"""Bringing the index up to date in a process of its own.

A first index takes memory and most of a processor. A face that is looked at meanwhile stays
small and answers at once, because the reading happens elsewhere; what little a day brings is
read here. The other process says how far it is in lines of JSON.
"""

import sys
from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Final

import msgspec

from bough.errors import BoughError, IndexTrouble
from bough.ingest.index.refresh import refresh_index
from bough.ingest.index.work_plan import plan_work
from bough.query.index.background_task import BackgroundTask, end_with_owner
from bough.query.index.handle import open_index
from bough.store.sqlite.index_lock import IndexBusy, IndexReadOnly

if TYPE_CHECKING:
    import subprocess

Progress = Callable[[int, int], None]
LITTLE: Final = 2 * 1024 * 1024
"""So many bytes are not worth a process."""


class ProgressLine(msgspec.Struct, omit_defaults=True):
    """A line from the other process: how far it is, or how it ended."""

    done: int = 0
    total: int = 0
    ended: bool = False
    partial: str = ""
    trouble: str = ""


class BackgroundRefresh:
    """One refresh, here or elsewhere; it can be stopped from any thread."""

    def __init__(
        self, dirs: Sequence[str | PathLike[str]], index: str | PathLike[str] | None
    ) -> None:
        self._dirs = [str(folder) for folder in dirs]
        self._index = str(index) if index is not None else None
        self._task = BackgroundTask(__name__)

    def run(self, progress: Progress | None = None) -> str:
        """Read what is new; give what the index lacks, in a sentence."""
        if self._is_little():
            with open_index(self._dirs, self._index, progress=progress) as handle:
                return handle.partial or ""
        return self._run_in_process(progress)

    def stop(self) -> None:
        """End the other process; what it has not kept is read by the next refresh."""
        self._task.stop()

    def _is_little(self) -> bool:
        with open_index(self._dirs, self._index, fresh=False) as handle:
            return plan_work(handle.folders, handle.store.states()).bytes <= LITTLE

    def _run_in_process(self, progress: Progress | None) -> str:
        given = msgspec.json.encode([self._dirs, self._index]).decode()
        with self._task.start(given, is_heard=True) as child:
            outcome = _read_progress(child, progress)
        if self._task.is_stopped:
            return ""
        if not outcome.ended:
            raise IndexTrouble(
                f"Indexing ended early (exit {child.returncode}). What was read so far is kept; "
                "bough index goes on with it."
            )
        if outcome.trouble:
            raise IndexTrouble(outcome.trouble)
        return outcome.partial


def _read_progress(child: "subprocess.Popen[bytes]", progress: Progress | None) -> ProgressLine:
    """Take in what the other process says, to its end."""
    progress_line = ProgressLine()
    for line in child.stdout or ():
        try:
            progress_line = msgspec.json.decode(line, type=ProgressLine)
        except msgspec.MsgspecError:
            continue  # not ours: something that was printed
        if progress is not None and not progress_line.ended:
            progress(progress_line.done, progress_line.total)
    return progress_line


def main(given: str) -> int:
    """Be the other process."""
    dirs, index = msgspec.json.decode(given, type=tuple[list[str], str | None])
    end_with_owner()

    def tell(progress: ProgressLine) -> None:
        sys.stdout.buffer.write(msgspec.json.encode(progress) + b"\n")
        sys.stdout.buffer.flush()

    try:
        with open_index(dirs, index, fresh=False) as handle:
            # One process more is enough: whoever is looked at needs memory and time too.
            refresh_index(
                handle.store,
                handle.folders,
                progress=lambda done, all_: tell(ProgressLine(done, all_)),
                workers=1,
            )
        tell(ProgressLine(ended=True))
    except (IndexBusy, IndexReadOnly) as refused:
        tell(ProgressLine(ended=True, partial=refused.message))
    except BoughError as error:
        tell(ProgressLine(ended=True, trouble=error.message))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
