"""Which lines begin code, and which end it."""

import pytest

from bough.model.text.code_fences import find_fence


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("```", "```"),
        ("   ```python", "```"),
        ("````markdown", "````"),
        ("~~~ `x`", "~~~"),
        ("```x``` is code in a line", ""),
        ("``", ""),
        ("a ```", ""),
    ],
)
def test_a_line_begins_code_unless_it_is_code_in_a_line(line: str, marks: str) -> None:
    assert find_fence(line, "") == marks


@pytest.mark.parametrize(
    ("line", "opened", "ends"),
    [
        ("```", "```", True),
        ("  ````  ", "```", True),
        ("```", "````", False),
        ("~~~", "```", False),
        ("```python", "```", False),
        ("``` and on", "```", False),
        ("x", "```", False),
    ],
)
def test_code_ends_with_as_many_marks_alone(line: str, opened: str, ends: bool) -> None:
    assert bool(find_fence(line, opened)) is ends


def test_what_stands_deep_is_a_fence_in_lists_alone() -> None:
    assert find_fence("     ```", "") == "```"
    assert find_fence("     ```", "", at_top=True) == ""
    assert find_fence("\t```", "", at_top=True) == ""
    assert find_fence("   ```", "", at_top=True) == "```"
