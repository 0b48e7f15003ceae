"""Markdown: who said what, steps with their ends, agents in place, and nothing twice."""

import re

from bough.export.document import export_session
from bough.export.document_options import ExportOptions
from bough.export.html.conversation_view import ConversationView
from bough.export.markdown.conversation import write_piece
from bough.export.markdown.tools import write_input
from bough.model.tools.calls import ToolBlock
from bough.sample import SampleSession, session
from bough.sample.data import blocks
from tests.unit.model.opened import opened

EVERYTHING = ExportOptions()


def written(builder: SampleSession, include: ExportOptions = EVERYTHING) -> str:
    """Write a session of the sample."""
    return export_session(opened(builder), include).body.decode()


def test_it_begins_with_the_title_and_the_facts() -> None:
    text = written(session(cwd="/home/dev/shop").user("Mend the import").assistant("Done."))

    assert text.startswith("# Mend the import\n\n- Session: ")
    assert "- Project: /home/dev/shop\n" in text
    assert "- Length: 1 turn, " in text


def test_who_speaks_is_a_heading_with_the_time() -> None:
    text = written(session().user("Mend it").assistant("Mended."))

    assert "## You, 09:00\n\nMend it\n\n## Claude, 09:00\n\nMended.\n" in text


def test_an_attached_document_is_folded_under_its_name_apart_from_what_was_typed() -> None:
    text = written(session().user([blocks.document("Slow.\nWarm.", "brief.md"), blocks.text("Go")]))
    budgeted = written(
        session().user([blocks.document("Slow.", "brief.md"), blocks.text("Go")]),
        ExportOptions(for_llm=True, budget=1_000),
    )

    folded = "<details><summary>Attached: brief.md</summary>\n\n```text\nSlow.\nWarm.\n```\n\n"
    assert f"{folded}</details>\n\nGo\n" in text
    assert "Attached: brief.md\nSlow." in budgeted


def test_a_thought_is_folded_and_quoted() -> None:
    text = written(session().user("hi").thinking("First this.\n\nThen that.").assistant("ok"))

    assert "<details><summary>Thought" in text
    assert "> First this.\n>\n> Then that.\n\n</details>" in text


def test_thoughts_without_words_are_counted_at_the_end_of_the_turn() -> None:
    text = written(session().user("hi").thinking("").redacted_thinking().assistant("ok"))

    assert text.count("hought") == 1
    assert "thought 2 times, " in text.splitlines()[-1]


def test_the_middle_of_a_long_block_of_steps_is_folded() -> None:
    builder = session().user("go")
    for number in range(9):
        builder.thinking(f"Thought number {number}.").tool(
            "Bash", {"command": f"run {number}"}, "x"
        )

    text = written(builder)

    assert "<summary>7 more steps, 7 thoughts</summary>" in text
    assert text.index("run 0") < text.index("7 more steps") < text.index("run 1")


def test_a_step_is_one_line_with_its_end_and_its_body_below() -> None:
    builder = (
        session()
        .user("run")
        .tool(
            "Bash",
            {"command": "pytest -q"},
            "Exit code 1\nFAILED test_a",
            is_error=True,
            seconds=4.2,
        )
    )

    text = written(builder)

    assert re.search(r"<details><summary>Bash pytest -q \(exit 1, [\d.]+ s\) ✗</summary>", text)
    assert "```sh\npytest -q\n```" in text
    assert "```text\nExit code 1\nFAILED test_a\n```" in text
    assert "\n> FAILED test\\_a\n" in text


def test_a_fence_is_longer_than_any_inside() -> None:
    builder = session().user("run").tool("Bash", {"command": "cat a.md"}, "````\nx\n````")

    assert "`````text\n````\nx\n````\n`````" in written(builder)


def test_an_edit_is_a_diff() -> None:
    given = {"file_path": "/a/b.py", "old_string": "x = 1\ny = 2", "new_string": "x = 3\ny = 2"}
    call = ToolBlock(id="1", name="Edit", input=given)

    text = written(session().user("edit").tool("Edit", given, "ok"))

    assert re.search(r"```diff\n-x = 1\n(?:.*\n)*\+x = 3\n(?:.*\n)*```", text)
    assert write_input(call) == ["```diff\n-x = 1\n+x = 3\n y = 2\n```"]


def test_an_agent_is_a_section_with_its_conversation_inside() -> None:
    builder = (
        session()
        .user("look")
        .agent(
            "Explore",
            "find callers",
            answer="Four callers.",
            work=lambda inner: inner.tool("Grep", {"pattern": "ImportJob"}, "a.py"),
        )
    )

    text = written(builder.assistant("Four."))

    assert "### ◆ Explore agent: find callers" in text
    assert "> Four callers." in text
    assert "<details><summary>Its 1 step</summary>\n\n#### Brief" in text
    assert text.count("Grep ImportJob") == 1


def test_a_seam_says_what_it_did_and_keeps_the_summary() -> None:
    builder = session().user("one").assistant("a").compact("Summary: all is well.").user("two")

    text = written(builder.assistant("b"))

    assert "**Compacted automatically, 168k → 22k tokens" in text
    assert "> Summary: all is well." in text


def test_another_branch_is_told_where_it_left_and_its_words_only_with_all_branches() -> None:
    builder = (
        session().user("one").assistant("a", name="a").user("A way left behind").assistant("b")
    )
    builder.at("a").user("The way taken").assistant("c")

    alone, everything = written(builder), written(builder, ExportOptions(all_branches=True))

    assert "> *Another branch left here:* A way left behind (1 turn, rewound" in alone
    assert "# Branch left behind: A way left behind" not in alone
    assert "# Branch left behind: A way left behind\n\n## You" in everything
    assert everything.count("\none\n") == alone.count("\none\n") == 1


def test_errors_bad_lines_shell_turns_and_queued_prompts_are_each_what_they_are() -> None:
    builder = session().user("go").api_error("API Error: Overloaded").malformed_line()
    builder.shell("ls", stdout="a.py").queued("and then").assistant("ok")

    text = written(builder)

    assert "**✗ API Error: Overloaded**" in text
    assert "cannot be read" in text
    assert "```sh\n! ls\n```" in text
    assert "## You, queued at" in text


def test_nothing_that_was_said_is_missing_and_nothing_stands_twice() -> None:
    words = [f"Sentence number {number} of them." for number in range(40)]
    builder = session()
    for asked, answered in zip(words[::2], words[1::2], strict=True):
        builder.user(asked).assistant(answered)

    text = written(builder)

    body = text.partition("## You")[2]
    assert [body.count(sentence) for sentence in words] == [1] * 40


def test_what_is_not_wanted_is_left_out_and_said() -> None:
    builder = session().user("go").thinking("secretly").tool("Bash", {"command": "ls"}, "a.py")
    builder.assistant("Done.")

    without = written(builder, ExportOptions(thinking=False, tools=False))
    bare = written(builder, ExportOptions(results=False))

    assert "secretly" not in without
    assert "Bash" not in without
    assert "- Left out: thinking, tool calls\n" in without
    assert "Bash ls" in bare
    assert "a.py" not in bare


def test_one_piece_can_be_had_alone() -> None:
    told = ConversationView(opened(session().user("Mend it").assistant("Mended.")))

    assert write_piece(told, 0) == "## You, 09:00\n\nMend it"
