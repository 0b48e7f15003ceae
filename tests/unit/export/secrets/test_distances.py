"""How far a name may stand from its secret, and that all of a long secret is hidden."""

import random
import re
import string
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.export.secrets.detector import NAMED_PATTERNS
from bough.export.secrets.known_secrets import is_distinctive
from bough.export.secrets.redact import Redactor
from bough.export.secrets.secret_pattern import FAR, NEAR, SecretPattern
from bough.line import Line
from bough.mcp.session_reader import list_odd_words
from bough.records.decode import decode
from bough.records.record import BadLine, Record
from tests.unit.export.planted import planted
from tests.unit.export.planted_words import planted_words

try:
    from re import _parser as parser  # what a pattern is made of
except ImportError:
    import sre_parse as parser

EDGE = 400
PLANTED = [*planted(120), *planted_words()]
WORD = string.ascii_letters + string.digits


def widths_of(shape: SecretPattern) -> tuple[int, int]:
    """Give how many characters a pattern matches at most, and looks at beside that."""
    flags = re.MULTILINE | (re.IGNORECASE if shape.ignores_case else 0)
    tree = parser.parse(shape.expression, flags)
    return tree.getwidth()[1], max(looked_at(tree), default=0)


def looked_at(tree: Any) -> Iterator[int]:
    """Give the widths of what stands before and behind."""
    for kind, value in tree:
        for part in value if isinstance(value, tuple | list) else (value,):
            for inner in part if isinstance(part, list) else (part,):
                if isinstance(inner, parser.SubPattern):
                    if str(kind).startswith("ASSERT"):
                        yield inner.getwidth()[1]
                    yield from looked_at(inner)


def make_record(content: object) -> Record:
    message = {"role": "user", "content": content}
    value = {"type": "user", "uuid": "u", "sessionId": "s", "message": message}
    made = decode(Line(0, 1, msgspec.json.encode(value) + b"\n"))
    assert not isinstance(made, BadLine)
    return made


def make_value(length: int, seed: int = 1) -> str:
    chance = random.Random(seed)
    return "a1Z" + "".join(chance.choice(WORD) for _ in range(length - 3))


@pytest.mark.parametrize("shape", NAMED_PATTERNS, ids=lambda shape: shape.kind)
def test_no_pattern_reaches_further_than_the_window_it_is_looked_for_in(
    shape: SecretPattern,
) -> None:
    width, beside = widths_of(shape)

    assert width <= (FAR if shape.is_wide else NEAR)
    assert beside <= EDGE


def known_of(learn: str, record: Record, words: list[str]) -> set[str]:
    redactor = Redactor()
    if learn == "near":
        redactor.learn_near(record, words)
    else:
        redactor.learn_named([record])
    return {secret for secret, _ in redactor.list_known()}


@given(
    st.integers(0, len(PLANTED) - 1),
    st.one_of(st.integers(0, 3_000), st.sampled_from([NEAR, FAR, FAR + EDGE, 3 * FAR])),
    st.one_of(st.integers(0, 3_000), st.sampled_from([NEAR, FAR, FAR + EDGE, 3 * FAR])),
    st.sampled_from(["\n", " ", ". "]),
)
def test_what_a_window_tells_of_a_secret_is_what_the_whole_text_tells(
    number: int, before: int, behind: int, gap: str
) -> None:
    filler = "so much was said there and then, "
    head, tail = (filler * (size // len(filler) + 1) for size in (before, behind))
    record = make_record(f"{head}{gap}{PLANTED[number].text}{gap}{tail}")

    whole = known_of("all", record, [])
    for secret in whole:
        words = [one.written for one in list_odd_words(secret)]
        if words:
            assert secret in known_of("near", record, words)


@pytest.mark.parametrize(
    "text",
    [
        "password: {}", '"password": "{}"', "DB_PASSWORD={}", 'client_secret = "{}"',
        "api_key: '{}'", "token={}", "Authorization: Bearer {}", "Cookie: sid={}",
    ],
)  # fmt: skip
@given(st.integers(20, 9_000))
def test_a_value_is_hidden_to_its_end_however_long_it_is(text: str, length: int) -> None:
    value = make_value(length)
    redactor = Redactor()

    assert value[-12:] not in redactor.words(f"so {text.format(value)} and on")
    redactor = Redactor()
    record = make_record("x " * 30_000 + text.format(value) + " y" * 30_000)
    redactor.learn_near(record, [one.written for one in list_odd_words(value)])
    assert value[-12:] not in redactor.words(f"I typed {value} here")


@given(st.integers(20, 6_000), st.integers(0, 40_000))
def test_the_name_of_a_field_counts_wherever_its_value_stands(length: int, apart: int) -> None:
    value = make_value(length)
    field = {"password": ["one of many words", "so " * (apart // 3), value]}
    record = make_record([{"type": "tool_use", "id": "t", "name": "Set", "input": field}])
    redactor = Redactor()

    redactor.learn_near(record, [value])

    assert is_distinctive(value)
    assert value[:30] not in redactor.words(f"I typed {value} here")


@pytest.mark.parametrize("rows", [3, 300])
def test_a_column_of_passwords_counts_however_far_above_its_name_stands(rows: int) -> None:
    # Put together here, so that no file of ours has a table of passwords in it.
    table = "\n".join(
        [
            "| user | pass" + "word |",
            "| --- | --- |",
            *(f"| u{n} | Tulip-{n}-Moss |" for n in range(rows)),
        ]
    )
    record = make_record("x " * 3_000 + "\n" + table + "\n" + "y " * 3_000)
    redactor = Redactor()

    redactor.learn_near(record, [f"{rows - 1}"])

    assert f"Tulip-{rows - 1}-Moss" not in redactor.words(f"I typed Tulip-{rows - 1}-Moss here")
