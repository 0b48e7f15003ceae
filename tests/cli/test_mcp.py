"""`bough mcp` as a command: what it refuses, and how it is added to the client."""

import os
import shlex
from pathlib import Path

import pytest

from bough.cli.main import run

POSIX = pytest.mark.skipif(os.name != "posix", reason="the client that stands in is a shell script")


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a client on the PATH that writes down what it is called with."""
    folder, told = tmp_path / "bin", tmp_path / "told"
    folder.mkdir()
    program = folder / "claude"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {shlex.quote(str(told))}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return told


@POSIX
def test_install_shows_the_clients_own_command_and_runs_it_when_told(
    client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "it's; here"
    project.mkdir()
    monkeypatch.chdir(project)

    assert run(["mcp", "install", "--scope", "project", "--profile", "memory", "--yes"]) == 0

    words = client.read_text().splitlines()
    assert words[:6] == ["mcp", "add", "--scope", "project", "bough", "--"]
    assert words[7:] == ["mcp", "--project", str(project), "--profile", "memory"]
    shown, said = capfd.readouterr()
    assert shlex.split(shown) == ["claude", *words]
    assert ".mcp.json" in said


@POSIX
def test_a_dry_run_and_nobody_to_ask_change_nothing(
    client: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp", "install", "--dry-run"]) == 0
    assert capfd.readouterr().out.startswith("claude mcp add --scope user bough -- ")
    assert run(["mcp", "install"]) == 2
    assert "--yes" in capfd.readouterr().err
    assert not client.exists()


@POSIX
def test_uninstall_takes_it_away_with_the_clients_own_command(client: Path) -> None:
    assert run(["mcp", "uninstall", "--scope", "user", "--yes"]) == 0

    assert client.read_text().split() == ["mcp", "remove", "--scope", "user", "bough"]


def test_without_a_client_it_says_where_to_run_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert run(["mcp", "install", "--yes"]) == 1
    assert "There is no claude on PATH." in capfd.readouterr().err


def test_without_the_extra_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bough.cli.commands.mcp.find_spec", lambda _: None)

    assert run(["mcp"]) == 1
    assert "pip install 'bough[mcp]'" in capfd.readouterr().err


def test_over_http_a_project_has_to_be_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", "--http", "127.0.0.1:0"]) == 2
    assert "--project" in capfd.readouterr().err
    assert run(["mcp", "--project", "/x", "--all-projects"]) == 2


def test_the_skill_fits_on_a_screen(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", "skill"]) == 0

    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == "---"
    assert len(lines) <= 24
