"""Agents (rule 10): every layout, nested, tied by the surest sign or not at all."""

from collections.abc import Callable

import pytest

from bough.model.agents.links import (
    AgentLink,
    AgentMeta,
    AgentStartFacts,
    collect_evidence,
    find_links,
    link_agents,
)
from bough.model.session import Agent
from bough.sample import SampleCall, SampleSession, session
from bough.sample.builder.agents import AgentSteps, AgentTask
from bough.sample.builder.injected import format_notification
from tests.unit.model.opened import calls, lines_of, opened, told, words

VERSIONS = {"inline": "2.0.14", "flat": "2.0.60", "subagents": "2.1.20", "newest": "2.1.250"}


def only(builder: SampleSession) -> Agent:
    (agent,) = opened(builder).agents
    return agent


def tie(builder: SampleSession) -> AgentLink | None:
    return only(builder).link


def the_call(builder: SampleSession) -> str:
    """Give the id of the one call that starts an agent."""
    (call,) = collect_evidence(lines_of(builder.bytes())[0]).starters
    return call


def stripped(
    builder: SampleSession, *, meta: bool = True, structured: bool = True, words: bool = True
) -> SampleSession:
    """Take away signs, so that only weaker ones are left."""
    for record in builder.records():
        if structured:
            record.pop("toolUseResult", None)
        message = record.get("message")
        if words and isinstance(message, dict) and isinstance(message["content"], list):
            for block in message["content"]:
                if block.get("type") == "tool_result":
                    block["content"] = "Done."
    if meta:
        builder.companions.clear()
    return builder


# -- layouts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", VERSIONS)
def test_an_agent_is_found_and_tied_in_every_layout(layout: str) -> None:
    builder = session(version=VERSIONS[layout]).user("go").agent("Explore", "find callers")

    agent = only(builder)

    assert agent.layout == ("subagents" if layout == "newest" else layout)
    assert agent.link is not None
    assert agent.link.call == the_call(builder)
    assert [message.kind for message in agent.conversation().messages] == ["prompt", "assistant"]


@pytest.mark.parametrize("layout", VERSIONS)
def test_the_block_of_the_call_names_its_agent(layout: str) -> None:
    builder = session(version=VERSIONS[layout]).user("go").agent("Explore", "find callers")
    session_ = opened(builder)

    (block,) = (b for message in session_.conversation().messages for b in calls(message))

    assert block.agent == session_.agents[0].id
    assert session_.agent(block.id) is session_.agents[0]


def test_agents_of_a_workflow_are_found() -> None:
    builder = session().user("go").agent("Explore", "find", layout="workflow", run="wf_7")

    assert only(builder).layout == "workflow"


def test_an_agent_says_what_it_is_and_what_it_was_told() -> None:
    builder = session().user("go").agent("Explore", "find callers", prompt="Find every caller.")

    agent = only(builder)

    assert (agent.type, agent.description, agent.brief) == (
        "Explore",
        "find callers",
        "Find every caller.",
    )


def test_what_an_agent_is_may_be_known_from_its_call_alone() -> None:
    builder = session(version="2.0.60").user("go").agent("Explore", "find callers")

    assert (only(builder).type, only(builder).description) == ("Explore", "find callers")


def test_an_inline_agent_is_in_no_message_of_the_session() -> None:
    builder = session(version="2.0.14").user("go").agent("Explore", "find", answer="Four callers.")

    texts = [text for message in told(builder) for _, text in words(message)]

    assert "Four callers." not in texts
    assert only(builder).conversation().messages[-1].text == "Four callers."


def test_agents_the_client_runs_for_itself_are_listed_and_tied_to_nothing() -> None:
    builder = session(version="2.1.50").user("go").assistant("ok")
    builder.side_agent("acompact", "Your task is to create a detailed summary", "Summary")

    agent = only(builder)

    assert agent.link is None
    assert agent.id.startswith("acompact-")
    assert [message.kind for message in agent.conversation().messages] == ["prompt", "assistant"]


def test_a_warm_up_is_tied_to_nothing() -> None:
    assert tie(session(version="2.0.60").user("go").warmup().assistant("ok")) is None


# -- nested -------------------------------------------------------------------------------------


def nested() -> SampleSession:
    def inner(child: AgentSteps) -> object:
        return child.agent("Explore", "inner", agent_id="inner", answer="deep")

    return session().user("go").agent("Plan", "outer", agent_id="outer", work=inner)


def test_an_agent_may_start_another() -> None:
    session_ = opened(nested())
    outer, inner = sorted(session_.agents, key=lambda agent: agent.id, reverse=True)

    assert (outer.id, inner.id) == ("outer", "inner")
    assert [agent.id for agent in outer.agents] == ["inner"]
    assert inner.agents == []
    assert inner.link is not None
    assert outer.agent(inner.link.call) is inner


def test_the_block_of_a_nested_call_names_its_agent() -> None:
    outer = next(agent for agent in opened(nested()).agents if agent.id == "outer")

    found = [block.agent for message in outer.conversation().messages for block in calls(message)]

    assert found == ["inner"]


