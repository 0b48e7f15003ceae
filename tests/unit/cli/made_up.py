"""Commands that only tests know: they answer, fail and go on for ever."""

import os
import sys
import time

import click

from bough.cli import output
from bough.cli.main import CommandTable
from bough.cli.options import Globals, command, pass_globals
from bough.errors import AmbiguousSession, IndexTrouble, SessionNotFound

TABLE: CommandTable = {
    "Made up": dict.fromkeys(
        ("tell", "fail", "count", "wait", "paint"), (__name__, "A command of the tests.")
    )
}


@command("tell")
@click.argument("names", nargs=-1)
@click.option("--tip")
@click.option("--all", "everything", is_flag=True)
@pass_globals
def tell(given: Globals, names: tuple[str, ...], tip: str | None, everything: bool) -> None:
    """Tell what was given."""
    output.emit_json(
        {
            "names": names,
            "tip": tip,
            "all": everything,
            "claude_dirs": given.claude_dirs,
            "index": given.index,
            "json": given.json,
            "color": given.color,
        }
    )


@command("fail")
@click.argument("how")
def fail(how: str) -> int:
    """Fail in some way."""
    match how:
        case "code":
            return 1
        case "missing":
            raise SessionNotFound("3f9d")
        case "ambiguous":
            raise AmbiguousSession("3f", ["3f9c21d0", "3fa10000"])
        case "index":
            raise IndexTrouble("The index is locked. Try again.")
        case "usage":
            raise click.UsageError("Give one or the other")
        case "system":
            raise PermissionError(13, "denied", "a.jsonl")
        case "interrupt":
            raise KeyboardInterrupt
        case _:
            raise KeyError(how)


@command("count")
def count() -> None:
    """Count on and on."""
    output.page_text(map(str, range(1_000_000)), output.detect_screen())


@command("wait")
def wait() -> None:
    """Wait for an interrupt."""
    output.say(f"waiting {os.getpid()}")
    sys.stderr.flush()
    time.sleep(60)


@command("paint")
@pass_globals
def paint(given: Globals) -> None:
    """Say what stdout can do, and page more than a screen."""
    screen = output.detect_screen(given.color)
    first = f"{screen.depth.name} {screen.width}x{screen.height} {screen.unicode}"
    output.page_text([first, *map(str, range(200))], screen, start=150)
