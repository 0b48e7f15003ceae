"""The person's pager."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.cli.pager import choose_pager, feed_pager
from bough.terminal.capabilities import Terminal

SCREEN = Terminal(width=20, height=5)

# Writes how it was called and what it was given.
KEEPS = """#!{python}
import os, sys
with open({kept!r}, "w", encoding="utf-8") as kept:
    print(sys.argv[1:], os.environ.get("LESS"), file=kept)
    kept.write(sys.stdin.read())
"""
LEAVES = """#!{python}
import sys
sys.stdin.readline()
"""


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept"


def pager(folder: Path, name: str, code: str, kept: Path) -> list[str]:
    """Make a pager of that name and give the command that calls it."""
    path = folder / name
    path.write_text(code.format(python=sys.executable, kept=str(kept)), encoding="utf-8")
    if sys.platform == "win32":
        pytest.skip("needs a script that runs by its name")
    path.chmod(0o755)
    return [str(path)]


def lines(number: int) -> Iterator[str]:
    return (f"line {at}\n" for at in range(1, number + 1))


def test_our_own_variable_comes_before_the_common_one() -> None:
    python = shlex.quote(sys.executable)

    assert choose_pager({"BOUGH_PAGER": f"{python} -u", "PAGER": "more"}) == [sys.executable, "-u"]
    assert choose_pager({"PAGER": f"{python} -b"}) == [sys.executable, "-b"]


@pytest.mark.parametrize("named", ["", "cat", "no-such-pager -x", "'unclosed"])
def test_no_usable_pager_means_none(named: str) -> None:
    assert choose_pager({"BOUGH_PAGER": named, "PAGER": sys.executable}) is None


def test_what_fits_the_screen_is_given_back(tmp_path: Path, kept: Path) -> None:
    command = pager(tmp_path, "less", KEEPS, kept)

    rest = feed_pager(command, lines(4), SCREEN, "utf-8")

    assert list(rest) == list(lines(4))
    assert not kept.exists()


def test_what_is_longer_than_the_screen_is_paged(tmp_path: Path, kept: Path) -> None:
    command = pager(tmp_path, "less", KEEPS, kept)

    rest = feed_pager(command, lines(5), SCREEN, "utf-8")

    assert list(rest) == []
    assert kept.read_text("utf-8").splitlines()[1:] == [line.rstrip() for line in lines(5)]


def test_a_line_that_takes_several_rows_counts_as_several(tmp_path: Path, kept: Path) -> None:
    command = pager(tmp_path, "less", KEEPS, kept)

    feed_pager(command, ["x" * 70 + "\n", "y\n"], SCREEN, "utf-8")

    assert kept.exists()


def test_escape_codes_take_no_room(tmp_path: Path, kept: Path) -> None:
    command = pager(tmp_path, "less", KEEPS, kept)

    feed_pager(command, ["\x1b[38;2;92;203;148mx\x1b[0m\n"] * 4, SCREEN, "utf-8")

    assert not kept.exists()


@pytest.mark.parametrize(("name", "given"), [("less", "['+3']"), ("most", "[]")])
def test_a_pager_that_knows_how_opens_at_the_line(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch, name: str, given: str
) -> None:
    monkeypatch.delenv("LESS", raising=False)
    command = pager(tmp_path, name, KEEPS, kept)

    feed_pager(command, lines(9), SCREEN, "utf-8", start=3)

    assert kept.read_text("utf-8").splitlines()[0] == f"{given} FRX"


def test_the_person_s_own_options_for_less_win(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LESS", "-S")
    command = pager(tmp_path, "less", KEEPS, kept)

    feed_pager(command, lines(9), SCREEN, "utf-8")

    assert kept.read_text("utf-8").splitlines()[0] == "[] -S"


def test_leaving_the_pager_early_is_no_error(tmp_path: Path, kept: Path) -> None:
    command = pager(tmp_path, "less", LEAVES, kept)

    rest = feed_pager(command, ("x" * 1_000 + "\n" for _ in range(10_000)), SCREEN, "utf-8")

    assert list(rest) == []


def test_a_pager_that_does_not_start_leaves_the_text(tmp_path: Path, kept: Path) -> None:
    rest = feed_pager([str(tmp_path)], lines(9), SCREEN, "utf-8")

    assert list(rest) == list(lines(9))


def test_an_error_while_the_text_is_made_comes_through(tmp_path: Path, kept: Path) -> None:
    command = pager(tmp_path, "less", KEEPS, kept)

    def failing() -> Iterator[str]:
        yield from lines(9)
        raise PermissionError(13, "denied", "a.jsonl")

    with pytest.raises(PermissionError):
        feed_pager(command, failing(), SCREEN, "utf-8")

    assert len(kept.read_text("utf-8").splitlines()) == 10
