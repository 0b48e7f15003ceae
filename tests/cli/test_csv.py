"""`--csv` of usage and stats: the numbers of --json, for a spreadsheet."""

import csv
import io
from pathlib import Path

import msgspec
import pytest

from tests.cli.screens import one, piped


def table(*words: str, claude: Path) -> list[dict[str, str]]:
    done = piped(*words, "--csv", claude=claude)
    assert done.returncode == 0
    return list(csv.DictReader(io.StringIO(done.stdout)))


def costs(rows: list[dict[str, str]]) -> float:
    return sum(float(row["cost_usd"] or 0) for row in rows)


@pytest.mark.parametrize("report", ["daily", "session", "project", "branch", "blocks"])
def test_rows_are_those_of_json(demo: Path, report: str) -> None:
    rows = table("usage", report, claude=demo)
    done = piped("usage", report, "--json", claude=demo)
    documents = msgspec.json.decode(done.stdout)["rows"]

    assert [row["key"] for row in rows] == [str(one["key"]) for one in documents]
    assert [row["output_tokens"] for row in rows] == [
        str(one["output_tokens"]) for one in documents
    ]


def test_parts_add_up_to_their_rows(demo: Path) -> None:
    parts = table("usage", "session", "--by", "model", claude=demo)
    rows = table("usage", "session", claude=demo)

    assert len(parts) > len(rows)
    assert costs(parts) == pytest.approx(costs(rows))
    assert {row["key"] for row in parts} == {row["key"] for row in rows}


@pytest.mark.parametrize(
    "report", ["tools", "hooks", "errors", "agents", "models", "compactions", "files"]
)
def test_a_report_of_stats_has_the_columns_of_its_json(demo: Path, report: str) -> None:
    rows = table("stats", report, claude=demo)
    documents = msgspec.convert(one("stats", report, claude=demo)["rows"], list[dict[str, object]])

    assert [list(row) for row in rows] == [list(document) for document in documents]


def test_activity_is_a_row_for_each_day(demo: Path) -> None:
    rows = table("stats", "activity", claude=demo)

    assert list(rows[0]) == ["day", "prompts", "answers", "sessions"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("stats", "--csv"), "--csv needs a report: tools, "),
        (("stats", "tools", "--csv", "--json"), "Give --json or --csv, not both."),
        (("usage", "--csv", "--json"), "--csv goes with neither --json nor --explain."),
    ],
)
def test_what_cannot_be_written_so_is_misuse(demo: Path, words: tuple[str, ...], said: str) -> None:
    done = piped(*words, claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)


def test_pages_of_usage_are_its_rows_and_the_total_is_of_all(demo: Path) -> None:
    first = msgspec.json.decode(
        piped("usage", "session", "--limit", "5", "--json", claude=demo).stdout
    )
    rest = msgspec.json.decode(
        piped("usage", "session", "--after-cursor", first["next"], "--json", claude=demo).stdout
    )
    done = piped("usage", "session", "--json", claude=demo)
    everything = msgspec.json.decode(done.stdout)

    assert first["rows"] + rest["rows"] == everything["rows"]
    assert first["totals"] == everything["totals"]
