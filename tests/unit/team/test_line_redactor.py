"""Secrets are written over in the bytes of lines; everything else stays where and what it was."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.export.secrets.redact import Redactor
from bough.line import Line
from bough.records.decode import decode_lines, decode_plain
from bough.records.record import BadLine
from bough.team.json_strings import decode_text, find_strings, locate_characters
from bough.team.line_redactor import LineRedactor
from tests.sampled import scale_examples
from tests.unit.export.planted import SHAPED, Maker, planted, private_key
from tests.unit.export.planted_words import planted_words

SECRETS = [*planted(200), *planted_words()]
TOKEN = SHAPED["GitHub"](Maker(3))
FORMS = {
    "value": lambda text: json.dumps({"type": "user", "message": {"content": text}}),
    "letters as they are": lambda text: json.dumps({"a": [{"b": text}]}, ensure_ascii=False),
    "in a list": lambda text: json.dumps({"lines": ["x", text, 3]}),
    "a key": lambda text: json.dumps({text: 1}),
    "JSON in a string": lambda text: json.dumps({"out": json.dumps({"inner": f" {text} "})}),
    "glued": lambda text: json.dumps({"type": "user", "x": text}) * 2,
    "torn": lambda text: json.dumps({"type": "user", "x": f"{text} and more"})[:-2],
    "behind a torn one": lambda text: (
        '{"type":"user","x":"half' + json.dumps({"type": "user", "x": text})
    ),
    "no JSON": lambda text: " ".join(text.split("\n")),
    "cut into lines": lambda text: json.dumps({"lines": ["+a", *text.split("\n"), "+b"]}),
}


def redact(*lines: bytes) -> list[bytes]:
    redactor = LineRedactor()
    for line in lines:
        redactor.learn(line)
    return [redactor.mask(line) for line in lines]


def read_texts(raw: bytes) -> str:
    texts = (decode_text(raw[one.start : one.end]) for one in find_strings(raw))
    return "\n".join((raw.decode(), *texts))


@pytest.mark.parametrize("form", FORMS)
def test_no_planted_secret_is_left_in_the_bytes(form: str) -> None:
    left = []
    for one in SECRETS:
        raw = FORMS[form](one.text).encode() + b"\n"
        (masked,) = redact(raw)
        assert len(masked) == len(raw)
        assert masked.endswith(b"\n")
        written = read_texts(masked)
        if any(secret in written for secret in one.secrets):
            left.append(one)
            assert not _is_hidden_by_exporter(raw, one.secrets), masked
    # The exporter finds nothing either where JSON in JSON spells what tells a password.
    assert len(left) <= len(SECRETS) // 20, left


def _is_hidden_by_exporter(raw: bytes, secrets: tuple[str, ...]) -> bool:
    """Tell whether an export of the same line shows nothing of its secret."""
    redactor = Redactor()
    items = list(decode_lines([Line(0, 1, raw)]))
    redactor.learn_records(items)
    hidden = [
        redactor.bad_line(item) if isinstance(item, BadLine) else redactor.record(item)
        for item in items
    ]
    return not any(secret in read_texts(item.raw) for item in hidden for secret in secrets)


def test_all_planted_secrets_are_hidden_where_a_record_holds_them() -> None:
    for one in SECRETS:
        (masked,) = redact(FORMS["value"](one.text).encode())
        text = json.loads(masked)["message"]["content"]
        assert not any(secret in text for secret in one.secrets), one.kind


def test_a_secret_becomes_as_many_stars_as_it_has_bytes() -> None:
    raw = f'{{"a":"é {TOKEN} \\n","b":7}}\r\n'.encode()
    (masked,) = redact(raw)
    assert masked == f'{{"a":"é {"*" * len(TOKEN)} \\n","b":7}}\r\n'.encode()


def test_escapes_inside_a_secret_are_written_over_too() -> None:
    key = private_key(Maker(1), "RSA ").text
    raw = json.dumps({"a": f"<{key}>"}).encode()
    (masked,) = redact(raw)
    assert masked == b'{"a": "<' + b"*" * (len(json.dumps(key)) - 2) + b'>"}'


def test_a_password_known_by_its_setting_is_hidden_where_it_is_mentioned() -> None:
    first, second = redact(
        b'{"x":"I typed p0mmes-frites-94 by hand"}\n', b'{"x":"DB_PASSWORD=p0mmes-frites-94"}\n'
    )
    assert first == b'{"x":"I typed **************** by hand"}\n'
    assert b"p0mmes" not in second


def test_pictures_and_signatures_stay_what_they_are() -> None:
    token = TOKEN.replace("_", "A") * 2
    source = {"type": "base64", "media_type": "image/png", "data": token}
    raw = json.dumps({"source": source}).encode()
    assert redact(raw) == [raw]


def test_a_field_called_password_is_hidden_whole_and_its_name_stays() -> None:
    assert redact(b'{"password":"hunter2-xyz9-ab","user":"swordfish"}') == [
        b'{"password":"***************","user":"swordfish"}'
    ]


def test_records_on_one_line_stay_records() -> None:
    raw = FORMS["glued"](f"token {TOKEN}").encode() + b"\n"
    (masked,) = redact(raw)
    kinds = [type(item).__name__ for item in decode_lines([Line(0, 1, masked)])]
    assert kinds == ["User", "User"]
    assert TOKEN.encode() not in masked


def test_what_was_hidden_is_counted_by_kind_and_each_secret_once() -> None:
    redactor = LineRedactor()
    for _ in range(3):
        redactor.learn(f'{{"a":"{TOKEN}"}}'.encode())
    assert [(one.kind, one.secrets) for one in redactor.list_hidden()] == [("GitHub token", 1)]


TEXTS = st.text(max_size=40) | st.sampled_from(
    [TOKEN, f"DB_PASSWORD={TOKEN}", "password: hunter2-xyz9", "\ud800", "\U0001f600\x1b[3m", "\\"]
)
VALUES = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(value=VALUES, ascii_only=st.booleans(), end=st.sampled_from(["", "\n", "\r\n"]))
@settings(max_examples=scale_examples(150), deadline=None)
def test_a_masked_line_is_the_same_json_but_for_masked_strings(
    value: Any, ascii_only: bool, end: str
) -> None:
    raw = (json.dumps(value, ensure_ascii=ascii_only) + end).encode("utf-8", "surrogatepass")
    (masked,) = redact(raw)
    assert len(masked) == len(raw)
    assert masked.endswith(end.encode())
    changed = [at for at in range(len(raw)) if raw[at] != masked[at]]
    assert all(masked[at : at + 1] == b"*" for at in changed)
    if decode_plain(raw) is not None:
        strings = [(s.start, s.end) for s in find_strings(raw)]
        assert strings == [(s.start, s.end) for s in find_strings(masked)]
        assert all(any(start <= at < stop for start, stop in strings) for at in changed)


@given(
    raw=st.binary(max_size=200) | st.text(alphabet='{}[]:,"\\ua d8*\n', max_size=60).map(str.encode)
)
@settings(max_examples=scale_examples(200), deadline=None)
def test_any_bytes_keep_their_number_and_their_ends(raw: bytes) -> None:
    (masked,) = redact(raw)
    assert len(masked) == len(raw)
    assert re.findall(rb"[\r\n]*\Z", masked) == re.findall(rb"[\r\n]*\Z", raw)


@given(text=st.text(max_size=60), ascii_only=st.booleans())
@settings(max_examples=scale_examples(150), deadline=None)
def test_every_character_of_a_string_has_its_place(text: str, ascii_only: bool) -> None:
    inner = json.dumps(text, ensure_ascii=ascii_only)[1:-1].encode("utf-8", "surrogatepass")
    starts = locate_characters(inner)
    assert starts[-1] == len(inner)
    assert len(starts) == len(decode_text(inner)) + 1


def test_ids_and_times_of_real_files_are_never_masked(shared: Path) -> None:
    redactor = LineRedactor()
    names = ("uuid", "parentUuid", "sessionId", "timestamp", "type", "requestId")
    for path in sorted((shared / "corpus" / "projects").rglob("*.jsonl"))[::4]:
        for raw in path.read_bytes().splitlines(keepends=True):
            masked = redactor.mask(raw)
            if masked is not raw:
                before, after = decode_plain(raw), decode_plain(masked)
                assert [before.get(n) for n in names] == [after.get(n) for n in names]


@given(value=VALUES)
@settings(max_examples=scale_examples(100), deadline=None)
def test_the_strings_of_a_line_are_those_that_json_has(value: Any) -> None:
    raw = json.dumps(value).encode()
    found = [decode_text(raw[one.start : one.end]) for one in find_strings(raw)]
    assert found == list(_list_texts(json.loads(raw, object_pairs_hook=_Pairs)))


class _Pairs(list[Any]):
    """The fields of an object, repeated ones too."""


def _list_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, _Pairs):
        for key, inner in value:
            yield key
            yield from _list_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_texts(inner)


def test_a_value_goes_by_the_name_that_stands_beside_it() -> None:
    line = b'{"env":[{"name":"DB_PASSWORD","value":"orchard"},{"name":"TREE","value":"emerald"}]}\n'

    [masked] = redact(line)

    assert masked == line.replace(b"orchard", b"*******")
