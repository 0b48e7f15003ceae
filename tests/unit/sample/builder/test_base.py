from datetime import UTC, datetime

import msgspec
import pytest

from bough.errors import Misuse
from bough.sample import ABSENT, session


def test_the_same_steps_give_the_same_bytes() -> None:
    def made() -> bytes:
        return session("a").user("hi", name="P").assistant("hello").at("P").assistant("hey").bytes()

    assert made() == made()


def test_two_seeds_share_no_id() -> None:
    one, two = (
        {str(record["uuid"]) for record in session(seed).user("hi").assistant("hello").records()}
        for seed in ("one", "two")
    )

    assert not one & two


def test_a_named_step_keeps_its_uuid_when_steps_come_before_it() -> None:
    short = session().user("hi", name="P")
    long = session().user("before").assistant("yes").user("hi", name="P")

    assert short.uuid("P") == long.uuid("P")


def test_each_record_hangs_on_the_one_before() -> None:
    builder = session().user("hi").assistant("hello").user("bye")

    first, second, third = builder.records()

    assert first["parentUuid"] is None
    assert second["parentUuid"] == first["uuid"]
    assert third["parentUuid"] == second["uuid"]


def test_moving_the_cursor_makes_a_second_child() -> None:
    builder = session().user("hi", name="P").assistant("one").at("P").assistant("two")

    assert [record["parentUuid"] for record in builder.records()[1:]] == [builder.uuid("P")] * 2


def test_a_step_is_found_by_name_uuid_and_number() -> None:
    builder = session().user("hi", name="P").assistant("hello")

    assert (
        builder.uuid("P") == builder.uuid(1) == builder.uuid(builder.uuid("P")) == builder.uuid(-2)
    )


def test_a_name_nobody_gave_is_refused() -> None:
    with pytest.raises(Misuse, match="No step is named 'Q'"):
        session().user("hi", name="P").at("Q")


def test_a_name_given_twice_is_refused() -> None:
    with pytest.raises(Misuse, match="Two steps are named 'P'"):
        session().user("hi", name="P").user("hi", name="P")


def test_an_orphan_hangs_on_a_node_that_is_nowhere() -> None:
    builder = session().user("hi").at_missing().user("lost")

    assert builder.records()[1]["parentUuid"] not in builder.nodes


def test_time_advances_by_a_tick_and_by_waiting() -> None:
    builder = session(start=datetime(2026, 3, 1, 12, tzinfo=UTC)).user("a").wait(30).user("b")

    assert [record["timestamp"] for record in builder.records()] == [
        "2026-03-01T12:00:00.000Z",
        "2026-03-01T12:00:31.000Z",
    ]


def test_any_field_can_be_given_or_left_out() -> None:
    builder = session().user("hi", cwd="/elsewhere", timestamp=ABSENT, extra=[1])

    record = builder.records()[0]
    assert record["cwd"] == "/elsewhere"
    assert record["extra"] == [1]
    assert "timestamp" not in record


def test_a_written_step_can_be_amended() -> None:
    builder = session().user("hi", name="P").amend("P", uuid=ABSENT, version="9")

    assert builder.records()[0]["version"] == "9"
    assert "uuid" not in builder.records()[0]


def test_later_records_may_have_another_version_and_folder() -> None:
    builder = session(version="2.1.150").user("a").change(version="2.1.250", cwd="/b").user("b")

    assert [record["version"] for record in builder.records()] == ["2.1.150", "2.1.250"]
    assert [record["cwd"] for record in builder.records()][1] == "/b"


def test_lines_joined_are_the_file_and_each_is_one_record() -> None:
    builder = session().user("hi").raw(b"// not a record").assistant("hello")

    assert b"".join(builder.lines()) == builder.bytes()
    assert builder.lines()[1] == b"// not a record\n"
    assert msgspec.json.decode(builder.lines()[2]) == builder.records()[1]
