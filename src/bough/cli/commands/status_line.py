"""`bough statusline`: one line for the client to show, and the setting that makes it do so.

The line itself is written by `bough.status_line` before click is loaded (see `bough.fast`); this
is what a person calls.
"""

import click

from bough import library
from bough.cli.arguments import get_claude_folders
from bough.cli.client_settings import change_settings
from bough.cli.options import (
    SETTINGS,
    BoughCommand,
    BoughGroup,
    Globals,
    pass_globals,
)
from bough.cli.travel import TravelOptions, travel_options
from bough.errors import ExitCode
from bough.status_line.answer import answer


@click.group("statusline", cls=BoughGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.option(
    "--format", "template", metavar="TEXT", help="The line, such as '{project} {context} {cost}'."
)
@click.option("--width", type=click.IntRange(min=1), metavar="N", help="On so many columns.")
@click.option("--chain", metavar="CMD", help="Another status line, to be shown above.")
@click.option(
    "--print-sh", is_flag=True, help="The line as a script for sh, where starts are slow."
)
@click.pass_context
def statusline(
    ctx: click.Context,
    template: str | None,
    width: int | None,
    chain: str | None,
    *,
    print_sh: bool,
) -> int:
    """Write one line about a session for the client to show, from what it says on stdin.

    It has the project, the model, how full the context is and what the session cost, what the
    day and the five hours cost, and how many other sessions wait for you. install lets the
    client show it. bough docs statusline lists the fields of --format, and lines for tmux,
    starship, waybar and zellij.
    """
    if ctx.invoked_subcommand is not None:
        return ExitCode.FINE
    given = ctx.ensure_object(Globals)
    words = [f"--color={given.color}", *(f"--claude-dir={one}" for one in given.claude_dirs)]
    words += [f"--format={template}"] if template is not None else []
    words += [f"--width={width}"] if width is not None else []
    words += [f"--chain={chain}"] if chain is not None else []
    answer([*words, *(["--print-sh"] if print_sh else [])])
    return ExitCode.FINE


@statusline.command("install", cls=BoughCommand)
@click.option("--chain", is_flag=True, help="Show the status line that is set now as well.")
@click.option("--format", "template", metavar="TEXT", help="What the line shows.")
@travel_options(asks=True)
@pass_globals
def install(given: Globals, *, chain: bool, template: str | None, how: TravelOptions) -> int:
    """Let the client show the line: one setting in settings.json, shown first.

    A status line that is set already is kept in the journal; uninstall gives it back.
    """
    return change_settings(
        given,
        how,
        lambda: library.install_status_line(
            get_claude_folders(given), chain=chain, template=template
        ),
        "The client shows the line from its next message on.",
    )


@statusline.command("uninstall", cls=BoughCommand)
@travel_options(asks=True)
@pass_globals
def uninstall(given: Globals, *, how: TravelOptions) -> int:
    """Give back the status line that was set before, or none."""
    return change_settings(
        given,
        how,
        lambda: library.uninstall_status_line(get_claude_folders(given)),
        "The client's status line is what it was.",
    )


@statusline.command("refresh", cls=BoughCommand)
@click.option("--for", "folder", metavar="DIR", help="The Claude folder whose sessions ask.")
@pass_globals
def refresh(given: Globals, *, folder: str | None) -> int:
    """Count the numbers of the day and the block anew; the line starts this by itself."""
    named = [folder] if folder is not None else get_claude_folders(given)
    library.refresh_status_numbers(named, index=given.index)
    return ExitCode.FINE
