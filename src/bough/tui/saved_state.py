"""What the app remembers between runs: the theme, what is shown, where reading stopped.

A file of its own beside the index. It is a convenience: what cannot be read is forgotten,
what cannot be written is not kept, and nobody is bothered with it.
"""

from pathlib import Path
from typing import Final

import msgspec

from bough.config import data_dir, read_settings
from bough.errors import BoughError
from bough.files.state_file import load_state, save_state

_MOST_PLACES: Final = 200


class ReadingPosition(msgspec.Struct, frozen=True):
    """Where reading stopped in a session: the piece on top, and its line in the file."""

    key: str
    offset: int = 0
    tip: str | None = None


class SavedState(msgspec.Struct):
    """What is kept."""

    theme: str | None = None
    thinking: bool = True
    wrap: bool = True
    outline: bool = True
    facts: bool = True
    preview: bool = True
    chart: bool = True
    report: str = "daily"
    since: str = "30d"
    stars: list[str] = []
    """Stars until there were annotations, which took them over; kept as they were, so that none is
    lost where that could not be done."""
    folded: list[str] = []
    stopped: dict[str, ReadingPosition] = {}
    searches: list[str] = []

    def save_position(self, session: str, position: ReadingPosition) -> None:
        """Remember where reading a session stopped; the oldest are forgotten."""
        self.stopped.pop(session, None)
        self.stopped[session] = position
        for old in list(self.stopped)[:-_MOST_PLACES]:
            del self.stopped[old]


def state_path() -> Path:
    """Name the file that keeps the state."""
    return data_dir() / "tui.json"


def save_crash(details: str) -> Path | None:
    """Keep the details of a crash; None where that is not possible."""
    path = data_dir() / "crash.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(details, encoding="utf-8", errors="replace")
    except OSError:
        return None
    return path


def load_app_state() -> SavedState:
    """Read what was kept."""
    return load_state(state_path(), SavedState)


def find_saved_theme(kept: SavedState) -> str | None:
    """Find the theme that was chosen in the settings, or else by key; None asks the terminal."""
    try:
        loaded = read_settings()
    except BoughError:  # who needs the settings says what is wrong with them
        return kept.theme
    if "theme" not in loaded.in_config | loaded.in_apps:
        return kept.theme
    return None if loaded.values.theme == "system" else loaded.values.theme


def save_app_state(kept: SavedState) -> None:
    """Keep the state."""
    save_state(state_path(), kept)
