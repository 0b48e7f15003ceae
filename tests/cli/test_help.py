"""How the command line is learnt: help, the guide and the manual."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bough.cli.main import COMMANDS
from tests.cli.screens import ROOT, objects, piped

NAMES = [name for section in COMMANDS.values() for name in section]


@pytest.mark.parametrize("words", ["sessions", "help", "fork", "archive", "archive status"])
def test_help_of_a_command_is_its_help(words: str) -> None:
    told, asked = piped("help", *words.split()), piped(*words.split(), "--help")

    assert told.returncode == 0
    assert told.stdout == asked.stdout != ""


@pytest.mark.parametrize("name", ["archive", "team", "notes", "mcp"])
def test_what_a_command_below_another_does_is_said_in_full(name: str) -> None:
    listed = piped(name, "--help").stdout.partition("\nCommands:\n")[2]

    assert listed
    assert "..." not in listed.partition("\n\n")[0]


def test_help_of_a_command_below_none_says_so() -> None:
    done = piped("help", "fork", "status")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bough fork has no commands below it. See bough fork --help.\n"


def test_an_unknown_command_below_another_names_the_nearest() -> None:
    done = piped("archive", "statsu")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "No command is called statsu. Nearest: status. See bough archive --help.\n"
    )


def test_help_alone_is_the_help_of_bough() -> None:
    assert piped("help").stdout == piped("--help").stdout


def test_help_of_no_command_names_the_nearest() -> None:
    done = piped("help", "sesions")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("No command is called sesions. Nearest: sessions.")


def test_the_version_has_a_short_option() -> None:
    assert piped("-V").stdout == piped("--version").stdout != ""


def test_every_page_of_the_guide_can_be_read() -> None:
    pages = objects("docs")

    assert {str(page["name"]) for page in pages} == {
        path.stem.casefold() for path in (ROOT / "docs").glob("*.md")
    }
    for page in pages:
        text = (ROOT / "docs" / f"{page['name']}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {page['title']}\n")
    assert piped("docs", "search").stdout.startswith("# The search language\n")


def test_a_page_that_is_not_there_is_answered_with_the_nearest() -> None:
    done = piped("docs", "serch")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "No page is called serch. Nearest: search.\n"


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("man")
    command = [sys.executable, str(ROOT / "scripts" / "man_pages.py"), str(folder)]
    subprocess.run(command, check=True, timeout=60)
    return folder


def test_every_command_has_a_manual_page(manual: Path) -> None:
    assert sorted(path.stem for path in manual.iterdir()) == sorted(
        ["bough", *(f"bough-{name}" for name in NAMES)]
    )


def test_the_page_of_a_command_with_others_below_it_tells_of_those(manual: Path) -> None:
    page = (manual / "bough-archive.1").read_text(encoding="utf-8")

    assert ".SS bough archive verify [OPTIONS]" in page
    assert "\\-\\-repair" in page
    assert "bough\\-sessions(1)" not in page


def test_a_manual_page_breaks_no_name_in_two(manual: Path) -> None:
    page = (manual / "bough-sessions.1").read_text(encoding="utf-8")

    assert page.splitlines()[1:3] == [".nh", ".ad l"]


@pytest.mark.parametrize("name", ["bough", "bough-sessions", "bough-completion", "bough-team"])
def test_man_shows_a_page_without_a_warning(manual: Path, name: str) -> None:
    if shutil.which("man") is None or shutil.which("groff") is None:
        pytest.skip("man or groff is not installed here")
    done = subprocess.run(
        ["man", "-l", "--warnings=w", str(manual / f"{name}.1")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"},
    )

    assert (done.returncode, done.stderr) == (0, "")
    for word in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "--json"):
        assert word in done.stdout
