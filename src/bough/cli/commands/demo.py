"""`bough demo`: a made-up history, to try everything on."""

import shlex
import tempfile
from pathlib import Path
from typing import Final

import click

from bough.cli import output
from bough.cli.options import Globals, command, pass_globals
from bough.config import claude_folder_around
from bough.errors import BoughError, ExitCode, Misuse, reason_of
from bough.terminal import clock

_SESSION: Final = "3f9c"
_TRY: Final = (
    ("sessions", "", "what you see above"),
    ("tree", _SESSION, "two rewinds, two agents, a compaction, a fork"),
    ("show", _SESSION, "a conversation, as you would read it"),
    ("conversations", _SESSION, "every branch of it"),
    ("projects", "", "projects and their worktrees"),
    ("usage", "", "what it cost, day by day"),
)


@command("demo")
@click.option("--keep", metavar="DIR", help="Write the history into DIR and leave it there.")
@pass_globals
def demo(given: Globals, keep: str | None) -> int:
    """Write a made-up history to a temporary folder, show it, and remove it.

    With --keep it stays, and every command can be tried on it.
    """
    if keep is not None:
        return _show_demo(given, _check_folder(keep), kept=True)
    with tempfile.TemporaryDirectory(prefix="bough-demo-") as folder:
        return _show_demo(given, Path(folder), kept=False)


def _check_folder(wanted: str) -> Path:
    """Take a folder that is new or empty: nothing of the person's is written over."""
    folder = Path(wanted).expanduser()
    if around := claude_folder_around(folder):
        raise Misuse(f"{wanted} is inside the Claude folder {around}. Name another folder.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Misuse(f"{wanted} exists already. Name a folder that is new or empty.")
    return folder


def _show_demo(given: Globals, folder: Path, *, kept: bool) -> int:
    from bough.cli.commands.sessions import sessions  # noqa: PLC0415 - 20 ms, after the demo
    from bough.sample.demo import write_demo  # noqa: PLC0415 - 35 ms; help needs none of it

    try:
        claude = write_demo(folder, clock.now().astimezone())
    except OSError as error:
        raise BoughError(f"Cannot write the history into {folder}: {reason_of(error)}.") from error
    given.claude_dirs[:] = [str(claude)]
    # Its own index, which does not exist: the person's must not learn of made-up sessions.
    given.index = str(folder / "index.sqlite")
    code = click.get_current_context().invoke(sessions, project=None, everything=False)
    if not given.json:
        for line in _list_hints(claude if kept else None):
            output.say(line)
    return code if isinstance(code, int) else ExitCode.FINE


def _list_hints(claude: Path | None) -> list[str]:
    """Say what to try next."""
    if claude is None:
        first = "This history is made up, and gone again. Keep one to try everything on it:"
        return ["", first, "  bough demo --keep demo"]
    place = shlex.quote(str(claude))
    rows = [(f"bough {name} {what}".rstrip(), about) for name, what, about in _TRY]
    widest = max(len(words) for words, _ in rows)
    lines = [f"  {words.ljust(widest)}  {about}" for words, about in rows]
    return ["", f"This history is made up. Try, with --claude-dir {place}", *lines]