def test_an_agent_is_not_started_by_a_call_of_its_own() -> None:
    builder = stripped(session().user("go").agent("Explore", "look", agent_id="a1"))
    child = builder.agent_file("a1")
    assert isinstance(child, AgentSteps)
    own = child.ask(SampleCall(tool="Bash", given={}))
    child.reply(own, SampleCall(tool="Bash", given={}, result="x", structured={"agentId": "a1"}))
    child.records()[-1]["toolUseResult"] = {"agentId": "a1"}

    found = tie(builder)

    assert found is not None
    assert found.call != own


# -- what ties an agent to its call, the surest first -------------------------------------------


def test_the_file_beside_it_is_surest() -> None:
    builder = session().user("go").agent("Explore", "one", agent_id="a1")
    builder.records()[-1]["toolUseResult"] = {"agentId": "another"}

    assert tie(builder) == AgentLink(the_call(builder), "meta")


def test_then_the_structured_result() -> None:
    builder = session().user("go").agent("Explore", "one", agent_id="a1")
    builder.companions.clear()

    assert tie(builder) == AgentLink(the_call(builder), "result")


def test_then_progress() -> None:
    builder = session(version="2.1.50").user("go").agent("Explore", "one", echoed=True)
    stripped(builder)

    assert tie(builder) == AgentLink(the_call(builder), "progress")


@pytest.mark.parametrize("form", ["tags", "json"])
def test_then_the_queue(form: str) -> None:
    builder = stripped(session().user("go").agent("Explore", "one", agent_id="a1"))
    call = the_call(builder)
    told_ = format_notification("a1", "done", tool_id=call)
    as_json = f'{{"task_id":"a1","tool_use_id":"{call}"}}'
    builder.queue("enqueue", told_ if form == "tags" else as_json)

    assert tie(builder) == AgentLink(call, "queue")


def test_then_the_words_of_the_result() -> None:
    builder = session().user("go").agent("Explore", "one", agent_id="a1")
    stripped(builder, words=False)

    assert tie(builder) == AgentLink(the_call(builder), "text")


def test_last_the_same_prompt() -> None:
    builder = stripped(session().user("go").agent("Explore", "one", agent_id="a1"))

    assert tie(builder) == AgentLink(the_call(builder), "prompt")


def test_without_any_sign_an_agent_is_tied_to_nothing() -> None:
    builder = stripped(session().user("go").agent("Explore", "one", agent_id="a1"))
    builder.agent_file("a1").records()[0]["message"] = {"role": "user", "content": "other words"}

    assert tie(builder) is None


def test_a_file_that_names_an_unknown_call_is_not_believed() -> None:
    builder = stripped(session().user("go").agent("Explore", "one", agent_id="a1"))
    place = f"{builder.session_id}/subagents/agent-a1.meta.json"
    builder.companions[place] = b'{"toolUseId":"toolu_unknown","agentType":"Explore"}'

    assert tie(builder) == AgentLink(the_call(builder), "prompt")


def test_words_of_any_other_tool_tie_nothing() -> None:
    builder = stripped(session().user("go").agent("Explore", "one", agent_id="a1"))
    builder.agent_file("a1").records()[0]["message"] = {"role": "user", "content": "other words"}
    builder.tool("Bash", {"command": "cat notes"}, "agentId: a1")

    assert tie(builder) is None


def test_the_call_that_started_an_agent_keeps_it_and_a_later_one_names_it_too() -> None:
    builder = session().user("go").agent("Explore", "one", agent_id="a1")
    builder.companions.clear()
    first = the_call(builder)
    builder.tool("SendMessage", {"to": "a1"}, "ok", structured={"agentId": "a1"})

    blocks = [block for message in told(builder) for block in calls(message)]

    assert tie(builder) == AgentLink(first, "result")
    assert [block.agent for block in blocks] == ["a1", "a1"]


# -- prompts alone -------------------------------------------------------------------------------


def test_two_calls_with_one_prompt_at_once_are_a_guess_and_tie_nothing() -> None:
    builder = session().user("go")
    errand = AgentTask(kind="Explore", task="look", prompt="Look around.")
    stripped(builder.agents(errand, errand))

    assert [agent.link for agent in opened(builder).agents] == [None, None]


def test_the_same_prompt_again_later_is_told_apart_by_time() -> None:
    builder = session(version="2.0.14").user("go")
    builder.agent("Explore", "look", prompt="Look around.", answer="one").assistant("Again.")
    builder.wait(minutes=1).agent("Explore", "look", prompt="Look around.", answer="two")
    asked = list(collect_evidence(lines_of(builder.bytes())[0]).starters)

    found = {agent.conversation().messages[-1].text: agent.link for agent in opened(builder).agents}

    assert found == {"one": AgentLink(asked[0], "prompt"), "two": AgentLink(asked[1], "prompt")}


