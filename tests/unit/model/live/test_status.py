"""Where a session stands: what the client says, what the records say, and how sure it is."""

from datetime import UTC, datetime, timedelta

import pytest

from bough.model.live.session_activity import Activity
from bough.model.live.status import (
    RunningClient,
    SessionState,
    SessionStatus,
    describe_request,
    session_status,
)
from bough.model.text.times import parse_moment
from bough.sample import SampleSession, session
from tests.unit.model.readings import read

SECOND = timedelta(seconds=1)


def activity_of(builder: SampleSession) -> Activity:
    activity = Activity()
    for record in read(builder):
        activity.add(record)
    return activity


def ended(activity: Activity) -> datetime:
    return parse_moment(activity.at) or datetime(2026, 1, 5, tzinfo=UTC)


def told(
    builder: SampleSession, after: timedelta = SECOND, *, registry: bool = False
) -> SessionStatus:
    """Tell where a session stands so long after its last record, without a client."""
    activity = activity_of(builder)
    return session_status(activity, None, ended(activity) + after, registry=registry)


def seen(
    builder: SampleSession,
    status: str | None,
    after: timedelta = SECOND,
    *,
    behind: timedelta = -SECOND,
) -> SessionStatus:
    """Tell where it stands when its client noted a status so long before its last record."""
    activity = activity_of(builder)
    client = RunningClient(7, "s", status, status_at=ended(activity) - behind)
    return session_status(activity, client, ended(activity) + after)


def asking(version: str = "2.1.50") -> SampleSession:
    return session("s", version=version).user("Ship it")


def calling(tool: str = "Bash", version: str = "2.1.50") -> SampleSession:
    given = {"command": "make ship", "questions": [{"question": "Which one?"}], "plan": "1. a"}
    return asking(version).tool(tool, given, None)


# from the records alone


def test_a_fresh_prompt_is_probably_being_worked_on() -> None:
    stands = told(asking())

    assert (stands.state, stands.sure) == (SessionState.WORKING, False)


def test_a_turn_that_ended_is_finished() -> None:
    stands = told(asking("2.1.250").assistant("Shipped."))

    assert (stands.state, stands.sure) == (SessionState.FINISHED, True)


def test_words_of_an_old_client_are_finished_after_a_moment() -> None:
    builder = asking("2.0.76").assistant("Shipped.", stop_reason=None)

    assert told(builder).state is SessionState.WORKING
    stands = told(builder, 10 * SECOND)
    assert (stands.state, stands.sure) == (SessionState.FINISHED, False)


def test_an_interrupt_is_interrupted() -> None:
    assert told(asking().interrupt()).state is SessionState.INTERRUPTED


def test_an_error_is_failed_and_says_why() -> None:
    stands = told(asking().api_error("API Error: 529 Overloaded"))

    assert (stands.state, stands.asks) == (SessionState.FAILED, "API Error: 529 Overloaded")


def test_a_running_tool_works_for_a_minute_and_then_probably_waits() -> None:
    assert told(calling(), 59 * SECOND).state is SessionState.WORKING
    stands = told(calling(), 61 * SECOND)
    assert (stands.state, stands.sure, stands.asks) == (
        SessionState.WAITING,
        False,
        "run make ship?",
    )


def test_without_an_open_call_a_quiet_session_still_works() -> None:
    assert told(asking().thinking("Long"), 120 * SECOND).state is SessionState.WORKING


def test_after_an_hour_the_client_has_gone() -> None:
    stands = told(calling(), timedelta(hours=2))

    assert (stands.state, stands.sure) == (SessionState.INTERRUPTED, False)


@pytest.mark.parametrize(
    ("tool", "words"),
    [("AskUserQuestion", "Which one?"), ("ExitPlanMode", "approve its plan?")],
)
def test_a_question_waits_at_once(tool: str, words: str) -> None:
    stands = told(calling(tool))

    assert (stands.state, stands.sure, stands.asks) == (SessionState.WAITING, False, words)


def test_where_clients_register_an_unregistered_one_has_gone() -> None:
    builder = calling(version="2.1.250")

    assert told(builder, 10 * SECOND, registry=True).state is SessionState.INTERRUPTED
    assert told(builder, 10 * SECOND, registry=False).state is SessionState.WORKING


def test_a_client_too_old_to_register_is_not_taken_for_gone() -> None:
    assert told(calling(version="2.1.50"), 10 * SECOND, registry=True).state is SessionState.WORKING


