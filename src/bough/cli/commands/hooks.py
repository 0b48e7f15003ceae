"""`bough hooks`: hooks of the client that tell bough at once what it asks, where one wants that."""

from pathlib import Path

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import get_claude_folders
from bough.cli.options import (
    SETTINGS,
    BoughCommand,
    BoughGroup,
    Globals,
    pass_globals,
)
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import change_document
from bough.errors import ExitCode

SCOPE = click.option(
    "--scope",
    type=click.Choice(["user", "local"]),
    default="user",
    metavar="SCOPE",
    help="user: settings.json of the Claude folder; local: this project's settings.local.json.",
)


@click.group("hooks", cls=BoughGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.pass_context
def hooks(ctx: click.Context) -> int | None:
    """Let the client tell bough at once what it asks, and when a turn is over.

    Without hooks bough sees that a session waits, from the client's own note; with them it
    says what for, the moment the client asks. The hook program writes one small file, never
    blocks and never prints. bough docs hooks says more.
    """
    if ctx.invoked_subcommand is not None:
        return None
    code: int = ctx.invoke(status)
    return code


@hooks.command("install", cls=BoughCommand)
@SCOPE
@travel_options(asks=True)
@pass_globals
def install(given: Globals, *, scope: str, how: TravelOptions) -> int:
    """Set the hooks, beside others that are there; the change is shown first.

    Old clients throw their settings away when these name an event they do not know, so the
    clients of the last 90 days are looked at, and only what all of them take is set.
    """
    done = carry_out_plan(
        given,
        how,
        lambda: library.install_hooks(get_claude_folders(given), local=find_local(scope)),
        asks=True,
        document=change_document,
    )
    report_outcome(done, "Sessions that start now tell bough what they ask.")
    return done.code


@hooks.command("uninstall", cls=BoughCommand)
@SCOPE
@travel_options(asks=True)
@pass_globals
def uninstall(given: Globals, *, scope: str, how: TravelOptions) -> int:
    """Take out the hooks that install set, and nothing else."""
    done = carry_out_plan(
        given,
        how,
        lambda: library.uninstall_hooks(get_claude_folders(given), local=find_local(scope)),
        asks=True,
        document=change_document,
    )
    report_outcome(done, "The hooks are gone.")
    return done.code


@hooks.command("status", cls=BoughCommand)
@SCOPE
@pass_globals
def status(given: Globals, *, scope: str = "user") -> int:
    """Say which hooks are set, which clients read them, and whether all of them take them."""
    found = library.hooks_status(get_claude_folders(given), local=find_local(scope))
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(found, screen)
        return ExitCode.FINE
    lines = [
        f"{found.path}: {', '.join(found.events) or 'no hooks of bough'}",
        f"Clients seen: {', '.join(found.versions) or 'none'}",
    ]
    output.write("".join(f"{line}\n" for line in lines))
    for sentence in found.warnings:
        output.say(sentence)
    return ExitCode.FINE


def find_local(scope: str) -> Path | None:
    """Name the project whose local settings are meant; None for those of the Claude folder."""
    return Path.cwd() if scope == "local" else None
