"""Where a session stands: working, waiting for the person, finished, and how sure that is.

Two witnesses are heard. The client's own note (`sessions/<pid>.json`, from 2.1.150) says busy,
idle, waiting, or shell: idle while a shell works in the background. It is believed as long as it
is not older than the records. The records say what happened last, but not whether anybody still
works on it: a long build and a question for permission look alike. So what is told from records
alone is `likely`, and after a quiet while it is taken for the client's end. A turn that is over
while something it started works on is no end. Where a person has installed hooks, their newest
event (`bough.model.live.hook_events`) goes before what is older. docs/live.md has the table.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from msgspec import Struct

from bough.model.live.hook_events import BELIEVED, PERMISSION, STOP, STOP_FAILURE, HookEvent
from bough.model.live.session_activity import COMPACTING_AGENT, Activity
from bough.model.live.turn_progress import ENDED, OpenCall, Phase, TurnProgress
from bough.model.text.times import format_timestamp, parse_moment
from bough.model.tree.active_tip import parse_version

QUIET: Final = timedelta(seconds=60)
"""After this long without a sign of life, a session without a known client is not working."""
GONE: Final = timedelta(hours=1)
"""After this long, nobody is asked anything any more: the client has gone."""
_SETTLING: Final = timedelta(seconds=5)
_LAG: Final = timedelta(seconds=2)
"""Clients note their status a moment before they write the lines that belong to it."""
_REGISTERS: Final = (2, 1, 150)
_KEEPS_NOTES: Final = (2, 1, 110)
"""From here on a client has a note, which goes with it; what it does it says only later."""
_QUESTION_TOOLS: Final = {
    "AskUserQuestion": "",
    "ExitPlanMode": "approve its plan?",
    "exit_plan_mode": "approve its plan?",
}


class SessionState(StrEnum):
    """What a session is doing, the most urgent first."""

    WAITING = "waiting"
    FAILED = "failed"
    COMPACTING = "compacting"
    WORKING = "working"
    BACKGROUND = "background"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


URGENCY: Final = {state: place for place, state in enumerate(SessionState)}


class RunningClient(Struct, frozen=True):
    """A client that runs now, as it describes itself; `elsewhere` is another container."""

    pid: int
    session: str
    status: str | None = None
    waiting_for: str | None = None
    status_at: datetime | None = None
    kind: str | None = None
    entrypoint: str | None = None
    version: str | None = None
    cwd: str | None = None
    elsewhere: bool = False


class SessionStatus(Struct, frozen=True):
    """Where a session stands, since when; `asks` is what it waits for, or why it failed.

    `by_hook` says that the client has just told it, and nothing else will in a moment.
    """

    state: SessionState
    sure: bool = True
    asks: str | None = None
    since: str | None = None
    by_hook: bool = False


def is_guess(state: SessionState, *, sure: bool) -> bool:
    """Tell whether a state is said to be probable.

    Of old clients nobody can tell that a session is finished: it would stand at most of them.
    """
    return not sure and state is not SessionState.FINISHED


def session_status(
    activity: Activity,
    client: RunningClient | None,
    now: datetime,
    *,
    registry: bool = False,
    hook: HookEvent | None = None,
) -> SessionStatus:
    """Tell where a session stands.

    `client` is the one that has it open, if any is known. `registry` says that clients which
    register would be known here, so that the lack of one means something. `hook` is the newest
    event of its hooks, where there are any.
    """
    progress = activity.main
    version = parse_version(activity.version) or (0, 0, 0)
    if hook is not None and (client is not None or not registry or version < _KEEPS_NOTES):
        found = _status_by_hook(activity, client, hook, now)
        if found is not None:
            return found
    if client is not None:
        return _status_by_client(activity, progress, client, now)
    gone = registry and version >= _REGISTERS
    if progress.phase in ENDED or _is_settled(progress, now):
        lively = not gone and _measure_silence(activity, now) <= QUIET
        works = lively and bool(activity.background_agents)
        return _or_in_background(_status_at_rest(progress), works=works)
    if gone and _measure_silence(activity, now) > _SETTLING:
        return SessionStatus(SessionState.INTERRUPTED, since=progress.phase_at)
    return _guess_status(activity, progress, now)


def _status_by_hook(
    activity: Activity, client: RunningClient | None, hook: HookEvent, now: datetime
) -> SessionStatus | None:
    """Tell what the newest event of the hooks says; None where something later is known."""
    progress, since = activity.main, _format_iso(hook.at)
    if hook.has_ended:
        return _status_after_end(activity, client, hook)
    if _is_outdated(activity, client, hook, now):
        return None
    if hook.is_waiting:
        # Older clients send a notice alone; the open call is probably what it is about.
        sure = hook.event == PERMISSION or (client is not None and client.status == "waiting")
        asks = _describe_hook(hook) or describe_request(progress)
        return SessionStatus(SessionState.WAITING, sure, asks, since, by_hook=True)
    if hook.event == STOP_FAILURE:
        asks = progress.trouble or hook.kind or None
        return SessionStatus(SessionState.FAILED, asks=asks, since=since)
    if hook.event == STOP and hook.tasks:
        return SessionStatus(SessionState.BACKGROUND, since=progress.phase_at or since)
    return None


def _status_after_end(
    activity: Activity, client: RunningClient | None, hook: HookEvent
) -> SessionStatus | None:
    """Tell how a session stands whose client is gone; None where another one has it since."""
    progress, spoken = activity.main, parse_moment(activity.at)
    if client is not None or (spoken is not None and spoken > hook.at + _SETTLING):
        return None
    if progress.phase in ENDED:
        return _status_at_rest(progress)
    return SessionStatus(SessionState.INTERRUPTED, since=progress.phase_at, by_hook=True)


def _is_outdated(
    activity: Activity, client: RunningClient | None, hook: HookEvent, now: datetime
) -> bool:
    """Tell whether a record or the client's own note is newer than an event, or it is old."""
    spoken = parse_moment(activity.at)
    if now - hook.at > BELIEVED or (spoken is not None and spoken > hook.at):
        return True
    if client is None or client.status is None or client.status_at is None:
        return False
    if hook.is_waiting and client.status == "idle":
        return True  # whoever asks is busy: the hook came late, and was answered before
    agrees = client.status == "waiting" and hook.is_waiting
    return client.status_at > hook.at and not agrees


