"""Reading one session from disk, with everything that lies beside it.

The file itself is read at once. Companions (agents, kept outputs, summaries in other
files) are read when a view first needs them, and never fail the session: what cannot be
read is left out.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path

import msgspec

from bough.errors import BoughError, Unreadable
from bough.files.discover import project_files
from bough.files.lines import read_at, read_lines, split
from bough.model.agents import AgentMeta
from bough.model.session import AgentSource, Companions, Session
from bough.records.decode import decode, part, records
from bough.records.record import BadLine, Record
from bough.records.types import Summary

HEAD = 64 * 1024
"""How much of a file is looked at to learn whose it is."""

_AGENT = "agent-"
_SUMMARY_OPENING = b'{"type":"summary"'


class _Title(msgspec.Struct, rename="camel"):
    custom_title: str | None = None


def read_session(path: str | PathLike[str], *, client: str | None = None) -> Session:
    """Read a session, or an agent's own file.

    Args:
        path: The `.jsonl` file.
        client: A client's version, to see the tip that it would resume; by default the
            newest that wrote into the file.

    Raises:
        Unreadable: The file is missing, a folder, or not ours to read.
    """
    file = Path(path)
    found, bad = read_records(file)
    return Session(
        file.stem, found, bad, path=str(file), companions=_companions(file), client=client
    )


def read_records(path: Path) -> tuple[list[Record], list[BadLine]]:
    """Read a file into its records and the lines that are none, both in file order."""
    found: list[Record] = []
    bad: list[BadLine] = []
    for item in records(read_lines(path)):
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    return found, bad


def head(path: Path) -> list[Record]:
    """Read the records at the start of a file, as far as they are cheap to have."""
    try:
        data = read_at(path, 0, HEAD)
    except Unreadable:
        return []
    found = (decode(line) for line in split([data]) if line.ended or len(data) < HEAD)
    return [item for item in found if not isinstance(item, BadLine)]


def _companions(file: Path) -> Companions:
    return Companions(
        sidecar_title=_sidecar(file.with_suffix("") / "custom-title.json"),
        summaries=cache(lambda: _summaries(file)),
        shelf=cache(lambda: _shelf(file)),
        agents=cache(lambda: _agents(file)),
    )


def _sidecar(path: Path) -> str | None:
    try:
        data = read_at(path, 0, HEAD)
    except Unreadable:
        return None
    return part(msgspec.Raw(data), _Title).custom_title


def _summaries(file: Path) -> Mapping[str, str]:
    """Collect the summaries that other files of the project hold, by their leaf."""
    found: dict[str, str] = {}
    for other in sorted(file.parent.glob("*.jsonl")):
        if other == file or other.name.startswith(_AGENT):
            continue
        try:
            for line in read_lines(other):
                if line.raw.startswith(_SUMMARY_OPENING):
                    record = decode(line)
                    if isinstance(record, Summary) and record.leaf_uuid and record.summary:
                        found[record.leaf_uuid] = record.summary
        except Unreadable:
            continue
    return found


def _shelf(file: Path) -> Mapping[str, str]:
    """List the outputs kept in files, of the whole project: a fork names its origin's."""
    own = _session_folder(file)
    found: dict[str, str] = {}
    try:
        folders = [f for f in own.parent.iterdir() if (f / "tool-results").is_dir()]
    except OSError:
        return found
    for folder in sorted(folders, key=lambda f: f == own):
        for kept in _listed(folder / "tool-results"):
            found[f"{folder.name}/tool-results/{kept.name}"] = str(kept)
            if folder == own:
                found[kept.name] = str(kept)
    return found


def _session_folder(file: Path) -> Path:
    """Name the folder of a session's companions, also for one of its agents' files."""
    for parent in file.parents:
        if parent.name == "subagents":
            return parent.parent
    return file.with_suffix("")


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _agents(file: Path) -> Sequence[AgentSource]:
    if file.name.startswith(_AGENT):
        siblings = [p for p in sorted(file.parent.glob("agent-*.jsonl")) if p != file]
        return [
            s for p in siblings if (s := _source(p, p.with_suffix(".meta.json"), "subagents"))
        ]
    try:
        project = project_files(file.parent)
    except BoughError:
        return []
    own = next((s for s in project.sessions if s.path == file), None)
    listed = [(a.path, a.meta, str(a.layout)) for a in (own.agents if own else ())]
    listed += [
        (a.path, a.meta, "flat") for a in project.loose_agents if owner_of(a.path) == file.stem
    ]
    return [source for item in listed if (source := _source(*item)) is not None]


def owner_of(path: Path) -> str | None:
    """Name the session that an agent's file belongs to, as its records say."""
    return next((record.session_id for record in head(path) if record.session_id), None)


def _source(path: Path, meta: Path | None, layout: str) -> AgentSource | None:
    try:
        found, bad = read_records(path)
    except Unreadable:
        return None
    return AgentSource(
        path.stem.removeprefix(_AGENT), str(path), found, bad, _meta(meta), layout
    )


def _meta(path: Path | None) -> AgentMeta | None:
    if path is None:
        return None
    try:
        data = read_at(path, 0, HEAD)
    except Unreadable:
        return None
    return part(msgspec.Raw(data), AgentMeta)
