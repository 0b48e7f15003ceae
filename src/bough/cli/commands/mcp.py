"""`bough mcp`: answers from old conversations, for agents that speak MCP."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import (
    SETTINGS,
    BoughCommand,
    BoughGroup,
    Globals,
    pass_globals,
)
from bough.cli.prompts import ask_yes_no, is_interactive
from bough.errors import BoughError, ExitCode, Misuse

if TYPE_CHECKING:
    from bough.mcp.answers import Answerer

_TOKEN: Final = "BOUGH_MCP_TOKEN"  # noqa: S105 - the name of a variable
_PROFILES: Final = ("all", "memory")


@click.group("mcp", cls=BoughGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.option(
    "--project",
    metavar="PATH",
    help="The project to speak of, with all worktrees of its repository; by default this folder.",
)
@click.option("--all-projects", is_flag=True, help="Speak of every project.")
@click.option(
    "--profile",
    type=click.Choice(_PROFILES),
    default="all",
    metavar="NAME",
    help="all, or memory: only search, read and decisions.",
)
@click.option(
    "--http",
    metavar="HOST:PORT",
    help="Serve over HTTP instead of stdin and stdout; needs --project or --all-projects.",
)
@click.option("--log", is_flag=True, help="Write each call to stderr: its time, tool and size.")
@pass_globals
@click.pass_context
def mcp(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    given: Globals,
    *,
    project: str | None,
    all_projects: bool,
    profile: str,
    http: str | None,
    log: bool,
) -> int | None:
    """Let an agent ask what was said and done before, over MCP.

    Without a command it serves the client that started it, on stdin and stdout. It answers
    about one project only, quotes old transcripts as data, hides what looks like a secret,
    keeps to a budget of tokens, and writes nothing. It needs the extra mcp.
    """
    if ctx.invoked_subcommand is not None:
        return None
    if project is not None and all_projects:
        raise click.UsageError("Give --project or --all-projects, not both")
    if http is not None and project is None and not all_projects:
        raise Misuse("Over HTTP no folder says which project is meant. Name it with --project.")
    _require_extra()
    place = None if all_projects else str(Path(project or Path.cwd()).expanduser().absolute())
    answerer = _make_answerer(given, place, profile, log=log)
    if http is not None:
        return _serve_http(answerer, http)
    from bough.mcp.protocol_server import serve_stdio  # noqa: PLC0415 - 0.6 s, and an extra

    if sys.stdin.isatty():
        output.say("Waiting for a client on stdin. bough mcp install adds this to Claude.")
    serve_stdio(answerer)
    return ExitCode.FINE


def _make_answerer(given: Globals, place: str | None, profile: str, *, log: bool) -> "Answerer":
    from bough.mcp.answers import Answerer  # noqa: PLC0415 - install needs none of it
    from bough.mcp.scope import ProjectScope, ScopedHistory  # noqa: PLC0415

    index = check_name(given.index) if given.index is not None else None
    history = ScopedHistory(ProjectScope(place), get_claude_folders(given), index)
    return Answerer(history, profile, _log_call if log else None)


def _serve_http(answerer: "Answerer", address: str) -> int:
    from bough.mcp.http import describe_address, open_guarded_socket, serve_http  # noqa: PLC0415

    sock, gate = open_guarded_socket(address, os.environ.get(_TOKEN))
    output.say(f"Serving at {describe_address(sock, gate)}. Ctrl-C ends it.")
    serve_http(answerer, sock, gate)
    return ExitCode.FINE


def _log_call(tool: str, size: int, seconds: float) -> None:
    output.say(f"{tool}: {size:,} bytes, {seconds * 1_000:.0f} ms")


def _require_extra() -> None:
    """Say how to get what is missing, where the extra is not installed."""
    if find_spec("mcp") is None:
        raise BoughError(
            "bough mcp needs the extra mcp, which is not installed. "
            "Install it with pip install 'bough[mcp]', or pipx inject bough mcp."
        )


_SCOPE = click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    metavar="SCOPE",
    help="user: for you, in every project; project: for all who share this folder.",
)
_YES = click.option("--yes", is_flag=True, help="Run the command without asking.")
_DRY_RUN = click.option("--dry-run", "-n", is_flag=True, help="Only show the command.")


@mcp.command("install", cls=BoughCommand)
@_SCOPE
@click.option(
    "--profile",
    type=click.Choice(_PROFILES),
    default="all",
    metavar="NAME",
    help="all, or memory: only search, read and decisions.",
)
@_YES
@_DRY_RUN
def install(*, scope: str, profile: str, yes: bool, dry_run: bool) -> int:
    """Add it to Claude Code, with the client's own command, which is shown first."""
    _require_extra()
    from bough.mcp.install import find_program, make_add_command  # noqa: PLC0415

    command = make_add_command(scope, profile, None, find_program())
    return _run_shown(command, scope, yes=yes, dry_run=dry_run)


@mcp.command("uninstall", cls=BoughCommand)
@_SCOPE
@_YES
@_DRY_RUN
def uninstall(*, scope: str, yes: bool, dry_run: bool) -> int:
    """Remove it from Claude Code."""
    from bough.mcp.install import make_remove_command  # noqa: PLC0415

    return _run_shown(make_remove_command(scope), scope, yes=yes, dry_run=dry_run)


@mcp.command("skill", cls=BoughCommand)
def skill() -> int:
    """Print a skill file that tells an agent when to ask; put it where you like."""
    from bough.mcp.install import SKILL  # noqa: PLC0415

    output.write(SKILL)
    output.flush_output()
    return ExitCode.FINE


def _run_shown(command: list[str], scope: str, *, yes: bool, dry_run: bool) -> int:
    """Show a command of the client's, and run it where that is wanted."""
    from bough.mcp.install import describe_change, find_client, spell_command  # noqa: PLC0415

    output.write(f"{spell_command(command)}\n")
    output.flush_output()
    output.say(describe_change(scope))
    if dry_run:
        return ExitCode.FINE
    if not yes:
        if not is_interactive():
            raise Misuse("There is no terminal to ask on. Give --yes to run it, or --dry-run.")
        if not ask_yes_no("Run it?"):
            output.say("Nothing was changed.")
            return ExitCode.FAILED
    # Arguments as they are, no shell.
    done = subprocess.run([find_client(), *command[1:]], check=False)  # noqa: S603
    return ExitCode.FINE if done.returncode == 0 else ExitCode.FAILED
