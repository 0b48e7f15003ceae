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


def one_line(book: SampleSession, *names: str) -> None:
    """Check that a file is one story, told in this order."""
    assert ways(book) == []
    assert ends(book) == [names[-1]]
    assert way_to(book, names[-1]) == list(names)


# -- what parts a story ---------------------------------------------------------------------------


def test_a_prompt_said_anew_is_an_edit() -> None:
    book = asked().user("p2", name="p2").assistant("a2", name="a2")
    book.at("a1").user("p3", name="p3").assistant("a3", name="a3")

    assert ways(book) == [("a1", "edit", ["p2", "p3"])]
    assert ends(book) == ["a2", "a3"]


def test_the_same_words_sent_again_are_an_edit_too() -> None:
    book = asked().user("go on", name="p2").at("a1").user("go on", name="p3")

    assert ways(book) == [("a1", "edit", ["p2", "p3"])]


def test_a_prompt_unanswered_beside_an_answered_one_is_an_edit() -> None:
    book = asked().user("p2", name="p2").at("a1").user("p3", name="p3").assistant("a3", name="a3")

    assert ends(book) == ["p2", "a3"]


def test_a_slash_command_beside_a_prompt_is_a_command() -> None:
    book = asked().user("p2", name="p2").assistant("a2").at("a1").command("/clear", name="clear")

    assert ways(book) == [("a1", "command", ["p2", "clear"])]


def test_a_skill_beside_a_prompt_is_a_command_whichever_tag_comes_first() -> None:
    book = asked().user("p2", name="p2").at("a1").skill("/review", name="review")

    assert ways(book) == [("a1", "command", ["p2", "review"])]


def test_a_shell_turn_beside_a_prompt_is_an_edit() -> None:
    book = asked().user("p2", name="p2").at("a1").shell("ls", name="shell")

    assert ways(book) == [("a1", "edit", ["p2", "shell"])]


def test_two_answers_to_one_prompt_are_a_retry() -> None:
    book = asked().at("p1").assistant("b1", name="b1").user("p2", name="p2")

    assert ways(book) == [("p1", "retry", ["a1", "b1"])]
    assert ends(book) == ["a1", "p2"]


def test_a_retry_after_calls_is_a_retry() -> None:
    book = session().user("p1", name="p1").tools(LS).assistant("a1", name="a1")
    book.at("p1").tools(LS).assistant("b1", name="b1")

    (point,) = ways(book)

    assert point[:2] == ("p1", "retry")
    assert ends(book) == ["a1", "b1"]


def test_three_prompts_on_one_answer_are_one_branch_point() -> None:
    book = asked()
    for name in ("x", "y", "z"):
        book.at("a1").user(name, name=name)

    assert ways(book) == [("a1", "edit", ["x", "y", "z"])]


def test_branch_points_come_in_file_order() -> None:
    book = asked().user("p2", name="p2").assistant("a2", name="a2").user("p3", name="p3")
    book.at("a2").user("p4", name="p4").at("a1").user("p5", name="p5")

    assert [point[0] for point in ways(book)] == ["a1", "a2"]


def test_a_branch_point_is_the_last_line_of_its_message() -> None:
    book = session().user("p1").thinking("hm", name="t").assistant("a1", name="a1")
    book.user("p2", name="p2").at("a1").user("p3", name="p3")

    assert ways(book) == [("a1", "edit", ["p2", "p3"])]


def test_prompts_on_two_lines_of_one_message_part_there() -> None:
    book = session().user("p1").thinking("hm", name="t").assistant("a1", name="a1")
    book.user("p2", name="p2").at("t").user("p3", name="p3")

    assert ways(book) == [("a1", "edit", ["p2", "p3"])]


def test_prompts_on_notes_of_one_answer_part_at_the_answer() -> None:
    book = (
        asked().turn_duration().name_step("d").user("p2", name="p2").at("d").away_summary("recap")
    )
    book.user("p3", name="p3")

    assert ways(book) == [("a1", "edit", ["p2", "p3"])]


def test_prompts_after_a_compaction_part_at_its_summary() -> None:
    book = asked().compact(name="seam").user("p2", name="p2").at("seam").user("p3", name="p3")

    assert ways(book) == [("seam", "edit", ["p2", "p3"])]


def test_a_first_prompt_said_anew_parts_at_the_hook_that_began_the_session() -> None:
    book = session().hook("SessionStart", "greet").name_step("hook").user("p1", name="p1")
    book.assistant("a1", name="a1").at("hook").user("p2", name="p2").assistant("a2", name="a2")

    assert ways(book) == [("hook", "edit", ["p1", "p2"])]
    assert ends(book) == ["a1", "a2"]
    assert way_to(book, "a2") == ["p2", "a2"]


