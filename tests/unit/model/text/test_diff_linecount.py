"""Lines gained and lost: true counts."""

from bough.model.text.line_diff import patch_size, text_change


def test_only_lines_that_differ_are_counted() -> None:
    assert text_change("a\nb\nc", "a\nx\ny\nc") == (2, 1)


def test_a_line_that_a_patch_takes_and_gives_back_is_no_change() -> None:
    assert patch_size(["-a", "-same", "+b", "+same"]) == (1, 1)
