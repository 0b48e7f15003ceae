"""The page about time travel tells what its commands take and print."""

from importlib import import_module
from pathlib import Path

import click
import pytest

from bough.cli.main import COMMANDS
from bough.sample.demo import write_demo
from tests.cli.screens import NOW
from tests.cli.travelled import BROKEN, BUSHY, PLAIN, Place

PAGE = (Path(__file__).parents[2] / "docs" / "time-travel.md").read_text(encoding="utf-8")
HERE = PAGE.partition("\n## The commands\n")[2]
NAMES = list(COMMANDS["Travel"])


def options(name: str) -> list[str]:
    command: click.Command = getattr(import_module(f"bough.cli.commands.{name}"), name)
    return [opt for param in command.params for opt in param.opts if opt.startswith("-")]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_and_option_is_on_the_page(name: str) -> None:
    rows = [line for line in HERE.splitlines() if line.startswith("| `")]

    assert any(row.startswith(f"| `bough {name}") for row in rows)
    for option in options(name):
        assert any(f"`{option}" in row.split(" | ")[0] for row in rows), option


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("fork, goto", ("fork", BUSHY, "--at", "b41f")),
        ("repair", ("repair", BROKEN)),
        ("undo, restore", ("undo", "--yes")),
        ("move", ("move", "paper-lantern", "docs", "--yes")),
        ("find", ("find", "job table", BUSHY)),
        ("diff", ("diff", BUSHY, "b41f", "active")),
        ("history", ("history",)),
    ],
)
def test_documents_are_as_the_page_says(tmp_path: Path, row: str, words: tuple[str, ...]) -> None:
    place = Place(tmp_path, write_demo(tmp_path / "demo", NOW))
    place.json("rename", PLAIN, "Tax", "--yes")

    many = words[0] in ("find", "history")
    document = place.jsons(*words)[0] if many else place.json(*words)

    (told,) = [line for line in HERE.splitlines() if line.startswith(f"| {row} |")]
    assert f"`{{{', '.join(document)}}}`" in told
