"""Steps and their bodies: every outcome in the row, every tool in its form."""

import re

import pytest
from msgspec.structs import replace

from bough.export.html.tools.views import render_body
from bough.model.tools.calls import ToolBlock
from bough.sample import SampleSession, session
from bough.sample.data.blocks import image
from tests.unit.export.fragments import pages, read, seen, telling


def run(*outputs: str, tool: str = "Bash") -> SampleSession:
    """Make a session of calls; an output that begins with ! failed."""
    builder = session().user("Go")
    for output in outputs:
        failed = output.startswith("!")
        text = f"Exit code 1\n{output[1:]}" if failed else output
        builder.tool(tool, {"command": f"run {output}"}, text, is_error=failed, seconds=2)
    return builder


def body(builder: SampleSession, number: int = 0) -> str:
    """Open a step."""
    told = telling(builder)
    return told.body(f"{told.pieces[1].key}~{number}")


def opened(fragment: str) -> list[str]:
    return [g["data-key"] for tag, g in read(fragment).tags if tag == "details" and "open" in g]


def test_six_steps_are_all_shown() -> None:
    fragment = pages(run(*"abcdef"))[1]

    assert "more step" not in seen(fragment)
    assert seen(fragment).count("run ") == 6


def test_of_more_steps_the_ends_and_what_failed_are_shown() -> None:
    fragment = pages(run("a", "b", "c", "d", "!e", "f", "g", "h", "i"))[1]

    shown = seen(fragment)
    assert [letter for letter in "abcdfghi" if f"run {letter}" in shown] == ["a", "b", "h", "i"]
    assert "run !e" in shown
    assert shown.count("Show 2 more steps") == 2


def test_a_fold_never_hides_a_single_row() -> None:
    assert "1 more step" not in seen(pages(run("a", "b", "c", "!d", "e", "f", "g"))[1])


def test_a_failed_step_is_open_where_it_is_the_last_of_its_kind() -> None:
    assert len(opened(pages(run("a", "!b"))[1])) == 1
    assert opened(pages(run("!a", "b"))[1]) == []


@pytest.mark.parametrize(
    ("text", "numbers", "words"),
    [
        ("     7→a\n     8→\n     9→1→b", ["7", "8", "9"], ["a", "", "1→b"]),
        ("\n \n1\ta\r\n2\tb\r\n", ["1", "2"], ["a", "b"]),
        ("1→a\nand so on\n2→b", ["1"], ["a"]),
        ("1→", ["1"], [""]),
    ],
)
def test_what_was_read_stands_beside_the_numbers_of_its_lines(
    text: str, numbers: list[str], words: list[str]
) -> None:
    fragment = body(session().user("Go").tool("Read", {"file_path": "a"}, text))

    assert re.findall(r"<b>(\d+)</b>", fragment) == numbers
    assert re.findall("<span>(.*?)</span>", fragment) == words
    assert ("and so on" in seen(fragment)) == ("and so on" in text)


def test_a_failed_step_that_is_folded_says_why() -> None:
    shown = seen(pages(run("!ValueError: bad row", "b"))[1])

    assert "ValueError: bad row" in shown
    assert "exit 1" in shown


def test_every_row_says_how_long_it_took() -> None:
    assert seen(pages(run("a", "b"))[1]).count(" s") >= 3


def test_a_call_without_a_result_says_so() -> None:
    assert "no result" in seen(pages(session().user("Go").tool("Bash", {"command": "x"}, None))[1])


def test_a_hook_stands_under_its_step_and_one_that_stopped_it_is_open() -> None:
    builder = run("a").hook("PostToolUse", "lint.sh", tool="Bash", words="clean")
    builder.hook(
        "PostToolUse", "guard.sh", tool="Bash", outcome="blocking_error", words="Not there."
    )
    builder.tool("Bash", {"command": "again"}, "b")

    fragment = pages(builder)[1]

    assert fragment.count('class="steps') == 1
    assert "Not there." in seen(fragment)
    assert len(opened(fragment)) == 1


# -- bodies -------------------------------------------------------------------------------------


def test_the_shell_shows_the_command_and_the_ends_of_its_output() -> None:
    output = "\n".join(f"line {n}" for n in range(1, 41))
    builder = session().user("Go").tool("Bash", {"command": "count"}, output)

    shown = seen(body(builder))

    assert "$ count" in shown
    assert "Show 28 more lines" in shown
    assert [n for n in range(1, 41) if f"line {n}\n" in f"{shown}\n"] == [
        *range(1, 8),
        *range(37, 41),
    ]


def test_the_rest_of_an_output_can_be_asked_for() -> None:
    builder = run("\n".join(f"line {n}" for n in range(1, 41)))
    told = telling(builder)

    assert seen(told.body(f"{told.pieces[1].key}~0/more")).split("\n") == [
        f"line {n}" for n in range(9, 37)
    ]


def test_lines_that_say_what_failed_are_set_off() -> None:
    fragment = body(run("!..F\nFAILED test_a\nE   assert 1 == 2\n1 failed"))

    assert '<b class="bad">FAILED test_a</b>' in fragment
    assert '<b class="bad">E   assert 1 == 2</b>' in fragment
    assert "Exit code 1" in seen(fragment)


