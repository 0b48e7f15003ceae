"""What is inside a tool call, in parts that every face paints."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.tools.call_detail import (
    AgentBrief,
    Checklist,
    ChecklistItem,
    FileContent,
    FileEdit,
    FileSearch,
    FileWrite,
    FoundPage,
    NotebookCell,
    PageFetch,
    PageSearch,
    PlanText,
    Question,
    QuestionList,
    QuestionOption,
    ShellCommand,
    TaskNote,
    TextEdit,
    ToolDetail,
    count_hidden_lines,
    detail_of,
    diff_edit,
    format_field,
)
from bough.model.tools.calls import CallResult, ToolBlock

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["todos", "questions", "edits", "options", "command", "content", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
NAMES = st.sampled_from(
    ["Bash", "Edit", "MultiEdit", "Write", "TodoWrite", "AskUserQuestion", "Task", "x"]
)


def detail(name: str, input_: Any = None, text: str = "", structured: object = None) -> ToolDetail:
    raw = None if structured is None else msgspec.Raw(msgspec.json.encode(structured))
    result = CallResult(text=text, structured=raw)
    return detail_of(ToolBlock(id="t", name=name, input=input_, result=result))


@pytest.mark.parametrize(
    ("name", "fields", "part"),
    [
        ("Bash", {"command": "ls", "description": "look"}, ShellCommand("ls", "look", "sh")),
        ("PowerShell", {"command": "dir"}, ShellCommand("dir", "", "powershell")),
        (
            "Edit",
            {"file_path": "a.py", "old_string": "x", "new_string": "y"},
            FileEdit("a.py", (TextEdit("x", "y"),)),
        ),
        (
            "MultiEdit",
            {"file_path": "a.py", "edits": [{"old_string": "x", "new_string": "y"}, 7]},
            FileEdit("a.py", (TextEdit("x", "y"),)),
        ),
        ("Write", {"file_path": "a.py", "content": ""}, FileWrite("a.py", "")),
        ("Read", {"file_path": "a.py", "limit": 4}, FileContent("a.py")),
        (
            "NotebookEdit",
            {"new_source": "1", "cell_id": "c"},
            NotebookCell("1", "replace", "c", "code"),
        ),
        (
            "TodoWrite",
            {"todos": [{"content": "test", "status": "completed", "activeForm": "testing"}, "x"]},
            Checklist((ChecklistItem("completed", "test", "testing"),)),
        ),
        ("ExitPlanMode", {"plan": "# Plan"}, PlanText("# Plan")),
        ("Task", {"prompt": "look around"}, AgentBrief("look around")),
        ("TaskCreate", {"subject": "a", "x": 1}, TaskNote("a", "", {"x": 1})),
        ("WebFetch", {"url": "https://x.org", "prompt": "?"}, PageFetch("https://x.org", "?")),
        ("Grep", {"pattern": "x"}, FileSearch()),
    ],
)
def test_a_call_is_read_by_its_tool(name: str, fields: dict[str, Any], part: object) -> None:
    assert detail(name, fields).part == part


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Edit", {"file_path": "a.py"}),
        ("Write", {"file_path": "a.py", "content": 7}),
        ("TodoWrite", {"todos": "none"}),
        ("AskUserQuestion", {"questions": [1]}),
        ("ExitPlanMode", {"plan": " "}),
        ("TaskCreate", {"description": "no subject"}),
        ("mcp__server__tool", {"anything": 1}),
        ("Task", ["no", "fields"]),
    ],
)
def test_what_makes_no_sense_has_no_part(name: str, fields: object) -> None:
    found = detail(name, fields)

    assert found.part is None
    assert found.given == fields


def test_a_patch_that_the_client_kept_belongs_to_the_change() -> None:
    patch = {"structuredPatch": [{"oldStart": 3, "newStart": 3, "lines": ["-x", "+y"]}]}

    found = detail("Edit", {"old_string": "x", "new_string": "y"}, structured=patch).part

    assert isinstance(found, FileEdit)
    assert [hunk.lines for hunk in found.hunks] == [["-x", "+y"]]
    assert found.hunks[0].old_start == 3


def test_a_tool_nobody_knows_may_edit_too() -> None:
    found = detail("str_replace", {"old_string": "x", "new_string": "y"}).part

    assert found == FileEdit("", (TextEdit("x", "y"),), is_known=False)


def test_questions_have_their_answers() -> None:
    asked = {"question": "Which?", "options": [{"label": "A", "description": "first"}, "B"]}

    found = detail(
        "AskUserQuestion", {"questions": [asked]}, structured={"answers": {"Which?": "A"}}
    ).part

    options = (QuestionOption("A", "first"), QuestionOption("B", ""))
    assert found == QuestionList((Question("Which?", options, "A"),))


def test_a_search_has_the_pages_it_found() -> None:
    results = {"results": [{"content": [{"title": "T", "url": "u"}]}, "words"]}

    found = detail("WebSearch", {"query": "q"}, structured=results).part

    assert found == PageSearch("q", (FoundPage("T", "u"),))


def test_the_rest_is_what_the_part_does_not_tell() -> None:
    fields = {"command": "ls", "description": "look", "timeout": 5}

    assert detail("Bash", fields).rest == {"timeout": 5}
    assert detail("unknown", fields).rest == fields


def test_how_a_command_ended_is_parted_from_what_it_printed() -> None:
    shell = detail("Bash", {"command": "ls"}, "Exit code 1\nno such file").output
    other = detail("Read", {}, "Exit code 1\nno such file").output

    assert shell is not None
    assert (shell.exit_line, shell.printed) == ("Exit code 1", "no such file")
    assert other is not None
    assert (other.exit_line, other.printed) == ("", "Exit code 1\nno such file")


def test_a_call_without_a_result_has_no_output() -> None:
    assert detail_of(ToolBlock(id="t", name="Bash", input={"command": "ls"})).output is None


def test_only_a_long_output_hides_its_middle() -> None:
    assert [count_hidden_lines(lines) for lines in (0, 12, 13, 14, 100)] == [0, 0, 0, 2, 88]
    assert count_hidden_lines(14, least=3) == 0


def test_an_edit_is_compared_line_by_line() -> None:
    assert diff_edit(TextEdit("a\nb", "a\nc")) == [" a", "-b", "+c"]
    assert diff_edit(TextEdit("same", "same")) == []


def test_a_field_is_a_text_or_json() -> None:
    assert format_field("as it is") == "as it is"
    assert format_field([1]) == "[\n  1\n]"


@given(NAMES, JSON, JSON)
def test_any_input_can_be_taken_apart(name: str, fields: Any, structured: Any) -> None:
    found = detail(name, fields, structured=structured)

    assert found.given == fields


def test_todos_say_what_changed_since_the_list_before() -> None:
    old = [
        {"content": "Read", "status": "in_progress", "priority": "low"},
        {"content": "Write", "status": "pending"},
        {"content": "Sing", "status": "pending"},
    ]
    new = [
        {"content": "Read", "status": "completed", "priority": "high"},
        {"content": "Write", "status": "pending"},
        {"content": "Test", "status": "pending", "priority": "medium"},
    ]

    part = detail("TodoWrite", {"todos": new}, structured={"oldTodos": old, "newTodos": new}).part

    assert isinstance(part, Checklist)
    assert [item.note for item in part.items] == [
        "high priority, was in progress, was low priority",
        "",
        "medium priority, new",
    ]
    assert [item.text for item in part.removed] == ["Sing"]


def test_the_first_list_of_todos_has_nothing_new_in_it() -> None:
    todos = [{"content": "Read", "status": "pending"}]

    part = detail("TodoWrite", {"todos": todos}, structured={"oldTodos": []}).part

    assert part == Checklist((ChecklistItem("pending", "Read", ""),))


def test_what_the_client_says_of_a_call_it_refused_has_no_tags() -> None:
    said = "<tool_use_error>File has not been read yet.</tool_use_error>"
    for is_error, text in ((True, "File has not been read yet."), (False, said)):
        block = ToolBlock(id="t", name="Write", result=CallResult(text=said, is_error=is_error))
        output = detail_of(block).output
        assert output is not None
        assert output.text == text
