"""How full the context was, and how long things took."""

import pytest

from bough.model.conversation.context_window import (
    LONG,
    USUAL,
    ContextWindow,
    measure_context,
    window_size_of,
)
from bough.model.text.times import parse_moment, seconds_between
from bough.sample import session
from tests.unit.model.readings import read


def test_the_last_request_tells_how_full_it_was() -> None:
    usage = {"input_tokens": 4, "cache_read_input_tokens": 60_000, "output_tokens": 900}
    builder = session().user("a").assistant("b").user("c").assistant("d", usage=usage)

    assert measure_context(read(builder)) == ContextWindow(60_004, 200_000)


@pytest.mark.parametrize(
    ("model", "sent", "window"),
    [
        ("claude-opus-4-6", 250_000, 1_000_000),
        ("claude-opus-4-6[1m]", 90_000, 1_000_000),
        ("us.anthropic.claude-opus-4-6-v1:0", 90_000, 200_000),
    ],
)
def test_a_long_request_had_the_long_window(model: str, sent: int, window: int) -> None:
    usage = {"input_tokens": sent, "cache_read_input_tokens": 0, "output_tokens": 1}
    builder = session(model=model).user("a").assistant("b", usage=usage)

    found = measure_context(read(builder))

    assert found is not None
    assert found.window == window
    assert found.share <= 1


def test_of_a_model_of_others_nothing_is_said() -> None:
    assert measure_context(read(session(model="glm-9").user("a").assistant("b"))) is None
    assert measure_context(read(session().user("a"))) is None


def test_time_goes_forward_or_is_not_known() -> None:
    early, late = "2026-01-05T09:00:00.000Z", "2026-01-05T10:00:04.200+01:00"

    assert seconds_between(early, late) == pytest.approx(4.2)
    assert seconds_between(late, early) is None
    assert seconds_between(early, None) is None
    assert parse_moment("yesterday") is None


@pytest.mark.parametrize(
    ("model", "sent", "window"),
    [
        ("claude-opus-4-6", 62_000, USUAL),
        ("claude-sonnet-4-5", 200_000, USUAL),
        ("claude-sonnet-4-5", 200_001, LONG),
        ("claude-sonnet-4-5[1m]", 10, LONG),
        ("us.anthropic.claude-opus-5-5-v1:0", 10, USUAL),
        ("glm-5", 10, None),
        (None, 10, None),
    ],
)
def test_what_was_sent_tells_which_window_a_model_had(
    model: str | None, sent: int, window: int | None
) -> None:
    assert window_size_of(model, sent) == window
