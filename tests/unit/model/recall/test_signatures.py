"""Two runs of the same command, and two cases of the same error, have one signature."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.recall.signatures import find_error_line, list_signature_words, make_signature


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("make test SEED=41", "make  test SEED=7"),
        ("pytest -k 'one thing'", 'pytest -k "another"'),
        ("cat /tmp/a/b.txt", "cat /home/dev/x/y.txt"),
        ("git show 3f9c21d0", "git show abcdef0123456"),
        ("\x1b[31mError\x1b[0m at 0x7f3a", "Error at 0xdeadbeef"),
        ("Error: took 1.5 s", "error: took 12.25 s"),
    ],
)
def test_what_differs_from_run_to_run_is_folded(one: str, other: str) -> None:
    assert make_signature(one) == make_signature(other)


@pytest.mark.parametrize(
    ("one", "other"), [("make test", "make lint"), ("npm run build", "npm run build --watch")]
)
def test_other_commands_stay_apart(one: str, other: str) -> None:
    assert make_signature(one) != make_signature(other)


@given(st.text())
def test_a_signature_is_its_own(text: str) -> None:
    once = make_signature(text)
    assert make_signature(once) == once


def test_the_line_of_an_error_is_found() -> None:
    trace = "Traceback (most recent call last):\n  File x\nValueError: bad\n"

    assert find_error_line(trace) == "ValueError: bad"
    assert find_error_line("start\nfatal: no\nmore") == "fatal: no"
    assert find_error_line("a\nb\n") == "b"
    assert find_error_line("") == ""


def test_the_longest_words_lead_to_it() -> None:
    assert list_signature_words(make_signature("make test SEED=41")) == ["make", "test", "seed"]
