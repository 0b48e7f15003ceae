"""Where a session stands: working, waiting for the person, finished, and how sure that is.

Two witnesses are heard. The client's own note (`sessions/<pid>.json`, from 2.1.150) says
busy, idle or waiting, and is believed as long as it is not older than the records. The
records say what happened last, but not whether anybody still works on it: a long build and
a question for permission look alike. So what is told from records alone is `likely`, and
after a quiet while it is taken for the client's end. docs/live.md has the whole table.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from msgspec import Struct

from bough.model.live.session_activity import COMPACTING_AGENT, Activity
from bough.model.live.turn_progress import ENDED, Course, OpenCall, Phase
from bough.model.text.times import moment_of
from bough.model.tree.active_tip import parse_version

QUIET: Final = timedelta(seconds=60)
"""After this long without a sign of life, a session without a known client is not working."""
GONE: Final = timedelta(hours=1)
"""After this long, nobody is asked anything any more: the client has gone."""
_SETTLING: Final = timedelta(seconds=5)
_LAG: Final = timedelta(seconds=2)
"""Clients note their status a moment before they write the lines that belong to it."""
_REGISTERS: Final = (2, 1, 150)
_ASKING: Final = {
    "AskUserQuestion": "",
    "ExitPlanMode": "approve its plan?",
    "exit_plan_mode": "approve its plan?",
}


class State(StrEnum):
    """What a session is doing, the most urgent first."""

    WAITING = "waiting"
    FAILED = "failed"
    COMPACTING = "compacting"
    WORKING = "working"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


URGENCY: Final = {state: place for place, state in enumerate(State)}


class Client(Struct, frozen=True):
    """A client that runs now, as it describes itself."""

    pid: int
    session: str
    status: str | None = None
    waiting_for: str | None = None
    status_at: datetime | None = None
    kind: str | None = None
    entrypoint: str | None = None
    version: str | None = None
    cwd: str | None = None


class Standing(Struct, frozen=True):
    """Where a session stands, since when; `asks` is what it waits for, or why it failed."""

    state: State
    sure: bool = True
    asks: str | None = None
    since: str | None = None


def standing(
    activity: Activity, client: Client | None, now: datetime, *, registry: bool = False
) -> Standing:
    """Tell where a session stands.

    `client` is the one that has it open, if any is known. `registry` says that clients which
    register would be known here, so that the lack of one means something.
    """
    course = activity.main
    if client is not None:
        return _by_client(activity, course, client, now)
    if course.phase in ENDED or _settled(course, now):
        return _at_rest(course)
    gone = registry and (parse_version(activity.version) or (0, 0, 0)) >= _REGISTERS
    if gone and _quiet(activity, now) > _SETTLING:
        return Standing(State.INTERRUPTED, since=course.phase_at)
    return _by_records(activity, course, now)


def _by_client(activity: Activity, course: Course, client: Client, now: datetime) -> Standing:
    match client.status:
        case "waiting":
            asks = asked(course) or client.waiting_for
            return Standing(State.WAITING, asks=asks, since=_iso(client.status_at))
        case "busy":
            if _compacts(activity) or _compacts_unsaid(course, client, now):
                return Standing(State.COMPACTING, sure=False, since=_iso(client.status_at))
            return Standing(State.WORKING, since=course.phase_at or _iso(client.status_at))
        case "idle" if _is_newer(client.status_at, course.at):
            return _at_rest(course, told=True)
        case _:
            return _while_open(course)


def _while_open(course: Course) -> Standing:
    """Tell from the records alone, where a client is there but says nothing of use."""
    if course.phase in ENDED:
        return _at_rest(course)
    question = _question(course)
    if question is not None:
        return Standing(State.WAITING, asks=question, since=course.phase_at)
    return Standing(State.WORKING, since=course.phase_at)


def _at_rest(course: Course, *, told: bool = False) -> Standing:
    match course.phase:
        case Phase.FAILED:
            return Standing(State.FAILED, asks=course.trouble, since=course.phase_at)
        case Phase.STOPPED:
            return Standing(State.INTERRUPTED, since=course.phase_at)
        case Phase.SPEAKING:
            return Standing(State.FINISHED, sure=told, since=course.phase_at)
        case _:
            return Standing(State.FINISHED, since=course.phase_at)


def _by_records(activity: Activity, course: Course, now: datetime) -> Standing:
    """Guess, where nobody knows of a client."""
    quiet = _quiet(activity, now)
    if quiet > GONE:
        return Standing(State.INTERRUPTED, sure=False, since=course.phase_at)
    if (question := _question(course)) is not None:
        return Standing(State.WAITING, sure=False, asks=question, since=course.phase_at)
    if _compacts(activity):
        return Standing(State.COMPACTING, sure=False, since=course.phase_at)
    if quiet > QUIET and course.calls and not activity.running_agents:
        return Standing(State.WAITING, sure=False, asks=asked(course), since=course.phase_at)
    return Standing(State.WORKING, sure=False, since=course.phase_at)


def asked(course: Course) -> str | None:
    """Word what an open call asks the person for; None where nothing is open."""
    question = _question(course)
    if question is not None or not course.calls:
        return question
    call = next(iter(course.calls.values()))
    return _permission(call)


def _question(course: Course) -> str | None:
    """Find a call that is a question by its nature."""
    for call in course.calls.values():
        if call.name in _ASKING:
            return _ASKING[call.name] or call.about or "a question"
    return None


def _permission(call: OpenCall) -> str:
    if call.name in ("Bash", "PowerShell"):
        return f"run {call.about}?"
    return f"{call.name} {call.about}".strip() + "?"


def _settled(course: Course, now: datetime) -> bool:
    """Tell whether words without a stop reason were the last ones: old clients wrote none."""
    over = course.phase is Phase.COMPACTED and course.compacted_by == "manual"
    if course.phase is not Phase.SPEAKING and not over:
        return False
    at = moment_of(course.phase_at)
    return at is None or now - at > _SETTLING


def _compacts(activity: Activity) -> bool:
    return any(agent.startswith(COMPACTING_AGENT) for agent in activity.running_agents)


def _compacts_unsaid(course: Course, client: Client, now: datetime) -> bool:
    """Tell a compaction by hand: the client is busy, and nobody has asked it anything."""
    if course.phase not in ENDED or client.status_at is None:
        return False
    ended = moment_of(course.phase_at)
    fresh = ended is not None and client.status_at - ended < timedelta(0)
    return not fresh and now - client.status_at > _LAG


def _quiet(activity: Activity, now: datetime) -> timedelta:
    at = moment_of(activity.at)
    return GONE * 2 if at is None else now - at


def _is_newer(status_at: datetime | None, at: str | None) -> bool:
    spoken = moment_of(at)
    return status_at is None or spoken is None or status_at >= spoken - _LAG


def _iso(at: datetime | None) -> str | None:
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z" if at else None
