"""Turns (rules 4, 5, 8, 9): a conversation as a person would tell it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.conversation.turn_rules import KINDS
from bough.model.conversation.turns import TurnSources, build_turns, count_turns_and_prompts
from bough.records.types import Assistant, Attachment, System, User
from bough.sample import SampleCall, SampleSession, session
from bough.sample.data.blocks import document, image, text, thinking, tool_result
from tests.unit.model.opened import calls, kinds, opened, told, words

# -- what runs together -------------------------------------------------------------------------


def test_lines_of_the_model_and_results_run_together_as_seed_003_says() -> None:
    book = session().user("Fix it").thinking("Let me look.").tool("Read", {"file_path": "a"}, "x")
    book.assistant("I see.").tool("Edit", {"file_path": "a"}, "ok").assistant("Done.")

    prompt, answer = told(book)

    assert (prompt.kind, answer.kind) == ("prompt", "assistant")
    assert [block.type for block in answer.blocks] == ["thinking", "tool", "text", "tool", "text"]
    assert answer.uuids == book.nodes[1:]


def test_a_turn_has_the_identity_and_time_of_its_first_line() -> None:
    book = (
        session().user("a").thinking("b", name="T").tool("Bash", {}, "c").assistant("d", name="A")
    )

    turn = told(book)[1]

    assert turn.uuid == book.uuid("T")
    assert turn.timestamp == book.record_of("T")["timestamp"]
    assert turn.offset == len(book.lines()[0])
    assert turn.model == "claude-opus-4-6"
    assert turn.ended_at == book.record_of("A")["timestamp"]


def test_a_line_of_results_alone_does_not_end_a_turn() -> None:
    book = session().user("go").tool("Bash", {}, "a").tool("Bash", {}, "b").assistant("done")

    assert kinds(book) == ["prompt", "assistant"]


def test_a_result_with_words_beside_it_ends_a_turn() -> None:
    book = session().user("go")
    call = book.ask(SampleCall(tool="Bash", given={}))
    book.user_record([tool_result(call, "refused"), text("Use make instead.")], name="R").assistant(
        "Ok."
    )

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant", "prompt", "assistant"]
    assert [found.text for block in calls(turns[1]) if (found := block.result)] == ["refused"]
    assert (words(turns[2]), turns[2].uuid) == ([("text", "Use make instead.")], book.uuid("R"))


def test_a_result_with_an_interrupt_beside_it_is_followed_by_a_notice() -> None:
    book = session().user("go")
    call = book.ask(SampleCall(tool="Bash", given={}))
    book.user_record([tool_result(call, "no"), text("[Request interrupted by user for tool use]")])

    assert kinds(book) == ["prompt", "assistant", "notice"]


@pytest.mark.parametrize("kind", ["task_reminder", "hook_success", "file", "plan_mode"])
def test_an_attachment_does_not_end_a_turn(kind: str) -> None:
    book = session().user("go").tool("Bash", {}, "a").attachment(kind, name="N").assistant("done")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant"]
    assert [block.type for block in turns[1].blocks][1] in ("note", "hook")
    assert book.uuid("N") in turns[1].uuids


def test_a_system_line_does_not_end_a_turn() -> None:
    book = session().user("go").tool("Bash", {}, "a").informational("Half way.").assistant("done")
    book.stop_hooks("lint.sh").away_summary("While you were away").retry()

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant"]
    assert words(turns[1])[0] == ("note", "Half way.")
    assert [kind for kind, _ in words(turns[1])] == ["note", "text", "hook", "note", "error"]


def test_progress_does_not_end_a_turn_and_is_not_shown() -> None:
    book = session(version="2.1.50").user("go")
    call = book.ask(SampleCall(tool="Bash", given={}))
    book.bash_progress(call, "a", "b").reply(call, SampleCall(tool="Bash", given={}, result="ok"))
    book.assistant("done")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant"]
    assert [block.type for block in turns[1].blocks] == ["tool", "text"]


def test_a_compaction_and_a_local_command_end_a_turn() -> None:
    book = session().user("go").assistant("one").local_command("Renamed.").assistant("two")
    book.compact("What was done.").assistant("three")

    assert kinds(book) == [
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
        (lambda book: book.user("Then?"), "prompt"),
        (lambda book: book.interrupt(), "notice"),
        (lambda book: book.meta("The client says."), "meta"),
        (lambda book: book.skill_body("Read it.", "review", "toolu_1"), "meta"),
        (lambda book: book.notification("b1", "done"), "notice"),
        (lambda book: book.stop_feedback("lint failed"), "hook"),
        (lambda book: book.hook_text("user-prompt-submit-hook", "be brief"), "hook"),
        (lambda book: book.user_record("<local-command-stdout>x</local-command-stdout>"), "notice"),
        (lambda book: book.user_record("<bash-stdout>x</bash-stdout>"), "notice"),
    ],
)
def test_any_other_user_line_ends_a_turn(step: object, kind: str) -> None:
    assert callable(step)
    book = session().user("go").assistant("one")
    step(book)
    book.assistant("two")

    assert kinds(book) == ["prompt", "assistant", kind, "assistant"]


def test_sixty_lines_of_work_are_one_turn() -> None:
    book = session().user("go")
    for number in range(30):
        book.tool("Bash", {"command": str(number)}, "ok")

    turns = told(book)

    assert len(turns) == 2
    assert len(calls(turns[1])) == 30


# -- what is shown as what ----------------------------------------------------------------------


def test_a_prompt_shows_its_words_pictures_and_documents_in_order() -> None:
    book = session().user([text("Look:"), image(), document("words", "Notes")])

    (turn,) = told(book)

    assert words(turn) == [
        ("text", "Look:"),
        ("image", "Image, PNG"),
        ("document", "Notes\nwords"),
    ]
    assert turn.text == "Look:"


def test_what_the_editor_reports_is_a_note_in_the_prompt() -> None:
    (turn,) = told(session().ide_prompt("Why?", opened="src/a.py"))

    assert (turn.kind, words(turn)) == (
        "prompt",
        [("note", "Opened src/a.py in the editor"), ("text", "Why?")],
    )


def test_what_the_editor_reports_alone_is_a_notice() -> None:
    notice = "<ide_opened_file>The user opened the file a.py in the IDE.</ide_opened_file>"

    (turn,) = told(session().user(notice))

    assert (turn.kind, words(turn)) == ("notice", [("note", "Opened a.py in the editor")])


def test_a_command_shows_what_was_typed_and_what_it_printed() -> None:
    book = session().command("/review", "src", "3 remarks").assistant("Done.")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["meta", "command", "assistant"]
    assert words(turns[1]) == [("text", "/review src"), ("output", "3 remarks")]


def test_a_command_kept_as_system_lines_looks_the_same() -> None:
    book = session().user("a").assistant("b").command("/cost", "", "$0.42", as_system=True)

    turns = told(book)

    assert turns[-1].kind == "command"
    assert words(turns[-1]) == [("text", "/cost"), ("output", "$0.42")]


def test_a_shell_turn_shows_the_command_and_its_output() -> None:
    book = session().shell("git status", "clean", "warning").assistant("Good.")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["meta", "shell", "assistant"]
    assert words(turns[1]) == [("text", "git status"), ("output", "clean\nwarning")]


def test_a_skill_shows_its_command_and_its_instructions() -> None:
    book = session().skill("/review", "src", "Read the diff first.").assistant("Reading.")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["command", "meta", "assistant"]
    assert words(turns[0]) == [("text", "/review src")]
    assert words(turns[1])[0][1].endswith("Read the diff first.")


def test_a_compaction_shows_its_seam_and_its_summary() -> None:
    book = session().user("a").assistant("b").compact("Summary:\nall").user("c").assistant("d")

    turns = told(book)

    assert [turn.kind for turn in turns] == [
        "prompt",
        "assistant",
        "compaction",
        "prompt",
        "assistant",
    ]
    assert [kind for kind, _ in words(turns[2])] == ["seam", "summary"]
    assert words(turns[2])[1][1].endswith("Summary:\nall")


def test_an_old_compaction_has_a_summary_and_no_seam() -> None:
    book = session(version="1.0.60").user("a").assistant("b").compact("all").user("c")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant", "compaction", "prompt"]
    assert [kind for kind, _ in words(turns[2])] == ["summary"]


def test_a_queued_prompt_is_shown_once_where_it_was_taken_up() -> None:
    attached = session().user("go").tool("Bash", {}, "a").queued("And lint.").assistant("ok")
    prompted = session().user("go").tool("Bash", {}, "a").queued("And lint.", shown="prompt")

    assert kinds(attached) == ["prompt", "assistant", "queued", "assistant"]
    assert kinds(prompted) == ["prompt", "assistant", "prompt"]


def test_a_queued_prompt_found_nowhere_else_is_shown_without_a_uuid() -> None:
    book = session().user("go").tool("Bash", {}, "a").queued("And lint.", shown="nowhere")

    turn = told(book)[-1]

    assert (turn.kind, turn.uuid, turn.uuids) == ("queued", None, [])
    assert turn.text == "And lint."


def test_an_error_of_the_api_is_an_error_and_another_made_up_answer_a_notice() -> None:
    book = session().user("a").api_error("API Error: Overloaded").user("b").synthetic_answer()

    assert kinds(book) == ["prompt", "error", "prompt", "notice"]
    assert told(book)[1].text == "API Error: Overloaded"


def test_a_bad_line_is_shown_where_it_stands() -> None:
    book = session().user("a").assistant("b").malformed_line(b'{"type":"user",').user("c")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant", "bad_line", "prompt"]
    (error, raw) = words(turns[2])
    assert error[0] == "error"
    assert error[1].startswith("Line 3 cannot be read: ")
    assert raw == ("raw", '{"type":"user",')
    assert (turns[2].uuid, turns[2].offset) == (None, sum(map(len, book.lines()[:2])))


def test_an_empty_line_is_not_shown() -> None:
    assert kinds(session().user("a").blank().assistant("b")) == ["prompt", "assistant"]


def test_thinking_is_shown_even_where_only_its_signature_was_kept() -> None:
    book = session().user("a").thinking("").redacted_thinking().assistant("b")

    assert words(told(book)[1]) == [("thinking", ""), ("redacted_thinking", ""), ("text", "b")]


def test_blank_text_of_the_model_is_left_out_and_its_line_is_not() -> None:
    book = session().user("a").assistant("\n", name="A")

    turn = told(book)[1]

    assert (turn.blocks, turn.uuids) == ([], [book.uuid("A")])


def test_several_blocks_in_one_line_are_all_shown() -> None:
    line = {"id": "msg_1", "role": "assistant", "model": "m"}
    content = [thinking("hm"), text("yes"), {"type": "hologram", "beam": 1}]
    book = session().user("a").node("assistant", message=line | {"content": content})

    assert words(told(book)[1]) == [
        ("thinking", "hm"),
        ("text", "yes"),
        ("note", '{"type":"hologram","beam":1}'),
    ]


def test_a_tool_the_api_runs_is_shown_with_its_result() -> None:
    use = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "q"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": "a page"}
    line = {"id": "msg_1", "role": "assistant", "model": "m", "content": [use, found]}

    (turn,) = told(session().node("assistant", message=line))

    (call,) = calls(turn)
    assert (call.name, call.input) == ("web_search", {"query": "q"})
    assert call.result is not None
    assert call.result.text == "a page"


def test_how_long_a_turn_took_is_said_of_the_turn() -> None:
    book = session().user("a").assistant("b").turn_duration(61)

    turns = told(book)

    assert (turns[-1].kind, turns[-1].duration_ms) == ("assistant", 61_000)


def test_a_kind_nobody_knows_is_a_note_and_no_error() -> None:
    book = session().user("a").node("pulse").assistant("b")

    assert kinds(book) == ["prompt", "assistant"]
    assert "error" not in [kind for turn in told(book) for kind, _ in words(turn)]


def test_notes_before_the_first_prompt_are_turns_of_their_own() -> None:
    book = session().hook("SessionStart", "start.sh").attachment("skill_listing").user("a")

    assert kinds(book) == ["hook", "prompt"]


def test_a_session_without_talk_gives_its_notes() -> None:
    assert kinds(session().informational("Hello.")) == ["notice"]
    assert kinds(session().mode()) == []


# -- usage ---------------------------------------------------------------------------------------


def test_usage_of_a_turn_sums_its_messages_each_once() -> None:
    book = session().user("a").tool("Bash", {}, "x", name="T").assistant("done")
    for step in ("T", -1):
        book.record_of(step)["message"]["usage"] = {"input_tokens": 5, "output_tokens": 7}  # type: ignore[index]

    turn = told(book)[1]

    assert turn.usage is not None
    assert (turn.usage.input_tokens, turn.usage.output_tokens) == (10, 14)


def test_usage_of_a_message_in_two_turns_is_counted_in_the_first() -> None:
    spent = {"input_tokens": 5, "output_tokens": 7}
    book = (
        session()
        .user("a")
        .assistant("one", usage=spent)
        .user("b")
        .continue_message("two", usage=spent)
    )

    usages = [turn.usage for turn in told(book) if turn.kind == "assistant"]

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


def answered_late(book: SampleSession, meanwhile: Callable[[], object]) -> object:
    """Let something happen between a call and its result."""
    call = book.ask(SampleCall(tool="Bash", given={}))
    meanwhile()
    return book.reply(call, SampleCall(tool="Bash", given={}, result="out"))


def built(steps: list[str]) -> SampleSession:
    book = session()
    for step in steps:
        STEPS[step](book)
    return book


some_steps = st.lists(st.sampled_from(sorted(STEPS)), max_size=25)


@given(some_steps)
def test_every_record_with_content_is_in_a_turn_and_in_one_only(steps: list[str]) -> None:
    opened_ = opened(built(steps))
    ways = opened_.conversations or [opened_.conversation()]

    shown = [[uuid for turn in way.turns for uuid in turn.uuids] for way in ways]

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
def test_counting_turns_agrees_with_telling_them(steps: list[str]) -> None:
    opened_ = opened(built(steps))

    for way in opened_.conversations or [opened_.conversation()]:
        begun = [turn for turn in way.turns if turn.kind in BY_A_PERSON]
        assert count_turns_and_prompts(way.items, TurnSources(opened_.tree)) == (
            len(way.turns),
            len(begun),
        )
        assert {turn.kind for turn in way.turns} <= set(KINDS)


@given(some_steps)
def test_every_call_is_shown_once_with_every_result(steps: list[str]) -> None:
    opened_ = opened(built(steps))

    for way in opened_.conversations:
        shown = [block.id for turn in way.turns for block in calls(turn)]
        assert len(shown) == len(set(shown))
        on_way = {node.uuid for node in way.nodes}
        results = {b.result.uuid for t in way.turns for b in calls(t) if b.result}
        assert {uuid for uuid in results if uuid} <= on_way


def test_copies_of_what_was_sent_and_of_agents_are_in_no_turn() -> None:
    sent = session(version="2.1.325").user("a").api_request("a copy").assistant("b")
    echoed = session(version="2.1.50").user("a").agent("Explore", "look", echoed=True)

    texts = [text for book in (sent, echoed) for turn in told(book) for _, text in words(turn)]
    assert "a copy" not in texts
    progress = {r["uuid"] for r in echoed.records() if r["type"] == "progress"}
    assert progress
    assert progress & {uuid for turn in told(echoed) for uuid in turn.uuids} == set()


def test_replayed_copies_are_shown_once_and_all_their_lines_belong_to_the_turn() -> None:
    book = session().user("a", name="P").assistant("b", name="A").user("c", name="Q")
    book.replay("P", "A").at("Q").assistant("d")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant", "prompt", "assistant"]
    assert len(turns[0].uuids) == 2


def test_a_repeated_uuid_is_told_as_its_last_line() -> None:
    book = session().user("first", name="P").assistant("b")
    book.again("P", message={"role": "user", "content": "last"})

    assert told(book)[0].text == "last"


def test_a_result_written_before_its_call_is_shown_with_it() -> None:
    book = session().user("go").tool("Bash", {}, "out", name="T").assistant("done")
    call, result = book.entries[1], book.entries[2]
    book.entries[1], book.entries[2] = result, call

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant"]
    assert [found.text for block in calls(turns[1]) if (found := block.result)] == ["out"]
    assert set(turns[1].uuids) == set(book.nodes[1:])


def test_a_result_that_comes_after_a_queued_prompt_belongs_to_its_call() -> None:
    book = session().user("go")
    answered_late(book, lambda: book.queued("And lint."))
    book.assistant("done")

    turns = told(book)

    assert [turn.kind for turn in turns] == ["prompt", "assistant", "queued", "assistant"]
    assert [found.text for block in calls(turns[1]) if (found := block.result)] == ["out"]
    assert len(turns[1].uuids) == 2


def test_a_result_told_without_its_call_is_a_turn_of_its_own() -> None:
    session_ = opened(session().user("go").tool("Bash", {}, "out"))
    setting = TurnSources(session_.tree)
    alone = session_.tree.nodes[-1:]

    turns = build_turns(alone, setting)

    assert [turn.kind for turn in turns] == ["assistant"]
    assert count_turns_and_prompts(alone, setting) == (1, 0)
