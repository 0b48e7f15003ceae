import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.records.decode import decode_plain
from bough.timetravel.plans.edit_record import encode_line, set_fields

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.sampled_from(["type", "uuid", "parentUuid", "a b", "é"]), JSON)
FIELDS = st.dictionaries(st.sampled_from(["parentUuid", "sessionId", "type"]), JSON)


@given(OBJECTS, FIELDS)
def test_only_the_given_fields_change(before: dict[str, object], fields: dict[str, object]) -> None:
    changed = set_fields(msgspec.json.encode(before), fields)

    assert msgspec.json.decode(changed) == before | fields


@given(OBJECTS)
def test_a_record_with_its_own_values_is_the_same_bytes(before: dict[str, object]) -> None:
    raw = msgspec.json.encode(before)

    assert set_fields(raw + b"\n", before) == raw


def test_fields_keep_their_place_and_new_ones_come_last() -> None:
    assert set_fields(b'{"a":1,"b":2}', {"c": 3, "a": 4}) == b'{"a":4,"b":2,"c":3}'


def test_the_same_name_further_inside_is_left_alone() -> None:
    raw = b'{"x":{"sessionId":"in"},"sessionId":"out","y":[{"sessionId":"in"}]}'

    assert set_fields(raw, {"sessionId": "new"}) == raw.replace(b'"out"', b'"new"')


def test_white_space_and_escapes_stay_as_they_are() -> None:
    raw = b' { "a" : "\\u00e9\\/" , "b" : [ 1.0 , 1e2 ] } \r\n'

    assert set_fields(raw, {"a": 1}) == b'{ "a" : 1 , "b" : [ 1.0 , 1e2 ] }'.replace(b" }", b"}")


@pytest.mark.parametrize(
    "value", [b'"\\ud800"', b'"\xff\xfe"', b"[" * 3000 + b"]" * 3000, b"1e999", b"1" * 30]
)
def test_what_the_client_can_read_is_kept_to_the_byte(value: bytes) -> None:
    raw = b'{"odd":' + value + b',"uuid":"u"}'

    assert set_fields(raw, {"uuid": "v"}) == raw.replace(b'"u"}', b'"v"}')


@pytest.mark.parametrize("value", [b"NaN", b"-Infinity", b'"a\tb"'])
def test_what_the_client_cannot_read_is_written_as_it_was_understood(value: bytes) -> None:
    raw = b'{"odd":' + value + b',"uuid":"u"}'

    changed = set_fields(raw, {"uuid": "v"})

    again = msgspec.json.decode(changed)
    assert again["uuid"] == "v"
    assert again["odd"] == decode_plain(raw)["odd"]
    assert not isinstance(again["odd"], float) or math.isfinite(again["odd"])


def test_a_mark_before_the_first_record_is_dropped() -> None:
    assert set_fields(b'\xef\xbb\xbf{"a":1}', {}) == b'{"a":1}'


def test_an_empty_object_takes_fields() -> None:
    assert set_fields(b"{}", {"a": 1}) == b'{"a":1}'


def test_the_last_of_two_equal_names_counts_so_both_change() -> None:
    assert set_fields(b'{"a":1,"a":2}', {"a": 3}) == b'{"a":3,"a":3}'


def test_a_new_record_ends_with_a_newline() -> None:
    assert encode_line({"type": "x"}) == b'{"type":"x"}\n'
