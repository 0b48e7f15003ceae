"""Write a session here that another machine sent to a team's database.

Its files go where the client looks for them when it is started in `cwd`, as those of a moved
project do. Nothing that is there is written over. The session keeps its id, so a Claude folder can
have it once.
"""

import os
from pathlib import Path, PurePosixPath

from msgspec import Struct

from bough.files.byte_source import ByteSource, MemorySource
from bough.files.directory import NOTHING_KEPT, KeptFolders
from bough.files.discover import encode_cwd
from bough.timetravel.errors import AlreadyThere, shorten_id
from bough.timetravel.plan import Create, Plan
from bough.timetravel.plans.archived_return import make_missing_folders
from bough.timetravel.session_file import open_session


class PulledFile(Struct, frozen=True):
    """A file of a session: where it lies below the folder of its project, and its bytes."""

    name: PurePosixPath
    data: bytes


class PulledSessionRequest(Struct, frozen=True, kw_only=True):
    """What is to be written: the first of `files` is the session's own.

    `cwd` is the folder that it shall be continued in, links resolved. `notes` are sentences on
    what is not as it was.
    """

    session: str
    machine: str
    files: tuple[PulledFile, ...]
    projects: Path
    cwd: str
    notes: tuple[str, ...] = ()

    def place_file(self, file: PulledFile) -> Path:
        """Name where a file goes."""
        return self.projects.joinpath(encode_cwd(self.cwd), *file.name.parts)


def plan_pull(request: PulledSessionRequest) -> Plan:
    """Plan to write the files.

    Raises:
        AlreadyThere: The session is here.
    """
    name = shorten_id(request.session)
    own = request.files[0]
    target = request.place_file(own)
    for other in sorted(request.projects.glob(f"*/{target.name}")):
        raise AlreadyThere(
            f"Session {name} is here in {other.parent.name} already, and nothing is written over."
        )
    places = [(file, request.place_file(file)) for file in request.files]
    missing = [(file, place) for file, place in places if not os.path.lexists(place)]
    kept = [place.name for _, place in places if os.path.lexists(place)]
    session = open_session(target, _PulledBytes(str(target), own.data)).session
    more = len(missing) - 1
    files = "a file that belongs" if more == 1 else f"{more:,} files that belong"
    beside = f" and {files} to it" if more else ""
    return Plan(
        operation="pull",
        session=request.session,
        headline=f"Write {name}{beside} from {request.machine}",
        projects=str(request.projects),
        steps=(
            *make_missing_folders([place for _, place in missing]),
            *(Create(str(place), file.data) for file, place in missing),
        ),
        closed=(request.session,),
        checked=("nothing that is there is written over", "no client has the session open"),
        notes=(*request.notes, *(f"{one} is there already and stays as it is." for one in kept)),
        result=request.session,
        path=str(target),
        cwd=request.cwd,
        version=session.version,
    )


class _PulledBytes(Struct, frozen=True):
    """Finds one transcript, which is nowhere yet."""

    path: str
    data: bytes

    def find(self, path: str) -> ByteSource | None:
        """Find the bytes of that path."""
        return MemorySource(path, self.data) if path == self.path else None

    def list_kept(self, folder: str) -> KeptFolders:  # noqa: ARG002 - whatever it is
        """List nothing."""
        return NOTHING_KEPT
