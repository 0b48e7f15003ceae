"""`bough help`: what a command does, for those who write it before the command."""

from contextlib import ExitStack

import click

from bough.cli import output
from bough.cli.options import command
from bough.errors import ExitCode


@command("help")
@click.argument("names", metavar="[COMMAND]...", nargs=-1)
def help(names: tuple[str, ...]) -> int:  # noqa: A001 - the command is called so
    """Explain COMMAND, as bough COMMAND --help does; without one, list all commands.

    \b
    bough help fork
    bough help archive status
    """  # noqa: D301 - click wants a real backspace
    ctx = click.get_current_context().find_root()
    with ExitStack() as entered:
        for name in names:
            if not isinstance(ctx.command, click.Group):
                raise click.UsageError(f"{ctx.command_path} has no commands below it", ctx)
            _, found, _ = ctx.command.resolve_command(ctx, [name])
            if found is not None:
                inner = found.make_context(name, [], parent=ctx, resilient_parsing=True)
                ctx = entered.enter_context(inner)
        output.write(ctx.get_help() + "\n")
    return ExitCode.FINE
