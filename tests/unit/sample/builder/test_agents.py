import msgspec
import pytest

from bough.errors import Misuse
from bough.sample import session
from bough.sample.builder.agents import AgentTask


def test_the_first_clients_write_an_agent_into_the_session() -> None:
    builder = session(version="1.0.51").user("hi").agent("Explore", "look", answer="found")

    side = [record for record in builder.records() if record["isSidechain"]]
    assert [record["type"] for record in side] == ["user", "assistant"]
    assert side[0]["parentUuid"] is None
    assert "agentId" not in side[0]
    assert list(builder.files()) == [f"{builder.session_id}.jsonl"]


def test_later_clients_write_it_beside_the_session() -> None:
    builder = session(version="2.0.76").user("hi").agent("Explore", "look", agent_id="abc1234")

    assert list(builder.files())[1:] == ["agent-abc1234.jsonl"]
    assert {record["sessionId"] for record in builder.agent_file("abc1234").records()} == {
        builder.session_id
    }


def test_new_clients_write_it_into_the_sessions_folder_and_describe_it() -> None:
    builder = (
        session(version="2.1.250").user("hi").agent("Explore", "look", agent_id="a1", name="T")
    )

    folder = f"{builder.session_id}/subagents"
    assert list(builder.files())[1:] == [f"{folder}/agent-a1.jsonl", f"{folder}/agent-a1.meta.json"]
    meta = msgspec.json.decode(builder.files()[f"{folder}/agent-a1.meta.json"])
    assert meta["agentType"] == "Explore"
    assert meta["description"] == "look"
    assert meta["spawnDepth"] == 1
    assert meta["toolUseId"].encode() in builder.bytes()


def test_all_records_of_an_agent_are_side_records_with_its_id() -> None:
    builder = (
        session()
        .user("hi")
        .agent("Explore", "look", agent_id="a1", work=lambda agent: agent.tool("Bash", {}, "x"))
    )

    records = builder.agent_file("a1").records()
    assert len(records) == 4
    assert {(record["isSidechain"], record["agentId"]) for record in records} == {(True, "a1")}


def test_the_result_names_the_agent_and_counts_its_calls() -> None:
    builder = (
        session()
        .user("hi")
        .agent(
            "Explore",
            "look",
            agent_id="a1",
            name="T",
            work=lambda agent: agent.tool("Bash", {}, "x").tool("Bash", {}, "y"),
        )
    )

    copy = builder.record_of("T.result")["toolUseResult"]
    assert isinstance(copy, dict)
    assert copy["agentId"] == "a1"
    assert copy["totalToolUseCount"] == 2


@pytest.mark.parametrize(("version", "tool"), [("2.1.62", "Task"), ("2.1.63", "Agent")])
def test_the_tool_was_renamed(version: str, tool: str) -> None:
    builder = session(version=version).user("hi").agent("Explore", "look")

    assert f'"name":"{tool}"'.encode() in builder.bytes()


def test_an_agent_may_send_another() -> None:
    builder = (
        session()
        .user("hi")
        .agent(
            "outer",
            "look",
            agent_id="a1",
            work=lambda agent: agent.agent("inner", "look closer", agent_id="a2"),
        )
    )

    inner = f"{builder.session_id}/subagents/agent-a2.meta.json"
    meta = msgspec.json.decode(builder.files()[inner])
    assert meta["spawnDepth"] == 2
    assert meta["toolUseId"].encode() in builder.agent_file("a1").bytes()


def test_several_agents_are_calls_of_one_message() -> None:
    builder = (
        session()
        .user("hi")
        .agents(
            AgentTask(kind="A", task="one", name="one"), AgentTask(kind="B", task="two", name="two")
        )
    )

    first, second = builder.record_of("one")["message"], builder.record_of("two")["message"]
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert first["id"] == second["id"]
    assert builder.record_of("one.result")["parentUuid"] == builder.uuid("one")


def test_an_agent_in_the_background_answers_at_once() -> None:
    builder = (
        session()
        .user("hi")
        .agent(
            "A",
            "wait",
            name="T",
            background=True,
            work=lambda agent: agent.wait(minutes=10),
        )
    )

    copy = builder.record_of("T.result")["toolUseResult"]
    assert isinstance(copy, dict)
    assert copy["status"] == "async_launched"
    assert str(builder.record_of("T.result")["timestamp"]) < "2026-01-05T09:01"


def test_a_session_waits_for_its_agent() -> None:
    builder = session().user("hi").agent("A", "wait", work=lambda agent: agent.wait(minutes=10))

    assert str(builder.records()[-1]["timestamp"]) > "2026-01-05T09:10"


def test_progress_repeats_what_an_agent_wrote() -> None:
    builder = session(version="2.1.36").user("hi").agent("A", "look", agent_id="a1", echoed=True)

    echoes = [record["data"] for record in builder.records() if record["type"] == "progress"]
    uuids = [echo["message"]["uuid"] for echo in echoes if isinstance(echo, dict)]
    assert uuids == [record["uuid"] for record in builder.agent_file("a1").records()]


def test_the_agents_of_a_workflow_have_a_folder_and_a_journal() -> None:
    builder = session().user("hi").agent("A", "one", agent_id="a1", layout="workflow", run="w")

    folder = f"{builder.session_id}/subagents/workflows/w"
    assert {f"{folder}/agent-a1.jsonl", f"{folder}/journal.jsonl"} <= builder.files().keys()


def test_an_agent_of_the_client_continues_the_chain_and_is_named_by_nothing() -> None:
    builder = session().user("hi", name="P").side_agent("acompact", "Summarize", "Done")

    ((place, draft),) = builder.agent_files.items()
    assert draft.records()[0]["parentUuid"] == builder.uuid("P")
    agent_id = str(draft.records()[0]["agentId"])
    assert place.endswith(f"/agent-{agent_id}.jsonl")
    assert agent_id.encode() not in builder.bytes()


def test_a_warm_up_lies_beside_the_session() -> None:
    builder = session(version="2.0.76").warmup()

    ((place, draft),) = builder.agent_files.items()
    assert place.startswith("agent-")
    assert b'"content":"Warmup"' in draft.bytes()


def test_an_agent_nobody_sent_is_not_found() -> None:
    with pytest.raises(Misuse, match="No agent has the id a9"):
        session().agent_file("a9")
