"""Settings edited in place: a few characters change, and all else stays to the byte."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import Misuse
from bough.timetravel.settings_file import (
    find_setting_text,
    read_settings_text,
    remove_setting_text,
    set_setting_text,
)

VALUE = '{"type": "command"}'
TEXTS = [
    "{}",
    "{ }\n",
    '{"a": 1}',
    '{"a": 1, "b": [1, 2]}\n',
    '{\n  "a": 1\n}\n',
    '{\n\t"a": {\n\t\t"b": []\n\t}\n}',
    '{\r\n  "a": 1\r\n}\r\n',
    '{\n  "a": 1, // one\n  "b": 2 // two\n}\n',
    '{\n  "a": 1, /* x, } */\n  "b": "// no } comment",\n}\n',
    "// head\n{\n  // nothing yet\n}\n// foot\n",
    '\ufeff{\n  "a": "\\"}"\n}\n',
    '{"a": [{"b": "]"}, /* , */ 2,],}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_setting_is_added_and_everything_else_means_what_it_did(text: str) -> None:
    added = set_setting_text(text, "statusLine", VALUE)

    assert read_settings_text(added, "x") == {
        **read_settings_text(text, "x"),
        "statusLine": {"type": "command"},
    }
    assert find_setting_text(added, "statusLine") == VALUE
    assert added.count("//") == text.count("//")


@pytest.mark.parametrize("text", TEXTS)
def test_a_setting_that_was_added_can_be_taken_out_again(text: str) -> None:
    added = set_setting_text(text, "statusLine", VALUE)
    back = remove_setting_text(added, "statusLine")

    assert read_settings_text(back, "x") == read_settings_text(text, "x")
    if "1" in text:
        assert back == text


def test_a_setting_is_changed_where_it_stands() -> None:
    text = '{\n  "statusLine": {"x": 1 /* old */}, // mine\n  "a": 1\n}\n'

    assert find_setting_text(text, "statusLine") == '{"x": 1}'
    assert set_setting_text(text, "statusLine", VALUE) == text.replace('{"x": 1 /* old */}', VALUE)
    assert remove_setting_text(text, "statusLine") == '{ // mine\n  "a": 1\n}\n'


def test_of_two_settings_of_one_name_the_last_counts() -> None:
    text = '{"a": 1, "b": 2, "a": 3}'

    assert find_setting_text(text, "a") == "3"
    assert set_setting_text(text, "a", "4") == '{"a": 1, "b": 2, "a": 4}'
    assert remove_setting_text(text, "a") == '{ "b": 2}'


def test_an_empty_file_becomes_one_with_the_setting() -> None:
    assert set_setting_text("", "a", "1") == '{\n  "a": 1\n}\n'
    assert set_setting_text(" \n", "a", "1") == '{\n  "a": 1\n}\n'


@pytest.mark.parametrize(
    "text", ["[]", "null", '{"a"}', '{"a": }', '{"a": 1 "b": 2}', "{", '{"a": 1}}', "{,}", "{a: 1}"]
)
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(Misuse, match=r"settings\.json is not a JSON object"):
        read_settings_text(text, "settings.json")


def test_a_text_that_is_nested_too_deep_is_refused() -> None:
    with pytest.raises(Misuse):
        read_settings_text('{"a": ' + "[" * 100_000, "settings.json")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**50), 2**50)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(st.characters(codec="utf-8")), JSON, max_size=4)


@given(OBJECTS, st.sampled_from([-1, 0, 2]), st.text(st.characters(codec="utf-8")), JSON)
def test_any_settings_can_be_set_and_taken_out(
    settings: dict[str, object], indent: int, name: str, value: object
) -> None:
    text = msgspec.json.format(msgspec.json.encode(settings), indent=indent).decode()
    added = set_setting_text(text, name, msgspec.json.encode(value).decode())
    without = {key: kept for key, kept in settings.items() if key != name}

    assert read_settings_text(added, "x") == {**settings, name: value}
    assert read_settings_text(remove_setting_text(added, name), "x") == without
    if settings and name not in settings:
        assert remove_setting_text(added, name) == text
