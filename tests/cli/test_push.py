"""`bough push` and `bough pull`, as people run them."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.screens import run_now
from tests.team_server import TeamServer

SHOP = "orchard-shop"


@pytest.fixture(scope="module")
def url(team_server: TeamServer) -> Iterator[str]:
    with team_server.database() as made:
        yield made


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("push")


@pytest.fixture(autouse=True)
def own_folders(place: Path, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the tests of this module one machine of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(place / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(demo))
    monkeypatch.delenv("BOUGH_STORE", raising=False)


def test_nothing_is_sent_by_itself_and_it_is_said_what_could_be() -> None:
    listed = run_now("push")

    assert listed.returncode == 0
    titles, *rows = [line.split() for line in listed.stdout.splitlines()]
    assert titles == ["PROJECT", "SESSIONS", "SIZE", "WHERE"]
    assert [SHOP, "14"] in [row[:2] for row in rows]
    assert "Nothing is sent automatically. Choose: bough push --project NAME" in listed.stderr


def test_a_push_needs_a_database() -> None:
    done = run_now("push", "--project", SHOP)

    assert done.returncode == 2
    assert "No team's database is named. Say --store postgresql://" in done.stderr


def test_a_server_that_is_not_there_is_said_in_a_sentence() -> None:
    url = "postgresql://ann:hunter2-xyz9@127.0.0.1:1/team"
    done = run_now("push", "--project", SHOP, "--store", url)

    assert done.returncode == 3
    assert done.stderr.startswith("Cannot reach the database team on 127.0.0.1: ")
    assert "hunter2" not in done.stderr
    assert "Traceback" not in done.stderr


def test_what_leaves_is_said_then_sent_once(url: str) -> None:
    words = ("push", "--project", SHOP, "--store", url)
    planned = run_now(*words, "--dry-run")
    sent = run_now(*words)
    again = run_now(*words, "--json")

    assert planned.stderr.endswith("Nothing was sent.\n")
    assert "14 sessions of 1 project, " in planned.stderr
    assert "nothing in it looks like a secret" in sent.stderr
    assert sent.stderr.endswith("Sent.\n")
    report = json.loads(again.stdout)
    assert (report["sent"], report["files"], report["problems"]) == (True, 0, [])
    listed = json.loads(run_now("sessions", "--store", url, "--all", "--json").stdout)
    assert len({row["id"] for row in listed}) == 14


def test_settings_name_the_database_and_the_projects(url: str, place: Path) -> None:
    config = place / "config" / "bough" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'team_store = "{url}"\npush_projects = ["*"]\n')
    report = json.loads(run_now("push", "--dry-run", "--json").stdout)
    config.unlink()

    assert report["sent"] is False
    assert report["projects"] > 4


def test_a_session_is_pulled_undone_and_taken_back(url: str, place: Path) -> None:
    run_now("push", "--project", SHOP, "--store", url)
    rows = json.loads(run_now("sessions", "--store", url, "--json").stdout)
    session = rows[0]["id"]
    claude, work = place / "other", place / "work"
    (claude / "projects").mkdir(parents=True)
    work.mkdir()
    there = ("--claude-dir", str(claude))
    pulled = run_now(*there, "pull", session[:8], "--cwd", str(work), "--store", url)

    assert "It is here. To undo it: " in pulled.stderr
    assert f"Continue it: bough resume {session[:8]}" in pulled.stderr
    (row,) = json.loads(run_now(*there, "sessions", "--json").stdout)
    assert (row["id"], row["title"]) == (session, rows[0]["title"])
    run_now(*there, "undo", "--yes")
    assert list(claude.rglob("*.jsonl")) == []
    removed = run_now("push", "--remove", session[:8], "--store", url)
    assert "It is not sent again." in removed.stderr
    twice = run_now("push", "--remove", session[:8], "--store", url)
    assert twice.returncode == 1
    shutil.rmtree(claude)


def test_options_that_do_not_fit_together_are_refused(url: str) -> None:
    removing = run_now("push", "--remove", "3f9c", "--dry-run", "--store", url)
    watching = run_now("push", "--watch", "--json", "--store", url)

    assert (removing.returncode, watching.returncode) == (2, 2)