def _describe_hook(hook: HookEvent) -> str | None:
    """Word what a request for permission asks, as an open call is worded."""
    if hook.tool in _QUESTION_TOOLS:
        return _QUESTION_TOOLS[hook.tool] or hook.about or "a question"
    return _describe_permission(OpenCall("", hook.tool, hook.about, None)) if hook.tool else None


def _status_by_client(
    activity: Activity, progress: TurnProgress, client: RunningClient, now: datetime
) -> SessionStatus:
    match client.status:
        case "waiting":
            asks = describe_request(progress) or client.waiting_for
            return SessionStatus(
                SessionState.WAITING, asks=asks, since=_format_iso(client.status_at)
            )
        case "shell" if _is_newer(client.status_at, progress.at):
            return _or_in_background(_status_at_rest(progress, is_told=True), works=True, sure=True)
        case "busy":
            return _status_while_busy(activity, progress, client, now)
        case "idle" if _is_newer(client.status_at, progress.at):
            # A client that says so much would say shell if one ran.
            works = bool(activity.background_agents or activity.background.counted)
            return _or_in_background(_status_at_rest(progress, is_told=True), works=works)
        case _:
            return _status_while_open(activity, progress)


def _status_while_busy(
    activity: Activity, progress: TurnProgress, client: RunningClient, now: datetime
) -> SessionStatus:
    if progress.phase in ENDED and activity.background_agents:
        return _or_in_background(_status_at_rest(progress), works=True)
    if _is_compacting(activity) or _is_compacting_by_hand(progress, client, now):
        return SessionStatus(
            SessionState.COMPACTING, sure=False, since=_format_iso(client.status_at)
        )
    return SessionStatus(
        SessionState.WORKING, since=progress.phase_at or _format_iso(client.status_at)
    )


def _status_while_open(activity: Activity, progress: TurnProgress) -> SessionStatus:
    """Tell from the records alone, where a client is there but says nothing of use."""
    if progress.phase in ENDED:
        left = activity.background
        works = bool(activity.background_agents or left.counted or left.shells)
        return _or_in_background(_status_at_rest(progress), works=works)
    question = _find_question(progress)
    if question is not None:
        return SessionStatus(SessionState.WAITING, asks=question, since=progress.phase_at)
    return SessionStatus(SessionState.WORKING, since=progress.phase_at)