@pytest.mark.parametrize(
    ("tool", "given"),
    [("Write", {"file_path": "a", "content": "x"}), ("WebSearch", {"query": "q"}), ("X", {"a": 1})],
)
def test_why_a_call_failed_is_said_once_in_a_line_that_is_never_cut(
    tool: str, given: dict[str, object]
) -> None:
    why = "File has not been read yet. Read it first before writing to it."
    fragment = body(session().user("Go").tool(tool, given, why, is_error=True))

    assert fragment.count(why) == 1
    assert f'<p class="why" dir="auto">{why}</p>' in fragment


def test_what_a_tool_says_of_a_failure_at_length_is_an_output() -> None:
    trace = "\n".join(f"line {n}" for n in range(9))
    fragment = body(session().user("Go").tool("X", {"a": 1}, trace, is_error=True))

    assert 'class="why"' not in fragment
    assert 'class="term failed"' in fragment


def test_colours_of_a_terminal_are_classes_and_nothing_else_acts() -> None:
    fragment = body(run("\x1b[1;31mred\x1b[0m \x1b]0;title\x07\x1b[2Jplain \x1b[38;5;9mfar\x1b[m"))

    assert '<span class="ar bo">red</span>' in fragment
    assert "red plain far" in seen(fragment)


def test_a_colour_goes_on_to_the_next_line() -> None:
    fragment = body(run("\x1b[32mone\ntwo\x1b[0m\nthree"))

    assert '<span class="ag">one</span>\n<span class="ag">two</span>\nthree' in fragment


def test_todos_are_a_list_with_where_each_stands() -> None:
    todos = [
        {"content": "First", "status": "completed"},
        {"content": "Second", "status": "in_progress"},
        {"content": "Third", "status": "pending"},
    ]
    fragment = body(session().user("Go").tool("TodoWrite", {"todos": todos}, "ok"))

    looks = [given["class"] for tag, given in read(fragment).tags if tag == "li"]
    assert looks == ["done", "now", "open"]


def test_a_question_shows_what_was_chosen() -> None:
    asked = {"question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}
    builder = (
        session()
        .user("Go")
        .tool(
            "AskUserQuestion",
            {"questions": [asked]},
            "User chose B",
            structured={"answers": {"Which?": "B"}},
        )
    )

    fragment = body(builder)

    looks = [given["class"] for tag, given in read(fragment).tags if tag == "li"]
    assert looks == ["open", "done"]


def test_a_plan_and_a_fetched_page_are_rendered() -> None:
    plan = body(session().user("Go").tool("ExitPlanMode", {"plan": "# Plan\n\n- one"}, "ok"))
    page = body(
        session().user("Go").tool("WebFetch", {"url": "https://a.example", "prompt": "?"}, "**so**")
    )

    assert "<h3" in plan
    assert "<strong>so</strong>" in page
    assert 'href="https://a.example"' in page


def test_pages_that_were_found_are_links() -> None:
    found = {"results": [{"content": [{"title": "One", "url": "https://a.example/1"}]}]}
    builder = session().user("Go").tool("WebSearch", {"query": "q"}, "text", structured=found)

    assert 'href="https://a.example/1"' in body(builder)


def test_a_tool_nobody_knows_is_shown_field_by_field() -> None:
    builder = (
        session().user("Go").tool("mcp__tickets__find", {"query": "May", "n": 3}, '{"id": 318}')
    )

    fragment = body(builder)

    assert "<dt>query</dt>" in fragment
    assert '<dd dir="auto">3</dd>' in fragment
    assert '<i class="m">318</i>' in fragment
    assert "tickets: find" in seen(pages(builder)[1])


@pytest.mark.parametrize("given", [None, "text", 7, [1], {"a": {"b": [None, True]}}])
def test_any_input_has_a_body(given: object) -> None:
    builder = session().user("Go").tool("Bash", {"command": "x"}, "y")
    told = telling(builder)
    block = told.messages[1].blocks[0]

    assert isinstance(block, ToolBlock)
    for name in ("Bash", "Edit", "Write", "Read", "TodoWrite", "AskUserQuestion", "WebSearch", "X"):
        read(
            render_body(replace(block, name=name, input=given), told.render_context, "k", full=True)
        )


def test_an_output_kept_in_a_file_says_how_large_it_is() -> None:
    builder = session().user("Go").big_result("Bash", {"command": "x"}, "log line\n" * 9_000)

    fragment = body(builder)

    assert "Output of 79.1 KB, kept in a file. Show" in seen(fragment)
    assert "persisted-output" not in seen(fragment)
    assert 'data-do="output" data-name="' in fragment


def test_a_picture_that_was_read_is_shown() -> None:
    builder = session().user("Go").tool("Read", {"file_path": "a.png"}, [image()])

    assert 'data-do="lightbox"' in body(builder)


def test_what_a_view_does_not_show_is_named_below_it() -> None:
    given = {"file_path": "a", "old_string": "x", "new_string": "y", "replace_all": True}
    builder = session().user("Go").tool("Edit", given, "ok")

    assert "replace_all" in seen(body(builder))


def test_a_line_beyond_all_length_is_cut_for_the_page_and_nothing_is_lost() -> None:
    told = telling(session().user("Go").tool("Bash", {"command": "x"}, "a" * 50_000))

    fragment = told.body(f"{told.pieces[1].key}~0")

    assert len(fragment) < 20_000
    assert told.whole(1).count("a") >= 50_000
