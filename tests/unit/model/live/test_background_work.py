"""Work in the background: a turn that is over is not the end while an agent or a shell works on."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bough.model.live.session_activity import Activity
from bough.model.live.status import RunningClient, SessionState, SessionStatus, session_status
from bough.model.text.times import parse_moment
from bough.sample import SampleSession, session
from bough.sample.builder.injected import format_notification
from tests.unit.model.readings import read

SECOND = timedelta(seconds=1)
BACKGROUND, FINISHED = SessionState.BACKGROUND, SessionState.FINISHED
AGENT = "a000000000003130"
SHELL = "b0d0ce5vo"


def activity_of(builder: SampleSession) -> Activity:
    activity = Activity()
    for record in read(builder):
        activity.add(record)
    return activity


def status_of(
    activity: Activity, client: str | None = "none", *, after: timedelta = SECOND
) -> SessionStatus:
    """Tell where it stands; a client that says nothing is None, and "none" is no client."""
    at = parse_moment(activity.at) or datetime(2026, 1, 5, tzinfo=UTC)
    note = None if client == "none" else RunningClient(7, "s", client, status_at=at + after)
    return session_status(activity, note, at + after)


def started(version: str = "2.1.110") -> SampleSession:
    return session(version=version).user("Ship it")


def with_agent(version: str = "2.1.110") -> SampleSession:
    builder = started(version)
    builder.agent("Explore", "look", agent_id=AGENT, background=True)
    return builder.assistant("It looks.")


def with_shell(version: str = "2.1.110") -> SampleSession:
    told = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": SHELL}
    given = {"command": "make serve", "run_in_background": True}
    return started(version).tool("Bash", given, "started", structured=told).assistant("It runs.")


def test_a_client_that_says_shell_works_in_the_background_for_sure() -> None:
    stands = status_of(activity_of(started("2.1.200").assistant("It runs.")), "shell")

    assert (stands.state, stands.sure) == (BACKGROUND, True)


def test_a_client_that_said_shell_before_the_newest_prompt_works() -> None:
    activity = activity_of(started("2.1.200").assistant("It runs.").user("And now?"))

    assert status_of(activity, "shell", after=-10 * SECOND).state is SessionState.WORKING


@pytest.mark.parametrize("told", [with_agent, with_shell])
def test_a_client_without_a_status_works_on_what_has_not_ended(
    told: Callable[[], SampleSession],
) -> None:
    stands = status_of(activity_of(told()), None)

    assert (stands.state, stands.sure) == (BACKGROUND, False)


@pytest.mark.parametrize("client", ["idle", "busy"])
def test_an_agent_that_has_not_ended_works_on_though_its_client_is(client: str) -> None:
    assert status_of(activity_of(with_agent("2.1.325")), client).state is BACKGROUND


def test_a_shell_is_at_rest_where_its_client_is_idle_and_would_say_so() -> None:
    assert status_of(activity_of(with_shell("2.1.325")), "idle").state is FINISHED


def test_a_notice_of_the_end_ends_it() -> None:
    for builder, task in ((with_agent(), AGENT), (with_shell(), SHELL)):
        activity = activity_of(builder.notification(task, "done").assistant("Done."))
        assert status_of(activity, None).state is FINISHED


def test_a_notice_in_the_queue_ends_it() -> None:
    builder = with_agent().queue("enqueue", format_notification(AGENT, "done"))

    assert status_of(activity_of(builder), None).state is FINISHED


@pytest.mark.parametrize("tool", ["TaskStop", "KillShell"])
def test_a_shell_that_was_stopped_has_ended(tool: str) -> None:
    key = "task_id" if tool == "TaskStop" else "shell_id"
    builder = with_shell().user("Stop it").tool(tool, {key: SHELL}, "stopped").assistant("Gone.")

    assert status_of(activity_of(builder), None).state is FINISHED


@pytest.mark.parametrize(("count", "state"), [(2, BACKGROUND), (0, FINISHED)])
def test_a_client_counts_the_agents_that_are_left(count: int, state: SessionState) -> None:
    builder = started("2.1.200").assistant("They look.")
    builder.system("turn_duration", durationMs=5, pendingBackgroundAgentCount=count)

    assert status_of(activity_of(builder), "idle").state is state


def test_an_agent_whose_own_file_has_ended_does_not_work() -> None:
    activity = activity_of(with_agent())
    for record in read(session("agent").user("look").assistant("Found.")):
        activity.add(record, AGENT)

    assert status_of(activity, None).state is FINISHED


def test_an_agent_that_writes_after_the_turn_works_in_the_background() -> None:
    activity = activity_of(started().assistant("Done."))
    later = (parse_moment(activity.at) or datetime.now(UTC)) + 5 * SECOND
    for record in read(session("agent", start=later).user("look").tool("Bash", {}, None)):
        activity.add(record, "another")

    assert status_of(activity, "idle").state is BACKGROUND


def test_without_a_client_an_agent_works_on_for_a_minute() -> None:
    activity = activity_of(with_agent())

    assert status_of(activity).state is BACKGROUND
    assert status_of(activity, after=timedelta(minutes=2)).state is FINISHED


def test_a_turn_that_failed_is_failed_whatever_works_on() -> None:
    builder = with_agent().user("And?").api_error()

    assert status_of(activity_of(builder), None).state is SessionState.FAILED
