import msgspec
import pytest

from bough.errors import Misuse
from bough.sample import session


def test_a_torn_line_has_no_end_and_is_no_json() -> None:
    line = session().user("hi").tear_line().lines()[-1]

    assert not line.endswith(b"\n")
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(line)


def test_a_split_record_is_two_lines_that_join_to_it() -> None:
    whole = session().user("hi").lines()[0]

    first, second = session().user("hi").split(40).lines()

    assert first.rstrip(b"\n") + second == whole


def test_two_records_may_be_glued_on_one_line() -> None:
    builder = session().user("hi").drop_newline().assistant("hello")

    assert builder.bytes().count(b"\n") == 1
    assert b"}{" in builder.bytes()


def test_a_file_may_begin_with_a_mark_and_end_its_lines_as_windows_does() -> None:
    builder = session().user("hi").assistant("hello").crlf().bom()

    assert builder.bytes().startswith(b"\xef\xbb\xbf{")
    assert builder.bytes().count(b"\r\n") == 2


def test_zeros_blanks_and_nonsense_are_lines_of_their_own() -> None:
    assert session().nul(3).blank().malformed_line().lines() == [
        b"\x00\x00\x00\n",
        b"\n",
        b'{"type":"user","uuid":\n',
    ]


def test_a_repeated_line_is_the_same_bytes_or_what_was_changed() -> None:
    builder = session().user("hi", name="P").again("P").again("P", parentUuid="x")

    first, same, other = builder.lines()
    assert first == same != other
    assert len({str(record["uuid"]) for record in builder.records()}) == 1


def test_a_replay_has_new_uuids_and_the_same_content_and_time() -> None:
    builder = session().user("hi", name="P").assistant("hello", name="A").replay("P", "A")

    for old, new in zip(builder.records()[:2], builder.records()[2:], strict=True):
        assert old["uuid"] != new["uuid"]
        assert old["message"] == new["message"]
        assert old["timestamp"] == new["timestamp"]
    assert builder.records()[3]["parentUuid"] == builder.records()[2]["uuid"]


def test_a_cycle_is_made_by_hanging_a_step_on_a_later_one() -> None:
    builder = session().user("a", name="A").assistant("b", name="B").reparent("A", "B")

    assert builder.record_of("A")["parentUuid"] == builder.uuid("B")
    assert builder.record_of("B")["parentUuid"] == builder.uuid("A")


def test_nothing_cannot_be_damaged() -> None:
    with pytest.raises(Misuse, match="Nothing is written yet"):
        session().tear_line()
