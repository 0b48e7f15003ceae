"""How many tokens a model can see at once."""

import pytest

from bough.model.window import LONG, SHORT, window_of


@pytest.mark.parametrize(
    ("model", "size"),
    [
        ("claude-opus-4-5-20251101", SHORT),
        ("claude-sonnet-4-5", SHORT),
        ("claude-haiku-4-5-20251001", SHORT),
        ("claude-3-7-sonnet-20250219", SHORT),
        ("claude-opus-4-1-20250805", SHORT),
        ("claude-opus-4-6", LONG),
        ("us.anthropic.claude-opus-5-5-v1:0", LONG),
        ("claude-v1", 100_000),
        ("claude-sonnet-4-5[1m]", LONG),
        ("glm-5", None),
        (None, None),
    ],
)
def test_the_size_of_a_model(model: str | None, size: int | None) -> None:
    assert window_of(model) == size


def test_more_than_the_usual_window_means_the_long_one() -> None:
    assert window_of("claude-sonnet-4-5", 200_000) == SHORT
    assert window_of("claude-sonnet-4-5", 200_001) == LONG
