"""Move a project's sessions to another folder, and rename a session.

The client finds sessions by the name it makes of the current folder's path, so a move only
gives folders below `projects` another name; not a byte of any file changes. What would land
on something that is there already stays, or refuses the whole.

The client's pickers look for a title near the end of a file, so a new one is appended.
Clients from 2.1.250 keep a copy beside a session that was renamed there; where both are, they
show the record, so the copy is left alone. Clients before 2.0.42 have no such titles.
"""

from pathlib import Path

from msgspec import Struct

from bough.files.companions import SUFFIX
from bough.files.discover import encode_cwd
from bough.model.text.formats import format_plural, to_one_line
from bough.model.tree.active_tip import parse_version
from bough.timetravel.errors import AlreadyThere, shorten_id
from bough.timetravel.plan import Append, Expectation, Move, Plan, RemoveFolder, Step
from bough.timetravel.plans.edit_record import encode_line
from bough.timetravel.session_file import SessionFile

_SHOWS_TITLES_SINCE = (2, 0, 42)


class MoveRequest(Struct, frozen=True, kw_only=True):
    """What is to move: a folder below `projects` with these names in it, to `cwd`.

    `cwd` is the new place of the project, links resolved. `taken` is what the folder for it
    holds already; None where there is none.
    """

    projects: str
    folder: str
    cwd: str
    names: tuple[str, ...]
    taken: tuple[str, ...] | None = None


def plan_move(request: MoveRequest) -> Plan:
    """Plan the moves.

    Raises:
        AlreadyThere: The sessions lie there already, or some would land on others.
    """
    old = Path(request.projects, request.folder)
    new = Path(request.projects, encode_cwd(request.cwd))
    if old == new:
        raise AlreadyThere(
            f"The sessions of {request.cwd} lie in {new.name} already. Nothing to do."
        )
    sessions = sorted(name for name in request.names if name.endswith(SUFFIX))
    taken = set(request.taken or ())
    if clash := [name for name in sessions if name in taken]:
        raise AlreadyThere(
            f"{new.name} has {clash[0]} already, and nothing is written over. Nothing was changed."
        )
    stay = sorted(name for name in request.names if name in taken)
    steps: tuple[Step, ...] = (Move(str(old), str(new), request.names),)
    if request.taken is not None:
        go = [name for name in request.names if name not in taken]
        steps = (*(Move(str(old / n), str(new / n)) for n in go), RemoveFolder(str(old)))
    return Plan(
        operation="move",
        session=request.folder,
        headline=f"Move {format_plural(len(sessions), 'session')} to {request.cwd}",
        projects=request.projects,
        steps=steps,
        closed=tuple(name.removesuffix(SUFFIX) for name in sessions),
        checked=("no session is written over", "no client has one of them open"),
        notes=tuple(f"{name} is in both folders and stays in {old.name}." for name in stay),
        path=str(new),
        cwd=request.cwd,
    )


def plan_rename(source: SessionFile, title: str) -> Plan:
    """Plan the record that gives a session its title."""
    session = source.session
    words = to_one_line(title)
    if not words:
        raise AlreadyThere("A title needs words. Nothing was changed.")
    data = encode_line({"type": "custom-title", "customTitle": words, "sessionId": session.id})
    if not source.ends_with_newline:
        data = b"\n" + data  # or it would be glued to a line without end
    shows_titles = (parse_version(session.version) or _SHOWS_TITLES_SINCE) >= _SHOWS_TITLES_SINCE
    return Plan(
        operation="rename",
        session=session.id,
        headline=f'Rename {shorten_id(session.id)} to "{words}"',
        projects=source.projects,
        steps=(Append(source.state.path, data, source.state, keeps_time=True),),
        reads=(source.state,),
        closed=(session.id,),
        expects=(Expectation(path=source.state.path, title=words),),
        checked=("the conversation stays as it is", "no client has the session open"),
        notes=() if shows_titles else (_describe_old_picker(session.version),),
        path=source.state.path,
        version=session.version,
        title=words,
    )


def _describe_old_picker(version: str | None) -> str:
    since = ".".join(map(str, _SHOWS_TITLES_SINCE))
    return (
        f"This session was last written by client {version}; clients show such titles in their "
        f"picker from {since} on, bough in any case."
    )