# -- what does not --------------------------------------------------------------------------------


def test_parallel_calls_make_no_branch() -> None:
    book = session().user("p1", name="p1").tools(LS, LS, LS).assistant("a1", name="a1")

    assert ways(book) == []
    assert ends(book) == ["a1"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_results_in_any_order_make_no_branch(order: tuple[int, ...]) -> None:
    book = session().user("p1").tools(LS, LS, LS, order=order).assistant("a1", name="a1")

    assert (ways(book), ends(book)) == ([], ["a1"])


def test_results_written_between_the_calls_make_no_branch() -> None:
    book = session().user("p1").tools(LS, LS, interleaved=True).assistant("a1", name="a1")

    assert (ways(book), ends(book)) == ([], ["a1"])


def test_a_result_below_another_result_makes_no_branch() -> None:
    book = session(version="1.0.51").user("p1").tools(LS, LS)
    first, second = book.nodes[-2:]
    book.amend(second, parentUuid=first).at(first).assistant("a1", name="a1")

    assert (ways(book), ends(book)) == ([], ["a1"])


def test_progress_beside_a_result_makes_no_branch() -> None:
    book = session(version="2.1.50").user("p1")
    call = book.ask(LS)
    book.bash_progress(call, "1", "2", "3").reply(call, LS).assistant("a1", name="a1")

    assert (ways(book), ends(book)) == ([], ["a1"])


def test_an_answer_below_a_progress_chain_makes_no_branch() -> None:
    book = session(version="2.1.50").user("p1", name="p1").hook("UserPromptSubmit", "log")
    book.assistant("a1", name="a1").hook("Stop", "lint").user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


def test_a_prompt_on_a_late_hook_beside_the_answer_is_one_story() -> None:
    """The VS Code client of 2.1.79 hangs the next prompt there: the answer looks like a leaf."""
    book = session(version="2.1.79", entrypoint="claude-vscode").user("p1", name="p1")
    book.assistant("a1", name="a1").at("p1").hook("Stop", "lint").user("p2", name="p2")
    book.assistant("a2", name="a2")

    one_line(book, "p1", "a1", "p2", "a2")


def test_two_prompts_on_a_late_hook_part_after_the_answer() -> None:
    book = session(version="2.1.79").user("p1", name="p1").assistant("a1", name="a1")
    book.at("p1").hook("Stop", "lint").name_step("hook").user("p2", name="p2")
    book.assistant("a2").at("hook").user("p3", name="p3")

    assert ways(book) == [("a1", "edit", ["p2", "p3"])]


def test_a_late_hook_in_every_turn_is_one_story() -> None:
    book = session(version="2.1.79")
    for turn in range(5):
        book.user(f"p{turn}", name=f"p{turn}").assistant(f"a{turn}", name=f"a{turn}")
        book.at(f"p{turn}").hook("Stop", "lint")

    one_line(book, *(f"{who}{turn}" for turn in range(5) for who in "pa"))


def test_an_answer_written_beside_a_later_prompt_is_one_story() -> None:
    book = asked().user("p2", name="p2").at("a1").assistant("late", name="late")
    book.at("p2").assistant("a2", name="a2")

    assert ways(book) == []


def test_attachments_between_and_beside_make_no_branch() -> None:
    book = session().user("p1", name="p1").attachment("file").attachment("todo_reminder")
    book.assistant("a1", name="a1").at("p1").attachment("date").at("a1").attachment("date")
    book.user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


def test_a_prompt_queued_as_an_attachment_makes_no_branch() -> None:
    book = session().user("p1", name="p1").assistant("a1", name="a1").queued("more")
    book.at("a1").user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


def test_an_interrupt_beside_a_prompt_makes_no_branch() -> None:
    book = asked().interrupt().at("a1").user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


def test_an_interrupt_of_a_call_beside_the_next_prompt_makes_no_branch() -> None:
    book = session().user("p1", name="p1").tool("Bash", {}, None, name="a1")
    book.interrupt(in_tool=True).at("a1").user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


def test_the_output_of_a_command_beside_a_prompt_makes_no_branch() -> None:
    book = asked().user_record("<local-command-stdout>done</local-command-stdout>", name="out")
    book.at("a1").user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


def test_a_command_kept_as_system_records_makes_no_branch() -> None:
    book = asked().command("/cost", stdout="$1", as_system=True).at("a1").user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


def test_the_output_of_a_shell_turn_makes_no_branch() -> None:
    book = asked().shell("ls", "a.py", name="shell").at("shell").user("p2", name="p2")

    one_line(book, "p1", "a1", "shell", "p2")


def test_a_notification_beside_a_prompt_makes_no_branch() -> None:
    book = asked().notification("t1", "done").assistant("a2", name="a2")
    book.at("a1").user("p2", name="p2")

    assert ways(book) == []
    assert ends(book) == ["p2"]


def test_text_for_the_model_beside_a_prompt_makes_no_branch() -> None:
    book = asked().meta("remember").at("a1").caveat().at("a1").user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


@pytest.mark.parametrize("version", ["1.0.51", "2.0.76", "2.1.250"])
def test_a_compact_summary_makes_no_branch(version: str) -> None:
    book = asked(version).compact(name="seam").user("p2", name="p2").assistant("a2", name="a2")

    one_line(book, "p1", "a1", "seam", "p2", "a2")


def test_a_made_up_answer_beside_a_real_one_makes_no_branch() -> None:
    book = session().user("p1", name="p1").api_error(name="e1").at("p1").assistant("a1", name="a1")

    one_line(book, "p1", "e1", "a1")


def test_made_up_answers_alone_make_no_branch() -> None:
    book = session().user("p1", name="p1")
    for name in ("e1", "e2", "e3"):
        book.at("p1").api_error(name=name)

    one_line(book, "p1", "e1", "e2", "e3")


def test_prompts_after_a_made_up_answer_beside_exit_go_on_from_it() -> None:
    """Resuming after /exit puts a made-up answer beside the command, on the same caveat."""
    book = (
        asked()
        .caveat()
        .name_step("caveat")
        .user_record("<command-name>/exit</command-name>", name="exit")
    )
    book.at("caveat").synthetic_answer(name="none").user("p2", name="p2")

    one_line(book, "p1", "a1", "exit", "none", "p2")


def test_a_replayed_stretch_makes_no_branch() -> None:
    book = asked().user("p2", name="p2").assistant("a2", name="a2").at("a1").replay("p2", "a2")
    book.user("p3", name="p3")

    one_line(book, "p1", "a1", "p2", "a2", "p3")


def test_a_line_that_comes_again_makes_no_branch() -> None:
    book = asked().user("p2", name="p2").again("p2").again("a1").at("p2").assistant("a2", name="a2")

    one_line(book, "p1", "a1", "p2", "a2")


def test_agents_inside_the_file_make_no_branch() -> None:
    book = asked("2.0.14")
    book.user("x", isSidechain=True, name="x").assistant("y", isSidechain=True)
    book.at("a1").user("p2", name="p2")

    one_line(book, "p1", "a1", "p2")


def test_two_answers_in_the_middle_of_a_turn_are_one_story() -> None:
    book = session().user("p1", name="p1").tools(LS)
    result = book.nodes[-1]
    book.assistant("a1", name="a1").at(result).assistant("a2", name="a2")

    assert ways(book) == []
    assert ends(book) == ["a2"]


# -- tips -----------------------------------------------------------------------------------------


def test_a_tip_is_the_last_prompt_or_answer_not_what_trails_behind() -> None:
    book = asked().turn_duration().stop_hooks("lint").attachment("date").interrupt()

    assert ends(book) == ["a1"]


def test_a_result_is_no_tip_its_call_is() -> None:
    book = session().user("p1").tool("Bash", {}, "done", name="a1")

    assert ends(book) == ["a1"]


def test_a_compaction_is_no_tip() -> None:
    assert ends(asked().compact(name="seam")) == ["a1"]


def test_talk_after_a_compaction_is_the_only_tip() -> None:
    assert ends(asked().compact().user("p2", name="p2")) == ["p2"]


def test_tips_come_in_file_order() -> None:
    book = asked().user("p2", name="p2").at("a1").user("p3", name="p3")
    book.at("p2").assistant("a2", name="a2")

    assert ends(book) == ["p3", "a2"]


def test_a_file_with_nothing_said_has_no_tips() -> None:
    book = session().title("t").hook("SessionStart", "greet").turn_duration()

    assert (ways(book), ends(book)) == ([], [])


def test_1_000_siblings_are_one_branch_point_with_1_000_tips() -> None:
    book = asked()
    for number in range(1_000):
        book.at("a1").user(str(number))

    story = story_of(book)

    (point,) = find_branch_points(story)
    assert len(point.children) == 1_000
    assert len(find_tips(story)) == 1_000


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

    story = build_message_tree(build_tree(raw))

    assert find_tips(story) == [99_999]
    assert find_branch_points(story) == []
