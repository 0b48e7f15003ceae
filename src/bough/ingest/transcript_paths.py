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


class FileRole(StrEnum):
    """What a file is for."""

    TRANSCRIPT = "transcript"
    META = "meta"
    TITLE = "title"
    CLIENT = "client"


class TranscriptPath(Struct, frozen=True):
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


class ClassifiedFile(Struct, frozen=True):
    """A file's role, and the transcript it is or describes; a client's note has none."""

    role: FileRole
    place: TranscriptPath | None = None


def classify_path(claude_dir: Path, path: str) -> ClassifiedFile | None:
    """Tell what a path is; None for what belongs to no session."""
    projects = str(claude_dir / "projects") + os.sep
    if path.startswith(projects):
        return _classify_below_projects(projects, path)
    below_sessions = path.startswith(str(claude_dir / "sessions") + os.sep)
    return ClassifiedFile(FileRole.CLIENT) if below_sessions and path.endswith(".json") else None


def _classify_below_projects(projects: str, path: str) -> ClassifiedFile | None:
    parts = Path(path[len(projects) :]).parts
    folder = projects + parts[0]
    name = parts[-1]
    if len(parts) == 2 and name.endswith(SUFFIX):
        if is_agent_file(name):
            return ClassifiedFile(
                FileRole.TRANSCRIPT, TranscriptPath(folder, "", path, _agent_id(name, SUFFIX))
            )
        return ClassifiedFile(
            FileRole.TRANSCRIPT, TranscriptPath(folder, name.removesuffix(SUFFIX), path)
        )
    if len(parts) == 3 and name == _TITLE:
        main = folder + os.sep + parts[1] + SUFFIX
        return ClassifiedFile(FileRole.TITLE, TranscriptPath(folder, parts[1], main))
    if name.startswith(AGENT) and name.endswith(_META):
        own = path.removesuffix(_META) + SUFFIX
        return ClassifiedFile(
            FileRole.META,
            TranscriptPath(folder, _owning_session(parts), own, _agent_id(name, _META)),
        )
    if len(parts) > 3 and parts[2] == _SUBAGENTS and is_agent_file(name):
        return ClassifiedFile(
            FileRole.TRANSCRIPT, TranscriptPath(folder, parts[1], path, _agent_id(name, SUFFIX))
        )
    return None


def _agent_id(name: str, suffix: str) -> str:
    return name.removesuffix(suffix).removeprefix(AGENT)


def _owning_session(parts: tuple[str, ...]) -> str:
    return parts[1] if len(parts) > 3 and parts[2] == _SUBAGENTS else ""
