import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from bough.config import Settings
from bough.query.usage.explain import explain
from bough.query.usage.report import UsageQuestion, report_usage
from bough.query.usage.sources import FileUsageSource
from bough.sample import session
from bough.terminal.list_cells import shorten_model
from bough.terminal.reports.usage_explained import render_explanation
from bough.terminal.reports.usage_tables import (
    UsageCanvas,
    collect_notes,
    render_usage,
)
from bough.terminal.style import text_of
from tests.unit.query.usage.usage_home import spent

NOW = datetime(2026, 11, 15, 14, 38, tzinfo=UTC)
PAGE = UsageCanvas(NOW, UTC)
UTC_ONLY = Settings(zone="UTC")


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """The days of an example: busy, empty, quiet, and one model nobody has a price for."""
    start = datetime(2026, 11, 13, 9, tzinfo=UTC)
    builder = session("one", cwd="/home/dev/orchard", start=start).user("Make it resumable")
    builder.assistant("Yes", name="fork", usage=spent(41_200, 210_400, 1_900_000, 38_100_000))
    builder.user("Look").agent("Explore", "Find callers", agent_id="a0c4", answer="Four")
    builder.set_clock(start + timedelta(days=2, hours=5)).user("Go on")
    builder.assistant("Done", usage=spent(12_900, 88_000, 710_000, 14_600_000))
    builder.at("fork").user("Another way")
    builder.assistant("So", model="claude-lab-9", usage=spent(5, 12_000))
    builder.write(tmp_path)
    return tmp_path


def lines(history: Path, report: str, *, every_day: bool = False, **words: str) -> list[str]:
    question = UsageQuestion(report=report, **words)  # type: ignore[arg-type]
    answer = report_usage(question, FileUsageSource([history]), now=NOW, settings=UTC_ONLY)
    return [text_of(line) for line in render_usage(answer, report, PAGE, every_day=every_day)]


def test_days_with_those_between_that_had_none(history: Path) -> None:
    assert lines(history, "daily", every_day=True) == [
        "DAY            IN     OUT  CACHE W  CACHE R       COST  MODELS",
        "Fri 13 Nov  41.2k  210.5k    1.90M    38.1M     $36.41  opus-4-6",
        "Sat 14 Nov      -       -        -        -          -",
        "Sun 15 Nov  12.9k  100.0k   710.0k    14.6M  $14.00 +?  opus-4-6, lab-9",
        "TOTAL       54.1k  310.5k    2.61M    52.7M  $50.41 +?",
    ]


def test_a_narrow_screen_keeps_what_was_written_before_what_was_read(history: Path) -> None:
    answer = report_usage(
        UsageQuestion(report="daily"), FileUsageSource([history]), now=NOW, settings=UTC_ONLY
    )

    heads = [
        text_of(next(iter(render_usage(answer, "daily", replace(PAGE, columns=columns))))).split()
        for columns in (56, 46, 40, 30)
    ]

    assert heads == [
        ["DAY", "IN", "OUT", "CACHE", "W", "CACHE", "R", "COST"],
        ["DAY", "IN", "OUT", "CACHE", "R", "COST"],
        ["DAY", "IN", "OUT", "COST"],
        ["DAY", "OUT", "COST"],
    ]


def test_without_a_beginning_only_days_that_had_any(history: Path) -> None:
    assert [line.split("  ")[0] for line in lines(history, "daily")] == [
        "DAY",
        "Fri 13 Nov",
        "Sun 15 Nov",
        "TOTAL",
    ]


def test_rows_broken_down_hang_below(history: Path) -> None:
    found = lines(history, "monthly", by="model")

    assert [line.split("  ")[0] for line in found] == [
        "MONTH",
        "Nov 2026",
        "└ opus-4-6",
        "└ lab-9",
        "TOTAL",
    ]


@pytest.mark.parametrize(
    ("report", "first"),
    [
        ("weekly", "Mon 9 Nov"),
        ("monthly", "Nov 2026"),
        ("session", session("one").session_id[:8]),
        ("project", "orchard"),
        ("model", "claude-opus-4-6"),
        ("agent", "main"),
        ("branch", session("one").session_id[:8]),
        ("blocks", "Fri 09:00–14:00"),  # noqa: RUF001 - a true dash
    ],
)
def test_each_report_names_its_rows_as_people_do(history: Path, report: str, first: str) -> None:
    header, row, *_, total = lines(history, report)

    assert header.split("  ")[0].isupper()
    assert row.split("  ")[0] == first
    assert total.startswith("TOTAL ")
    assert "$50.41 +?" in total


def test_a_branch_shows_its_own_and_its_path(history: Path) -> None:
    header, first, second, _ = lines(history, "branch")

    assert header.split()[-4:] == ["OWN", "PATH", "MODELS", "TITLE"]
    assert "  active  " in first
    assert "  $36.39 +?  $36.39 +?  opus-4-6, lab-9" in first
    assert "     $14.02     $50.41  opus-4-6" in second


def test_a_gap_between_blocks_is_told_in_words(history: Path) -> None:
    found = lines(history, "blocks")

    assert found[2] == "Fri 14:00, nothing for 2 d"


def test_a_narrow_terminal_keeps_the_day_and_the_cost(history: Path) -> None:
    answer = report_usage(UsageQuestion(), FileUsageSource([history]), now=NOW, settings=UTC_ONLY)

    table = render_usage(answer, "daily", UsageCanvas(NOW, UTC, columns=24))
    found = [text_of(line) for line in table]

    assert found[0].split() == ["DAY", "COST"]
    assert max(map(len, found)) <= 24


def test_a_day_of_another_year_is_a_date(history: Path) -> None:
    answer = report_usage(UsageQuestion(), FileUsageSource([history]), now=NOW, settings=UTC_ONLY)

    found = render_usage(answer, "daily", UsageCanvas(NOW + timedelta(days=365), UTC))

    assert text_of(found[1]).startswith("2026-11-13  ")


def test_models_without_a_price_are_said(history: Path) -> None:
    answer = report_usage(UsageQuestion(), FileUsageSource([history]), now=NOW, settings=UTC_ONLY)

    assert collect_notes(answer) == [
        "1 model has no price: claude-lab-9 (1 call, 12k out). See bough usage --explain SESSION."
    ]


def test_nothing_spent_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()

    assert lines(tmp_path, "daily") == []


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("claude-opus-4-6", "opus-4-6"),
        ("claude-haiku-4-5-20251001", "haiku-4-5"),
        ("glm-5.1", "glm-5.1"),
        ("claude-", "claude-"),
    ],
)
def test_models_are_named_as_people_do(name: str, short: str) -> None:
    assert shorten_model(name) == short


def test_an_explanation_names_prices_and_places(history: Path) -> None:
    found = explain("latest", FileUsageSource([history]), now=NOW, settings=UTC_ONLY)

    told = "\n".join(map(text_of, render_explanation(found, PAGE)))

    short = session("one").session_id
    assert told.startswith(f"{short[:8]}\n5 calls, $50.41 +?\n")
    assert "claude-lab-9: no price. Its tokens are counted, its cost is not." in told
    assert (
        "claude-opus-4-6, as of 2026-11: in $5, out $25, cache write $6.25, for an hour $10, "
        "cache read $0.5" in told
    )
    assert f"{short}.jsonl:2  counts" in told
    assert re.search(r"agent-a0c4\.jsonl:2 +counts, from a sidechain line", told)
