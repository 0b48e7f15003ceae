"""Goto: let the next resume of a session continue at an earlier point of it.

Two lines are appended, nothing is changed: a note below the point, newer than everything,
and a pointer to it. Every client measured follows one of them (docs/time-travel.md, B). It
fails across compactions, and a client that has the session open undoes it when it ends, so
in those cases a fork is the way.
"""

from msgspec import Struct

from bough.model.session import Session
from bough.model.tree.active_tip import parse_version
from bough.model.tree.message_tree import NONE
from bough.records.types import Assistant, System, User
from bough.timetravel.environment import after
from bough.timetravel.errors import AlreadyThere, GotoUnsafe, NotAsPlanned, short
from bough.timetravel.plan import Append, Expect, Plan
from bough.timetravel.plans.content_digest import difference, said_by, session_in, turn_starts
from bough.timetravel.plans.copied_records import Way, way_to
from bough.timetravel.plans.edit_record import line
from bough.timetravel.plans.fork import last_words, pointer
from bough.timetravel.plans.resume_view import sight_of
from bough.timetravel.plans.turn_ends import end_node, point_at
from bough.timetravel.session_file import Source, whole

_GATHERS = (2, 1, 100)
"""Older clients lose the results of parallel calls on any resume."""

_NOTE = "bough: continue here"


class GotoWish(Struct, frozen=True):
    """What is new in the two lines: the note's uuid, and the time it is."""

    uuid: str
    now: str


def plan_goto(source: Source, knot: int, wish: GotoWish) -> Plan:
    """Plan the two lines that make a knot the end of the active conversation.

    Raises:
        GotoUnsafe: A client would not follow, or would see less than is shown here.
        AlreadyThere: The next resume continues there anyway.
    """
    session = source.session
    end = end_node(session.story, knot)
    way = way_to(session, knot, end)
    _refuse_dangers(source, way, end)
    if all(tip.knot == knot for tip in session.tips if tip.active) and session.active_tip:
        raise AlreadyThere("The next resume continues there already. Nothing to do.")
    data = marker(session, way, end, wish)
    point = point_at(session, knot)
    reread = session_in(whole(session) + data, session.id)
    expect = Expect(
        path=source.state.path,
        said=said_by(session.conversation(point.uuid).nodes),
        starts=turn_starts(reread),
        active=point.uuid,
    )
    if problem := difference(expect, reread):
        raise NotAsPlanned("goto", problem)
    return Plan(
        operation="goto",
        session=session.id,
        headline=f'Make {short(session.id)} continue after "{point.text}"',
        projects=source.projects,
        steps=(Append(source.state.path, data, source.state),),
        reads=(source.state,),
        closed=(session.id,),
        expects=(expect,),
        point=point,
        sight=sight_of(session, way),
        checked=(
            "the point ends a turn",
            "no compaction in the file",
            "no client has the session open",
            "every client from 1.0.128 on would continue there",
        ),
        result=session.id,
        path=source.state.path,
        cwd=session.cwd,
        version=session.version,
    )


def compacted(session: Session) -> bool:
    """Tell whether a file has a compaction of any kind."""
    return any(
        (isinstance(r, System) and r.subtype == "compact_boundary")
        or (isinstance(r, User) and r.is_compact_summary)
        for r in session.records
    )


def _refuse_dangers(source: Source, way: Way, end: int) -> None:
    session = source.session
    if compacted(session):
        raise GotoUnsafe(
            "compaction",
            "This session was compacted, and newer clients then do not follow a pointer into it.",
        )
    if not source.ended:
        raise GotoUnsafe(
            "no-final-newline",
            "The file does not end with a newline, so the client would glue lines together.",
        )
    if session.tree.cycles:
        raise GotoUnsafe("cycle", "Parents go in a circle, on which clients up to 2.0.76 hang.")
    missed = _missed(session, way, end)
    if missed:
        lost = "1 message" if missed == 1 else f"{missed} messages"
        raise GotoUnsafe(
            "unreachable",
            f"The client would not see {lost} before this point that bough shows.",
        )


def _missed(session: Session, way: Way, end: int) -> int:
    """Count the messages on a way that a client does not reach by their parents."""
    story = session.story
    gathers = (parse_version(session.version) or _GATHERS) >= _GATHERS
    reached: set[int] = set()
    for number in session.tree.up(end):
        reached.add(number)
        knot = story.knot_of[number]
        if knot != NONE and gathers:
            reached.update(story.knots[knot].nodes)
    talk = (n for n in way.line if isinstance(session.tree.nodes[n], User | Assistant))
    return sum(number not in reached for number in talk)


def marker(session: Session, way: Way, end: int, wish: GotoWish) -> bytes:
    """Give the two lines that make a node the end of the active conversation."""
    target = session.tree.nodes[end]
    note: dict[str, object] = {
        "parentUuid": target.uuid,
        "isSidechain": False,
        "userType": "external",
        "cwd": target.cwd or session.cwd or "",
        "sessionId": session.id,
        "version": session.version or "",
        "type": "system",
        "subtype": "informational",
        "content": _NOTE,
        "level": "info",
        "isMeta": True,
        "timestamp": after((record.timestamp for record in session.records), wish.now),
        "uuid": wish.uuid,
    }
    return line(note) + line(pointer(last_words(session, way), wish.uuid, session.id))
