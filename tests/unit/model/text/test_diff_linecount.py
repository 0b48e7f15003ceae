"""Lines gained and lost: true counts."""

from bough.model.text.line_diff import count_changed_lines, count_patch_lines


def test_only_lines_that_differ_are_counted() -> None:
    assert count_changed_lines("a\nb\nc", "a\nx\ny\nc") == (2, 1)


def test_a_line_that_a_patch_takes_and_gives_back_is_no_change() -> None:
    assert count_patch_lines(["-a", "-same", "+b", "+same"]) == (1, 1)
