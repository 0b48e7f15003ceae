"""Lines gained and lost: true counts, and never minutes of counting."""

from bough.model.linecount import matcher_of, matching_work, patch_size, text_change


def test_only_lines_that_differ_are_counted() -> None:
    assert text_change("a\nb\nc", "a\nx\ny\nc") == (2, 1)


def test_a_line_that_a_patch_takes_and_gives_back_is_no_change() -> None:
    assert patch_size(["-a", "-same", "+b", "+same"]) == (1, 1)


def test_texts_of_few_parts_are_compared_exactly() -> None:
    blocks = matcher_of(["a", "b"] * 90, ["b", "a"] * 90).get_matching_blocks()

    assert sum(block.size for block in blocks) == 179


def test_texts_of_the_same_few_lines_over_and_over_are_compared_in_no_time() -> None:
    old, new = ["a", ""] * 450, ["", "a", "b"] * 320

    assert matching_work(old, new) > 100_000
    added, removed = text_change("\n".join(old), "\n".join(new))
    assert (added >= 320, removed >= 0) == (True, True)
