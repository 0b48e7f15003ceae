"""Long prompts: what of a pasted text is shown, and that nothing of it is lost."""

from hypothesis import given
from hypothesis import strategies as st

from bough.model.conversation.long_prompts import count_prompt_lines, split_long_prompt


def test_a_pasted_log_shows_its_first_twelve_lines() -> None:
    text = "\n".join(f"line {number}" for number in range(200))

    shown, rest = split_long_prompt(text)

    assert shown.splitlines() == [f"line {number}" for number in range(12)]
    assert len(rest.splitlines()) == 188
    assert count_prompt_lines(text) == 200


def test_a_prompt_of_a_few_lines_more_is_shown_whole() -> None:
    assert split_long_prompt("\n" * 19) == ("\n" * 19, "")


def test_long_lines_count_as_the_lines_they_fill() -> None:
    shown, rest = split_long_prompt("\n".join(["x" * 500] * 6))

    assert (shown.count("x"), rest.count("x")) == (1_000, 2_000)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40))
def test_what_is_shown_and_the_rest_are_the_prompt(lengths: list[int]) -> None:
    text = "\n".join("x" * length for length in lengths)

    shown, rest = split_long_prompt(text)

    assert shown == text if not rest else f"{shown}\n{rest}" == text
