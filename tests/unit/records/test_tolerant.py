"""What offends is left out, and no more than that."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, Struct

from bough.records.record import NO_JSON, Count
from bough.records.tolerant import DEPTH, clean_value, cut_depth, fit_struct


def depth_of(value: object) -> int:
    depth, level = 0, [value]
    while inner := [item for item in level if isinstance(item, list | dict)]:
        depth += 1
        level = [
            each
            for item in inner
            for each in (item if isinstance(item, list) else list(item.values()))
        ]
    return depth


# -- shallow --------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [0, 1, DEPTH])
def test_what_is_flat_enough_stays_as_it_is(depth: int) -> None:
    text = b"[" * depth + b"]" * depth

    assert cut_depth(text) is text


def test_many_brackets_side_by_side_are_not_deep() -> None:
    text = b"[" + b",".join([b"{}"] * 1_000) + b"]"

    assert cut_depth(text) is text


def test_brackets_inside_strings_do_not_count() -> None:
    text = b'{"a":"' + b"[{" * 1_000 + b'\\"[["}'

    assert cut_depth(text) is text


def test_null_stands_for_what_is_too_deep() -> None:
    text = b'{"a":' + b"[" * DEPTH + b"1" + b"]" * DEPTH + b',"b":2}'

    cut = json.loads(cut_depth(text))

    assert depth_of(cut) == DEPTH
    assert cut["b"] == 2


def test_several_deep_parts_are_cut_each() -> None:
    deep = b"[" * 300 + b"]" * 300

    cut = json.loads(cut_depth(b"[" + deep + b',"between",' + deep + b"]"))

    assert cut[1] == "between"
    assert depth_of(cut) == DEPTH


@given(st.binary())
def test_any_bytes_can_be_made_shallow(text: bytes) -> None:
    assert isinstance(cut_depth(text + b"[" * 300), bytes)


@pytest.mark.parametrize("end", [b"", b'"[[', b'"\\'], ids=["none", "brackets in it", "escape"])
def test_a_string_that_does_not_end_has_no_brackets(end: bytes) -> None:
    deep = b"[" * 300 + b"]" * 300

    assert cut_depth(deep + end) == b"[" * DEPTH + b"null" + b"]" * DEPTH + end


# -- clean ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ("a\ud800", "a\N{REPLACEMENT CHARACTER}"),
        ("\N{DECIDUOUS TREE}", "\N{DECIDUOUS TREE}"),
        (float("nan"), None),
        (float("-inf"), None),
        (10**400, None),
        (2**70, float(2**70)),
        (True, True),
        (
            {"\udc00": ["\udc00", 1.5]},
            {"\N{REPLACEMENT CHARACTER}": ["\N{REPLACEMENT CHARACTER}", 1.5]},
        ),
    ],
)
def test_what_utf_8_json_cannot_hold_is_replaced(value: object, cleaned: object) -> None:
    assert clean_value(value) == cleaned


# -- fitted ---------------------------------------------------------------------------------------


class Inner(Struct, rename="camel"):
    how_many: Count | None = None
    name: str = "none"


class Outer(Struct, rename="camel"):
    is_on: bool = False
    one: Inner | None = None
    many: list[Inner] | None = None
    names: list[str] = []
    rest: Raw = NO_JSON


def test_what_fits_is_taken_as_it_is() -> None:
    value = {"isOn": True, "one": {"howMany": 3}, "names": ["a"], "rest": [1], "more": 1}

    found = fit_struct(value, Outer)

    assert (found.is_on, found.one, found.names) == (True, Inner(how_many=3), ["a"])
    assert bytes(found.rest) == b"[1]"


def test_a_wrong_field_keeps_its_default() -> None:
    assert fit_struct({"isOn": "yes", "names": ["a"]}, Outer).is_on is False
    assert fit_struct({"isOn": "yes", "names": ["a"]}, Outer).names == ["a"]


def test_inside_objects_and_lists_only_what_is_wrong_is_left_out() -> None:
    value = {
        "one": {"howMany": "three", "name": "x"},
        "many": [{"howMany": 2**60}, "no", {"name": "y"}],
        "names": ["a", 1, "b"],
    }

    found = fit_struct(value, Outer)

    assert found.one == Inner(name="x")
    assert found.many == [Inner(), Inner(name="y")]
    assert found.names == ["a", "b"]


@pytest.mark.parametrize("value", [None, 1, "text", [], True])
def test_what_is_no_object_gives_the_defaults(value: object) -> None:
    assert fit_struct(value, Inner) == Inner()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["howMany", "name"]), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["isOn", "one", "many", "names", "rest"]), json_values))
def test_a_struct_is_made_of_anything(value: dict[str, object]) -> None:
    found = fit_struct(clean_value(value), Outer)

    assert isinstance(found.is_on, bool)
    assert all(isinstance(each, Inner) for each in found.many or [])
