"""Usage and statistics of the web are those of the command line, for every range."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from bough.library import BY, REPORTS, STATS_REPORTS
from tests.sampled import mark_rest_whole
from tests.web.serving import Served
from tests.web_api.asking import ask
from tests.web_api.test_routes import cli

RANGES: tuple[dict[str, str], ...] = (
    {},
    {"since": "today"},
    {"since": "6d"},
    {"since": "29d", "zone": "Asia/Tokyo"},
    {"since": "364d", "zone": "America/Los_Angeles"},
    {"since": "2026-10", "until": "yesterday", "zone": "UTC"},
)
# Nothing asked, every report, and a zone that is elsewhere than the files.
SOME_RANGES = (RANGES[0], RANGES[2], RANGES[3])
STORY = "3f9c21d0"
OF_TEAMS = ("machine", "member")
"""What only a team's store is broken down by."""


@pytest.fixture(scope="module")
def corpus_served(
    tmp_path_factory: pytest.TempPathFactory, shared: Path, nobodys_home: Path
) -> Iterator[Served]:
    """Serve the real files, with an index of our own."""
    folder = tmp_path_factory.mktemp("corpus")
    with Served(shared / "corpus", folder) as server:
        yield server


@pytest.fixture(params=["sample", "corpus"])
def history(request: pytest.FixtureRequest) -> Served:
    name = {"sample": "served", "corpus": "corpus_served"}[request.param]
    found: Served = request.getfixturevalue(name)
    return found


def name_range(asked: dict[str, str]) -> str:
    return "&".join(asked.values()) or "all"


def words_for(asked: dict[str, str]) -> list[str]:
    return [word for name, value in asked.items() for word in (f"--{name}", value)]


def shown_of(rows: list[Any], like: list[Any]) -> list[Any]:
    """Leave the fields of the web's rows that the command line prints."""
    return [{name: row[name] for name in other} for row, other in zip(rows, like, strict=True)]


@pytest.mark.parametrize("asked", mark_rest_whole(RANGES, SOME_RANGES), ids=name_range)
def test_reports_of_usage_are_those_of_the_command_line(
    history: Served, asked: dict[str, str]
) -> None:
    for report in REPORTS if asked == {"since": "6d"} else ("daily", "branch", "blocks"):
        printed = cli(history, "usage", report, *words_for(asked))

        found = history.get(f"/api/usage?{urlencode({'report': report, **asked})}")

        assert found["limits"] == printed.get("limits", [])
        if report == "blocks":  # a running block is projected from the moment it is asked
            for row in [*printed["rows"], *found["rows"]]:
                row["projection"] = None
        assert shown_of(found["rows"], printed["rows"]) == printed["rows"], report
        assert found["totals"] == printed["totals"]
        assert found["unpriced_models"] == printed["unpriced_models"]


@pytest.mark.parametrize("by", [one for one in BY if one not in OF_TEAMS])
def test_broken_down_rows_are_those_of_the_command_line(history: Served, by: str) -> None:
    printed = cli(history, "usage", "weekly", "--by", by)

    found = history.get(f"/api/usage?report=weekly&by={by}")

    assert any(row["by"] for row in printed["rows"])
    assert shown_of(found["rows"], printed["rows"]) == printed["rows"]


@pytest.mark.parametrize("by", OF_TEAMS)
def test_one_machine_has_no_rows_by_machine_or_member(served: Served, by: str) -> None:
    status, answer = ask(served, f"GET /api/usage?report=weekly&by={by} HTTP/1.1")

    assert status == 400
    assert b"--store" in answer


@pytest.mark.parametrize("asked", mark_rest_whole(RANGES, SOME_RANGES), ids=name_range)
def test_statistics_are_those_of_the_command_line(history: Served, asked: dict[str, str]) -> None:
    for report in STATS_REPORTS if asked == {"since": "6d"} else ("tools", "activity"):
        printed = cli(history, "stats", report, *words_for(asked))

        assert history.get(f"/api/stats/{report}?{urlencode(asked)}") == printed, report

    overview = history.get(f"/api/stats/overview?{urlencode(asked)}")
    assert overview == cli(history, "stats", *words_for(asked))


@pytest.mark.parametrize("report", ["session", "branch"])
def test_a_report_that_was_kept_is_the_one_that_was_counted(history: Served, report: str) -> None:
    printed = cli(history, "usage", report, "--since", "364d")
    asked = f"/api/usage?report={report}&since=364d&limit=7"

    counted, kept = history.get(asked), history.get(asked)

    assert kept == counted
    assert shown_of(kept["rows"], printed["rows"][:7]) == printed["rows"][:7]
    assert (kept["totals"], kept["total_rows"]) == (printed["totals"], len(printed["rows"]))


def test_the_strip_of_home_is_what_the_command_line_adds_up(served: Served) -> None:
    strip = served.get("/api/usage/totals")

    for part in ("today", "week", "month"):
        since = strip[part]["since"]
        assert strip[part]["amount"] == cli(served, "usage", "--since", since)["totals"]
    assert strip["month"]["amount"]["cost_usd"] > 0


