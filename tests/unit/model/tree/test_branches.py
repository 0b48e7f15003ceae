"""Branch points and tips: only a person who goes back and says something else parts a story."""

import pytest
from msgspec import Raw

from bough.model.tree.branches import find_branch_points, find_tips
from bough.model.tree.build import build_message_tree
from bough.model.tree.nodes import build_tree
from bough.records.types import User
from bough.sample import SampleCall, SampleSession, session
from tests.unit.model.readings import ends, story_of, way_to, ways

LS = SampleCall(tool="Bash", given={"command": "ls"}, result="a.py")


def asked(version: str = "2.1.250") -> SampleSession:
    """Begin with a prompt and its answer."""
    return session(version=version).user("p1", name="p1").assistant("a1", name="a1")


def one_line(builder: SampleSession, *names: str) -> None:
    """Check that a file is one story, told in this order."""
    assert ways(builder) == []
    assert ends(builder) == [names[-1]]
    assert way_to(builder, names[-1]) == list(names)


# -- what parts a story ---------------------------------------------------------------------------


def test_a_prompt_said_anew_is_an_edit() -> None:
    builder = asked().user("p2", name="p2").assistant("a2", name="a2")
    builder.at("a1").user("p3", name="p3").assistant("a3", name="a3")

    assert ways(builder) == [("a1", "edit", ["p2", "p3"])]
    assert ends(builder) == ["a2", "a3"]


def test_the_same_words_sent_again_are_an_edit_too() -> None:
    builder = asked().user("go on", name="p2").at("a1").user("go on", name="p3")

    assert ways(builder) == [("a1", "edit", ["p2", "p3"])]


def test_a_prompt_unanswered_beside_an_answered_one_is_an_edit() -> None:
    builder = (
        asked().user("p2", name="p2").at("a1").user("p3", name="p3").assistant("a3", name="a3")
    )

    assert ends(builder) == ["p2", "a3"]


def test_a_slash_command_beside_a_prompt_is_a_command() -> None:
    builder = asked().user("p2", name="p2").assistant("a2").at("a1").command("/clear", name="clear")

    assert ways(builder) == [("a1", "command", ["p2", "clear"])]


def test_a_skill_beside_a_prompt_is_a_command_whichever_tag_comes_first() -> None:
    builder = asked().user("p2", name="p2").at("a1").skill("/review", name="review")

    assert ways(builder) == [("a1", "command", ["p2", "review"])]


def test_a_shell_turn_beside_a_prompt_is_an_edit() -> None:
    builder = asked().user("p2", name="p2").at("a1").shell("ls", name="shell")

    assert ways(builder) == [("a1", "edit", ["p2", "shell"])]


def test_two_answers_to_one_prompt_are_a_retry() -> None:
    builder = asked().at("p1").assistant("b1", name="b1").user("p2", name="p2")

    assert ways(builder) == [("p1", "retry", ["a1", "b1"])]
    assert ends(builder) == ["a1", "p2"]


def test_a_retry_after_calls_is_a_retry() -> None:
    builder = session().user("p1", name="p1").tools(LS).assistant("a1", name="a1")
    builder.at("p1").tools(LS).assistant("b1", name="b1")

    (point,) = ways(builder)

    assert point[:2] == ("p1", "retry")
    assert ends(builder) == ["a1", "b1"]


def test_three_prompts_on_one_answer_are_one_branch_point() -> None:
    builder = asked()
    for name in ("x", "y", "z"):
        builder.at("a1").user(name, name=name)

    assert ways(builder) == [("a1", "edit", ["x", "y", "z"])]


def test_branch_points_come_in_file_order() -> None:
    builder = asked().user("p2", name="p2").assistant("a2", name="a2").user("p3", name="p3")
    builder.at("a2").user("p4", name="p4").at("a1").user("p5", name="p5")

    assert [point[0] for point in ways(builder)] == ["a1", "a2"]


def test_a_branch_point_is_the_last_line_of_its_message() -> None:
    builder = session().user("p1").thinking("hm", name="t").assistant("a1", name="a1")
    builder.user("p2", name="p2").at("a1").user("p3", name="p3")

    assert ways(builder) == [("a1", "edit", ["p2", "p3"])]