def _status_at_rest(progress: TurnProgress, *, is_told: bool = False) -> SessionStatus:
    match progress.phase:
        case Phase.FAILED:
            return SessionStatus(
                SessionState.FAILED, asks=progress.trouble, since=progress.phase_at
            )
        case Phase.STOPPED:
            return SessionStatus(SessionState.INTERRUPTED, since=progress.phase_at)
        case Phase.SPEAKING:
            return SessionStatus(SessionState.FINISHED, sure=is_told, since=progress.phase_at)
        case _:
            return SessionStatus(SessionState.FINISHED, since=progress.phase_at)


def _or_in_background(at_rest: SessionStatus, *, works: bool, sure: bool = False) -> SessionStatus:
    """Give the state of a turn that is over, unless something that it started works on."""
    if not works or at_rest.state is SessionState.FAILED:
        return at_rest
    return SessionStatus(SessionState.BACKGROUND, sure=sure, since=at_rest.since)


def _guess_status(activity: Activity, progress: TurnProgress, now: datetime) -> SessionStatus:
    """Guess, where nobody knows of a client."""
    quiet = _measure_silence(activity, now)
    if quiet > GONE:
        return SessionStatus(SessionState.INTERRUPTED, sure=False, since=progress.phase_at)
    if (question := _find_question(progress)) is not None:
        return SessionStatus(
            SessionState.WAITING, sure=False, asks=question, since=progress.phase_at
        )
    if _is_compacting(activity):
        return SessionStatus(SessionState.COMPACTING, sure=False, since=progress.phase_at)
    if quiet > QUIET and progress.calls and not activity.running_agents:
        return SessionStatus(
            SessionState.WAITING,
            sure=False,
            asks=describe_request(progress),
            since=progress.phase_at,
        )
    return SessionStatus(SessionState.WORKING, sure=False, since=progress.phase_at)


def describe_request(progress: TurnProgress) -> str | None:
    """Word what an open call asks the person for; None where nothing is open."""
    question = _find_question(progress)
    if question is not None or not progress.calls:
        return question
    call = next(iter(progress.calls.values()))
    return _describe_permission(call)


def _find_question(progress: TurnProgress) -> str | None:
    """Find a call that is a question by its nature."""
    for call in progress.calls.values():
        if call.name in _QUESTION_TOOLS:
            return _QUESTION_TOOLS[call.name] or call.about or "a question"
    return None


def _describe_permission(call: OpenCall) -> str:
    if call.name in ("Bash", "PowerShell"):
        return f"run {call.about}?"
    return f"{call.name} {call.about}".strip() + "?"


def _is_settled(progress: TurnProgress, now: datetime) -> bool:
    """Tell whether words without a stop reason were the last ones: old clients wrote none."""
    over = progress.phase is Phase.COMPACTED and progress.compacted_by == "manual"
    if progress.phase is not Phase.SPEAKING and not over:
        return False
    at = parse_moment(progress.phase_at)
    return at is None or now - at > _SETTLING


def _is_compacting(activity: Activity) -> bool:
    return any(agent.startswith(COMPACTING_AGENT) for agent in activity.running_agents)


def _is_compacting_by_hand(progress: TurnProgress, client: RunningClient, now: datetime) -> bool:
    """Tell a compaction by hand: the client is busy, and nobody has asked it anything."""
    if progress.phase not in ENDED or client.status_at is None:
        return False
    ended = parse_moment(progress.phase_at)
    fresh = ended is not None and client.status_at - ended < timedelta(0)
    return not fresh and now - client.status_at > _LAG


def _measure_silence(activity: Activity, now: datetime) -> timedelta:
    at = parse_moment(activity.at)
    return GONE * 2 if at is None else now - at


def _is_newer(status_at: datetime | None, at: str | None) -> bool:
    spoken = parse_moment(at)
    return status_at is None or spoken is None or status_at >= spoken - _LAG


def _format_iso(at: datetime | None) -> str | None:
    return format_timestamp(at) if at is not None else None
