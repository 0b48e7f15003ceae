"""Bring back from the archive a session that the client deleted.

Its file and what lay in its own folder are written where they were, with the time of now: with
their old one the client would delete them again at its next look. What the client keeps of a
session in other folders stays in the archive, where bough reads it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from bough.files.byte_source import SourceFinder, require_source
from bough.files.companions import SUFFIX, is_agent_file
from bough.files.directory import KeptFolders
from bough.query.sessions.project_folder import read_owner
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import shorten_id
from bough.timetravel.plan import Create, MakeFolder, Plan, Step
from bough.timetravel.session_file import open_session, resolve_in_projects, take_snapshot


def plan_archived_return(environment: TravelEnvironment, path: Path) -> Plan | None:
    """Plan to write a session that is gone as the archive has it; None where it has none."""
    sources = environment.sources
    if os.path.lexists(path) or sources.find(str(path)) is None:
        return None
    file, projects = resolve_in_projects(path, sources)
    kept = sources.list_kept(str(projects.parent))
    found = [file, *_list_own_files(file, kept), *_list_loose_agents(file, kept, sources)]
    missing = [one for one in found if not os.path.lexists(one)]
    steps = [*_make_folders(missing), *(_create_file(one, sources) for one in missing)]
    session = open_session(file, sources)
    more = len(missing) - 1
    beside = f" and {more:,} files that belong to it" if more > 1 else ""
    beside = " and a file that belongs to it" if more == 1 else beside
    return Plan(
        operation="restore",
        session=file.stem,
        headline=f"Bring back {shorten_id(file.stem)}{beside} from the archive",
        projects=str(projects),
        steps=tuple(steps),
        reads=(take_snapshot(file, sources),),
        closed=(file.stem,),
        checked=("nothing that is there is written over", "no client has the session open"),
        notes=("Its files get the time of now, so that the client does not delete them at once.",),
        result=file.stem,
        path=str(file),
        cwd=session.session.cwd,
        version=session.session.version,
    )


def _list_own_files(file: Path, kept: KeptFolders) -> Iterator[Path]:
    """List what is kept of a session's own folder."""
    waiting = [str(file.with_suffix(""))]
    while waiting:
        for entry in kept.get(waiting.pop(), {}).values():
            if entry.is_dir():
                waiting.append(entry.path)
            else:
                yield Path(entry.path)


def _list_loose_agents(file: Path, kept: KeptFolders, sources: SourceFinder) -> Iterator[Path]:
    """List the agents that lay beside a session and name it as theirs, with their meta files."""
    names = kept.get(str(file.parent), {})
    for name, entry in names.items():
        if is_agent_file(name) and read_owner(Path(entry.path), sources) == file.stem:
            yield Path(entry.path)
            if (meta := names.get(f"{name.removesuffix(SUFFIX)}.meta.json")) is not None:
                yield Path(meta.path)


def _make_folders(files: list[Path]) -> list[Step]:
    """Make the folders that are missing, those above first."""
    missing = {
        str(parent) for file in files for parent in file.parents if not os.path.lexists(parent)
    }
    return [MakeFolder(folder) for folder in sorted(missing, key=lambda one: (len(one), one))]


def _create_file(file: Path, sources: SourceFinder) -> Step:
    source = require_source(sources, file)
    state = source.state()
    return Create(str(file), source.at(0, state.size), state.mode)