def test_names_that_disagree_tie_nothing() -> None:
    starts = {"a1": AgentStartFacts("Look around.")}
    builder = session().user("go")
    given = {"prompt": "Look around.", "name": "ada"}
    call = builder.ask(SampleCall(tool="Agent", given=given))
    signs = collect_evidence(lines_of(builder.bytes())[0])

    assert link_agents(signs, starts, {"a1": AgentMeta(name="bob")}) == {}
    assert link_agents(signs, starts, {"a1": AgentMeta(name="ada")}) == {
        "a1": AgentLink(call, "prompt")
    }
    assert link_agents(signs, starts, {"a1": AgentMeta()}) == {"a1": AgentLink(call, "prompt")}


def test_two_agents_for_one_call_are_tied_to_nothing() -> None:
    builder = session().user("go")
    builder.ask(SampleCall(tool="Agent", given={"prompt": "Look around."}))
    starts = {"a1": AgentStartFacts("Look around."), "a2": AgentStartFacts("Look around.")}

    assert link_agents(collect_evidence(lines_of(builder.bytes())[0]), starts, {}) == {}


def test_a_call_tied_by_a_surer_sign_is_no_longer_free() -> None:
    builder = session().user("go")
    given = {"prompt": "Look around."}
    first, second = (
        builder.ask(SampleCall(tool="Agent", given=given)),
        builder.ask(SampleCall(tool="Agent", given=given)),
    )
    starts = {"a1": AgentStartFacts("Look around."), "a2": AgentStartFacts("Look around.")}

    found = link_agents(
        collect_evidence(lines_of(builder.bytes())[0]), starts, {"a1": AgentMeta(tool_use_id=first)}
    )

    assert found == {"a1": AgentLink(first, "meta"), "a2": AgentLink(second, "prompt")}


def test_an_agent_does_not_begin_before_its_call() -> None:
    builder = session().user("go")
    builder.ask(SampleCall(tool="Agent", given={"prompt": "Look around."}))
    starts = {"a1": AgentStartFacts("Look around.", "2020-01-01T00:00:00.000Z")}

    assert link_agents(collect_evidence(lines_of(builder.bytes())[0]), starts, {}) == {}


def test_an_agent_without_a_prompt_is_tied_by_none() -> None:
    builder = session().user("go")
    builder.ask(SampleCall(tool="Agent", given={"prompt": ""}))

    assert (
        link_agents(collect_evidence(lines_of(builder.bytes())[0]), {"a1": AgentStartFacts("")}, {})
        == {}
    )


# -- agents without a file -----------------------------------------------------------------------


def test_an_agent_whose_file_is_gone_is_named_and_not_listed() -> None:
    builder = session().user("go").agent("Explore", "one", agent_id="a1")
    builder.agent_files.clear()
    session_ = opened(builder)

    (block,) = (b for message in session_.conversation().messages for b in calls(message))

    assert block.agent == "a1"
    assert session_.agents == []
    assert session_.agent(block.id) is None


def test_a_shell_task_in_the_background_is_no_agent() -> None:
    builder = session().user("go")
    call = builder.ask(SampleCall(tool="Bash", given={"command": "make"}))
    builder.reply(call, SampleCall(tool="Bash", given={}, result="Started."))
    builder.queue("enqueue", format_notification("b7", "done", tool_id=call))

    (block,) = (b for message in told(builder) for b in calls(message))

    assert block.agent is None


# -- one record at a time ------------------------------------------------------------------------


def test_a_record_tells_the_ties_it_knows() -> None:
    builder = (
        session(version="2.1.50").user("go").agent("Explore", "one", agent_id="a1", echoed=True)
    )
    call = the_call(builder)

    found = {tie for record in lines_of(builder.bytes())[0] for tie in find_links(record)}

    assert found == {("a1", call, "result"), ("a1", call, "progress"), ("a1", call, "text")}


@pytest.mark.parametrize(
    "content", ["[1]", "{", '{"task_id": 7, "tool_use_id": "t"}', "<task-id>a</task-id>", "x"]
)
def test_a_queue_of_another_form_tells_nothing(content: str) -> None:
    (record,) = lines_of(session().queue("enqueue", content).bytes())[0]

    assert list(find_links(record)) == []


def test_a_circle_of_agents_is_listed_and_does_not_hang() -> None:
    def asks(other: str) -> Callable[[AgentSteps], object]:
        return lambda child: child.tool(
            "Agent", {"prompt": "x"}, "ok", structured={"agentId": other}
        )

    builder = session().user("go")
    builder.agent("A", "one", agent_id="a1", work=asks("a2")).agent(
        "B", "two", agent_id="a2", work=asks("a1")
    )
    for agent, other in (("a1", "a2"), ("a2", "a1")):
        record = builder.agent_file(agent).records()[2]
        record["toolUseResult"] = {"agentId": other}
    stripped(builder)

    agents = opened(builder).agents

    assert sorted(agent.id for agent in agents) == ["a1", "a2"]
    assert all(agent.agents is not None for agent in agents)
