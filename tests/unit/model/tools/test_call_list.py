"""The calls of a session as a list: each once, with what came of it."""

import pytest

from bough.model.tools.call_list import ToolCall
from bough.sample import SampleSession, session
from bough.sample.data.tool_results import SampleCall
from tests.unit.model.opened import opened


def only_call(builder: SampleSession) -> ToolCall:
    (found,) = opened(builder).calls()
    return found


def test_a_call_has_its_name_its_input_and_its_result() -> None:
    builder = (
        session().user("go").tool("Grep", {"pattern": "x"}, "a.py", seconds=1.5).assistant("ok")
    )

    found = only_call(builder)

    assert (found.name, found.input) == ("Grep", {"pattern": "x"})
    assert found.result is not None
    assert found.result.text == "a.py"
    assert found.timestamp is not None
    assert found.uuid is not None
    assert (found.is_error, found.agent, found.caller) == (False, None, None)


def test_a_call_without_a_result_is_listed() -> None:
    found = only_call(session().user("go").tool("Bash", {"command": "ls"}, None))

    assert found.result is None
    assert (found.duration_ms, found.exit_code, found.is_error) == (None, None, False)


def test_calls_keep_the_order_they_were_made_in() -> None:
    calls = [SampleCall(tool=name, given={}, result="x") for name in ("Read", "Grep", "Bash")]
    builder = session().user("go").tools(*calls, order=[2, 0, 1]).assistant("ok")

    assert [call.name for call in opened(builder).calls()] == ["Read", "Grep", "Bash"]


def test_a_time_that_the_client_does_not_tell_is_that_from_call_to_result() -> None:
    builder = session().user("go").tool("Read", {}, "x", seconds=2.0).assistant("ok")

    found = only_call(builder)

    assert found.duration_ms == pytest.approx(3_000)  # the builder adds a second to each record
    assert not found.measured


def test_a_time_that_the_client_tells_is_measured() -> None:
    copy = {"durationMs": 340}
    builder = session().user("go").tool("WebFetch", {}, "x", structured=copy).assistant("ok")

    found = only_call(builder)

    assert (found.duration_ms, found.measured) == (340, True)


@pytest.mark.parametrize(
    ("tool", "text", "is_error", "code"),
    [
        ("Bash", "fine", False, 0),
        ("Bash", "Exit code 127\nls: not found", True, 127),
        ("Bash", "The user doesn't want to proceed with this tool use.", True, None),
        ("Read", "x", False, None),
    ],
)
def test_a_shell_has_an_exit_code(tool: str, text: str, is_error: bool, code: int | None) -> None:
    found = only_call(session().user("go").tool(tool, {}, text, is_error=is_error).assistant("ok"))

    assert (found.exit_code, found.is_error) == (code, is_error)


def test_a_shell_in_the_background_has_no_exit_code_yet() -> None:
    copy = {"backgroundTaskId": "b1"}
    builder = session().user("go").tool("Bash", {}, "started", structured=copy).assistant("ok")

    assert only_call(builder).exit_code is None


def test_calls_of_agents_are_asked_for() -> None:
    builder = (
        session()
        .user("go")
        .agent("Explore", "look", work=lambda steps: steps.tool("Read", {"file_path": "a"}, "x"))
    )
    read = opened(builder.assistant("done"))

    own, everything = read.calls(), read.calls(agents=True)

    assert len(own) == 1
    assert own[0].agent == read.agents[0].id
    assert [call.name for call in everything[1:]] == ["Read"]
    assert everything[1].caller == read.agents[0].id


def test_a_fork_of_the_line_does_not_list_a_call_twice() -> None:
    builder = session().user("go", name="P").tool("Bash", {}, "x").assistant("a", name="A")
    builder.at("A").user("one").assistant("b").at("A").user("two").assistant("c")

    assert len(opened(builder).calls()) == 1
