"""How an agent's run went, from the three kinds of records that tell of it."""

import msgspec
from msgspec import Raw

from bough.model.agents.runs import (
    AgentRun,
    name_client_task,
    read_agent_call,
    read_agent_notice,
    read_agent_result,
)
from bough.records.blocks import ToolUse


def raw(**fields: object) -> Raw:
    return Raw(msgspec.json.encode(fields))


def test_a_call_names_the_type() -> None:
    call = ToolUse("toolu_1", "Agent", raw(subagent_type="Explore", prompt="look"))

    assert read_agent_call(call) == AgentRun("toolu_1", "call", "Explore")


def test_a_call_of_another_tool_starts_no_agent() -> None:
    assert read_agent_call(ToolUse("toolu_1", "Bash", raw(command="ls"))) is None


def test_a_result_tells_what_the_agent_took() -> None:
    outcome = raw(
        agentId="a1", status="completed", totalTokens=9, totalToolUseCount=2, totalDurationMs=31.5
    )

    found = read_agent_result("toolu_1", bytes(outcome))

    assert found == AgentRun("toolu_1", "result", None, "completed", 9, 2, 31.5)


def test_an_old_result_says_that_it_was_interrupted() -> None:
    found = read_agent_result("toolu_1", bytes(raw(totalToolUseCount=2, wasInterrupted=True)))

    assert found is not None
    assert found.status == "interrupted"


def test_a_result_that_only_quotes_an_agent_is_none() -> None:
    assert read_agent_result("toolu_1", bytes(raw(stdout='{"agentId": "a1"}'))) is None
    assert read_agent_result("toolu_1", b'"Error: no"') is None
    assert read_agent_result("toolu_1", b"") is None


def test_a_notice_tells_how_a_task_ended() -> None:
    text = """<task-notification>
<task-id>a1</task-id>
<tool-use-id>toolu_1</tool-use-id>
<status>failed</status>
<summary>Agent failed</summary>
<result>It said <status>completed</status> <total_tokens>1</total_tokens></result>
<usage><total_tokens>90</total_tokens><tool_uses>3</tool_uses><duration_ms>70</duration_ms></usage>
</task-notification>"""

    assert read_agent_notice(text) == AgentRun("toolu_1", "notice", None, "failed", 90, 3, 70)


def test_a_text_that_quotes_a_notice_is_none() -> None:
    assert read_agent_notice("see <task-notification><tool-use-id>toolu_1</tool-use-id>") is None


def test_a_notice_without_a_call_is_nobodys() -> None:
    assert read_agent_notice("<task-notification><task-id>a1</task-id></task-notification>") is None


def test_a_number_that_is_none_is_left_out() -> None:
    text = (
        "<task-notification><tool-use-id>toolu_1</tool-use-id>"
        "<total_tokens>many</total_tokens></task-notification>"
    )

    found = read_agent_notice(text)

    assert found is not None
    assert found.tokens is None


def test_a_brief_may_show_that_the_client_works_for_itself() -> None:
    assert name_client_task("Warmup") == "warmup"
    assert name_client_task("Warm up the oven") is None
