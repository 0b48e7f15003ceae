"""Another status line in front of ours, for whoever had one before: `--chain COMMAND`."""

import subprocess

from bough.client_input import read_stdin
from bough.status_line.client_status import ClientStatus, parse_client_status

_SECONDS = 5.0
_MOST = 8_192


def run_chained(command: str) -> tuple[ClientStatus, str]:
    """Run a command on what the client wrote, and give both: what it wrote, and the lines.

    The command stood in the person's own settings, and the client ran it as we do, by the
    shell. One that fails or takes too long has no line.
    """
    data = read_stdin()
    try:
        done = subprocess.run(  # noqa: S602 - see above
            command,
            shell=True,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
        lines = done.stdout[:_MOST].decode("utf-8", "replace").splitlines()
    except (OSError, ValueError, subprocess.SubprocessError):
        lines = []
    return parse_client_status(data), "".join(f"{line}\n" for line in lines)
