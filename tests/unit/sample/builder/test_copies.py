from datetime import UTC, datetime

from bough.sample import SampleCall, session
from bough.sample.builder.session import SampleSession


def told() -> SampleSession:
    builder = session().user("a", name="A").assistant("b", name="B").user("c", name="C")
    return builder.assistant("d", name="D")


def test_a_fork_keeps_uuids_and_names_its_origin() -> None:
    builder = told()

    fork = builder.fork(at="B")

    assert fork.nodes == [builder.uuid("A"), builder.uuid("B")]
    for record in fork.records():
        assert record["sessionId"] == fork.session_id != builder.session_id
        assert record["forkedFrom"] == {
            "sessionId": builder.session_id,
            "messageUuid": record["uuid"],
        }


def test_a_fork_leaves_its_origin_alone() -> None:
    builder = told()
    before = builder.bytes()

    builder.fork(at=2).user("other")

    assert builder.bytes() == before


def test_a_fork_goes_on_by_itself() -> None:
    fork = told().fork(at="B", title="Mine").user("other", name="O")

    assert fork.record_of("O")["parentUuid"] == fork.uuid("B")
    assert [record["type"] for record in fork.records()] == [
        "user",
        "assistant",
        "custom-title",
        "agent-name",
        "user",
    ]


def test_a_fork_takes_one_line_and_leaves_the_others() -> None:
    builder = told().at("B").user("x", name="X").assistant("y", name="Y")

    assert [builder.name_of(uuid) for uuid in builder.fork().nodes] == ["A", "B", "X", "Y"]


def test_a_fork_has_every_result_of_the_calls_on_its_way_in_one_line() -> None:
    calls = [SampleCall(tool="Bash", given={}, result="x", name=name) for name in "AB"]
    builder = session().user("hi", name="P").tools(*calls).assistant("done", name="end")

    fork = builder.fork()

    assert [fork.name_of(uuid) for uuid in fork.nodes] == [
        "P",
        "A",
        "B",
        "A.result",
        "B.result",
        "end",
    ]
    assert [record["parentUuid"] for record in fork.records()] == [None, *fork.nodes[:-1]]


def test_a_fork_reaches_back_over_a_compaction() -> None:
    builder = told().compact(name="S").user("e", name="E")

    assert [builder.name_of(uuid) for uuid in builder.fork().nodes] == [
        "A",
        "B",
        "C",
        "D",
        "S.boundary",
        "S",
        "E",
    ]


def test_a_forked_session_is_the_same_but_for_its_id() -> None:
    builder = told()

    copy = builder.fork_session()

    assert [record | {"sessionId": ""} for record in copy.records()] == [
        record | {"sessionId": ""} for record in builder.records()
    ]
    assert copy.session_id != builder.session_id


def test_a_resumed_copy_of_old_clients_has_new_times_all_alike() -> None:
    builder = session(version="1.0.51").user("a").assistant("b")

    copy = builder.resume_in_new_file(moment=datetime(2026, 2, 1, tzinfo=UTC)).user("c")

    assert copy.nodes[:2] == builder.nodes
    assert [record["timestamp"] for record in copy.records()] == [
        "2026-02-01T00:00:00.000Z",
        "2026-02-01T00:00:00.000Z",
        "2026-02-01T00:00:01.000Z",
    ]
    assert {record["sessionId"] for record in copy.records()} == {copy.session_id}
