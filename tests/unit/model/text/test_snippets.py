import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.text.match_patterns import WordPattern
from bough.model.text.snippet_noise import find_noise
from bough.model.text.snippets import Snippet, cut_snippet

FILLER = "lorem ipsum dolor sit amet " * 20


def marked(cut: Snippet) -> list[str]:
    return [cut.text[start:end] for start, end in cut.marks]


def test_a_short_text_is_shown_whole() -> None:
    cut = cut_snippet("the checkpoint file", ["checkpoint"])

    assert cut == Snippet("the checkpoint file", ((4, 14),))


def test_an_excerpt_is_cut_around_the_match_at_words() -> None:
    cut = cut_snippet(f"{FILLER}written to a Checkpoint file {FILLER}", ["checkpoint"], 60)

    assert cut.text == "…written to a Checkpoint file lorem ipsum dolor sit amet…"
    assert marked(cut) == ["Checkpoint"]


def test_the_place_with_the_most_words_wins() -> None:
    cut = cut_snippet(f"disk {FILLER} disk is full {FILLER}", ["disk", "full"], 60)

    assert marked(cut) == ["disk", "full"]


def test_every_match_in_the_excerpt_is_marked() -> None:
    assert marked(cut_snippet("a b A-b", ["a", "b"])) == ["a", "b", "A", "b"]


def test_matches_that_overlap_are_one_mark() -> None:
    assert marked(cut_snippet("disk full", [WordPattern("di", prefix=True), "disk full"])) == [
        "disk full"
    ]


def test_white_space_becomes_single_and_marks_move_along() -> None:
    cut = cut_snippet("a\n\n\t b   c", ["b   c"])

    assert cut.text == "a b c"
    assert marked(cut) == ["b c"]


def test_a_regex_is_marked_too() -> None:
    assert marked(cut_snippet("exit 127 now", [re.compile(r"\d+")])) == ["127"]


@pytest.mark.parametrize("words", [[], ["absent"]])
def test_without_a_match_the_beginning_is_shown(words: list[str]) -> None:
    cut = cut_snippet(FILLER, words, 30)

    assert cut == Snippet("lorem ipsum dolor sit amet…")


def test_a_match_longer_than_the_excerpt_is_cut() -> None:
    cut = cut_snippet("x " * 50 + "y" * 500, [WordPattern("yy", prefix=True), re.compile("y+")], 40)

    assert len(cut.text) <= 42
    assert set(marked(cut)[0]) == {"y"}


@given(
    text=st.text(alphabet="ab é猫\n_x", max_size=300),
    words=st.lists(st.text(alphabet="abé猫", min_size=1, max_size=3), max_size=3),
    width=st.integers(1, 80),
)
def test_marks_are_in_order_inside_and_never_touch(text: str, words: list[str], width: int) -> None:
    cut = cut_snippet(text, words, width)

    edges = [place for mark in cut.marks for place in mark]
    assert len(cut.text) <= width + 2
    assert edges == sorted(set(edges))
    assert all(0 <= edge <= len(cut.text) for edge in edges)


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        (
            "text",
            "### Plan\n\nThe **checkpoint** file:\n```python\nx\n```",
            "Plan The checkpoint file: x",
        ),
        ("text", "a `checkpoint` of `__init__`", "a checkpoint of __init__"),
        (
            "tool_result",
            "     8\u2192\n     9\u2192@checkpoint\n    10\u2192class A:",
            "@checkpoint class A:",
        ),
        ("tool_result", "8\tdef f(**checkpoint):\n9\t    2**3", "def f(**checkpoint): 2**3"),
        ("tool_result", "\x1b[31m checkpoint\x1b[0m is **Gone**.", "checkpoint is Gone."),
        ("tool_input", "checkpoint\nfiles_with_matches\n50", "checkpoint"),
    ],
)
def test_an_excerpt_is_clean_text(kind: str, text: str, shown: str) -> None:
    found = cut_snippet(text, [WordPattern("checkpoint")], noise=find_noise(kind))

    assert found.text.strip() == shown
    assert [found.text[start:end] for start, end in found.marks] == ["checkpoint"]


def test_what_was_looked_for_is_never_left_out() -> None:
    found = cut_snippet(
        "TODO\nfiles_with_matches",
        [WordPattern("files_with_matches")],
        noise=find_noise("tool_input"),
    )

    assert found.text == "TODO files_with_matches"
    assert found.marks == ((5, 23),)


@given(
    st.text(alphabet="ab *#`\n\t12\u2192", max_size=400), st.sampled_from(["text", "tool_result"])
)
def test_marks_stand_on_what_was_found_in_clean_text_too(text: str, kind: str) -> None:
    found = cut_snippet(text, [WordPattern("ab")], 40, find_noise(kind))

    assert all(found.text[start:end] == "ab" for start, end in found.marks)
    assert bool(found.marks) == WordPattern("ab").is_in(text)


@pytest.mark.parametrize("piece", ["-", "| - ", "*", "**A", "#", "`", " ", "9", "-|:", "\n- "])
@pytest.mark.parametrize("kind", ["text", "tool_input", "tool_result"])
def test_no_text_takes_long_to_clean(kind: str, piece: str) -> None:
    started = process_time()

    cut_snippet(piece * 20_000 + "x", [WordPattern("x")], noise=find_noise(kind))
    find_noise(kind).sub("", piece * 20_000 + "x")

    assert process_time() - started < 2
