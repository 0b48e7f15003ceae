"""What a refresh of the index found goes into the archive too, while the command goes on.

The files were just read and are in the system's memory, so they are read from there once more:
docs/decisions/0020 says what that costs. It happens in a thread, whose end the process waits for
when it ends: no answer waits for a disk. Nothing is sealed here: that takes time, and a later run
does it. Where another bough writes the archive nothing is done; it sees the same files.
"""

import atexit
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bough.config import is_archive_automatic
from bough.errors import BoughError

_MANY: Final = 256
"""For more changed files than this everything is looked at: that lists each folder once."""

_threads: list[threading.Thread] = []
_sentences: list[str] = []


def start_archive_run(claude_dirs: Sequence[Path], paths: Sequence[str]) -> None:
    """Begin to take in what changed, where a person wants that."""
    if not paths or not is_archive_automatic():
        return
    if not _threads:
        atexit.register(finish_archive_runs)
    thread = threading.Thread(
        target=_run, args=(tuple(claude_dirs), tuple(paths)), name="bough-archive", daemon=True
    )
    _threads.append(thread)
    thread.start()


def finish_archive_runs() -> list[str]:
    """Wait until everything is taken in; give what went wrong since, in sentences."""
    while _threads:
        _threads[0].join()
        del _threads[0]
    found = list(dict.fromkeys(_sentences))
    _sentences.clear()
    return found


def _run(claude_dirs: Sequence[Path], paths: Sequence[str]) -> None:
    from bough.archive.archive_catalog import ArchiveBusy  # noqa: PLC0415 - most people want none
    from bough.archive.automatic_folder import find_automatic_folder, remember_archive  # noqa: PLC0415
    from bough.archive.take_in import take_in, take_in_changes  # noqa: PLC0415

    try:
        folder = find_automatic_folder(claude_dirs)
        if len(paths) > _MANY or not folder.exists():
            take_in(folder, claude_dirs, seals=False)
            remember_archive(folder)
        else:
            take_in_changes(folder, claude_dirs, paths)
    except ArchiveBusy:
        return
    except BoughError as error:
        _sentences.append(error.message)
