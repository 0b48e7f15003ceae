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
from tests.web.screens import story
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


def explain(history: Served, **asked: str | None) -> Any:
    """Ask where a cost comes from, and give what it sums to as pages show it."""
    words = {name: value for name, value in asked.items() if value is not None}
    found = history.get(f"/api/usage/explanation?{urlencode({**words, 'limit': 1000})}")
    assert sum(one["cost_usd"] or 0 for one in found["models"]) == pytest.approx(
        found["totals"]["cost_usd"] or 0
    )
    if found["total_calls"] <= len(found["calls"]):
        here = [call["cost_usd"] or 0 for call in found["calls"] if call["counted_here"]]
        assert sum(here) == pytest.approx(found["totals"]["cost_usd"] or 0)
    return found["totals"]["cost_usd"], found["totals"]["unpriced_models"]


def shown_cost(amount: Any) -> tuple[Any, list[str]]:
    return (
        None if amount["cost_usd"] is None else pytest.approx(amount["cost_usd"]),
        amount["unpriced_models"],
    )


def list_some_sessions(history: Served) -> list[Any]:
    """Give those with most branches and agents, and some others."""
    rows: list[Any] = history.get("/api/sessions?limit=500")["rows"]
    return sorted(rows, key=lambda row: -row["branches"] - row["agents"])[:12] + rows[::9][:6]


def test_a_cost_of_a_list_is_explained_by_its_session(history: Served) -> None:
    rows = list_some_sessions(history)

    assert any(row["cost_usd"] for row in rows)
    for row in rows:
        assert explain(history, session=row["id"]) == shown_cost(row), row["id"]


def test_costs_in_a_head_are_explained_by_the_calls_of_that_branch(history: Served) -> None:
    differ = 0
    for row in list_some_sessions(history):
        session = row["id"]
        path = f"/api/sessions/{quote(session)}"
        for branch in history.get(path)["branches"][:4]:
            tip = branch["tip"]
            head = history.get(f"{path}?tip={tip}")
            here, everything = head["cost_path"], head["cost_all"]
            agents = explain(history, session=session, part="agents", tip=tip)
            spent = sum(one["cost_usd"] or 0 for one in head["agents"])
            assert explain(history, session=session, part="path", tip=tip) == shown_cost(here)
            assert explain(history, session=session, part="all") == shown_cost(everything)
            assert (agents[0] or 0) == pytest.approx(spent)
            assert set(agents[1]) == {m for one in head["agents"] for m in one["unpriced_models"]}
            differ += here != everything

    assert differ


def test_a_page_of_an_agent_explains_what_the_agent_cost(served: Served) -> None:
    session = story(served)
    path = f"/api/sessions/{session}"
    agents = [one["id"] for one in served.get(path)["agents"] if one["id"]]

    assert agents
    for agent in agents:
        head = served.get(f"{path}?agent={agent}")
        assert explain(served, session=session, part="path", agent=agent) == shown_cost(
            head["cost_path"]
        )


def test_costs_of_a_tree_are_explained_by_turn_agent_and_branch(history: Served) -> None:
    kinds = set()
    for row in list_some_sessions(history)[:8]:
        session = row["id"]
        tree = history.get(f"/api/sessions/{quote(session)}/tree")
        assert explain(history, session=session, part="all") == shown_cost(tree)
        for one in tree["page"]["rows"][-12:]:
            if one["cost_usd"] is not None and (one["agent"] or one["uuid"]):
                part, at = ("agent", one["agent"]) if one["agent"] else ("turn", one["uuid"])
                assert explain(history, session=session, part=part, at=at) == shown_cost(one)
                kinds.add(part)
        for branch in tree["page"]["branches"]:
            if branch["tip"]:
                assert explain(
                    history, session=session, part="own", at=branch["tip"]
                ) == shown_cost(branch)
                kinds.add("own")

    assert kinds >= {"turn", "own"}


def test_costs_of_a_comparison_are_explained_by_what_each_side_has_alone(history: Served) -> None:
    compared = 0
    for row in list_some_sessions(history):
        session = row["id"]
        path = f"/api/sessions/{quote(session)}"
        others = [one["tip"] for one in history.get(path)["branches"] if not one["active"]]
        for tip in others[:2]:
            sides = history.get(f"{path}/compare?a=active&b={tip}")
            for side in ("a", "b"):
                found = explain(history, session=session, part=side, a="active", b=tip)
                assert found == shown_cost(sides[side]), (session, tip)
            compared += 1

    assert compared


def test_costs_of_projects_and_of_sessions_behind_a_mark_are_explained(served: Served) -> None:
    projects = served.get("/api/projects")["projects"]
    for one in projects:
        shown = {"cost_usd": one["cost_30d_usd"], "unpriced_models": one["unpriced_models"]}
        assert explain(served, project=one["id"], since="29d") == shown_cost(shown), one["id"]
    days = [row["key"] for row in served.get("/api/usage?report=daily&since=29d")["rows"]]
    for day in days[-4:]:
        rows = served.get(f"/api/usage?report=session&by=model&since={day}&until={day}")["rows"]
        for row in rows:
            assert explain(served, session=row["key"], since=day, until=day) == shown_cost(row)
            for part in row["by"]:
                asked = {"session": row["key"], "since": day, "until": day, "by": "model"}
                assert explain(served, **asked, key=part["key"]) == shown_cost(part)

    assert days
    assert any(one["cost_30d_usd"] for one in projects)


@pytest.mark.parametrize("by", ["project", "agent", "agent-type"])
def test_a_part_of_a_session_that_is_broken_down_is_explained(served: Served, by: str) -> None:
    rows = served.get(f"/api/usage?report=session&by={by}")["rows"]

    assert by == "project" or any(len(row["by"]) > 1 for row in rows)
    for row in rows[:12]:
        for part in row["by"]:
            found = explain(served, session=row["key"], by=by, key=part["key"])
            assert found == shown_cost(part), (row["key"], part["key"])


def test_a_branch_is_explained_by_the_command_line_too(served: Served) -> None:
    session = story(served)
    tips = [one["tip"] for one in served.get(f"/api/sessions/{session}")["branches"]]

    assert len(tips) > 1
    for tip in tips:
        printed = cli(served, "usage", "--explain", STORY, "--tip", tip)
        assert explain(served, session=session, part="path", tip=tip) == shown_cost(
            printed["totals"]
        )


def test_what_is_not_there_cannot_be_explained(served: Served) -> None:
    status, data = ask(
        served, f"GET /api/usage/explanation?session={STORY}&part=turn&at=nobody HTTP/1.1"
    )

    assert status == 404
    assert b"nobody" in data


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
