"""How the command line is learnt: help, the guide and the manual."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bough.cli.main import COMMANDS
from tests.cli.screens import ROOT, objects, piped

NAMES = [name for section in COMMANDS.values() for name in section]


@pytest.mark.parametrize("name", ["sessions", "help", "fork"])
def test_help_of_a_command_is_its_help(name: str) -> None:
    told, asked = piped("help", name), piped(name, "--help")

    assert told.returncode == 0
    assert told.stdout == asked.stdout


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


@pytest.mark.parametrize("name", ["bough", "bough-sessions", "bough-completion", "bough-search"])
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
