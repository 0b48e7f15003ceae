"""The page has functions of its own for numbers and states: both must say the same."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bough.model.live.status import SessionState, is_guess
from bough.model.text import formats as numbers

CASES: dict[str, Any] = msgspec.json.decode(
    (Path(__file__).parents[4] / "frontend/src/words.cases.json").read_bytes()
)
NOW = datetime.fromisoformat(CASES["now"])


def at(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


WRITERS: dict[str, Callable[[Any], str | bool]] = {
    "count": numbers.format_count,
    "tokens": numbers.format_tokens,
    "share": numbers.format_percent,
    "size": numbers.format_size,
    "duration": numbers.format_duration,
    "ago": numbers.format_age,
    "elapsed": numbers.format_elapsed,
    "moment": lambda given: numbers.format_moment(at(given), NOW, UTC),
    "when": lambda given: numbers.format_recent_moment(at(given), NOW, UTC),
    "changes": lambda given: numbers.format_changes(*given),
    "plural": lambda given: numbers.format_plural(*given),
    "cost": lambda given: numbers.format_cost(given[0], partly_unknown=given[1], in_table=given[2]),
    "guess": lambda given: is_guess(SessionState(given[0]), sure=given[1]),
}


@pytest.mark.parametrize("name", [name for name in CASES if name != "now"])
def test_the_cases_of_the_page_are_what_every_other_face_says(name: str) -> None:
    written = [[given, WRITERS[name](given)] for given, _ in CASES[name]]

    assert written == CASES[name]