def test_what_was_left_behind_is_the_sum_of_branches_that_were_left(history: Served) -> None:
    rows = cli(history, "usage", "branch")["rows"]
    left = [row for row in rows if row["tip"] is not None and not row["active"]]

    found = history.get("/api/usage?report=branch&limit=1")

    assert len(found["rows"]) == 1
    assert found["total_rows"] == len(rows)
    assert found["left_behind"]["output_tokens"] == sum(row["output_tokens"] for row in left)
    assert found["left_behind"]["cost_usd"] == pytest.approx(
        sum(row["cost_usd"] or 0 for row in left)
    )


def test_the_explanation_of_a_session_is_that_of_the_command_line(served: Served) -> None:
    printed = cli(served, "usage", "--explain", STORY)

    found = served.get(f"/api/usage/explanation?session={STORY}&limit=1000")

    assert found["totals"] == printed["totals"]
    assert found["total_calls"] == len(printed["calls"])
    assert [call["cost_usd"] for call in found["calls"]] == [
        call["cost_usd"] for call in printed["calls"]
    ]
    assert [(call["line"], call["other_lines"]) for call in found["calls"]] == [
        (call["lines"][0]["line"], len(call["lines"]) - 1) for call in printed["calls"]
    ]
    prices = {one["model"]: one["rates"] for one in printed["prices"]}
    assert found["models"]
    assert all(one["rates"] == prices[one["model"]] for one in found["models"])
    assert sum(one["cost_usd"] or 0 for one in found["models"]) == pytest.approx(
        printed["totals"]["cost_usd"]
    )


def test_the_explanation_of_a_range_names_every_model_and_its_price(history: Served) -> None:
    printed = cli(history, "usage", "model")

    found = history.get("/api/usage/explanation")

    assert [one["model"] for one in found["models"]] == [row["key"] for row in printed["rows"]]
    assert found["totals"] == printed["totals"]
    for one in found["models"]:
        assert (one["rates"] is None) == (one["model"] in printed["unpriced_models"])


ROW_KEYS: dict[str, Callable[[Any], str]] = {
    "tools": lambda row: row["tool"],
    "hooks": lambda row: f"{row['event']} {row['command']}",
    "errors": lambda row: f"{row['kind']} {row['reason']}",
    "models": lambda row: row["model"],
    "compactions": lambda row: row["trigger"],
    "files": lambda row: row["path"],
}


@pytest.mark.parametrize("report", ROW_KEYS)
def test_behind_every_row_are_as_many_sessions_as_it_says(history: Served, report: str) -> None:
    rows = history.get(f"/api/stats/{report}")["rows"]

    assert rows
    for row in rows[:8]:
        key = quote(ROW_KEYS[report](row))
        behind = history.get(f"/api/stats/sessions?report={report}&key={key}")
        assert behind["total"] == len(behind["rows"]) == row["sessions"], key


def test_behind_days_and_hours_is_what_happened_then(served: Served) -> None:
    activity = served.get("/api/stats/activity?zone=Asia/Tokyo")
    day = max(activity["days"], key=lambda one: one["prompts"] + one["answers"])
    hour = activity["hours"][-1]
    path = "/api/stats/sessions?report=activity&zone=Asia/Tokyo&key="

    of_day = served.get(path + day["day"])
    of_hour = served.get(f"{path}{hour['weekday']}-{hour['hour']}")

    assert of_day["total"] == day["sessions"]
    assert sum(row["count"] for row in of_day["rows"]) == day["prompts"] + day["answers"]
    assert sum(row["count"] for row in of_hour["rows"]) == hour["prompts"] + hour["answers"]
    assert {row["open_id"] for row in of_day["rows"]} & {
        row["id"] for row in served.get("/api/sessions?limit=500")["rows"]
    }


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/usage?since=soon", "--since takes a time"),
        ("/api/usage?zone=Mars", "No time zone is called Mars"),
        ("/api/usage?report=blocks&by=model", "cannot be broken down"),
        ("/api/stats/tools?until=soon", "--until takes a time"),
        ("/api/stats/sessions?report=agents", "has no sessions behind its rows"),
    ],
)
def test_what_makes_no_sense_is_said_in_the_words_of_the_command_line(
    served: Served, path: str, words: str
) -> None:
    status, data = ask(served, f"GET {path} HTTP/1.1")

    assert status == 400
    assert words in data.decode()


def test_nothing_is_counted_before_somebody_agrees(tmp_path: Path, served: Served) -> None:
    with Served(served.claude, tmp_path, ready=False) as fresh:
        for path in ("/api/usage", "/api/usage/totals", "/api/stats/tools"):
            status, data = ask(fresh, f"GET {path} HTTP/1.1")

            assert status == 409
            assert b"not_ready" in data


def test_limits_are_what_the_client_said(served: Served) -> None:
    now = time.time()
    limits = {"five_hour": {"used_percentage": 38.2, "resets_at": now + 3_600}}
    path = served.folder / "data" / "bough" / "limits.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"at": round(now) - 60, **limits}) + "\n")
    try:
        found = [served.get(f"/api/usage?report={name}")["limits"] for name in ("blocks", "daily")]
    finally:
        path.unlink()

    assert [(one["label"], one["used_percentage"]) for one in found[0]] == [("5 h", 38.2)]
    assert found[1] == []
