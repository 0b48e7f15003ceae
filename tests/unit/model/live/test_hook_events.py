"""What hooks tell goes before what is older, and never before what came later."""

from datetime import timedelta

import pytest

from bough.model.live.hook_events import HookEvent, find_newest_events
from bough.model.live.status import RunningClient, SessionState, SessionStatus, session_status
from bough.sample import SampleSession
from tests.unit.model.live.test_status import SECOND, activity_of, asking, calling, ended

MINUTE = timedelta(minutes=1)


def hooked(
    builder: SampleSession,
    event: str = "PermissionRequest",
    *,
    behind: timedelta = timedelta(0),
    after: timedelta = SECOND,
    noted: tuple[str | None, timedelta] | None = None,
    registry: bool = False,
    **fields: object,
) -> SessionStatus:
    """Tell where a session stands so long after an event that came behind its last record."""
    activity = activity_of(builder)
    at = ended(activity) + behind
    told = {"tool": "Bash", "about": "make ship", "kind": "", "tasks": 0} | fields
    hook = HookEvent(
        event, "s", at, str(told["tool"]), str(told["about"]), str(told["kind"]),
        int(str(told["tasks"])),
    )  # fmt: skip
    client = RunningClient(7, "s", noted[0], status_at=at + noted[1]) if noted else None
    return session_status(activity, client, at + after, registry=registry, hook=hook)


def test_a_request_says_at_once_what_is_asked() -> None:
    found = hooked(calling("Bash"))

    assert (found.state, found.sure, found.asks) == (SessionState.WAITING, True, "run make ship?")
    assert found.by_hook


@pytest.mark.parametrize(
    ("tool", "about", "asks"),
    [
        ("Edit", "/a/b.py", "Edit /a/b.py?"),
        ("AskUserQuestion", "Which one?", "Which one?"),
        ("ExitPlanMode", "1. a", "approve its plan?"),
    ],
)
def test_what_is_asked_is_worded_as_an_open_call_is(tool: str, about: str, asks: str) -> None:
    assert hooked(calling("Bash"), tool=tool, about=about).asks == asks


def test_a_record_that_came_later_is_believed() -> None:
    assert not hooked(calling("Bash"), behind=-SECOND).by_hook


def test_a_note_of_the_client_that_is_newer_is_believed() -> None:
    idle = hooked(calling("Bash"), noted=("idle", SECOND))
    late = hooked(calling("Bash"), noted=("idle", -SECOND))
    older = hooked(calling("Bash"), noted=("busy", -SECOND))
    agrees = hooked(calling("Bash"), noted=("waiting", SECOND))

    assert idle.state is not SessionState.WAITING
    assert late.state is not SessionState.WAITING
    assert older.state is SessionState.WAITING
    assert agrees.asks == "run make ship?"


def test_a_wait_is_believed_for_a_quarter_of_an_hour() -> None:
    assert hooked(calling("Bash"), after=14 * MINUTE).by_hook
    assert not hooked(calling("Bash"), after=16 * MINUTE).by_hook


def test_a_client_that_is_gone_waits_for_nobody() -> None:
    gone = hooked(calling("Bash", "2.1.110"), registry=True)
    unknown = hooked(calling("Bash", "2.0.76"), registry=True)

    assert gone.state is not SessionState.WAITING or not gone.sure
    assert not gone.by_hook
    assert unknown.by_hook


def test_a_notice_of_an_older_client_is_probable_and_names_the_open_call() -> None:
    found = hooked(calling("Bash"), "Notification", kind="permission_prompt", tool="", about="")

    assert (found.state, found.sure, found.asks) == (SessionState.WAITING, False, "run make ship?")


def test_a_turn_that_is_over_works_on_while_its_tasks_do() -> None:
    builder = asking("2.1.250").assistant("Done.")

    assert hooked(builder, "Stop", tasks=1).state is SessionState.BACKGROUND
    assert hooked(builder, "Stop", tasks=0).state is SessionState.FINISHED


def test_a_turn_that_failed_says_why() -> None:
    found = hooked(calling("Bash"), "StopFailure", kind="rate_limit")

    assert (found.state, found.asks) == (SessionState.FAILED, "rate_limit")


def event(name: str, at: int, kind: str = "") -> HookEvent:
    return HookEvent(name, "s", ended(activity_of(calling())) + at * SECOND, kind=kind)


def test_the_newest_event_holds_and_a_notice_does_not_hide_its_request() -> None:
    request, notice = event("PermissionRequest", 1), event("Notification", 7, "permission_prompt")
    idle, stop = event("Notification", 9, "idle_prompt"), event("Stop", 8)

    assert find_newest_events([request, notice]) == {"s": request}
    assert find_newest_events([request, notice, stop, idle]) == {"s": stop}
    assert find_newest_events([notice]) == {"s": notice}
