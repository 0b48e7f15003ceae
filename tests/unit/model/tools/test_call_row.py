"""A tool call as one row: what it is about, how it ended, how long it took."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.text.line_diff import count_changed_lines, count_patch_lines
from bough.model.tools.call_row import (
    LOST_RESULT,
    CallState,
    ToolView,
    is_agent,
    view_of,
)
from bough.model.tools.call_summary import LONGEST, summarize_call
from bough.model.tools.calls import CallResult, Picture, ToolBlock
from bough.sample import session
from tests.unit.model.opened import calls, told

CWD = "/home/dev/orchard"
REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def row(
    name: str,
    given: Any = None,
    text: str = "",
    *,
    error: bool = False,
    structured: object = None,
    images: tuple[Picture, ...] = (),
) -> ToolView:
    raw = None if structured is None else msgspec.Raw(msgspec.json.encode(structured))
    result = CallResult(text=text, is_error=error, structured=raw, images=images)
    return view_of(ToolBlock(id="t", name=name, input=given or {}, result=result), cwd=CWD)


def test_a_tool_of_a_server_is_named_behind_it() -> None:
    assert row("mcp__github__get_issue").label == "github: get_issue"
    assert row("Bash").label == "Bash"


@pytest.mark.parametrize(
    ("name", "given", "summary"),
    [
        ("Read", {"file_path": f"{CWD}/src/a.py"}, "src/a.py"),
        ("Read", {"file_path": "/etc/hosts"}, "/etc/hosts"),
        ("Read", {"file_path": f"{CWD}-old/a.py"}, f"{CWD}-old/a.py"),
        ("Edit", {"file_path": f"{CWD}/a.py", "old_string": "x"}, "a.py"),
        ("NotebookEdit", {"notebook_path": f"{CWD}/n.ipynb"}, "n.ipynb"),
        ("Bash", {"command": "make\n  test", "description": "Run it"}, "make test"),
        ("Glob", {"pattern": "**/*.py", "path": CWD}, "**/*.py"),
        ("Grep", {"pattern": "offset"}, "offset"),
        ("Grep", {"pattern": "offset", "path": f"{CWD}/src"}, "offset in src"),
        ("Grep", {"pattern": "offset", "path": CWD}, "offset"),
        ("Task", {"subagent_type": "Explore", "description": "look"}, "Explore: look"),
        ("Agent", {"description": "look"}, "look"),
        ("TaskCreate", {"subject": "Write the test"}, "Write the test"),
        ("TaskUpdate", {"taskId": "3", "status": "completed"}, "#3 → completed"),
        ("TaskGet", {"taskId": 3}, "#3"),
        ("TaskList", {}, "all tasks"),
        ("KillShell", {"shell_id": "b1"}, "b1"),
        ("EnterPlanMode", {}, "begins to plan"),
        ("ExitPlanMode", {"plan": "# Plan"}, "shows its plan"),
        ("WebFetch", {"url": "https://example.com", "prompt": "read"}, "https://example.com"),
        ("WebSearch", {"query": "tides"}, "tides"),
        ("AskUserQuestion", {"questions": [{"question": "Keep it?"}]}, "Keep it?"),
        ("Skill", {"skill": "review"}, "review"),
        ("ToolSearch", {"query": "select:x"}, "select:x"),
        ("SendMessage", {"to": "tester", "message": "go on"}, "tester: go on"),
        ("list_directory", {"depth": 2, "where": "src"}, "2"),
        ("Read", {}, ""),
        ("Read", "not an object", "not an object"),
        ("Read", {"file_path": ["odd"]}, ""),
    ],
)
def test_a_row_says_what_the_call_is_about(name: str, given: object, summary: str) -> None:
    assert row(name, given).summary == summary


def test_todos_are_named_by_the_one_at_work() -> None:
    todos = [
        {"content": "Read", "status": "completed"},
        {"content": "Write", "status": "in_progress"},
    ]

    view = row("TodoWrite", {"todos": todos})

    assert (view.summary, view.outcome.text) == ("Write", "1 of 2 done")


def test_a_tool_of_a_server_is_told_with_its_server() -> None:
    view = row("mcp__tickets__read", {"id": 318})

    assert (view.server, view.name, view.summary) == ("tickets", "read", "318")


def test_a_result_without_its_call_has_a_name_too() -> None:
    assert row("").name == LOST_RESULT


def test_a_path_of_windows_is_told_from_its_folder() -> None:
    block = ToolBlock(id="t", name="Read", input={"file_path": "C:\\src\\tide\\a.py"})

    assert view_of(block, cwd="C:\\src\\tide").summary == "a.py"


def test_a_command_as_long_as_a_file_is_cut() -> None:
    assert len(row("Bash", {"command": "echo " + "x " * 5_000}).summary) <= LONGEST


@pytest.mark.parametrize(
    ("name", "text", "structured", "outcome"),
    [
        ("Bash", "one\ntwo\nthree\n", None, "3 lines"),
        ("Bash", "one\n", None, ""),
        ("Bash", "", {"backgroundTaskId": "b1"}, "in the background"),
        ("Bash", "", {"returnCodeInterpretation": "No matches found"}, "No matches found"),
        ("Read", "", {"type": "file_unchanged"}, "unchanged"),
        ("Read", "", {"type": "pdf"}, "PDF"),
        ("Grep", "", {"mode": "content", "numLines": 1}, "1 line"),
        ("Grep", "", {"mode": "count", "numMatches": 3}, "3 matches"),
        ("Grep", "", {"mode": "files_with_matches", "numFiles": 12}, "12 files"),
        ("Grep", "Found 4 files\na\nb\nc\nd", None, "4 files"),
        ("Grep", "No matches found", None, "nothing found"),
        ("Glob", "a.py\nb.py", None, "2 files"),
        ("Glob", "", {"numFiles": 100, "truncated": True}, "100 files or more"),
        ("WebSearch", "", {"results": [{"content": [{}, {}]}, "words"]}, "2 results"),
        ("AskUserQuestion", "", {"answers": {"Keep it?": "Yes"}}, "Yes"),
        ("ExitPlanMode", "", None, "approved by you"),
        ("ToolSearch", "", {"matches": ["a", "b"]}, "2 tools"),
        ("Task", "done", {"totalToolUseCount": 31}, "31 steps"),
        ("Agent", "", {"isAsync": True, "status": "async_launched"}, "in the background"),
        ("mcp__x__y", "anything", [{"type": "text", "text": "anything"}], ""),
        ("Grep", "", "Error: not an object", "nothing found"),
    ],
)
def test_a_row_says_how_it_ended(name: str, text: str, structured: object, outcome: str) -> None:
    found = row(name, {}, text, structured=structured).outcome

    assert (found.state, found.text) == (CallState.OK, outcome)


@pytest.mark.parametrize(
    ("text", "state", "outcome", "reason"),
    [
        ("Exit code 1\nFAILED test_x\n1 failed", CallState.FAILED, "exit 1", "FAILED test_x"),
        ("Exit code 127\nsh: nothing: command not found", CallState.FAILED, "exit 127", None),
        ("Exit code 2", CallState.FAILED, "exit 2", ""),
        ("Exit code 137\n[Request interrupted by user]", CallState.STOPPED, "stopped by you", ""),
        ("<tool_use_error>File does not exist.</tool_use_error>", CallState.FAILED, "failed", None),
        (
            f"{REFUSED} To tell you how to proceed, the user said:\nUse make",
            CallState.REFUSED,
            "refused by you",
            "Use make",
        ),
        ("User rejected tool use", CallState.REFUSED, "refused by you", ""),
        (
            "PreToolUse:Bash hook error: [guard.py]: not in production",
            CallState.BLOCKED,
            "blocked by hook",
            "not in production",
        ),
        (
            "Write operation blocked by hook:\n- [guard.py]: no tests",
            CallState.BLOCKED,
            "blocked by hook",
            "no tests",
        ),
        (
            "Claude requested permissions to write to /a, but you haven't granted it yet.",
            CallState.REFUSED,
            "not permitted",
            None,
        ),
        (
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            CallState.STOPPED,
            "cancelled",
            "",
        ),
        ("", CallState.FAILED, "failed", ""),
    ],
)
def test_a_row_says_why_it_did_not_end_well(
    text: str, state: CallState, outcome: str, reason: str | None
) -> None:
    found = row("Bash", {"command": "x"}, text, error=True).outcome

    assert (found.state, found.text) == (state, outcome)
    assert found.reason == reason or (reason is None and found.reason)


def test_the_reason_of_a_failure_is_told_without_colours_of_a_terminal() -> None:
    output = "Exit code 1\n\x1b[31m--- \x1b[39m\x1b[1mFailed tests 2\x1b[22m ---\n\x1b[0mexpected 1"

    found = row("Bash", {"command": "x"}, output, error=True).outcome

    assert found.reason == "--- Failed tests 2 ---"


def test_a_page_that_is_not_there_failed_though_the_tool_did_not() -> None:
    view = row("WebFetch", {"url": "x"}, "", structured={"code": 404, "codeText": "Not Found"})

    assert (view.outcome.state, view.outcome.text) == (CallState.FAILED, "404 Not Found")


def test_what_was_read_is_told_by_its_lines() -> None:
    told_so = row("Read", {"file_path": "a"}, structured={"file": {"startLine": 3, "numLines": 22}})
    numbered = row("Read", {"file_path": "a"}, "    14→x\n    15→y\n\n<system-reminder>")
    tabbed = row("Read", {"file_path": "a"}, "1\tx\n2\ty")

    assert [v.summary for v in (told_so, numbered, tabbed)] == [
        "a 3\u201324",
        "a 14\u201315",
        "a 1\u20132",
    ]


def test_an_image_that_was_read_is_an_image() -> None:
    view = row("Read", {"file_path": "a.png"}, images=(Picture("image/png", 4, 0),))

    assert view.outcome.text == "image"


def test_an_edit_counts_the_lines_of_its_patch() -> None:
    patch = [{"lines": [" same", "-old", "+new", "+newer", "\\ No newline at end of file"]}]

    found = row("Edit", {"file_path": "a"}, structured={"structuredPatch": patch}).outcome

    assert (found.text, found.added, found.removed) == ("+2 \u22121", 2, 1)


def test_edits_without_a_patch_are_compared() -> None:
    one = row("Edit", {"old_string": "a\nb\nc", "new_string": "a\nB\nc\nd"}).outcome
    many = row("MultiEdit", {"edits": [{"old_string": "a", "new_string": "b"}, "odd"]}).outcome

    assert (one.text, many.text) == ("+2 \u22121", "+1 \u22121")


def test_a_new_file_counts_its_lines() -> None:
    new = row("Write", {"content": "a\nb\n"}, structured={"type": "create"}).outcome
    changed = row("Write", {"content": "a\nb\n"}, structured={"type": "update"}).outcome

    assert (new.text, new.added, changed.text) == ("+2", 2, "2 lines")


def test_a_call_without_a_result_is_open() -> None:
    block = ToolBlock(id="t", name="Bash", input={"command": "sleep"})

    assert view_of(block).outcome.state is CallState.OPEN


def test_a_shell_that_was_stopped_is_no_success() -> None:
    assert row("Bash", structured={"interrupted": True}).outcome.state is CallState.STOPPED


def test_a_call_took_from_its_line_to_that_of_its_result() -> None:
    builder = session().user("go").tool("Bash", {"command": "x"}, "y", seconds=4.2)
    (call,) = calls(told(builder)[1])

    view = view_of(call, call.timestamp)

    assert view.seconds is not None
    assert 4.2 <= view.seconds < 6


def test_what_a_tool_says_of_its_own_time_counts_more() -> None:
    assert row("Glob", structured={"numFiles": 1, "durationMs": 12}).seconds == 0.012
    assert row("WebSearch", structured={"durationSeconds": 7.5}).seconds == 7.5


def test_an_agent_is_no_step() -> None:
    assert is_agent(ToolBlock(id="t", name="Task"))
    assert is_agent(ToolBlock(id="t", name="Skill", agent="a1"))
    assert not is_agent(ToolBlock(id="t", name="Bash"))


TEXTS = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8).map("\n".join)


@given(TEXTS, TEXTS)
def test_lines_gained_and_lost_explain_the_length(old: str, new: str) -> None:
    added, removed = count_changed_lines(old, new)

    assert added - removed == len(new.splitlines()) - len(old.splitlines())
    assert min(added, removed) >= 0
    assert (added, removed) == (0, 0) or old != new


def test_a_huge_change_is_counted_without_being_compared() -> None:
    old, new = "\n".join(map(str, range(5_000))), "\n".join(map(str, range(5_000, 11_000)))

    assert count_changed_lines(old, new) == (6_000, 5_000)


def test_lines_that_a_patch_takes_and_gives_back_are_none() -> None:
    assert count_patch_lines(["-old", "-", "+new", "+"]) == (1, 1)


@given(
    st.sampled_from(["Bash", "Read", "Edit", "Write", "Grep", "Task", "TodoWrite", "WebSearch"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["file_path", "command", "edits", "todos", "content", "results"]),
                inner,
                max_size=3,
            )
        ),
        max_leaves=6,
    ),
    st.booleans(),
)
def test_no_input_and_no_result_raises(name: str, value: Any, error: bool) -> None:
    view = row(name, value, str(value), error=error, structured=value)

    assert view.name == name


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("cd /home/dev/shop && pytest -q", "pytest -q"),
        ('cd "/home/dev/shop/" && cd tests && ls', "cd tests && ls"),
        ("cd /home/dev/shop/web && npm test", "cd web && npm test"),
        ("cd /home/dev/other && make", "cd /home/dev/other && make"),
        ("cd /home/dev/shop", "cd /home/dev/shop"),
        ("cd /home/dev/shop; rm -r x", "cd /home/dev/shop; rm -r x"),
    ],
)
def test_a_command_does_not_say_that_it_goes_where_it_is(command: str, shown: str) -> None:
    assert summarize_call("Bash", {"command": command}, "/home/dev/shop") == shown
