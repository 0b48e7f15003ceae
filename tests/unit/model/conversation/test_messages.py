"""Messages (rules 4, 5, 8, 9): a conversation as a person would tell it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.conversation.messages import (
    MessageSources,
    build_messages,
    count_messages_and_turns,
)
from bough.model.interpret.message_kinds import MessageKind
from bough.records.types import Assistant, Attachment, System, User
from bough.sample import SampleCall, SampleSession, session
from bough.sample.data.blocks import document, image, text, thinking, tool_result
from tests.unit.model.opened import calls, kinds, opened, told, words

# -- what runs together -------------------------------------------------------------------------


def test_lines_of_the_model_and_results_run_together_as_seed_003_says() -> None:
    builder = (
        session().user("Fix it").thinking("Let me look.").tool("Read", {"file_path": "a"}, "x")
    )
    builder.assistant("I see.").tool("Edit", {"file_path": "a"}, "ok").assistant("Done.")

    prompt, answer = told(builder)

    assert (prompt.kind, answer.kind) == ("prompt", "assistant")
    assert [block.type for block in answer.blocks] == ["thinking", "tool", "text", "tool", "text"]
    assert answer.uuids == builder.nodes[1:]


def test_a_message_has_the_identity_and_time_of_its_first_line() -> None:
    builder = (
        session().user("a").thinking("b", name="T").tool("Bash", {}, "c").assistant("d", name="A")
    )

    message = told(builder)[1]

    assert message.uuid == builder.uuid("T")
    assert message.timestamp == builder.record_of("T")["timestamp"]
    assert message.offset == len(builder.lines()[0])
    assert message.model == "claude-opus-4-6"
    assert message.ended_at == builder.record_of("A")["timestamp"]


def test_a_line_of_results_alone_does_not_end_a_message() -> None:
    builder = session().user("go").tool("Bash", {}, "a").tool("Bash", {}, "b").assistant("done")

    assert kinds(builder) == ["prompt", "assistant"]


def test_a_result_with_words_beside_it_ends_a_message() -> None:
    builder = session().user("go")
    call = builder.ask(SampleCall(tool="Bash", given={}))
    builder.user_record(
        [tool_result(call, "refused"), text("Use make instead.")], name="R"
    ).assistant("Ok.")

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant", "prompt", "assistant"]
    assert [found.text for block in calls(messages[1]) if (found := block.result)] == ["refused"]
    assert (words(messages[2]), messages[2].uuid) == (
        [("text", "Use make instead.")],
        builder.uuid("R"),
    )


def test_a_result_with_an_interrupt_beside_it_is_followed_by_a_notice() -> None:
    builder = session().user("go")
    call = builder.ask(SampleCall(tool="Bash", given={}))
    builder.user_record(
        [tool_result(call, "no"), text("[Request interrupted by user for tool use]")]
    )

    assert kinds(builder) == ["prompt", "assistant", "notice"]


@pytest.mark.parametrize("kind", ["task_reminder", "hook_success", "file", "plan_mode"])
def test_an_attachment_does_not_end_a_message(kind: str) -> None:
    builder = (
        session().user("go").tool("Bash", {}, "a").attachment(kind, name="N").assistant("done")
    )

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant"]
    assert [block.type for block in messages[1].blocks][1] in ("note", "hook")
    assert builder.uuid("N") in messages[1].uuids


def test_a_system_line_does_not_end_a_message() -> None:
    builder = (
        session().user("go").tool("Bash", {}, "a").informational("Half way.").assistant("done")
    )
    builder.stop_hooks("lint.sh").away_summary("While you were away").retry()

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant"]
    assert words(messages[1])[0] == ("note", "Half way.")
    assert [kind for kind, _ in words(messages[1])] == ["note", "text", "hook", "note", "error"]


def test_progress_does_not_end_a_message_and_is_not_shown() -> None:
    builder = session(version="2.1.50").user("go")
    call = builder.ask(SampleCall(tool="Bash", given={}))
    builder.bash_progress(call, "a", "b").reply(
        call, SampleCall(tool="Bash", given={}, result="ok")
    )
    builder.assistant("done")

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant"]
    assert [block.type for block in messages[1].blocks] == ["tool", "text"]


def test_a_compaction_and_a_local_command_end_a_message() -> None:
    builder = session().user("go").assistant("one").local_command("Renamed.").assistant("two")
    builder.compact("What was done.").assistant("three")

    assert kinds(builder) == [
        "prompt",
        "assistant",
        "notice",
        "assistant",
        "compaction",
        "assistant",
    ]


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (lambda builder: builder.user("Then?"), "prompt"),
        (lambda builder: builder.interrupt(), "notice"),
        (lambda builder: builder.meta("The client says."), "meta"),
        (lambda builder: builder.skill_body("Read it.", "review", "toolu_1"), "meta"),
        (lambda builder: builder.notification("b1", "done"), "notice"),
        (lambda builder: builder.stop_feedback("lint failed"), "hook"),
        (lambda builder: builder.hook_text("user-prompt-submit-hook", "be brief"), "hook"),
        (
            lambda builder: builder.user_record("<local-command-stdout>x</local-command-stdout>"),
            "notice",
        ),
        (lambda builder: builder.user_record("<bash-stdout>x</bash-stdout>"), "notice"),
    ],
)
def test_any_other_user_line_ends_a_message(step: object, kind: str) -> None:
    assert callable(step)
    builder = session().user("go").assistant("one")
    step(builder)
    builder.assistant("two")

    assert kinds(builder) == ["prompt", "assistant", kind, "assistant"]


def test_sixty_lines_of_work_are_one_message() -> None:
    builder = session().user("go")
    for number in range(30):
        builder.tool("Bash", {"command": str(number)}, "ok")

    messages = told(builder)

    assert len(messages) == 2
    assert len(calls(messages[1])) == 30


# -- what is shown as what ----------------------------------------------------------------------


def test_a_prompt_shows_its_words_pictures_and_documents_in_order() -> None:
    builder = session().user([text("Look:"), image(), document("words", "Notes")])

    (message,) = told(builder)

    assert words(message) == [
        ("text", "Look:"),
        ("image", "Image, PNG"),
        ("document", "Notes\nwords"),
    ]
    assert message.text == "Look:"


def test_what_the_editor_reports_is_a_note_in_the_prompt() -> None:
    (message,) = told(session().ide_prompt("Why?", opened="src/a.py"))

    assert (message.kind, words(message)) == (
        "prompt",
        [("note", "Opened src/a.py in the editor"), ("text", "Why?")],
    )


def test_what_the_editor_reports_alone_is_a_notice() -> None:
    notice = "<ide_opened_file>The user opened the file a.py in the IDE.</ide_opened_file>"

    (message,) = told(session().user(notice))

    assert (message.kind, words(message)) == ("notice", [("note", "Opened a.py in the editor")])


def test_a_command_shows_what_was_typed_and_what_it_printed() -> None:
    builder = session().command("/review", "src", "3 remarks").assistant("Done.")

    messages = told(builder)

    assert [message.kind for message in messages] == ["meta", "command", "assistant"]
    assert words(messages[1]) == [("text", "/review src"), ("output", "3 remarks")]


def test_a_command_kept_as_system_lines_looks_the_same() -> None:
    builder = session().user("a").assistant("b").command("/cost", "", "$0.42", as_system=True)

    messages = told(builder)

    assert messages[-1].kind == "command"
    assert words(messages[-1]) == [("text", "/cost"), ("output", "$0.42")]


def test_a_shell_line_shows_the_command_and_its_output() -> None:
    builder = session().shell("git status", "clean", "warning").assistant("Good.")

    messages = told(builder)

    assert [message.kind for message in messages] == ["meta", "shell", "assistant"]
    assert words(messages[1]) == [("text", "git status"), ("output", "clean\nwarning")]


def test_a_skill_shows_its_command_and_its_instructions() -> None:
    builder = session().skill("/review", "src", "Read the diff first.").assistant("Reading.")

    messages = told(builder)

    assert [message.kind for message in messages] == ["command", "meta", "assistant"]
    assert words(messages[0]) == [("text", "/review src")]
    assert words(messages[1])[0][1].endswith("Read the diff first.")


def test_a_compaction_shows_its_seam_and_its_summary() -> None:
    builder = session().user("a").assistant("b").compact("Summary:\nall").user("c").assistant("d")

    messages = told(builder)

    assert [message.kind for message in messages] == [
        "prompt",
        "assistant",
        "compaction",
        "prompt",
        "assistant",
    ]
    assert [kind for kind, _ in words(messages[2])] == ["compaction", "summary"]
    assert words(messages[2])[1][1].endswith("Summary:\nall")


def test_an_old_compaction_has_a_summary_and_no_seam() -> None:
    builder = session(version="1.0.60").user("a").assistant("b").compact("all").user("c")

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant", "compaction", "prompt"]
    assert [kind for kind, _ in words(messages[2])] == ["summary"]


def test_a_queued_prompt_is_shown_once_where_it_was_taken_up() -> None:
    attached = session().user("go").tool("Bash", {}, "a").queued("And lint.").assistant("ok")
    prompted = session().user("go").tool("Bash", {}, "a").queued("And lint.", shown="prompt")

    assert kinds(attached) == ["prompt", "assistant", "queued", "assistant"]
    assert kinds(prompted) == ["prompt", "assistant", "prompt"]


def test_a_queued_prompt_found_nowhere_else_is_shown_without_a_uuid() -> None:
    builder = session().user("go").tool("Bash", {}, "a").queued("And lint.", shown="nowhere")

    message = told(builder)[-1]

    assert (message.kind, message.uuid, message.uuids) == ("queued", None, [])
    assert message.text == "And lint."


def test_an_error_of_the_api_is_an_error_and_another_made_up_answer_a_notice() -> None:
    builder = session().user("a").api_error("API Error: Overloaded").user("b").synthetic_answer()

    assert kinds(builder) == ["prompt", "error", "prompt", "notice"]
    assert told(builder)[1].text == "API Error: Overloaded"


def test_tries_that_failed_one_after_another_are_one_line() -> None:
    builder = session().user("a").retry(attempt=1).retry(attempt=2).retry(attempt=3)
    builder.assistant("b").retry(attempt=1).retry(attempt=2, status=500)

    prompt, answer = told(builder)

    assert words(prompt)[1:] == [
        ("error", "Claude could not answer: Overloaded (529); tries 1 to 3 of 10")
    ]
    assert len(prompt.uuids) == 4
    assert [text for _, text in words(answer)[1:]] == [
        "Claude could not answer: Overloaded (529); try 1 of 10",
        "Claude could not answer: Overloaded (500); try 2 of 10",
    ]


def test_a_bad_line_is_shown_where_it_stands() -> None:
    builder = session().user("a").assistant("b").malformed_line(b'{"type":"user",').user("c")

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant", "bad_line", "prompt"]
    (error, raw) = words(messages[2])
    assert error[0] == "error"
    assert error[1].startswith("Line 3 cannot be read: ")
    assert raw == ("raw", '{"type":"user",')
    assert (messages[2].uuid, messages[2].offset) == (None, sum(map(len, builder.lines()[:2])))


def test_an_empty_line_is_not_shown() -> None:
    assert kinds(session().user("a").blank().assistant("b")) == ["prompt", "assistant"]


def test_thinking_is_shown_even_where_only_its_signature_was_kept() -> None:
    builder = session().user("a").thinking("").redacted_thinking().assistant("b")

    assert words(told(builder)[1]) == [("thinking", ""), ("redacted_thinking", ""), ("text", "b")]


def test_blank_text_of_the_model_is_left_out_and_its_line_is_not() -> None:
    builder = session().user("a").assistant("\n", name="A")

    message = told(builder)[1]

    assert (message.blocks, message.uuids) == ([], [builder.uuid("A")])


def test_several_blocks_in_one_line_are_all_shown() -> None:
    line = {"id": "msg_1", "role": "assistant", "model": "m"}
    content = [thinking("hm"), text("yes"), {"type": "hologram", "beam": 1}]
    builder = session().user("a").node("assistant", message=line | {"content": content})

    assert words(told(builder)[1]) == [
        ("thinking", "hm"),
        ("text", "yes"),
        ("note", '{"type":"hologram","beam":1}'),
    ]


def test_a_tool_the_api_runs_is_shown_with_its_result() -> None:
    use = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "q"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": "a page"}
    line = {"id": "msg_1", "role": "assistant", "model": "m", "content": [use, found]}

    (message,) = told(session().node("assistant", message=line))

    (call,) = calls(message)
    assert (call.name, call.input) == ("web_search", {"query": "q"})
    assert call.result is not None
    assert call.result.text == "a page"


def test_how_long_a_turn_took_is_said_of_its_last_message() -> None:
    builder = session().user("a").assistant("b").turn_duration(61)

    messages = told(builder)

    assert (messages[-1].kind, messages[-1].duration_ms) == ("assistant", 61_000)


def test_a_kind_nobody_knows_is_a_note_and_no_error() -> None:
    builder = session().user("a").node("pulse").assistant("b")

    assert kinds(builder) == ["prompt", "assistant"]
    assert "error" not in [kind for message in told(builder) for kind, _ in words(message)]


def test_notes_before_the_first_prompt_are_messages_of_their_own() -> None:
    builder = session().hook("SessionStart", "start.sh").attachment("skill_listing").user("a")

    assert kinds(builder) == ["hook", "prompt"]


def test_a_session_without_talk_gives_its_notes() -> None:
    assert kinds(session().informational("Hello.")) == ["notice"]
    assert kinds(session().mode()) == []


# -- usage ---------------------------------------------------------------------------------------


def test_usage_of_a_message_sums_its_api_calls_each_once() -> None:
    builder = session().user("a").tool("Bash", {}, "x", name="T").assistant("done")
    for step in ("T", -1):
        builder.record_of(step)["message"]["usage"] = {"input_tokens": 5, "output_tokens": 7}  # type: ignore[index]

    message = told(builder)[1]

    assert message.usage is not None
    assert (message.usage.input_tokens, message.usage.output_tokens) == (10, 14)


def test_usage_of_an_api_call_in_two_messages_is_counted_in_the_first() -> None:
    spent = {"input_tokens": 5, "output_tokens": 7}
    builder = (
        session()
        .user("a")
        .assistant("one", usage=spent)
        .user("b")
        .continue_message("two", usage=spent)
    )

    usages = [message.usage for message in told(builder) if message.kind == "assistant"]

    assert [usage.output_tokens if usage else None for usage in usages] in ([7], [7, None])


# -- nothing is lost, nothing stands twice --------------------------------------------------------

STEPS: dict[str, Callable[[SampleSession], object]] = {
    "user": lambda book: book.user("words"),
    "assistant": lambda book: book.assistant("answer"),
    "thinking": lambda book: book.thinking("hm"),
    "tool": lambda book: book.tool("Bash", {"command": "ls"}, "out"),
    "parallel": lambda book: book.tools(
        SampleCall(tool="Read", given={}, result="a"), SampleCall(tool="Read", given={}, result="b")
    ),
    "late": lambda book: answered_late(book, lambda: book.queued("meanwhile")),
    "renamed": lambda book: answered_late(book, lambda: book.local_command("Renamed.")),
    "unanswered": lambda book: book.tool("Bash", {}, None),
    "lost": lambda book: book.user_record([tool_result(book.mint("toolu"), "lost")]),
    "interrupt": lambda book: book.interrupt(),
    "meta": lambda book: book.meta("meta"),
    "command": lambda book: book.command("/cost", "", "$1"),
    "system": lambda book: book.command("/cost", "", "$1", as_system=True),
    "shell": lambda book: book.shell("ls", "a"),
    "attachment": lambda book: book.attachment("file"),
    "hook": lambda book: book.hook("Stop", "lint.sh"),
    "queued": lambda book: book.queued("queued"),
    "nowhere": lambda book: book.queued("only queued", shown="nowhere"),
    "error": lambda book: book.api_error(),
    "note": lambda book: book.informational("note"),
    "compact": lambda book: book.compact(),
    "duration": lambda book: book.turn_duration(),
    "unknown": lambda book: book.node("pulse"),
    "bad": lambda book: book.malformed_line(),
    "rewind": lambda book: book.at(1) if book.nodes else book,
}


def answered_late(builder: SampleSession, meanwhile: Callable[[], object]) -> object:
    """Let something happen between a call and its result."""
    call = builder.ask(SampleCall(tool="Bash", given={}))
    meanwhile()
    return builder.reply(call, SampleCall(tool="Bash", given={}, result="out"))


def built(steps: list[str]) -> SampleSession:
    builder = session()
    for step in steps:
        STEPS[step](builder)
    return builder


some_steps = st.lists(st.sampled_from(sorted(STEPS)), max_size=25)


@given(some_steps)
def test_every_record_with_content_is_in_a_message_and_in_one_only(steps: list[str]) -> None:
    opened_ = opened(built(steps))
    ways = opened_.conversations or [opened_.conversation()]

    shown = [[uuid for message in way.messages for uuid in message.uuids] for way in ways]

    assert all(len(uuids) == len(set(uuids)) for uuids in shown)
    carrying = {
        record.uuid
        for record in opened_.tree.nodes
        if isinstance(record, User | Assistant | Attachment)
        or (isinstance(record, System) and record.content_json)
    }
    assert carrying <= {uuid for uuids in shown for uuid in uuids}


BY_A_PERSON = ("prompt", "command", "shell", "queued")


@given(some_steps)
def test_counting_messages_agrees_with_telling_them(steps: list[str]) -> None:
    opened_ = opened(built(steps))

    for way in opened_.conversations or [opened_.conversation()]:
        begun = [message for message in way.messages if message.kind in BY_A_PERSON]
        assert count_messages_and_turns(way.items, MessageSources(opened_.tree)) == (
            len(way.messages),
            len(begun),
        )
        assert {message.kind for message in way.messages} <= set(MessageKind)


@given(some_steps)
def test_every_call_is_shown_once_with_every_result(steps: list[str]) -> None:
    opened_ = opened(built(steps))

    for way in opened_.conversations:
        shown = [block.id for message in way.messages for block in calls(message)]
        assert len(shown) == len(set(shown))
        on_way = {node.uuid for node in way.nodes}
        results = {b.result.uuid for t in way.messages for b in calls(t) if b.result}
        assert {uuid for uuid in results if uuid} <= on_way


def test_copies_of_what_was_sent_and_of_agents_are_in_no_message() -> None:
    sent = session(version="2.1.325").user("a").api_request("a copy").assistant("b")
    echoed = session(version="2.1.50").user("a").agent("Explore", "look", echoed=True)

    texts = [
        text
        for builder in (sent, echoed)
        for message in told(builder)
        for _, text in words(message)
    ]
    assert "a copy" not in texts
    progress = {r["uuid"] for r in echoed.records() if r["type"] == "progress"}
    assert progress
    assert progress & {uuid for message in told(echoed) for uuid in message.uuids} == set()


def test_replayed_copies_are_shown_once_and_all_their_lines_belong_to_the_message() -> None:
    builder = session().user("a", name="P").assistant("b", name="A").user("c", name="Q")
    builder.at(None).replay("P", "A").at("Q").assistant("d")

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant", "prompt", "assistant"]
    assert len(messages[0].uuids) == 2


def test_a_repeated_uuid_is_told_as_its_last_line() -> None:
    builder = session().user("first", name="P").assistant("b")
    builder.again("P", message={"role": "user", "content": "last"})

    assert told(builder)[0].text == "last"


def test_a_result_written_before_its_call_is_shown_with_it() -> None:
    builder = session().user("go").tool("Bash", {}, "out", name="T").assistant("done")
    call, result = builder.entries[1], builder.entries[2]
    builder.entries[1], builder.entries[2] = result, call

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant"]
    assert [found.text for block in calls(messages[1]) if (found := block.result)] == ["out"]
    assert set(messages[1].uuids) == set(builder.nodes[1:])


def test_a_result_that_comes_after_a_queued_prompt_belongs_to_its_call() -> None:
    builder = session().user("go")
    answered_late(builder, lambda: builder.queued("And lint."))
    builder.assistant("done")

    messages = told(builder)

    assert [message.kind for message in messages] == ["prompt", "assistant", "queued", "assistant"]
    assert [found.text for block in calls(messages[1]) if (found := block.result)] == ["out"]
    assert len(messages[1].uuids) == 2


def test_a_result_told_without_its_call_is_a_message_of_its_own() -> None:
    session_ = opened(session().user("go").tool("Bash", {}, "out"))
    setting = MessageSources(session_.tree)
    alone = session_.tree.nodes[-1:]

    messages = build_messages(alone, setting)

    assert [message.kind for message in messages] == ["assistant"]
    assert count_messages_and_turns(alone, setting) == (1, 0)
