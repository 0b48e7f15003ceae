"""`bough hooks`: hooks of the client that tell bough at once what it asks, where one wants that."""

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import get_claude_folders
from bough.cli.client_settings import SCOPE, change_settings, find_local
from bough.cli.options import (
    SETTINGS,
    BoughCommand,
    BoughGroup,
    Globals,
    pass_globals,
)
from bough.cli.travel import TravelOptions, travel_options
from bough.errors import ExitCode


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
    return change_settings(
        given,
        how,
        lambda: library.install_hooks(get_claude_folders(given), local=find_local(scope)),
        "Sessions that start now tell bough what they ask.",
    )


@hooks.command("uninstall", cls=BoughCommand)
@SCOPE
@travel_options(asks=True)
@pass_globals
def uninstall(given: Globals, *, scope: str, how: TravelOptions) -> int:
    """Take out the hooks that install set, and nothing else."""
    return change_settings(
        given,
        how,
        lambda: library.uninstall_hooks(get_claude_folders(given), local=find_local(scope)),
        "The hooks are gone.",
    )


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
