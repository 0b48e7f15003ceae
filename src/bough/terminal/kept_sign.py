"""The sign of a session whose file the client deleted, for lists and heads in a terminal."""

from collections.abc import Mapping
from typing import Final

from bough.model.interpret.kept_places import KeptPlace
from bough.terminal.style import Glyphs

NOTHING_GONE: Final[Mapping[tuple[str, str], KeptPlace]] = {}
"""What a list says by project and session where every file is there."""


def format_kept_sign(place: KeptPlace, glyphs: Glyphs) -> str:
    """Give the sign and its word; nothing where the file is there."""
    if place is KeptPlace.FILE:
        return ""
    sign = glyphs.archived if place is KeptPlace.ARCHIVE else glyphs.lost
    return f"{sign} {place.label}"
