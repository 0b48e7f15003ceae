"""`bough statusline install` and `uninstall`: one setting, shown first, given back to the byte."""

import os
from pathlib import Path

import msgspec
import pytest

from bough.errors import Misuse
from bough.timetravel.apply import apply
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import FileChanged, OutsideClaude
from bough.timetravel.plans.settings_edit import plan_setting
from bough.timetravel.settings_file import read_settings_text
from tests.cli.travelled import Place

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
COMMENTED = '{\n  // mine\n  "permissions": {"deny": ["Bash"]}, // never\n  "x-unknown": [1,],\n}\n'
OTHER = '{\n  "statusLine": {"type": "command", "command": "my-line --x", "padding": 2}\n}\n'


@pytest.fixture
def settings(place: Place) -> Path:
    """Name the client's settings, which are there, with comments and what nobody knows."""
    path = place.claude / "settings.json"
    path.write_text(COMMENTED)
    return path


def status_line(path: Path) -> dict[str, object]:
    found = read_settings_text(path.read_text(), str(path))["statusLine"]
    return msgspec.convert(found, dict[str, object])


def test_it_is_shown_before_it_is_done(place: Place, settings: Path) -> None:
    shown = place.bough("statusline", "install", "--diff")

    assert shown.returncode == 0
    assert "Was               not set" in shown.stdout
    assert '+  "statusLine": {"type": "command"' in shown.stdout
    assert settings.read_text() == COMMENTED


def test_nobody_to_ask_and_no_yes_is_misuse(place: Place, settings: Path) -> None:
    done = place.bough("statusline", "install")

    assert done.returncode == 2
    assert settings.read_text() == COMMENTED


def test_install_changes_one_line_and_uninstall_gives_the_bytes_back(
    place: Place, settings: Path
) -> None:
    before = settings.stat()
    assert place.bough("statusline", "install", "--yes").returncode == 0
    added = settings.read_text()
    again = place.bough("statusline", "install", "--yes")
    assert place.bough("statusline", "uninstall", "--yes").returncode == 0

    lines = [line for line in added.splitlines() if line not in COMMENTED.splitlines()]
    assert len(lines) == 1
    assert added.replace(f"{lines[0]}\n", "") == COMMENTED
    assert again.returncode == 1
    assert "is set so already" in again.stderr
    assert settings.read_text() == COMMENTED
    assert settings.stat().st_mtime_ns == before.st_mtime_ns
    assert settings.stat().st_mode == before.st_mode


def test_undo_takes_it_back_and_history_lists_it(place: Place, settings: Path) -> None:
    assert place.bough("statusline", "install", "--yes").returncode == 0
    assert place.bough("undo", "--yes").returncode == 0
    rows = place.jsons("history")

    assert settings.read_text() == COMMENTED
    assert [(row["operation"], row["state"]) for row in rows] == [
        ("undo", "done"),
        ("statusline", "undone"),
    ]
    assert place.bough("undo", "2", "--yes").returncode == 0
    assert "bough-statusline" in str(status_line(settings)["command"])


def test_what_is_written_runs(place: Place, settings: Path) -> None:
    assert place.bough("statusline", "install", "--yes", "--format", "{project}'s").returncode == 0
    command = str(status_line(settings)["command"])

    assert command.endswith("""--format '{project}'"'"'s'""")


def test_without_settings_a_file_is_made_and_goes_again(place: Place) -> None:
    path = place.claude / "settings.json"
    assert place.bough("statusline", "install", "--yes").returncode == 0
    made = path.stat().st_mode & 0o777
    assert place.bough("statusline", "uninstall", "--yes").returncode == 0

    assert made == 0o600
    assert not path.exists()


def test_another_status_line_is_given_back_whatever_else_changed(place: Place) -> None:
    path = place.claude / "settings.json"
    path.write_text(OTHER)
    assert place.bough("statusline", "install", "--yes").returncode == 0
    assert "padding" not in status_line(path)
    path.write_text(path.read_text().replace("{\n", '{\n  "model": "opus",\n', 1))
    refused = place.bough("undo", "--yes")
    assert place.bough("statusline", "uninstall", "--yes").returncode == 0

    assert refused.returncode == 1
    assert "the file was changed since" in refused.stderr
    assert path.read_text() == OTHER.replace("{\n", '{\n  "model": "opus",\n', 1)


