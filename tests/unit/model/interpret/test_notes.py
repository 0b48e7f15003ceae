"""Notes: the client's own lines, and how each is shown (format: system, attachment, queue)."""

import msgspec
import pytest
from msgspec import Raw

from bough.model.interpret.notes import Note, extract_queued_text, extract_text, note_of
from bough.records.types import (
    ATTACHMENT_TYPES,
    SYSTEM_SUBTYPES,
    Attachment,
    QueueOperation,
    System,
    Unknown,
)
from bough.sample import SampleSession, session
from tests.unit.model.opened import lines_of


def note(builder: SampleSession) -> Note:
    found = maybe_note(builder)
    assert found is not None
    return found


def maybe_note(builder: SampleSession) -> Note | None:
    record = lines_of(builder.bytes())[0][-1]
    assert isinstance(record, System | Attachment | QueueOperation | Unknown)
    return note_of(record)


# -- system -----------------------------------------------------------------------------------


def test_only_a_compaction_and_a_command_end_a_message() -> None:
    endings = {
        subtype: note(session().system(subtype, content="<b>words</b>")).ends_message
        for subtype in SYSTEM_SUBTYPES - {"turn_duration"}
    }

    assert {subtype for subtype, ends in endings.items() if ends} == {
        "compact_boundary",
        "local_command",
    }


@pytest.mark.parametrize(
    "subtype", ["away_summary", "bridge_status", "informational", "microcompact_boundary", None]
)
def test_a_system_line_with_words_is_a_notice(subtype: str | None) -> None:
    shown = note(session().system(subtype, content="Something happened."))

    assert (shown.kind, shown.block, shown.text) == ("notice", "note", "Something happened.")


def test_a_subtype_nobody_knows_is_shown_by_its_words() -> None:
    assert note(session().system("pulse", content="New in 2.2.")).text == "New in 2.2."
    assert maybe_note(session().system("pulse")) is None


def test_how_long_a_turn_took_has_no_words() -> None:
    assert maybe_note(session().turn_duration(12)) is None


def test_a_command_kept_as_a_system_line_is_told_apart_from_its_output() -> None:
    command = note(session().command("/rename", "Cart", None, as_system=True))
    output = note(session().command("/rename", "Cart", "Renamed.", as_system=True))

    assert (command.kind, command.text) == ("command", "/rename Cart")
    assert (output.kind, output.block, output.text) == ("notice", "output", "Renamed.")
    assert output.joins == "command"


def test_hooks_of_one_name_are_named_once_with_what_the_slowest_took() -> None:
    infos = [{"command": "callback", "durationMs": took} for took in (3, 1_200, 40)]
    shown = note(session().system("stop_hook_summary", hookInfos=[*infos, {"command": "old.sh"}]))

    assert shown.text == "callback: ok, 1.2 s; old.sh: ok"


def test_hooks_that_ran_at_the_end_are_named_with_their_errors() -> None:
    fine = note(session().stop_hooks("lint.sh", "types.sh"))
    failed = note(session().stop_hooks("lint.sh", errors=["2 warnings"]))
    stopped = note(session().stop_hooks("guard.sh", prevented=True, reason="not yet"))

    assert (fine.kind, fine.text) == ("hook", "lint.sh: ok, 0.4 s; types.sh: ok, 0.4 s")
    assert failed.text == "lint.sh\n2 warnings"
    assert stopped.text == "guard.sh stopped this: not yet"


def test_a_failed_request_says_why_and_which_try_it_was() -> None:
    shown = note(session().retry(attempt=3, status=529))

    assert shown.kind == "error"
    assert shown.text == "Claude could not answer: Overloaded (529); try 3 of 10"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ({}, "unknown error"),
        (None, "unknown error"),
        ("connection lost", "connection lost"),
        ({"status": 401}, "status 401"),
        ({"message": "bad key"}, "bad key"),
        ({"formatted": "bad key"}, "bad key"),
        ({"cause": {"message": "socket hang up"}}, "socket hang up"),
        ({"status": 500, "error": {"error": {"message": "Oh"}}}, "Oh (500)"),
        ([1, 2], "unknown error"),
    ],
)
def test_an_error_of_any_shape_is_put_into_words(error: object, reason: str) -> None:
    shown = note(session().system("api_error", error=error))

    assert shown.text == f"Claude could not answer: {reason}"


