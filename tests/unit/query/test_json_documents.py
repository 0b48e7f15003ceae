"""Documents: the field names every face relies on."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bough.query.json_documents import conversation_document, doctor_document, tree_document
from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from bough.sample.data.blocks import image, text
from tests.conftest import Home


def read(home: Home, builder: SampleSession) -> Any:
    with home.writing() as folder:
        return read_session(builder.write(folder))


def as_json(document: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(document))


def shown(home: Home, builder: SampleSession) -> Any:
    found = read(home, builder)
    return as_json(conversation_document(found, found.conversation()))


def test_a_conversation_has_these_fields(home: Home) -> None:
    builder = session().user("a").tool("Bash", {"command": "ls"}, "out").assistant("b")

    document = shown(home, builder)

    assert list(document) == ["session", "tip", "turns", "messages"]
    assert document["turns"] == 1
    assert list(document["messages"][0]) == [
        "turn",
        "kind",
        "uuid",
        "uuids",
        "offset",
        "timestamp",
        "model",
        "blocks",
        "usage",
    ]
    assert document["session"] == builder.session_id
    assert document["tip"] == builder.uuid(-1)


def test_a_block_is_text_or_a_tool(home: Home) -> None:
    builder = session().user([text("look"), image()])
    builder.agent("Explore", "find", agent_id="a1", answer="four").tool("Bash", {"n": [1]}, None)

    messages = shown(home, builder)["messages"]

    assert messages[0]["blocks"] == [
        {"type": "text", "text": "look"},
        {"type": "image", "text": "Image, PNG"},
    ]
    first, second = messages[1]["blocks"]
    assert list(first) == [
        *("type", "id", "name", "input", "result", "agent", "timestamp", "duration_ms", "exit_code")
    ]
    assert (first["type"], first["name"], first["agent"]) == ("tool", "Agent", "a1")
    assert list(first["result"]) == ["text", "is_error", "images", "persisted"]
    assert (second["input"], second["result"], second["agent"]) == ({"n": [1]}, None, None)


def test_a_message_names_the_prompt_that_began_its_turn(home: Home) -> None:
    builder = session().system("turn_duration").user("one", name="A").assistant("a").compact()
    builder.assistant("still a").user("two", name="B").assistant("b")

    document = shown(home, builder)

    named = [message["turn"] for message in document["messages"]]
    assert list(dict.fromkeys(named)) == [builder.uuid("A"), builder.uuid("B")]
    assert document["turns"] == 2


def test_a_command_says_when_it_ran_how_long_and_how_it_ended(home: Home) -> None:
    builder = session().user("a").tool("Bash", {"command": "ls"}, "out")
    builder.tool("Bash", {"command": "false"}, "Exit code 3\nno", is_error=True).tool(
        "Read", {}, "x"
    )

    ran, failed, read_file = shown(home, builder)["messages"][1]["blocks"]

    assert (ran["exit_code"], failed["exit_code"], read_file["exit_code"]) == (0, 3, None)
    assert ran["timestamp"] == builder.record_of(2)["timestamp"]
    assert isinstance(ran["duration_ms"], int)


def test_pictures_of_a_result_are_described(home: Home) -> None:
    (message,) = shown(home, session().tool("Read", {}, [image()]))["messages"]

    (picture,) = message["blocks"][0]["result"]["images"]

    assert list(picture) == ["media_type", "size", "offset"]
    assert picture["media_type"] == "image/png"


def test_usage_has_four_counts_or_is_null(home: Home) -> None:
    counts = {
        "input_tokens": 1,
        "output_tokens": 2,
        "cache_creation_input_tokens": 3,
        "cache_read_input_tokens": 4,
    }

    prompt, answer = shown(home, session().user("a").assistant("b", usage=counts))["messages"]

    assert prompt["usage"] is None
    assert answer["usage"] == {
        "input_tokens": 1,
        "output_tokens": 2,
        "cache_creation_tokens": 3,
        "cache_read_tokens": 4,
    }


def test_a_line_without_a_uuid_has_null(home: Home) -> None:
    messages = shown(home, session().user("a").malformed_line())["messages"]

    assert [(one["kind"], one["uuid"], one["uuids"]) for one in messages[1:]] == [
        ("bad_line", None, [])
    ]


def test_a_time_that_is_none_is_null(home: Home) -> None:
    builder = session().user("a", name="P").amend("P", timestamp="soon")

    assert shown(home, builder)["messages"][0]["timestamp"] is None


def test_a_tree_has_these_fields(home: Home) -> None:
    builder = session().user("a").assistant("b", name="A").user("c").assistant("d")
    builder.at("A").user("e").assistant("f", name="F")

    document = as_json(tree_document(read(home, builder)))

    assert list(document) == [
        "session",
        "roots",
        "nodes",
        "orphans",
        "duplicates",
        "copies",
        "cycles",
        "branch_points",
        "tips",
        "active_tip",
        "tip_rule",
    ]
    (point,) = document["branch_points"]
    assert list(point) == ["uuid", "cause", "children"]
    assert (point["uuid"], point["cause"], len(point["children"])) == (builder.uuid("A"), "edit", 2)
    assert [list(tip) for tip in document["tips"]] == [
        [
            "uuid",
            "active",
            "turns",
            "messages",
            "cost_usd",
            "copied_cost_usd",
            "unpriced_models",
            "title",
        ]
    ] * 2
    assert [(tip["turns"], tip["messages"]) for tip in document["tips"]] == [(2, 4), (2, 4)]
    assert all(tip["cost_usd"] > 0 for tip in document["tips"])
    assert document["active_tip"] == builder.uuid("F")
    assert (document["roots"], document["nodes"], document["tip_rule"]) == (1, 6, "last-prompt")


def test_a_tree_counts_what_is_odd(home: Home) -> None:
    builder = session().user("a", name="P").assistant("b").again("P").at_missing().user("c")

    document = as_json(tree_document(read(home, builder)))

    assert (document["duplicates"], document["orphans"], document["roots"]) == (1, 1, 2)


def test_findings_have_these_fields(home: Home) -> None:
    document = as_json(doctor_document(read(home, session().user("a").malformed_line())))

    assert list(document) == ["session", "reachability", "findings"]
    (finding,) = document["findings"]
    assert list(finding) == ["kind", "severity", "where", "message", "action"]


@pytest.mark.parametrize("depth", [90, 150, 900])
def test_input_nested_without_end_can_be_written_out(tmp_path: Path, depth: int) -> None:
    nest = b"[" * depth + b"]" * depth
    line = (
        b'{"type":"assistant","uuid":"u","message":{"id":"m","content":[{"type":"tool_use",'
        b'"id":"t","name":"X","input":' + nest + b"}]}}\n"
    )
    path = tmp_path / "x.jsonl"
    path.write_bytes(line)
    found = read_session(path)

    written = msgspec.json.encode(conversation_document(found, found.conversation()))

    assert nest[: depth // 2] in written


def test_an_empty_session_can_be_written_out(home: Home) -> None:
    found = read(home, session().mode())

    assert as_json(conversation_document(found, found.conversation()))["messages"] == []
    assert as_json(tree_document(found))["active_tip"] is None
    assert as_json(doctor_document(found))["findings"] == []
