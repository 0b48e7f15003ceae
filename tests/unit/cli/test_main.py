"""The frame of the command line."""

import sys

import click
import pytest

from bough import __version__
from bough.cli.main import COMMANDS, build_group, main, run
from tests.unit.cli.made_up import TABLE


def test_bough_alone_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0

    shown = capsys.readouterr()
    assert shown.out.startswith("Usage: bough")
    assert shown.err == ""


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_names_every_command_under_its_section(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([option]) == 0

    shown = capsys.readouterr().out
    for section, commands in COMMANDS.items():
        assert f"\n{section}:\n" in shown
        for name, (_, about) in commands.items():
            assert f"  {name} " in shown
            assert about in shown


def test_help_is_plain_text_of_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--help"])

    shown = capsys.readouterr().out
    assert shown.isascii()
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_a_command_s_help_sets_the_options_of_all_apart(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tell", option], build_group(TABLE)) == 0

    shown = capsys.readouterr().out
    own, _, common = shown.partition("Options of every command:")
    assert "Usage: bough tell" in own
    assert "--tip" in own
    assert "--claude-dir DIR" in common
    assert shown.count("--json") == 1


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0

    assert capsys.readouterr().out == f"bough {__version__}\n"


def test_a_command_is_loaded_only_when_it_is_called() -> None:
    group = build_group({"Made up": {"absent": ("tests.no_such_module", "Never loaded.")}})

    assert run(["--help"], group) == 0
    with pytest.raises(ModuleNotFoundError):
        group.get_command(click.Context(group), "absent")


def test_a_misspelt_command_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["sesions"]) == 2

    said = capsys.readouterr().err
    assert said == "No command is called sesions. Nearest: sessions. See bough --help.\n"


def test_a_theme_is_for_the_terminal_app_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--theme", "dark", "sessions"]) == 2

    said = capsys.readouterr().err
    assert said == ("--theme is for the terminal app: bough --theme dark. See bough --help.\n")


def test_a_command_s_number_is_the_exit_code() -> None:
    assert run(["fail", "code"], build_group(TABLE)) == 1


def test_main_reads_the_words_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bough", "--version"])

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("bough ")