def test_an_agent_that_runs_keeps_its_session_working() -> None:
    activity = activity_of(calling("Task"))
    for record in read(session("agent").user("brief")):
        activity.add(record, "a1")

    stands = session_status(activity, None, ended(activity) + 90 * SECOND)

    assert stands.state is SessionState.WORKING


def test_the_agent_that_writes_the_summary_means_compacting() -> None:
    activity = activity_of(asking().thinking("x"))
    for record in read(session("agent").user("Your task is to create a summary")):
        activity.add(record, "acompact-1")

    assert session_status(activity, None, ended(activity) + SECOND).state is SessionState.COMPACTING


@pytest.mark.parametrize("agent", ["a1", "acompact-1"])
def test_an_agent_of_an_earlier_turn_that_told_no_end_runs_no_more(agent: str) -> None:
    activity = activity_of(calling("Bash"))
    long_ago = datetime(2025, 1, 1, tzinfo=UTC)
    for record in read(session("agent", start=long_ago).user("brief").thinking("It is here.")):
        activity.add(record, agent)

    stands = session_status(activity, None, ended(activity) + 90 * SECOND)

    assert activity.running_agents == []
    assert stands.state is SessionState.WAITING


def test_nothing_said_is_finished() -> None:
    assert (
        session_status(Activity(), None, datetime(2026, 1, 5, tzinfo=UTC)).state
        is SessionState.FINISHED
    )


# with a client that says what it does


def test_a_client_that_waits_is_believed() -> None:
    stands = seen(calling(), "waiting")

    assert (stands.state, stands.sure, stands.asks) == (
        SessionState.WAITING,
        True,
        "run make ship?",
    )


def test_a_client_that_waits_for_something_unwritten_names_it_itself() -> None:
    activity = activity_of(asking())
    client = RunningClient(7, "s", "waiting", "permission prompt", ended(activity) + SECOND)

    assert session_status(activity, client, ended(activity)).asks == "permission prompt"


def test_a_busy_client_works_however_quiet_it_is() -> None:
    stands = seen(calling(), "busy", timedelta(hours=3), behind=SECOND)

    assert (stands.state, stands.sure) == (SessionState.WORKING, True)


def test_a_busy_client_that_nobody_asked_anything_compacts() -> None:
    builder = asking("2.1.325").assistant("Done.")

    assert seen(builder, "busy", timedelta(seconds=2), behind=-SECOND).state is SessionState.WORKING
    stands = seen(builder, "busy", timedelta(seconds=9), behind=-SECOND)
    assert (stands.state, stands.sure) == (SessionState.COMPACTING, False)


def test_a_status_older_than_the_end_of_the_turn_means_no_compaction() -> None:
    builder = asking("2.1.325").assistant("Done.")

    assert (
        seen(builder, "busy", timedelta(seconds=9), behind=3 * SECOND).state is SessionState.WORKING
    )


def test_an_idle_client_has_finished() -> None:
    stands = seen(asking("2.1.50").assistant("Done.", stop_reason=None), "idle")

    assert (stands.state, stands.sure) == (SessionState.FINISHED, True)


@pytest.mark.parametrize(
    ("step", "state"), [("interrupt", SessionState.INTERRUPTED), ("api_error", SessionState.FAILED)]
)
def test_an_idle_client_may_have_been_stopped(step: str, state: SessionState) -> None:
    builder = asking()
    getattr(builder, step)()

    assert seen(builder, "idle").state is state


def test_a_note_older_than_the_records_is_not_believed() -> None:
    assert seen(asking(), "idle", behind=10 * SECOND).state is SessionState.WORKING


@pytest.mark.parametrize("status", [None, "dreaming"])
def test_a_client_that_says_nothing_of_use_is_told_from_its_records(status: str | None) -> None:
    assert seen(calling(), status, timedelta(hours=3)).state is SessionState.WORKING
    assert seen(calling("AskUserQuestion"), status).state is SessionState.WAITING
    assert seen(asking("2.1.250").assistant("Done."), status).state is SessionState.FINISHED


def test_what_a_call_asks_for() -> None:
    edit = asking().tool("Edit", {"file_path": "cli/main.py"}, None)

    assert describe_request(activity_of(edit).main) == "Edit cli/main.py?"
    assert describe_request(activity_of(asking()).main) is None
