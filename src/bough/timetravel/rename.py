"""Rename: a title that the client's own picker shows.

The pickers look near the end of a file, so the title is appended. Clients from 2.1.250 keep
a copy beside the session once somebody renamed it there; it is brought up to date, because
it is looked at first.
"""

from msgspec import Struct

from bough.model.titles import one_line
from bough.timetravel.editing import line
from bough.timetravel.plan import Append, Expect, Plan, Replace, Step
from bough.timetravel.refusals import AlreadyThere, short
from bough.timetravel.source import FileState, Source


class Sidecar(Struct, frozen=True):
    """The client's own copy of a title, beside the session."""

    state: FileState
    data: bytes


def plan_rename(source: Source, title: str, sidecar: Sidecar | None = None) -> Plan:
    """Plan the record that gives a session its title, and the same in the client's copy."""
    session = source.session
    words = one_line(title)
    if not words:
        raise AlreadyThere("A title needs words. Nothing was changed.")
    data = line({"type": "custom-title", "customTitle": words, "sessionId": session.id})
    if not source.ended:
        data = b"\n" + data
    steps: list[Step] = [Append(source.state.path, data, source.state, keeps_time=True)]
    if sidecar is not None:
        copy = line({"customTitle": words}).rstrip(b"\n")
        steps.append(Replace(sidecar.state.path, copy, sidecar.state, sidecar.data))
    return Plan(
        operation="rename",
        session=session.id,
        headline=f'Rename {short(session.id)} to "{words}"',
        projects=source.projects,
        steps=tuple(steps),
        reads=(source.state,) if sidecar is None else (source.state, sidecar.state),
        closed=(session.id,),
        expects=(Expect(path=source.state.path, title=words),),
        checked=("the conversation stays as it is", "no client has the session open"),
        path=source.state.path,
        version=session.version,
    )
