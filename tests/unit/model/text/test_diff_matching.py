"""Matching: what difflib finds, and never minutes of looking."""

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from bough.model.text.line_diff import DiffRange, estimate_diff_work, find_differences

PARTS = st.lists(st.sampled_from("abcdef"), max_size=30)


def by_difflib(old: list[str], new: list[str]) -> list[DiffRange]:
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(i, i2, j, j2) for tag, i, i2, j, j2 in codes if tag != "equal"]


@given(PARTS, PARTS)
def test_texts_differ_where_difflib_says(old: list[str], new: list[str]) -> None:
    assert find_differences(old, new) == by_difflib(old, new)


def test_long_texts_differ_where_difflib_says() -> None:
    old, new = [str(n) for n in range(300)], [str(n) for n in range(0, 300, 7)]

    assert find_differences(old, new) == by_difflib(old, new)


def test_texts_of_few_parts_are_compared_exactly() -> None:
    changes = find_differences(["a", "b"] * 90, ["b", "a"] * 90)

    assert sum(last - first for first, last, *_ in changes) == 1


def test_texts_of_the_same_few_lines_over_and_over_are_compared_in_no_time() -> None:
    old, new = ["a", ""] * 450, ["", "a", "b"] * 320

    assert estimate_diff_work(old, new) > 100_000
    assert sum(end - start for *_, start, end in find_differences(old, new)) >= 320
