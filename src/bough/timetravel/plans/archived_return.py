"""Bring back from the archive a session that the client deleted, with all that belongs to it.

Its file, what lay in its own folder, and what the client keeps of it in other folders are written
where they were, or at the same places of another Claude folder. They get the time of now: with
their old one the client would delete them again at its next look. Nothing that is there is written
over: the same bytes need no writing, and another transcript is another session. The session's
lines of `history.jsonl` are not written: that file is everybody's, and the client never cleans it.
"""

import os
from pathlib import Path

from msgspec import Struct

from bough.archive.reports.archived_sessions import PROJECTS, KeptFile, KeptSession
from bough.files.byte_source import ByteSource
from bough.files.directory import NOTHING_KEPT, KeptFolders
from bough.files.discover import encode_cwd
from bough.timetravel.errors import AlreadyThere, shorten_id
from bough.timetravel.plan import Create, MakeFolder, Plan, Step
from bough.timetravel.session_file import open_session

_SHOWN = 3


class RestoreRequest(Struct, frozen=True, kw_only=True):
    """What is to come back, to which Claude folder.

    `cwd` is where the project lies now, where that is another place; `keeps_times` gives files the
    times that they had.
    """

    kept: KeptSession
    claude_dir: Path
    cwd: str | None = None
    keeps_times: bool = False

    @property
    def projects(self) -> Path:
        """Name the folder with the projects, all links resolved."""
        return (self.claude_dir / PROJECTS).resolve()

    @property
    def files(self) -> tuple[KeptFile, ...]:
        """List the files that can go there.

        Where `projects` is a link out of the Claude folder, nothing outside it is ours to write.
        """
        if self.projects.parent == self.claude_dir.resolve():
            return self.kept.files
        return tuple(file for file in self.kept.files if file.name.parts[0] == PROJECTS)

    def place_file(self, file: KeptFile) -> Path:
        """Name where a file goes."""
        parts = file.name.parts
        if parts[0] != PROJECTS:
            return self.projects.parent.joinpath(*parts)
        project = encode_cwd(self.cwd) if self.cwd is not None else parts[1]
        return self.projects.joinpath(project, *parts[2:])


class _FoundBytes(Struct, frozen=True):
    """Finds one transcript, which is not where it will be."""

    path: str
    file: KeptFile

    def find(self, path: str) -> ByteSource | None:
        """Find the bytes of that path."""
        return self.file.source if path == self.path else None

    def list_kept(self, folder: str) -> KeptFolders:  # noqa: ARG002 - whatever it is
        """List nothing."""
        return NOTHING_KEPT


def plan_archived_return(request: RestoreRequest) -> Plan | None:
    """Plan to write what is missing of a session; None where nothing is.

    Raises:
        AlreadyThere: Another transcript is there by its name, or the session is elsewhere.
    """
    kept = request.kept
    target = request.place_file(kept.transcript)
    _require_alone(request, target)
    places = [(file, request.place_file(file)) for file in request.files]
    missing = [(file, place) for file, place in places if not os.path.lexists(place)]
    taken = [(file, place) for file, place in places if os.path.lexists(place)]
    different = [place for file, place in taken if not _is_same(file, place)]
    if target in different:
        raise AlreadyThere(
            f"{target} is there and not what the archive has; nothing is written over. "
            "--to brings the archived one back in another Claude folder."
        )
    if not missing:
        return None
    session = open_session(target, _FoundBytes(str(target), kept.transcript)).session
    comes_back = any(place == target for _, place in missing)
    return Plan(
        operation="restore",
        session=kept.session,
        headline=_describe(kept.session, len(missing), comes_back=comes_back),
        projects=str(request.projects),
        steps=(
            *make_missing_folders([place for _, place in missing]),
            *(_create_file(file, place, request) for file, place in missing),
        ),
        closed=(kept.session,) if comes_back else (),
        checked=("nothing that is there is written over", "no client has the session open"),
        notes=tuple(_list_notes(request, different)),
        result=kept.session,
        path=str(target),
        cwd=request.cwd or session.cwd,
        version=session.version,
    )


def _require_alone(request: RestoreRequest, target: Path) -> None:
    """Refuse a second file of one session in a Claude folder: the client takes either."""
    for other in sorted(request.projects.glob(f"*/{target.name}")):
        if other != target:
            raise AlreadyThere(
                f"Session {shorten_id(request.kept.session)} is there in {other.parent.name} "
                "already. bough move lets sessions follow their project."
            )


def _is_same(file: KeptFile, place: Path) -> bool:
    if place.is_symlink() or not place.is_file():
        return False
    source = file.source
    size = source.state().size
    return place.stat().st_size == size and place.read_bytes() == source.at(0, size)


def _describe(session: str, count: int, *, comes_back: bool) -> str:
    name = shorten_id(session)
    more = count - comes_back
    files = "a file that belongs" if more == 1 else f"{more:,} files that belong"
    if not comes_back:
        return f"Bring back {files} to {name} from the archive"
    beside = f" and {files} to it" if more else ""
    return f"Bring back {name}{beside} from the archive"


def _list_notes(request: RestoreRequest, different: list[Path]) -> list[str]:
    notes = ["Its files get the time of now, so that the client does not delete them at once."]
    if request.keeps_times:
        notes = ["Its files get the times they had: the client may delete them again soon."]
    if different:
        names = ", ".join(place.name for place in different[:_SHOWN])
        rest = len(different) - _SHOWN
        more = f" and {rest:,} more" if rest > 0 else ""
        are = "are" if len(different) > 1 else "is"
        notes.append(f"{names}{more} {are} there and different, and stay as they are now.")
    return notes


def make_missing_folders(files: list[Path]) -> list[Step]:
    """Make the folders that are missing, those above first."""
    missing = {
        str(parent) for file in files for parent in file.parents if not os.path.lexists(parent)
    }
    return [MakeFolder(folder) for folder in sorted(missing, key=lambda one: (len(one), one))]


def _create_file(file: KeptFile, place: Path, request: RestoreRequest) -> Step:
    source = file.source
    state = source.state()
    times = file.mtime_ns if request.keeps_times else None
    return Create(str(place), source.at(0, state.size), state.mode, times)
