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
from bough.timetravel.environment import make_later_time
from bough.timetravel.errors import AlreadyThere, GotoUnsafe, NotAsPlanned, shorten_id
from bough.timetravel.plan import Append, ChainExpectation, Expectation, Plan
from bough.timetravel.plans.content_digest import (
    digest_conversation,
    find_difference,
    list_turn_starts,
    parse_session,
    promise_messages,
)
from bough.timetravel.plans.copied_records import CopiedPath, find_copied_path
from bough.timetravel.plans.edit_record import encode_line
from bough.timetravel.plans.fork import find_last_prompt, make_tip_pointer
from bough.timetravel.plans.resume_view import build_resume_view
from bough.timetravel.plans.turn_ends import describe_point, find_end_node
from bough.timetravel.session_file import SessionFile, join_raw_lines

_JOINS_RESULTS_SINCE = (2, 1, 90)
"""Older clients lose the results of parallel calls on any resume."""

_NOTE = "bough: continue here"


class GotoRequest(Struct, frozen=True):
    """What is new in the two lines: the note's uuid, and the time it is."""

    uuid: str
    now: str


def plan_goto(source: SessionFile, group: int, request: GotoRequest) -> Plan:
    """Plan the two lines that make a group the end of the active conversation.

    Raises:
        GotoUnsafe: A client would not follow, or would see less than is shown here.
        AlreadyThere: The next resume continues there anyway.
    """
    session = source.session
    end = find_end_node(session.message_tree, group)
    path = find_copied_path(session, group, end)
    _require_safe(source, path, end)
    if session.active_tip and session.resume_group == group:
        raise AlreadyThere("The next resume continues there already. Nothing to do.")
    if _has_commands_below(session, end):
        raise GotoUnsafe(
            "commands",
            "The client would also send the local commands that were run after this point.",
        )
    data = make_tip_marker(session, path, end, request)
    point = describe_point(session, group)
    reread = parse_session(join_raw_lines(session) + data, session.id)
    expect = Expectation(
        path=source.state.path,
        message_digests=digest_conversation(session.conversation(point.uuid).nodes),
        starts=list_turn_starts(reread),
        active=point.uuid,
        chain=ChainExpectation(
            messages=promise_messages(session.tree.nodes[node] for node in path.line_nodes)
        ),
    )
    if problem := find_difference(expect, reread):
        raise NotAsPlanned("goto", problem)
    return Plan(
        operation="goto",
        session=session.id,
        headline=f'Make {shorten_id(session.id)} continue after "{point.text}"',
        projects=source.projects,
        steps=(Append(source.state.path, data, source.state),),
        reads=(source.state,),
        closed=(session.id,),
        expects=(expect,),
        point=point,
        resume_view=build_resume_view(session, path, reread),
        checked=(
            "the point ends a turn",
            "no compaction in the file",
            "no client has the session open",
            "every client from 1.0.128 on would continue there",
        ),
        result=session.id,
        path=source.state.path,
        cwd=source.resume_folder,
        version=session.version,
    )


def has_compaction(session: Session) -> bool:
    """Tell whether a file has a compaction of any kind."""
    return any(
        (isinstance(r, System) and r.subtype == "compact_boundary")
        or (isinstance(r, User) and r.is_compact_summary)
        for r in session.records
    )


def _require_safe(source: SessionFile, path: CopiedPath, end: int) -> None:
    session = source.session
    if has_compaction(session):
        raise GotoUnsafe(
            "compaction",
            "This session was compacted, and newer clients then do not follow a pointer into it.",
        )
    if not source.ends_with_newline:
        raise GotoUnsafe(
            "no-final-newline",
            "The file does not end with a newline, so the client would glue lines together.",
        )
    if session.tree.cycles:
        raise GotoUnsafe("cycle", "Parents go in a circle, on which clients up to 2.0.76 hang.")
    missed = _count_unreachable(session, path, end)
    if missed:
        lost = "1 message" if missed == 1 else f"{missed} messages"
        raise GotoUnsafe(
            "unreachable",
            f"The client would not see {lost} before this point that bough shows.",
        )


def _count_unreachable(session: Session, path: CopiedPath, end: int) -> int:
    """Count the messages on a way that a client does not reach by their parents."""
    tree = session.message_tree
    gathers = (parse_version(session.version) or _JOINS_RESULTS_SINCE) >= _JOINS_RESULTS_SINCE
    reached: set[int] = set()
    for number in session.tree.walk_up(end):
        reached.add(number)
        group = tree.group_of[number]
        if group != NONE and gathers:
            reached.update(tree.groups[group].nodes)
    talk = (n for n in path.line_nodes if isinstance(session.tree.nodes[n], User | Assistant))
    return sum(number not in reached for number in talk)


def _has_commands_below(session: Session, end: int) -> bool:
    """Tell whether local commands follow a point before anything is said again.

    Clients take what hangs on the last message for a part of it as far as it is no message.
    """
    below = session.tree.children()
    waiting = list(below[end])
    while waiting:
        number = waiting.pop()
        record = session.tree.nodes[number]
        if isinstance(record, System) and record.subtype == "local_command":
            return True
        if not isinstance(record, User | Assistant):
            waiting += below[number]
    return False


def make_tip_marker(session: Session, path: CopiedPath, end: int, request: GotoRequest) -> bytes:
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
        "timestamp": make_later_time((record.timestamp for record in session.records), request.now),
        "uuid": request.uuid,
    }
    return encode_line(note) + encode_line(
        make_tip_pointer(find_last_prompt(session, path), request.uuid, session.id)
    )
