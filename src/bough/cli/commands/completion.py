"""`bough completion`: scripts that teach a shell the words of the command line."""

import click

from bough.cli import output
from bough.cli.options import command
from bough.errors import ExitCode

_SHELLS = ("bash", "zsh", "fish", "powershell")


@command("completion")
@click.argument("shell", type=click.Choice(_SHELLS), metavar="SHELL")
def completion(shell: str) -> int:
    """Print the script that makes SHELL complete commands, options, ids and queries.

    SHELL is bash, zsh, fish or powershell. Sessions and projects come from the index.

    \b
    bash        eval "$(bough completion bash)"            in ~/.bashrc
    zsh         eval "$(bough completion zsh)"             in ~/.zshrc, behind compinit
    fish        bough completion fish | source             in ~/.config/fish/config.fish
    powershell  bough completion powershell | Out-String | Invoke-Expression   in $PROFILE
    """  # noqa: D301 - click wants a real backspace
    from bough.cli.shell_completion import write_script  # noqa: PLC0415 - help needs none of it

    output.write(write_script(click.get_current_context().find_root().command, shell))
    return ExitCode.FINE
