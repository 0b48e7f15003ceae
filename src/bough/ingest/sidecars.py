"""Small files beside transcripts: a session's title, and what describes an agent.

    <session>/custom-title.json    the title a person gave
    agent-<id>.meta.json           beside an agent's file: what started it, and what for

They are notes: one that is missing, damaged or not ours to read says nothing, and fails
nobody. Of one that is not small only the beginning is looked at.
"""

import os
from os import PathLike
from pathlib import Path
from typing import Final

from msgspec import Raw, Struct

from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder
from bough.model.agents.links import AgentMeta
from bough.records.decode import decode_part

_SMALL: Final = 64 * 1024


class _TitleNote(Struct, rename="camel"):
    custom_title: str | None = None


def title_path_of(session: str | PathLike[str]) -> Path:
    """Name the file that holds the title of a session's file."""
    return Path(session).with_suffix("") / "custom-title.json"


def meta_path_of(agent: str | PathLike[str]) -> Path:
    """Name the file that describes an agent's file."""
    return Path(agent).with_suffix(".meta.json")


def read_title(path: str | PathLike[str] | None, sources: SourceFinder) -> str | None:
    """Read a `custom-title.json`; None where there is none, empty where it was cleared."""
    data = read_small_file(path, sources)
    return decode_part(Raw(data), _TitleNote).custom_title if data else None


def read_agent_meta(path: str | PathLike[str] | None, sources: SourceFinder) -> AgentMeta | None:
    """Read a `.meta.json`; None where there is none."""
    data = read_small_file(path, sources)
    return decode_part(Raw(data), AgentMeta) if data else None


def read_small_file(path: str | PathLike[str] | None, sources: SourceFinder) -> bytes:
    """Read a small file; nothing where there is none."""
    found = sources.find(os.fspath(path)) if path is not None else None
    if found is None:
        return b""
    try:
        return found.at(0, _SMALL)
    except Unreadable:
        return b""
