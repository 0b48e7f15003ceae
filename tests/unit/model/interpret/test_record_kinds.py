"""What a record is, for everybody who asks."""

import pytest

from bough.model.interpret.record_kinds import ClientRecordKind, RecordKind, classify_record
from bough.model.interpret.user_records import UserRecordKind
from bough.model.live.record_events import RecordNarrator
from bough.records.record import Record
from bough.sample import SampleSession, session
from tests.unit.model.opened import lines_of

TASK = '{"task_id":"b1","tool_use_id":"toolu_1","description":"slow","task_type":"local_bash"}'


def last_record(builder: SampleSession) -> Record:
    return lines_of(builder.bytes())[0][-1]


@pytest.mark.parametrize(
    ("builder", "kind"),
    [
        (session().user("Go"), UserRecordKind.PROMPT),
        (session().user("Go").assistant("Done."), ClientRecordKind.ANSWER),
        (session().user("Go").api_error(), ClientRecordKind.API_ERROR),
        (session().queue("enqueue", "And then?"), ClientRecordKind.QUEUED),
        (session().queue("enqueue", TASK), ClientRecordKind.TASK_NOTICE),
        (session().queue("dequeue"), ClientRecordKind.OTHER),
        (session().queued_command("And then?"), ClientRecordKind.SENT_FROM_QUEUE),
        (session().queued_command("x", mode="task-notification"), ClientRecordKind.TASK_NOTICE),
        (session().hook("Stop", "x", outcome="blocking_error"), ClientRecordKind.FAILED_HOOK),
        (session().hook("Stop", "x"), ClientRecordKind.OTHER),
        (session().stop_hooks("lint"), ClientRecordKind.HOOKS_RAN),
        (session().stop_hooks("lint", prevented=True), ClientRecordKind.HOOKS_STOPPED),
        (session().turn_duration(), ClientRecordKind.TURN_DURATION),
        (session().local_command("done"), ClientRecordKind.COMMAND_OUTPUT),
        (session().informational("New version."), ClientRecordKind.INFORMATION),
    ],
)
def test_a_record_is_one_thing(builder: SampleSession, kind: RecordKind) -> None:
    assert classify_record(last_record(builder)) is kind


def test_a_task_that_an_old_client_queued_as_json_is_no_prompt_to_a_watcher() -> None:
    assert RecordNarrator().narrate([last_record(session().queue("enqueue", TASK))]) == []
