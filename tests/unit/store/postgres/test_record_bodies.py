"""Records as JSON that PostgreSQL takes."""

import msgspec
import pytest

from bough.store.postgres.record_bodies import build_body, clean_text


def test_a_short_record_stays_as_it_is() -> None:
    assert build_body(b'{"type": "user", "n": 1.50}\n') == '{"type": "user", "n": 1.50}'


def test_long_strings_are_replaced_by_their_length() -> None:
    body = build_body(msgspec.json.encode({"text": "é" * 3_000, "list": ["a", {"b": "x" * 2_048}]}))

    assert msgspec.json.decode(body or "") == {
        "text": {"$bytes": 6_000},
        "list": ["a", {"b": "x" * 2_048}],
    }


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (rb'{"a": "x\u0000y"}', {"a": "x\ufffdy"}),
        (rb'{"a": "\ud83d"}', {"a": "\ufffd"}),
        (rb'{"a\u0000": "\ud83d\ude00"}', {"a\ufffd": "😀"}),
        (b'{"a": 1e400}', {"a": None}),
    ],
)
def test_what_jsonb_cannot_hold_is_replaced(raw: bytes, expected: object) -> None:
    assert msgspec.json.decode(build_body(raw) or "") == expected


def test_what_is_no_json_has_no_body() -> None:
    assert build_body(b"no json\n") is None


def test_text_is_cleaned_only_where_it_has_to_be() -> None:
    assert clean_text("漢字") == "漢字"
    assert clean_text("a\0b") == "a\ufffdb"
    assert "\ud800" not in clean_text("a\ud800")
