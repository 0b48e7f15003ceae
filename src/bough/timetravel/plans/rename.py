"""Rename: a title that the client's own picker shows.

The pickers look near the end of a file, so the title is appended. Clients from 2.1.250 keep
a copy beside a session that was renamed there; where both are, they show the record, so the
copy is left alone.
"""

from bough.model.text.headline import one_line
from bough.timetravel.errors import AlreadyThere, short
from bough.timetravel.plan import Append, Expect, Plan
from bough.timetravel.plans.edit_record import line
from bough.timetravel.session_file import Source


def plan_rename(source: Source, title: str) -> Plan:
    """Plan the record that gives a session its title."""
    session = source.session
    words = one_line(title)
    if not words:
        raise AlreadyThere("A title needs words. Nothing was changed.")
    data = line({"type": "custom-title", "customTitle": words, "sessionId": session.id})
    if not source.ended:
        data = b"\n" + data  # or it would be glued to a line without end
    return Plan(
        operation="rename",
        session=session.id,
        headline=f'Rename {short(session.id)} to "{words}"',
        projects=source.projects,
        steps=(Append(source.state.path, data, source.state, keeps_time=True),),
        reads=(source.state,),
        closed=(session.id,),
        expects=(Expect(path=source.state.path, title=words),),
        checked=("the conversation stays as it is", "no client has the session open"),
        path=source.state.path,
        version=session.version,
    )