def test_chain_keeps_the_other_one_in_front(place: Place) -> None:
    path = place.claude / "settings.json"
    path.write_text(OTHER)
    assert place.bough("statusline", "install", "--chain", "--yes").returncode == 0
    chained = status_line(path)
    assert place.bough("statusline", "uninstall", "--yes").returncode == 0
    alone = place.bough("statusline", "install", "--chain", "--yes", CLAUDE_CONFIG_DIR="/nowhere")

    assert str(chained["command"]).endswith("--chain 'my-line --x'")
    assert chained["padding"] == 2
    assert path.read_text() == OTHER
    assert alone.returncode == 2


@pytest.mark.parametrize(
    "command", ["my-line --x", "my-line; bough statusline", "/opt/not-bough-statusline"]
)
def test_a_status_line_of_somebody_else_is_not_taken_out(place: Place, command: str) -> None:
    path = place.claude / "settings.json"
    other = OTHER.replace("my-line --x", command)
    path.write_text(other)
    done = place.bough("statusline", "uninstall", "--yes")

    assert done.returncode == 2
    assert path.read_text() == other


@POSIX
def test_a_link_is_followed_and_named(place: Place, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text(COMMENTED)
    link = place.claude / "settings.json"
    link.symlink_to(real)
    shown = place.bough("statusline", "install", "--dry-run").stdout
    assert place.bough("statusline", "install", "--yes").returncode == 0

    assert "is a link" in shown
    assert str(real) in shown
    assert link.is_symlink()
    assert "bough-statusline" in real.read_text()


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (b'{"a": 1', "is not a JSON object"),
        (b"[1]", "is not a JSON object"),
        (b"\xff\xfe{}", "is not UTF-8 text"),
    ],
)
def test_what_cannot_be_read_is_left_alone(
    place: Place, settings: Path, content: bytes, answer: str
) -> None:
    settings.write_bytes(content)
    done = place.bough("statusline", "install", "--yes")

    assert done.returncode == 2
    assert answer in done.stderr
    assert settings.read_bytes() == content


@POSIX
def test_what_is_no_file_is_left_alone(place: Place, settings: Path) -> None:
    settings.unlink()
    os.mkfifo(settings)
    done = place.bough("statusline", "install", "--yes")

    assert done.returncode == 1
    assert "Cannot read" in done.stderr
    assert settings.is_fifo()


@POSIX
def test_a_file_that_is_read_only_is_left_alone(place: Place, settings: Path) -> None:
    settings.chmod(0o444)
    done = place.bough("statusline", "install", "--yes")

    assert done.returncode == 1
    assert "is read-only. Nothing was changed." in done.stderr
    assert settings.read_text() == COMMENTED


def test_a_file_that_changed_since_the_plan_is_not_written_over(
    place: Place, settings: Path, tmp_path: Path
) -> None:
    environment = TravelEnvironment(tmp_path / "travel")
    plan = plan_setting(settings, place.claude, "statusLine", "{}", operation="statusline")
    settings.write_text(COMMENTED.replace("mine", "hers"))

    with pytest.raises(FileChanged, match=r"settings\.json changed while you looked"):
        apply(plan, environment)
    assert settings.read_text() == COMMENTED.replace("mine", "hers")


def test_only_files_of_settings_are_written(place: Place, settings: Path, tmp_path: Path) -> None:
    environment = TravelEnvironment(tmp_path / "travel")
    plan = plan_setting(settings, place.claude, "statusLine", "{}", operation="statusline")
    elsewhere = msgspec.structs.replace(plan.steps[0], path=str(tmp_path / "x"))
    other = msgspec.structs.replace(plan, steps=(elsewhere,))
    assert plan.settings is not None
    named = msgspec.structs.replace(plan.settings, path=str(place.claude / "other.json"))
    misnamed = msgspec.structs.replace(plan, settings=named)

    for one in (other, misnamed):
        with pytest.raises(OutsideClaude):
            apply(one, environment)
    with pytest.raises(Misuse):
        plan_setting(tmp_path / "settings.json", place.claude, "a", "1", operation="statusline")
    assert settings.read_text() == COMMENTED
