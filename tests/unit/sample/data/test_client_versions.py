from datetime import UTC, datetime

import pytest

from bough.sample.data import client_versions as eras


@pytest.mark.parametrize(
    ("version", "first", "expected"),
    [("2.1.9", "2.1.10", False), ("2.1.100", "2.1.99", True), ("2.1.9", "2.1.9", True)],
)
def test_versions_are_compared_by_number(version: str, first: str, expected: bool) -> None:
    assert eras.is_since(version, first) is expected


def test_a_version_with_a_word_in_it_is_still_a_version() -> None:
    assert eras.parse_version("2.1.beta") == (2, 1, 0)


def test_moments_are_written_with_milliseconds() -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, 678_900, tzinfo=UTC)

    assert eras.format_timestamp(moment) == "2026-01-02T03:04:05.678Z"


def test_counts_get_the_fields_of_their_version() -> None:
    old = eras.complete_usage("1.0.51", {"output_tokens": 5})
    new = eras.complete_usage("2.1.250", {"cache_creation_input_tokens": 7})

    assert "cache_creation" not in old
    assert new["cache_creation"] == {
        "ephemeral_5m_input_tokens": 7,
        "ephemeral_1h_input_tokens": 0,
    }
    assert new["speed"] == "standard"
