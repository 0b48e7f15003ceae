"""`bough help`: what a command does, for those who write it before the command."""

import click

from bough.cli import output
from bough.cli.options import BoughCommand, command
from bough.errors import ExitCode


@command("help")
@click.argument("name", metavar="[COMMAND]", required=False)
def help(name: str | None) -> int:  # noqa: A001 - the command is called so
    """Tell what COMMAND does and takes, as bough COMMAND --help; without one, all commands."""
    root = click.get_current_context().find_root()
    if name is None:
        output.write(root.get_help() + "\n")
        return ExitCode.FINE
    group = root.command
    if not isinstance(group, click.Group):
        raise click.UsageError("There are no commands to tell of")
    _, found, _ = group.resolve_command(root, [name])
    if isinstance(found, BoughCommand):
        with found.make_context(name, [], parent=root, resilient_parsing=True) as ctx:
            output.write(found.get_help(ctx) + "\n")
    return ExitCode.FINE
