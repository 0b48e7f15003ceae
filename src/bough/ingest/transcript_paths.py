"""What a file below a Claude folder is, told by its path alone.

The same layouts as `bough.files.discover` finds by listing; here one path is given, because
something happened to it, and nothing is listed.
"""

import os
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from bough.files.companions import AGENT, SUFFIX, is_agent_file

_META = ".meta.json"
_TITLE = "custom-title.json"
_SUBAGENTS = "subagents"


class Role(StrEnum):
    """What a file is for."""

    TRANSCRIPT = "transcript"
    META = "meta"
    TITLE = "title"
    CLIENT = "client"


class Place(Struct, frozen=True):
    """A transcript: whose it is and where it lies.

    `folder` is the project's folder. `session` is empty for an agent's file that lies beside
    the sessions, until its records name the session it belongs to.
    """

    folder: str
    session: str
    path: str
    agent: str | None = None

    @property
    def project(self) -> str:
        """Give the name of the project's folder."""
        return Path(self.folder).name


class Found(Struct, frozen=True):
    """A file's role, and the transcript it is or describes; a client's note has none."""

    role: Role
    place: Place | None = None


def found_at(claude_dir: Path, path: str) -> Found | None:
    """Tell what a path is; None for what belongs to no session."""
    projects = str(claude_dir / "projects") + os.sep
    if path.startswith(projects):
        return _below_projects(projects, path)
    below_sessions = path.startswith(str(claude_dir / "sessions") + os.sep)
    return Found(Role.CLIENT) if below_sessions and path.endswith(".json") else None


def _below_projects(projects: str, path: str) -> Found | None:
    parts = Path(path[len(projects) :]).parts
    folder = projects + parts[0]
    name = parts[-1]
    if len(parts) == 2 and name.endswith(SUFFIX):
        if is_agent_file(name):
            return Found(Role.TRANSCRIPT, Place(folder, "", path, _agent(name, SUFFIX)))
        return Found(Role.TRANSCRIPT, Place(folder, name.removesuffix(SUFFIX), path))
    if len(parts) == 3 and name == _TITLE:
        main = folder + os.sep + parts[1] + SUFFIX
        return Found(Role.TITLE, Place(folder, parts[1], main))
    if name.startswith(AGENT) and name.endswith(_META):
        own = path.removesuffix(_META) + SUFFIX
        return Found(Role.META, Place(folder, _owner(parts), own, _agent(name, _META)))
    if len(parts) > 3 and parts[2] == _SUBAGENTS and is_agent_file(name):
        return Found(Role.TRANSCRIPT, Place(folder, parts[1], path, _agent(name, SUFFIX)))
    return None


def _agent(name: str, suffix: str) -> str:
    return name.removesuffix(suffix).removeprefix(AGENT)


def _owner(parts: tuple[str, ...]) -> str:
    return parts[1] if len(parts) > 3 and parts[2] == _SUBAGENTS else ""
