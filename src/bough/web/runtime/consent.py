"""What the web app remembers between runs: that a person agreed to be shown their transcripts.

A file of its own beside what bough keeps. Where it cannot be written the question is asked again.
"""

from pathlib import Path

import msgspec

from bough.config import data_dir
from bough.files.state_file import load_state, save_state


class Consent(msgspec.Struct):
    """What is kept: the indexes whose histories may be read."""

    ready: list[str] = []


def is_ready(index: Path) -> bool:
    """Tell whether a history may be read: a person said so, or it was read before."""
    if str(index) in _load_consent().ready:
        return True
    try:
        return index.stat().st_size > 0
    except OSError:
        return False


def make_ready(index: Path) -> None:
    """Remember that a history may be read."""
    kept = _load_consent()
    if str(index) in kept.ready:
        return
    kept.ready.append(str(index))
    save_state(_state_path(), kept)


def _state_path() -> Path:
    return data_dir() / "web.json"


def _load_consent() -> Consent:
    return load_state(_state_path(), Consent)
