import pytest

from bough.sample import SampleCall, session
from bough.sample.builder.session import SampleSession
from bough.sample.data import blocks


def three() -> tuple[SampleCall, SampleCall, SampleCall]:
    return (
        SampleCall(tool="Read", given={"file_path": "a"}, result="1\tx", name="A"),
        SampleCall(tool="Grep", given={"pattern": "b"}, result="b.py", name="B"),
        SampleCall(tool="Bash", given={"command": "c"}, result="y", name="C"),
    )


def parent(builder: SampleSession, step: str | int) -> str:
    return builder.name_of(str(builder.record_of(step)["parentUuid"]))


def test_a_call_is_followed_by_its_result_under_it() -> None:
    builder = session().user("hi").tool("Bash", {"command": "ls"}, result="a", name="T")

    assert parent(builder, "T.result") == "T"
    assert builder.record_of("T.result")["sourceToolAssistantUUID"] == builder.uuid("T")


def test_parallel_calls_are_chained_and_each_result_hangs_on_its_own_call() -> None:
    builder = session().user("hi", name="P").tools(*three()).assistant("done", name="end")

    chain = {
        step: parent(builder, step)
        for step in ["A", "B", "C", "A.result", "B.result", "C.result", "end"]
    }
    assert chain == {
        "A": "P",
        "B": "A",
        "C": "B",
        "A.result": "A",
        "B.result": "B",
        "C.result": "C",
        "end": "C.result",
    }


def test_what_follows_hangs_on_the_result_written_last() -> None:
    builder = session().user("hi").tools(*three(), order=(2, 0, 1)).assistant("done", name="end")

    assert parent(builder, "end") == "B.result"
    assert [builder.name_of(uuid) for uuid in builder.nodes[-4:]] == [
        "C.result",
        "A.result",
        "B.result",
        "end",
    ]


def test_interleaved_results_stand_between_the_calls() -> None:
    builder = session().user("hi").tools(*three(), interleaved=True)

    assert [builder.name_of(uuid) for uuid in builder.nodes[1:]] == [
        "A",
        "A.result",
        "B",
        "B.result",
        "C",
        "C.result",
    ]
    assert [parent(builder, step) for step in ("B", "C")] == ["A", "B"]


def test_a_call_may_stay_without_result() -> None:
    builder = session().user("hi").tool("Bash", {}, None)

    assert [record["type"] for record in builder.records()] == ["user", "assistant"]


def test_a_result_may_be_written_much_later() -> None:
    builder = session().user("hi")
    call = SampleCall(tool="Bash", given={}, result="late", name="T")
    tool_id = builder.ask(call)

    builder.assistant("meanwhile").reply(tool_id, call)

    assert parent(builder, "T.result") == "T"


def test_an_error_is_marked_and_its_copy_is_a_sentence() -> None:
    builder = session().user("hi").tool("Edit", {}, "no such file", is_error=True, name="T")

    record = builder.record_of("T.result")
    assert record["toolUseResult"] == "Error: no such file"
    assert b'"is_error":true' in builder.bytes()


@pytest.mark.parametrize(
    ("tool", "keys"),
    [
        ("Bash", {"stdout", "stderr", "interrupted"}),
        ("Read", {"type", "file"}),
        ("Edit", {"filePath", "oldString", "newString", "structuredPatch"}),
        ("Write", {"type", "filePath", "content"}),
        ("Grep", {"filenames", "numFiles"}),
        ("Glob", {"filenames", "numFiles", "durationMs"}),
        ("WebFetch", {"bytes", "code", "url"}),
        ("TodoWrite", {"oldTodos", "newTodos"}),
        ("ExitPlanMode", {"plan"}),
    ],
)
def test_the_structured_copy_has_the_shape_of_its_tool(tool: str, keys: set[str]) -> None:
    copy = session().tool(tool, {}, "words", name="T").record_of("T.result")["toolUseResult"]

    assert isinstance(copy, dict)
    assert keys <= copy.keys()


def test_tools_of_a_server_and_tools_nobody_knows_have_plainer_copies() -> None:
    builder = session().tool("mcp__a__b", {}, "x", name="M").tool("LS", {}, "y", name="L")

    assert builder.record_of("M.result")["toolUseResult"] == [{"type": "text", "text": "x"}]
    assert builder.record_of("L.result")["toolUseResult"] == "y"


def test_an_image_read_from_a_file_is_in_the_copy() -> None:
    picture = blocks.image()
    builder = session().tool("Read", {"file_path": "a.png"}, [picture], name="T")

    copy = builder.record_of("T.result")["toolUseResult"]
    assert isinstance(copy, dict)
    assert copy["type"] == "image"


def test_a_large_output_lies_in_a_file_that_the_result_names() -> None:
    builder = session().user("hi").big_result("Bash", {"command": "x"}, "y" * 9000, name="T")

    (place, content), *_ = builder.companions.items()
    assert place.startswith(f"{builder.session_id}/tool-results/")
    assert content == b"y" * 9000
    assert place.encode() in builder.bytes()
    assert b"<persisted-output>" in builder.bytes()
    assert len(builder.bytes()) < 9000


def test_agents_leave_out_the_copy_of_what_went_well() -> None:
    builder = session()
    builder.agent("Explore", "look", agent_id="a1", work=lambda agent: agent.tool("Bash", {}, "x"))

    results = [each for each in builder.agent_file("a1").records() if "toolUseResult" in each]
    assert results == []
