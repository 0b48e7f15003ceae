"""`bough guard`: budgets that warn; a stop is chosen, shown first and taken out to the byte."""

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.sample import session
from bough.timetravel.settings_file import read_settings_text
from tests.cli.travelled import Place

OTHERS = """{
  // never without asking
  "permissions": {"deny": ["Bash"]},
  "hooks": {
    "PreToolUse": [
      {"matcher": "Edit", "hooks": [{"type": "command", "command": "say edit"}]}
    ]
  }
}
"""


@pytest.fixture
def settings(place: Place) -> Path:
    """Name settings with hooks of somebody else; no client is on the PATH."""
    place.environ["PATH"] = os.defpath
    path = place.claude / "settings.json"
    path.write_text(OTHERS)
    return path


def list_commands(path: Path) -> dict[str, list[str]]:
    hooks = read_settings_text(path.read_text(), str(path)).get("hooks", {})
    assert isinstance(hooks, dict)
    return {
        event: [hook["command"] for group in groups for hook in group["hooks"]]
        for event, groups in hooks.items()
    }


def test_a_budget_is_set_shown_and_taken_away(place: Place) -> None:
    before = place.json("guard")
    place.bough("guard", "set", "--session", "2.5", "--day", "40")
    between = place.json("guard", "status")
    place.bough("guard", "set", "--day", "0")
    after = place.json("guard")

    budgets = [(one["budget_session"], one["budget_day"]) for one in (before, between, after)]
    assert budgets == [(None, None), (2.5, 40), (2.5, None)]
    assert [one["stops"] for one in (before, between, after)] == [[], [], []]


def test_what_is_no_amount_is_refused(place: Place) -> None:
    done = [
        place.bough("guard", "set", *words) for words in ((), ("--day", "-1"), ("--day", "nan"))
    ]

    assert [one.returncode for one in done] == [2, 2, 2]
    assert "bough guard set --session 5 --day 40" in done[0].stderr
    assert place.json("guard")["budget_day"] is None


def test_what_a_person_wrote_wins(place: Place) -> None:
    place.environ["XDG_CONFIG_HOME"] = str(place.data / "config")
    config = place.data / "config" / "bough" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("budget_day = 12\n")
    done = place.bough("guard", "set", "--day", "40")

    assert done.returncode == 2
    assert "The budget of a day: set in" in done.stderr
    assert place.json("guard")["budget_day"] == 12


def test_a_session_over_its_budget_is_named_with_what_usage_says(place: Place) -> None:
    builder = session("now", cwd="/home/dev/shop", start=datetime.now(UTC)).user("Go")
    path = builder.assistant("Done.").write(place.claude)
    cheap = session("cheap", cwd="/home/dev/shop", start=datetime.now(UTC)).user("Go")
    cheap.write(place.claude)
    place.bough("guard", "set", "--session", "0.000001")
    over = place.json("guard")["over"]
    usage = place.json("usage", "--session", path.stem, "--no-index")["totals"]

    assert isinstance(over, list)
    assert isinstance(usage, dict)
    assert [(one["id"], one["cost_usd"]) for one in over] == [(path.stem, usage["cost_usd"])]
    assert f"{path.stem[:8]}  <$0.01  shop: Go" in place.bough("guard").stdout


def test_nothing_is_installed_unless_a_stop_is_chosen_and_there_is_a_budget(
    place: Place, settings: Path
) -> None:
    without = place.bough("guard", "install", "--yes")
    unset = place.bough("guard", "install", "--stop", "--yes")

    assert (without.returncode, unset.returncode) == (2, 2)
    assert "bough guard install --stop" in without.stderr
    assert "bough guard set --day 40" in unset.stderr
    assert settings.read_text() == OTHERS


def test_a_stop_is_shown_first_set_beside_others_and_taken_out_to_the_byte(
    place: Place, settings: Path
) -> None:
    place.bough("guard", "set", "--day", "40")
    shown = place.bough("guard", "install", "--stop", "-n")
    untouched = settings.read_text()
    assert place.bough("guard", "install", "--stop", "--yes").returncode == 0
    commands, stops = list_commands(settings), place.json("guard")["stops"]
    assert place.bough("guard", "uninstall", "--yes").returncode == 0

    assert "bough-guard PreToolUse" in shown.stdout
    assert untouched == OTHERS
    assert list(commands) == ["PreToolUse"]
    assert commands["PreToolUse"][0] == "say edit"
    assert "bough-guard" in commands["PreToolUse"][1]
    assert stops == [str(settings)]
    assert settings.read_text() == OTHERS
    assert place.bough("guard", "uninstall", "--yes").returncode == 2


def test_hooks_and_guard_come_and_go_alone(place: Place, settings: Path) -> None:
    place.bough("guard", "set", "--day", "40")
    assert place.bough("hooks", "install", "--yes").returncode == 0
    assert place.bough("guard", "install", "--stop", "--yes").returncode == 0
    assert place.bough("hooks", "uninstall", "--yes").returncode == 0
    kept = list_commands(settings)
    assert place.bough("guard", "uninstall", "--yes").returncode == 0

    assert set(kept) == {"PreToolUse"}
    assert len(kept["PreToolUse"]) == 2
    assert list_commands(settings) == {"PreToolUse": ["say edit"]}


@pytest.mark.skipif(os.name != "posix", reason="needs sh")
def test_what_is_written_answers_and_says_nothing_where_the_program_is_gone(
    place: Place, settings: Path
) -> None:
    place.bough("guard", "set", "--day", "0.000001")
    place.bough("guard", "install", "--stop", "--yes")
    command = list_commands(settings)["PreToolUse"][1]
    env = {**os.environ, **place.environ}
    transcript = next(place.claude.glob("projects/*/*.jsonl"))
    given = json.dumps({"session_id": "one", "transcript_path": str(transcript)}).encode()
    runs = [
        subprocess.run(["sh", "-c", words], env=env, input=given, capture_output=True, check=False)
        for words in (command, command.replace("/bough-guard", "/bough-guard-gone"))
    ]

    assert [(one.returncode, one.stderr) for one in runs] == [(0, b"")] * 2
    assert runs[1].stdout == b""
