"""README.md: what it shows is what the program prints, and the first two commands are make's."""

import re
from pathlib import Path

import pytest

from bough.sample.demo import write_demo
from tests.cli.screens import NOW, piped


@pytest.fixture(scope="module")
def readme() -> str:
    return Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")


def test_its_tree_is_the_whole_output_of_the_command(
    readme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOUGH_INDEX", str(tmp_path / "index.sqlite"))
    (shown,) = re.findall(r"^\$ bough tree 3f9c\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)

    done = piped("tree", "3f9c", claude=write_demo(tmp_path, NOW))

    assert done.stdout == shown


def test_the_two_commands_of_a_fresh_machine_stand_together_near_the_top(readme: str) -> None:
    lines = readme.splitlines()
    (run,) = [number for number, line in enumerate(lines) if line.startswith("$ make run ")]

    assert lines[run + 1].startswith("$ make test ")
    assert run < 10


def test_it_has_five_commands_and_they_are_there(readme: str) -> None:
    section = readme.partition("## Five commands")[2].partition("##")[0]
    named = re.findall(r"^\$ bough (\w+)", section, re.MULTILINE)
    commands = Path(__file__).parents[2] / "src" / "bough" / "cli" / "commands"

    assert len(named) == 5
    assert [name for name in named if not (commands / f"{name}.py").exists()] == []
