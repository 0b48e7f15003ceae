"""A list of sessions is the same list through every face: rows, order, titles, numbers, costs."""

from typing import Any
from urllib.parse import urlencode

import pytest

import bough
from bough.model.outline.session_outline import outline_of
from tests.faces.conftest import Faces

pytestmark = pytest.mark.slow
NUMBERS = ("run", "turns", "messages", "cost_usd", "copied_cost_usd", "unpriced_models")


def test_all_faces_list_the_same_sessions_in_the_same_order(faces: Faces) -> None:
    listed = [row.id for row in faces.library]

    assert len(listed) > 10
    assert [row["id"] for row in faces.json] == listed
    assert [row["resume"].split()[-1] for row in faces.web] == listed
    assert [row.id for row in faces.app.rows] == listed


def test_all_faces_give_a_session_the_same_title(faces: Faces) -> None:
    titles = [row.title for row in faces.library]

    assert [row["title"] for row in faces.json] == titles
    assert [row["title"] for row in faces.web] == titles
    assert [row.title for row in faces.app.rows] == titles


@pytest.mark.parametrize("name", NUMBERS)
def test_all_faces_count_alike(faces: Faces, name: str) -> None:
    numbers = [getattr(row, name) for row in faces.library]

    assert [row[name] for row in faces.json] == numbers
    assert [row[name] for row in faces.web] == numbers


def test_the_terminal_app_shows_the_same_numbers(faces: Faces) -> None:
    shown = faces.app

    assert [(row.turns, row.messages) for row in shown.rows] == [
        (row.turns, row.messages) for row in faces.library
    ]
    for row in faces.library:
        used = shown.costs.get(row.id)
        assert (used.usd if used is not None else 0.0) == row.cost_usd
        assert (used.copied.usd if used is not None else 0.0) == row.copied_cost_usd


@pytest.mark.parametrize(
    "asked",
    [
        {"since": "2d"},
        {"until": "yesterday"},
        {"since": "2025", "until": "2026-06"},
        {"model": "OPUS"},
        {"branch": "*"},
        {"branch": "main", "since": "30d", "model": "claude"},
    ],
)
def test_library_command_line_and_web_narrow_lists_alike(
    faces: Faces, asked: dict[str, Any]
) -> None:
    options = [word for name, value in asked.items() for word in (f"--{name}", value)]
    served = faces.served.get(f"/api/sessions?{urlencode({'limit': 500, **asked})}")

    listed = [row.id for row in bough.sessions(claude_dir=faces.claude, **asked)]
    assert [row["id"] for row in faces.ask("sessions", *options)] == listed
    assert [row["resume"].split()[-1] for row in served["rows"]] == listed
    assert served["total"] == len(listed)


def test_projects_are_the_same_and_cost_what_usage_says(faces: Faces) -> None:
    listed = faces.ask("projects")
    served = faces.served.get("/api/projects")["projects"]
    used = {row["key"]: row for row in faces.ask("usage", "project")["rows"]}

    assert [(row["name"], row["sessions"]) for row in served] == [
        (row["name"], row["sessions"]) for row in listed
    ]
    for project in listed:
        row = used.get(project["id"], {"cost_usd": 0.0, "unpriced_models": []})
        assert project["cost_usd"] == row["cost_usd"]
        assert project["unpriced_models"] == row["unpriced_models"]
        # Agents whose session is gone are in the project's cost, and in no session's.
        own = [row["cost_usd"] or 0 for row in faces.json if row["project"] == project["id"]]
        assert sum(own) <= (project["cost_usd"] or 0) + 1e-9


def test_statistics_count_the_sessions_that_lists_have(faces: Faces) -> None:
    counted = faces.ask("stats")["activity"]

    assert faces.served.get("/api/stats/overview")["activity"] == counted
    # A session that only repeats what others have said has said nothing itself.
    assert 10 < counted["sessions"] <= len({row.id for row in faces.library})


def test_a_session_that_copied_nothing_costs_the_same_by_itself_and_in_a_list(
    faces: Faces,
) -> None:
    users: dict[str, set[str]] = {}
    for path, session in faces.sessions.items():
        for line in session.usage_lines():
            users.setdefault(line.name, set()).add(path)
    shared = {path for paths in users.values() if len(paths) > 1 for path in paths}

    alone = [row for row in faces.library if row.path not in shared]

    assert len(alone) > 10
    for row in alone:
        cost = outline_of(faces.sessions[row.path]).cost.cost
        assert (cost.usd, cost.unpriced_models) == (row.cost_usd, row.unpriced_models), row.path
