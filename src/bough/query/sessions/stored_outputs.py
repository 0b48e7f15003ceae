"""Outputs that the client moved to files of their own: where they lie, and what they hold.

A transcript only names such a file. What is read is what was found when the project's folder
was listed, and only where no link leads out of that folder.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from bough.errors import Unreadable
from bough.files.byte_source import ByteSource, SourceFinder
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.query.byte_sources import USUAL_SOURCES


class StoredOutput(Struct, frozen=True):
    """A kept output: how large it is, and its text; of a very large one how it begins."""

    text: str
    bytes: int
    whole: bool = True


def list_stored_outputs(session: Session) -> Iterator[str]:
    """List the kept outputs that the calls of a session name, and that lie there."""
    for conversation in session.conversations:
        for message in conversation.messages:
            for block in message.blocks:
                result = block.result if isinstance(block, ToolBlock) else None
                if result is not None and result.persisted is not None:
                    yield result.persisted


def resolve_output_path(persisted: str) -> Path | None:
    """Follow links, and refuse what they lead out of the project's folder to."""
    place = Path(persisted)
    stored_outputs = next((p for p in place.parents if p.name == "tool-results"), place.parent)
    home = stored_outputs.parent.parent
    try:
        real = place.resolve(strict=True)
        return real if real.is_relative_to(home.resolve()) and real.is_file() else None
    except (OSError, RuntimeError):
        return None


def find_output(persisted: str, sources: SourceFinder = USUAL_SOURCES) -> ByteSource | None:
    """Find the bytes of a kept output; None where they are gone, or not to be read."""
    place = resolve_output_path(persisted)
    if place is not None:
        return sources.find(str(place))
    # What is refused lies there; only for what does not, something else may have the bytes.
    return None if os.path.lexists(persisted) else sources.find(persisted)


def read_output(
    persisted: str, most: int, sources: SourceFinder = USUAL_SOURCES
) -> StoredOutput | None:
    """Read a kept output, at most so many bytes of it in whole lines; None where it cannot be."""
    found = find_output(persisted, sources)
    if found is None:
        return None
    try:
        size = found.state().size
        data = found.at(0, most)
    except Unreadable:
        return None
    whole = size <= len(data)
    if not whole:
        # A word that is cut in two may be a secret that nothing knows any more.
        data = data[: data.rfind(b"\n") + 1] or data
    return StoredOutput(data.decode("utf-8", "replace"), size, whole)
