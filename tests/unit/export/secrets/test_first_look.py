"""The first look at a line: laws that hold whatever a line is made of."""

import re
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.export.secrets.detector import (
    NAMED_PATTERNS,
    PossibleSecrets,
    SecretDetector,
    SecretMatch,
)
from bough.export.secrets.pattern_filter import has_unseen_bytes
from bough.export.secrets.token_patterns import TOKEN_PATTERNS
from tests.sampled import scale_examples
from tests.unit.export.planted import planted
from tests.unit.export.planted_words import planted_words

EVERY_PATTERN = (*TOKEN_PATTERNS, *NAMED_PATTERNS)
EVERY_SHAPE = PossibleSecrets(EVERY_PATTERN, keys=True, tables=True, unseen=True)
GATED = [shape for shape in EVERY_PATTERN if shape.gate]
SECRETS = sorted(one.text for one in (*planted(130), *planted_words()))
WORDS = (
    "Mend the import", "passed", "keys", "author", "monkeypatch", "env", "value", "login(",
    "https://example.org/a", '{"a": 1}', 'tokens":12,', "curl -x", "12\u2192", "|", "\x1b[1m",
    "\u26a0\ufe0f", "\u5bc6\u7801", "| name | password |", "4f1c6d0e-8b1d-4c7f-9a55-0d8f3b1c2a11",
)  # fmt: skip
BETWEEN = (
    " ", "\n", "\n\n+", "\\n", '"', "'", ", ", "\t", " \x1b[31m", "\n\\u001b[1;32m", "\n\\x1b[32m",
    "\n\\033[0m", "\n\\e[32m", "\n^[[32m", "\n[32m",
)  # fmt: skip

texts = st.lists(
    st.tuples(st.sampled_from([*SECRETS, *WORDS * 20]), st.sampled_from(BETWEEN)), max_size=8
).map(lambda parts: "".join(part + between for part, between in parts))


def write_line(text: str) -> bytes:
    """Write a record as a client does."""
    return msgspec.json.encode({"type": "user", "message": {"content": text}})


def list_places(found: Sequence[SecretMatch]) -> list[tuple[int, int]]:
    """List where secrets were found."""
    return [(one.start, one.end) for one in found]


@settings(max_examples=scale_examples(300), deadline=None)
@given(texts)
def test_the_first_look_dismisses_nothing_that_the_patterns_find(text: str) -> None:
    secrets = SecretDetector()

    seen = secrets.find(text, secrets.find_possible(write_line(text)))

    # What it is called may differ: a line is asked less for kinds that another kind would tell.
    assert list_places(seen) == list_places(secrets.find(text, EVERY_SHAPE))


@pytest.mark.parametrize("before", ["/usr/local/bin/", "./", "C:/tools/", "RUN=", "twilio.", "-"])
@pytest.mark.parametrize("ending", ["", ".exe"])
def test_a_word_is_known_behind_its_folder_and_before_its_ending(before: str, ending: str) -> None:
    secrets = SecretDetector()
    for secret in SECRETS:
        text = before + re.sub(r"^[\w-]+", lambda word: word[0] + ending, secret)
        seen = secrets.find(text, secrets.find_possible(write_line(text)))

        assert list_places(seen) == list_places(secrets.find(text, EVERY_SHAPE))


@pytest.mark.parametrize(
    "command",
    [
        "/usr/bin/mysql -u dev -p{}",
        "& C:\\tools\\mysqldump.exe -p{} shop",
        '& "C:\\Program Files\\MySQL\\mysql.exe" -p{} shop',
        "ansible-playbook site.yml -e ansible_become_pass={}",
        "redis-server --requirepass {}",
        "client = twilio.rest.Client('AC{}', '{}')",
        "./node_modules/.bin/wrangler deploy --dbpass {}",
    ],
)
def test_a_secret_of_a_command_with_its_folder_is_found(command: str) -> None:
    value = "0123" * 8 if "'" in command else "harbour6712#q"
    text = command.format(value, value)
    secrets = SecretDetector()

    found = secrets.find(text, secrets.find_possible(write_line(text)))

    assert found
    assert found[-1].start <= text.rindex(value)
    assert found[-1].end >= text.rindex(value) + len(value)


@settings(max_examples=scale_examples(100), deadline=None)
@given(st.lists(texts, max_size=12))
def test_lines_asked_about_together_are_told_what_each_is_told_alone(some: list[str]) -> None:
    secrets = SecretDetector()
    lines = [write_line(text) for text in some]

    assert list(secrets.find_possible_in(lines)) == [*map(secrets.find_possible, lines)]


@settings(max_examples=scale_examples(100), deadline=None)
@given(texts)
def test_a_gate_lets_pass_what_its_whole_expression_matches(text: str) -> None:
    for line in (write_line(text), write_line(text).lower()):
        for shape in GATED:
            assert shape.may_stand_in(line) == bool(shape.compile_gate().search(line)), shape.gate


def test_unseen_characters_of_one_line_are_told_of_that_line_alone() -> None:
    lines = [write_line("plain"), write_line("\u26a0\ufe0f odd"), write_line("plain too")]

    told = list(SecretDetector().find_possible_in(lines))

    assert [one.unseen for one in told] == [False, True, False]
    assert [one.unseen for one in told] == [*map(has_unseen_bytes, lines)]
    assert not any(told)
