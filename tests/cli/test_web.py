"""`bough web`: what it says before it serves. What it serves has tests of its own."""

import pytest

from tests.cli.screens import piped
from tests.conftest import Home


def test_the_help_says_who_can_reach_it(home: Home) -> None:
    done = piped("web", "--help")

    assert done.returncode == 0
    for word in ("--host", "--port", "--no-browser", "Ctrl-C", "token"):
        assert word in done.stdout


@pytest.mark.parametrize("words", [("--port", "65536"), ("--port", "x"), ("--port", "-1"), ("y",)])
def test_misuse_is_refused(home: Home, words: tuple[str, ...]) -> None:
    done = piped("web", "--no-browser", *words)

    assert done.returncode == 2
    assert done.stdout == ""


def test_an_index_inside_a_claude_folder_is_refused(home: Home) -> None:
    done = piped("web", "--no-browser", "--port", "0", "--index", str(home.path / "i.sqlite"))

    assert done.returncode == 2
    assert "never writes" in done.stderr
