"""Matching: exact where that is quick, and never minutes of looking."""

from bough.model.text.line_diff import estimate_diff_work, find_differences


def test_texts_of_few_parts_are_compared_exactly() -> None:
    changes = find_differences(["a", "b"] * 90, ["b", "a"] * 90)

    assert sum(last - first for first, last, *_ in changes) == 1


def test_texts_of_the_same_few_lines_over_and_over_are_compared_in_no_time() -> None:
    old, new = ["a", ""] * 450, ["", "a", "b"] * 320

    assert estimate_diff_work(old, new) > 100_000
    assert sum(end - start for *_, start, end in find_differences(old, new)) >= 320