def test_a_seam_tells_who_compacted_and_what_was_kept() -> None:
    automatic = session().user("a").assistant("b").compact(keep=2)
    boundary = next(r for r in lines_of(automatic.bytes())[0] if isinstance(r, System))

    shown = note_of(boundary)

    assert shown is not None
    assert (shown.kind, shown.block) == ("compaction", "compaction")
    assert shown.text == (
        "Conversation compacted\n"
        "automatically; 168,000 tokens before, 22,000 after; 2 messages kept as they were"
    )


def test_a_seam_without_metadata_shows_its_words() -> None:
    assert note(session().system("compact_boundary", content="Compacted")).text == "Compacted"


# -- attachments --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(ATTACHMENT_TYPES))
def test_every_attachment_is_shown_as_more_than_nothing(kind: str) -> None:
    shown = note(session().attachment(kind))

    assert shown.kind in ("meta", "hook", "queued")
    assert shown.text.strip()


def test_an_attachment_nobody_knows_is_shown_with_its_fields() -> None:
    shown = note(session().attachment("pulse", {"level": 3, "names": ["a", "b"], "none": None}))

    assert (shown.kind, shown.text) == ("meta", "pulse\nlevel: 3\nnames: a\nb")


def test_an_attachment_without_a_type_is_shown() -> None:
    builder = session().node("attachment", attachment={"content": "words"})

    assert note(builder).text == "attachment\nwords"


def test_a_mentioned_file_is_named_with_its_content() -> None:
    held = {"filename": "/x/a.py", "content": {"type": "text", "file": {"content": "a = 1"}}}

    shown = note(session().attachment("file", held))

    assert shown.text == "file: /x/a.py\ntype: text\nfile: a = 1"


def test_a_queued_command_is_the_persons_and_a_notification_is_not() -> None:
    typed = note(session().queued_command("Also run the linter."))
    told = note(session().queued_command("Agent done", mode="task-notification"))

    assert (typed.kind, typed.text, typed.ends_message) == ("queued", "Also run the linter.", True)
    assert (told.kind, told.text, told.ends_message) == ("notice", "Agent done", True)


def test_a_queued_command_may_hold_blocks() -> None:
    prompt = [{"type": "text", "text": "Look:"}, {"type": "image", "source": {}}]

    shown = note(
        session().attachment("queued_command", {"prompt": prompt, "commandMode": "prompt"})
    )

    assert shown.text == "Look:\nImage"


@pytest.mark.parametrize(
    ("outcome", "words", "text"),
    [
        ("success", "branch main", "check.sh: ok\nbranch main"),
        ("non_blocking_error", "2 warnings", "check.sh: failed, exit 1\n2 warnings"),
    ],
)
def test_a_hook_says_what_ran_and_how_it_ended(outcome: str, words: str, text: str) -> None:
    builder = session().hook("PostToolUse", "check.sh", tool="Edit", outcome=outcome, words=words)

    assert note(builder).text == text
    assert note(builder).kind == "hook"


def test_a_hook_that_stopped_something_says_why() -> None:
    builder = session().hook("PreToolUse", "guard.py", outcome="blocking_error", words="not there")

    assert note(builder).text.startswith("guard.py: stopped this\n")
    assert "not there" in note(builder).text


# -- the queue and the rest ---------------------------------------------------------------------


def test_queued_text_is_a_prompt_or_a_notification() -> None:
    typed = note(session().queue("enqueue", "And then?"))
    told = note(session().queue("enqueue", "<task-notification>done</task-notification>"))

    assert (typed.kind, typed.text) == ("queued", "And then?")
    assert told.kind == "notice"
    assert maybe_note(session().queue("dequeue")) is None


def test_queued_text_may_be_blocks() -> None:
    builder = session().mark("queue-operation", operation="enqueue", content=[{"text": "a"}, "b"])
    record = lines_of(builder.bytes())[0][0]

    assert isinstance(record, QueueOperation)
    assert extract_queued_text(record) == "a\nb"


def test_a_kind_nobody_knows_is_a_note_only_where_it_is_a_node() -> None:
    node = note(session().node("pulse"))

    assert (node.kind, node.block) == ("meta", "note")
    assert node.text == "A kind of record bough does not know: `pulse`"
    assert maybe_note(session().mark("pulse")) is None


@pytest.mark.parametrize("depth", [50, 400, 100_000])
def test_words_nested_without_end_do_not_exhaust_the_stack(depth: int) -> None:
    nested = b"[" * depth + b'"deep"' + b"]" * depth

    assert extract_text(Raw(nested)) == ""
    assert extract_text(Raw(msgspec.json.encode({"a": ["b", {"c": 1}]}))) == "a: b\nc: 1"