def test_prompts_on_two_lines_of_one_message_part_there() -> None:
    builder = session().user("p1").thinking("hm", name="t").assistant("a1", name="a1")
    builder.user("p2", name="p2").at("t").user("p3", name="p3")

    assert ways(builder) == [("a1", "edit", ["p2", "p3"])]


def test_prompts_on_notes_of_one_answer_part_at_the_answer() -> None:
    builder = (
        asked().turn_duration().name_step("d").user("p2", name="p2").at("d").away_summary("recap")
    )
    builder.user("p3", name="p3")

    assert ways(builder) == [("a1", "edit", ["p2", "p3"])]


def test_prompts_after_a_compaction_part_at_its_summary() -> None:
    builder = (
        asked()
        .compact(name="compaction")
        .user("p2", name="p2")
        .at("compaction")
        .user("p3", name="p3")
    )

    assert ways(builder) == [("compaction", "edit", ["p2", "p3"])]


def test_a_first_prompt_said_anew_parts_at_the_hook_that_began_the_session() -> None:
    builder = session().hook("SessionStart", "greet").name_step("hook").user("p1", name="p1")
    builder.assistant("a1", name="a1").at("hook").user("p2", name="p2").assistant("a2", name="a2")

    assert ways(builder) == [("hook", "edit", ["p1", "p2"])]
    assert ends(builder) == ["a1", "a2"]
    assert way_to(builder, "a2") == ["p2", "a2"]


# -- what does not --------------------------------------------------------------------------------


