"""The index as a command opens it: brought up to date, with progress on stderr.

Share, rate and time left are shown. Nothing is shown for what is over at once, nor where
nobody looks.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders, report_problems
from bough.model.text.formats import format_duration, format_percent, format_size

if TYPE_CHECKING:
    from bough.cli.options import Globals
    from bough.library import IndexHandle

_PATIENCE: Final = 0.3
_BETWEEN: Final = 0.1
_BAR: Final = 20

ProgressCallback = Callable[[int, int], None]


@contextmanager
def progress_bar(what: str = "Indexing") -> Iterator[ProgressCallback]:
    """Give a function that shows how many bytes of how many were read."""
    started = time.monotonic()
    shown = 0.0

    def show(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - started >= _PATIENCE and now - shown >= _BETWEEN:
            shown = now
            output.show_status(format_progress(what, done, total, now - started))

    try:
        yield show
    finally:
        if shown:
            output.show_status("")


@contextmanager
def count_progress(what: str, things: str) -> Iterator[ProgressCallback]:
    """Give a function that shows how many of something were looked at; after that it is silent."""
    started = time.monotonic()
    shown, over = 0.0, False

    def show(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if not over and now - started >= _PATIENCE and now - shown >= _BETWEEN:
            shown = now
            output.show_status(f"{what} {done:,} of {total:,} {things}")

    try:
        yield show
    finally:
        over = True
        if shown:
            output.show_status("")


def format_progress(what: str, done: int, total: int, seconds: float) -> str:
    """Say how far it is, how fast, and how long it will still take."""
    part = min(1.0, done / total) if total else 0.0
    filled = round(part * _BAR)
    bar = "#" * filled + "." * (_BAR - filled)
    words = f"{what} [{bar}] {format_percent(part)}, {format_size(done)} of {format_size(total)}"
    if not done or seconds <= 0:
        return words
    rate = done / seconds
    rest = max(1, round((total - done) / rate))
    left = f"{rest} s" if rest < 60 else format_duration(rest)
    return f"{words}, {format_size(round(rate))}/s, {left} left"


def open_current_index(given: "Globals") -> "IndexHandle":
    """Open the index and read what is new; a person sees how far that is."""
    place = check_name(given.index) if given.index is not None else None
    open_index = library.index  # loaded before the clock of the bar starts
    with progress_bar() as progress:
        return open_index(get_claude_folders(given), place, progress=progress)


def report_index_state(index: "IndexHandle") -> None:
    """Say what could not be read, and why the index may lack something."""
    report_problems(index.report.problems)
    if index.partial:
        output.say(index.partial)
