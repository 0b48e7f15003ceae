import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.sample.demo.costs import allocate_tokens, price_tokens


@given(st.floats(0.02, 9), st.integers(1, 20))
def test_counts_come_to_the_price_asked_for(dollars: float, messages: int) -> None:
    counts = allocate_tokens("claude-opus-4-6", dollars, messages)

    least = 60 * messages * 25 / 1e6
    assert price_tokens("claude-opus-4-6", counts) == pytest.approx(dollars, abs=0.001 + least)
    assert len(counts) == messages


def test_the_context_grows_from_one_number_to_the_other() -> None:
    counts = allocate_tokens("claude-opus-4-6", 1.4, 9, (72_000, 168_000))

    assert counts[0]["cache_read_input_tokens"] == 72_000
    last = counts[-1]
    read, written = last["cache_read_input_tokens"], last["cache_creation_input_tokens"]
    assert isinstance(read, int)
    assert isinstance(written, int)
    assert read + written == 168_000


def test_a_model_without_a_price_gets_counts_all_the_same() -> None:
    assert len(allocate_tokens("claude-lab-9", 0.1, 3)) == 3