def test_parallel_calls_make_no_branch() -> None:
    builder = session().user("p1", name="p1").tools(LS, LS, LS).assistant("a1", name="a1")

    assert ways(builder) == []
    assert ends(builder) == ["a1"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_results_in_any_order_make_no_branch(order: tuple[int, ...]) -> None:
    builder = session().user("p1").tools(LS, LS, LS, order=order).assistant("a1", name="a1")

    assert (ways(builder), ends(builder)) == ([], ["a1"])


def test_results_written_between_the_calls_make_no_branch() -> None:
    builder = session().user("p1").tools(LS, LS, interleaved=True).assistant("a1", name="a1")

    assert (ways(builder), ends(builder)) == ([], ["a1"])


def test_a_result_below_another_result_makes_no_branch() -> None:
    builder = session(version="1.0.51").user("p1").tools(LS, LS)
    first, second = builder.nodes[-2:]
    builder.amend(second, parentUuid=first).at(first).assistant("a1", name="a1")

    assert (ways(builder), ends(builder)) == ([], ["a1"])


def test_progress_beside_a_result_makes_no_branch() -> None:
    builder = session(version="2.1.50").user("p1")
    call = builder.ask(LS)
    builder.bash_progress(call, "1", "2", "3").reply(call, LS).assistant("a1", name="a1")

    assert (ways(builder), ends(builder)) == ([], ["a1"])


def test_an_answer_below_a_progress_chain_makes_no_branch() -> None:
    builder = session(version="2.1.50").user("p1", name="p1").hook("UserPromptSubmit", "log")
    builder.assistant("a1", name="a1").hook("Stop", "lint").user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_a_prompt_on_a_late_hook_beside_the_answer_is_one_story() -> None:
    """The VS Code client of 2.1.79 hangs the next prompt there: the answer looks like a leaf."""
    builder = session(version="2.1.79", entrypoint="claude-vscode").user("p1", name="p1")
    builder.assistant("a1", name="a1").at("p1").hook("Stop", "lint").user("p2", name="p2")
    builder.assistant("a2", name="a2")

    one_line(builder, "p1", "a1", "p2", "a2")


def test_a_prompt_after_an_interrupt_beside_the_answer_is_one_story() -> None:
    builder = session().user("p1", name="p1").assistant("a1", name="a1").at("p1").interrupt()
    builder.user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_a_local_command_typed_while_claude_works_is_one_story_with_the_answer() -> None:
    """2.1.197 hangs its caveat on the line that stood when the command was typed."""
    builder = session(version="2.1.197").user("p1", name="p1").tools(LS).name_step("result")
    builder.assistant("a1", name="a1").at("result").command("/model", stdout="set", name="model")
    builder.user("p2", name="p2")

    assert ways(builder) == []
    assert ends(builder) == ["p2"]
    assert way_to(builder, "p2")[-3:] == ["a1", "model", "p2"]


def test_a_prompt_beside_an_answer_that_hangs_on_no_progress_was_said_by_who_went_back() -> None:
    builder = asked().queued("more").assistant("a2", name="a2").at("a1").informational("moved")
    builder.user("p2", name="p2")

    assert ways(builder) == [("a1", "edit", ["a2", "p2"])]
    assert ends(builder) == ["a2", "p2"]


# -- what a client writes because it resumes ------------------------------------------------------


def resumed(builder: SampleSession) -> SampleSession:
    """Resume as the clients of 2.1.132 to 2.1.150 do in a session with hooks."""
    builder.meta("Continue from where you left off.").synthetic_answer()
    return builder.hook("SessionStart", "greet")


def hooked() -> SampleSession:
    """Begin in a session with hooks: a prompt, its answer, and what the hooks said."""
    builder = session(version="2.1.150").hook("SessionStart", "greet").user("f1", name="f1")
    return builder.assistant("a1", name="a1").hook("Stop", "lint").name_step("stop")


def test_what_hangs_below_the_pair_of_a_resume_hangs_where_the_pair_hangs() -> None:
    builder = hooked()
    resumed(builder).user("f2", name="f2").assistant("a2", name="a2")
    builder.at("a1").informational("moved here")
    resumed(builder).user("g1", name="g1").assistant("b1", name="b1")

    assert ways(builder) == [("a1", "edit", ["f2", "g1"])]
    assert way_to(builder, "b1") == ["f1", "a1", "g1", "b1"]


def test_three_gotos_in_a_session_with_hooks_are_two_branch_points_and_three_tips() -> None:
    builder = hooked()
    for name in ("f2", "f3"):
        resumed(builder).user(name, name=name).assistant(name, name=f"to {name}")
    builder.at("a1").informational("moved here")
    for name in ("g1", "g2"):
        resumed(builder).user(name, name=name).assistant(name, name=f"to {name}")
    builder.at("to g1").informational("moved here")
    resumed(builder).user("h1", name="h1").assistant("h1", name="to h1")

    assert ways(builder) == [("a1", "edit", ["f2", "g1"]), ("to g1", "edit", ["g2", "h1"])]
    assert ends(builder) == ["to f3", "to g2", "to h1"]


def test_the_pair_of_a_resume_starts_no_branch() -> None:
    builder = hooked()
    resumed(builder).at("stop")
    resumed(builder).user("f2", name="f2")

    one_line(builder, "f1", "a1", "f2")


def test_the_pair_of_a_resume_is_no_tip() -> None:
    builder = hooked()
    resumed(builder)

    assert ends(builder) == ["a1"]


def test_a_placeholder_below_a_prompt_that_nobody_answered_is_no_answer() -> None:
    builder = asked().user("p2", name="p2").synthetic_answer().user("p3", name="p3")

    one_line(builder, "p1", "a1", "p2", "p3")


def test_an_interrupted_answer_that_the_client_wrote_down_itself_stays_an_answer() -> None:
    """2.1.150 keeps the words that had come until then, by the model `<synthetic>`."""
    builder = session(version="2.1.150").user("p1", name="p1")
    builder.synthetic_answer("Half of a senten", name="half").interrupt().user("p2", name="p2")

    one_line(builder, "p1", "half", "p2")


# -- local commands on one caveat -----------------------------------------------------------------


def old_client() -> SampleSession:
    """Begin with an answer and the one caveat that clients of 1.0.35 to 1.0.56 write."""
    return asked("1.0.51").caveat().name_step("caveat")


def typed(builder: SampleSession, command: str) -> SampleSession:
    """Type a local command: it hangs on the caveat, however far back that stands."""
    echo = f"<command-name>{command}</command-name>"
    builder.at("caveat").user_record(echo, name=command)
    return builder.user_record("<local-command-stdout>done</local-command-stdout>")


def test_local_commands_on_one_caveat_are_steps_of_one_line_in_file_order() -> None:
    builder = old_client()
    typed(builder, "/model").user("p2", name="p2").assistant("a2", name="a2")
    typed(builder, "/mcp").user("p3", name="p3").assistant("a3", name="a3")
    typed(builder, "/exit")

    one_line(builder, "p1", "a1", "/model", "p2", "a2", "/mcp", "p3", "a3", "/exit")


def test_shell_lines_on_one_caveat_are_steps_of_one_line_in_file_order() -> None:
    builder = old_client().user_record("<bash-input>ls</bash-input>", name="one")
    builder.at("caveat").user_record("<bash-input>ls</bash-input>", name="two")

    one_line(builder, "p1", "a1", "one", "two")


def test_local_commands_on_a_caveat_that_begins_the_file_are_one_line() -> None:
    builder = session(version="1.0.51").caveat().name_step("caveat")
    typed(builder, "/model").user("p1", name="p1").assistant("a1", name="a1")
    typed(builder, "/exit")

    one_line(builder, "/model", "p1", "a1", "/exit")


def test_a_local_command_after_a_rewind_goes_on_from_what_was_written_last() -> None:
    builder = old_client()
    typed(builder, "/model").user("p2", name="p2").assistant("a2", name="a2")
    builder.at("a1").user("p3", name="p3").assistant("a3", name="a3")
    typed(builder, "/exit")

    assert ways(builder) == [("a1", "command", ["/model", "p3"])]
    assert way_to(builder, "/exit") == ["p1", "a1", "p3", "a3", "/exit"]


def test_a_prompt_right_below_a_caveat_was_said_by_who_went_back_to_its_command() -> None:
    builder = old_client()
    typed(builder, "/model").at("caveat").user("p2", name="p2")

    assert ways(builder) == [("a1", "command", ["/model", "p2"])]


def test_two_prompts_on_a_late_hook_part_after_the_answer() -> None:
    builder = session(version="2.1.79").user("p1", name="p1").assistant("a1", name="a1")
    builder.at("p1").hook("Stop", "lint").name_step("hook").user("p2", name="p2")
    builder.assistant("a2").at("hook").user("p3", name="p3")

    assert ways(builder) == [("a1", "edit", ["p2", "p3"])]


def test_a_late_hook_in_every_turn_is_one_story() -> None:
    builder = session(version="2.1.79")
    for turn in range(5):
        builder.user(f"p{turn}", name=f"p{turn}").assistant(f"a{turn}", name=f"a{turn}")
        builder.at(f"p{turn}").hook("Stop", "lint")

    one_line(builder, *(f"{who}{turn}" for turn in range(5) for who in "pa"))


def test_an_answer_written_beside_a_later_prompt_is_one_story() -> None:
    builder = asked().user("p2", name="p2").at("a1").assistant("late", name="late")
    builder.at("p2").assistant("a2", name="a2")

    assert ways(builder) == []


def test_attachments_between_and_beside_make_no_branch() -> None:
    builder = session().user("p1", name="p1").attachment("file").attachment("todo_reminder")
    builder.assistant("a1", name="a1").at("p1").attachment("date").at("a1").attachment("date")
    builder.user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_a_prompt_queued_as_an_attachment_makes_no_branch() -> None:
    builder = session().user("p1", name="p1").assistant("a1", name="a1").queued("more")
    builder.at("a1").user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_an_interrupt_beside_a_prompt_makes_no_branch() -> None:
    builder = asked().interrupt().at("a1").user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_an_interrupt_of_a_call_beside_the_next_prompt_makes_no_branch() -> None:
    builder = session().user("p1", name="p1").tool("Bash", {}, None, name="a1")
    builder.interrupt(in_tool=True).at("a1").user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_the_output_of_a_command_beside_a_prompt_makes_no_branch() -> None:
    builder = asked().user_record("<local-command-stdout>done</local-command-stdout>", name="out")
    builder.at("a1").user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_a_command_kept_as_system_records_makes_no_branch() -> None:
    builder = asked().command("/cost", stdout="$1", as_system=True).at("a1").user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_the_output_of_a_shell_turn_makes_no_branch() -> None:
    builder = asked().shell("ls", "a.py", name="shell").at("shell").user("p2", name="p2")

    one_line(builder, "p1", "a1", "shell", "p2")


def test_a_notification_beside_a_prompt_makes_no_branch() -> None:
    builder = asked().notification("t1", "done").assistant("a2", name="a2")
    builder.at("a1").user("p2", name="p2")

    assert ways(builder) == []
    assert ends(builder) == ["p2"]


def test_text_for_the_model_beside_a_prompt_makes_no_branch() -> None:
    builder = asked().meta("remember").at("a1").caveat().at("a1").user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


@pytest.mark.parametrize("version", ["1.0.51", "2.0.76", "2.1.250"])
def test_a_compact_summary_makes_no_branch(version: str) -> None:
    builder = (
        asked(version).compact(name="compaction").user("p2", name="p2").assistant("a2", name="a2")
    )

    one_line(builder, "p1", "a1", "compaction", "p2", "a2")


def test_a_made_up_answer_beside_a_real_one_makes_no_branch() -> None:
    builder = (
        session().user("p1", name="p1").api_error(name="e1").at("p1").assistant("a1", name="a1")
    )

    one_line(builder, "p1", "e1", "a1")


def test_made_up_answers_alone_make_no_branch() -> None:
    builder = session().user("p1", name="p1")
    for name in ("e1", "e2", "e3"):
        builder.at("p1").api_error(name=name)

    one_line(builder, "p1", "e1", "e2", "e3")


def test_prompts_after_a_made_up_answer_beside_exit_go_on_from_it() -> None:
    """Resuming after /exit puts a made-up answer beside the command, on the same caveat."""
    builder = (
        asked()
        .caveat()
        .name_step("caveat")
        .user_record("<command-name>/exit</command-name>", name="exit")
    )
    builder.at("caveat").synthetic_answer(name="none").user("p2", name="p2")

    one_line(builder, "p1", "a1", "exit", "p2")


def test_a_replayed_stretch_makes_no_branch() -> None:
    builder = asked().user("p2", name="p2").assistant("a2", name="a2").at("a1").replay("p2", "a2")
    builder.user("p3", name="p3")

    one_line(builder, "p1", "a1", "p2", "a2", "p3")


def test_a_line_that_comes_again_makes_no_branch() -> None:
    builder = (
        asked().user("p2", name="p2").again("p2").again("a1").at("p2").assistant("a2", name="a2")
    )

    one_line(builder, "p1", "a1", "p2", "a2")


def test_agents_inside_the_file_make_no_branch() -> None:
    builder = asked("2.0.14")
    builder.user("x", isSidechain=True, name="x").assistant("y", isSidechain=True)
    builder.at("a1").user("p2", name="p2")

    one_line(builder, "p1", "a1", "p2")


def test_two_answers_in_the_middle_of_a_turn_are_one_story() -> None:
    builder = session().user("p1", name="p1").tools(LS)
    result = builder.nodes[-1]
    builder.assistant("a1", name="a1").at(result).assistant("a2", name="a2")

    assert ways(builder) == []
    assert ends(builder) == ["a2"]


# -- tips -----------------------------------------------------------------------------------------


def test_a_tip_is_the_last_prompt_or_answer_not_what_trails_behind() -> None:
    builder = asked().turn_duration().stop_hooks("lint").attachment("date").interrupt()

    assert ends(builder) == ["a1"]


def test_a_result_is_no_tip_its_call_is() -> None:
    builder = session().user("p1").tool("Bash", {}, "done", name="a1")

    assert ends(builder) == ["a1"]


def test_a_compaction_is_no_tip() -> None:
    assert ends(asked().compact(name="compaction")) == ["a1"]


def test_talk_after_a_compaction_is_the_only_tip() -> None:
    assert ends(asked().compact().user("p2", name="p2")) == ["p2"]


def test_tips_come_in_file_order() -> None:
    builder = asked().user("p2", name="p2").at("a1").user("p3", name="p3")
    builder.at("p2").assistant("a2", name="a2")

    assert ends(builder) == ["p3", "a2"]


def test_a_file_with_nothing_said_has_no_tips() -> None:
    builder = session().title("t").hook("SessionStart", "greet").turn_duration()

    assert (ways(builder), ends(builder)) == ([], [])


def test_1_000_siblings_are_one_branch_point_with_1_000_tips() -> None:
    builder = asked()
    for number in range(1_000):
        builder.at("a1").user(str(number))

    session_builder = story_of(builder)

    (point,) = find_branch_points(session_builder)
    assert len(point.children) == 1_000
    assert len(find_tips(session_builder)) == 1_000


@pytest.mark.slow
def test_a_chain_of_100_000_prompts_has_one_tip() -> None:
    raw = [
        User(
            uuid=str(n),
            parent_uuid=str(n - 1) if n else None,
            message_json=Raw(b'{"content":"x"}'),
        )
        for n in range(100_000)
    ]

    builder = build_message_tree(build_tree(raw))

    assert find_tips(builder) == [99_999]
    assert find_branch_points(builder) == []
