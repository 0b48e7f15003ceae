"""What a record is to somebody who watches."""

from bough.model.live.record_events import RecordEvent, RecordEventKind, RecordNarrator
from bough.model.tools.call_row import CallState
from bough.records.record import BadLine
from bough.sample import SampleCall, SampleSession, session
from tests.unit.model.readings import read


def told(builder: SampleSession) -> list[RecordEvent]:
    return RecordNarrator().narrate(read(builder))


def kinds(builder: SampleSession) -> list[tuple[RecordEventKind, str]]:
    return [(one.kind, one.text) for one in told(builder)]


def test_a_conversation_is_told_in_order() -> None:
    builder = session("s").user("Make it resumable").thinking("How?").assistant("Like this.")

    assert kinds(builder) == [
        (RecordEventKind.PROMPT, "Make it resumable"),
        (RecordEventKind.THINKING, "How?"),
        (RecordEventKind.TEXT, "Like this."),
    ]


def test_thinking_of_which_only_the_signature_was_kept_is_marked() -> None:
    (_, kept, withheld) = told(session("s").user("x").thinking("").redacted_thinking())

    assert (kept.kind, kept.kept) == (RecordEventKind.THINKING, False)
    assert (withheld.kind, withheld.kept) == (RecordEventKind.THINKING, False)


def test_a_call_and_its_result_share_an_id_and_the_end_names_what_ended() -> None:
    builder = (
        session("s").user("x").tool("Bash", {"command": "make"}, "Exit code 2\nno", is_error=True)
    )

    _, call, result = told(builder)

    assert (call.kind, call.text) == (RecordEventKind.TOOL, "Bash make")
    assert (result.kind, result.text, result.call) == (RecordEventKind.RESULT, "exit 2", call.call)
    assert call.view is not None
    assert call.view.outcome.state is CallState.OPEN
    assert result.view is not None
    assert (result.view.summary, result.view.outcome.state) == ("make", CallState.FAILED)


def test_of_what_a_call_shows_the_newest_line_is_told_and_each_line_once() -> None:
    builder = session("s", version="2.1.50").user("x").tool("Bash", {"command": "make"}, None)
    narrator = RecordNarrator()
    records = read(builder)
    call = narrator.narrate(records)[-1].call
    assert call is not None

    first = narrator.narrate(read(builder.bash_progress(call, "one", "two"))[len(records) :])
    again = narrator.narrate(read(builder.bash_progress(call, "two"))[-1:])

    assert [(one.kind, one.text, one.call) for one in first] == [
        (RecordEventKind.PROGRESS, "two", call)
    ]
    assert again == []


def test_a_call_that_ended_shows_nothing_any_more() -> None:
    make = SampleCall(tool="Bash", given={"command": "make"}, result="done")
    builder = session("s", version="2.1.50").user("x")
    call = builder.ask(make)
    builder.bash_progress(call, "one").reply(call, make)

    assert [one.kind for one in told(builder)][-2:] == [
        RecordEventKind.TOOL,
        RecordEventKind.RESULT,
    ]


def test_a_result_whose_call_was_before_our_time_is_told_all_the_same() -> None:
    records = read(session("s").user("x").tool("Bash", {"command": "make"}, "ok"))

    (only,) = RecordNarrator().narrate(records[-1:])

    assert only.kind is RecordEventKind.RESULT


def test_a_prompt_that_is_queued_and_sent_at_once_is_told_once() -> None:
    builder = session("s").queue("enqueue", "Go").queue("dequeue").user("Go")

    assert kinds(builder) == [(RecordEventKind.PROMPT, "Go")]


def test_a_prompt_in_the_queue_is_told() -> None:
    assert kinds(session("s").queue("enqueue", "Then this")) == [
        (RecordEventKind.QUEUED, "Then this")
    ]


def test_commands_and_what_they_print() -> None:
    builder = session("s").command("/review", "src").shell("ls", "a.txt")

    assert (RecordEventKind.COMMAND, "/review src") in kinds(builder)
    assert (RecordEventKind.COMMAND, "! ls") in kinds(builder)
    assert (RecordEventKind.OUTPUT, "a.txt") in kinds(builder)


def test_what_goes_wrong_is_told() -> None:
    builder = session("s").user("x").retry(2).api_error("API Error: 529").interrupt()

    assert [kind for kind, _ in kinds(builder)] == [
        RecordEventKind.PROMPT,
        RecordEventKind.RETRY,
        RecordEventKind.ERROR,
        RecordEventKind.INTERRUPTED,
    ]


def test_a_compaction_is_told_once_without_its_summary() -> None:
    builder = session("s").user("x").assistant("y").compact("What was said")

    compactions = [kind for kind, _ in kinds(builder) if kind is RecordEventKind.COMPACTED]

    assert len(compactions) == 1
    assert all("What was said" not in text for _, text in kinds(builder))


def test_the_clients_own_lines_tell_nothing() -> None:
    builder = (
        session("s").mode().permission_mode().last_prompt("x").tools_used("Bash").turn_duration()
    )

    assert kinds(builder) == []


def test_a_bad_line_is_told_and_an_empty_one_is_not() -> None:
    bad = BadLine(10, 2, b"{oops\n", "not valid JSON")
    blank = BadLine(16, 3, b"\n", "an empty line", blank=True)

    assert [(one.kind, one.text) for one in RecordNarrator().narrate([bad, blank])] == [
        (RecordEventKind.BAD_LINE, "Line 2: not valid JSON")
    ]


def test_calls_that_never_end_are_not_kept_for_ever() -> None:
    teller = RecordNarrator()
    builder = session("s").user("x")
    for number in range(1_500):
        builder.tool("Bash", {"command": str(number)}, None)

    teller.narrate(read(builder))

    assert len(teller._calls) <= 1_000
