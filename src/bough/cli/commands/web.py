"""`bough web`: the web app, served on this machine."""

import os
import sys
import threading
from typing import Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode

_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")


@command("web")
@click.option(
    "--host",
    metavar="HOST",
    default="127.0.0.1",
    help="Where to listen; 127.0.0.1 by default, which only this machine can reach.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    metavar="N",
    help="The port; by default 8420, or the next that is free.",
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--notify", is_flag=True, help="Tell this desktop of sessions that wait, finish or fail."
)
@click.option(
    "--quiet", metavar="HOURS", help="With --notify: nothing in these hours: 22:00-08:00."
)
@pass_globals
def web(
    given: Globals,
    host: str,
    port: int | None,
    *,
    no_browser: bool,
    notify: bool,
    quiet: str | None,
) -> int:
    """Open your history in the browser. Ctrl-C ends it.

    Only this machine can reach it, and nothing is sent elsewhere. With another --host every
    request needs the token that stands in the printed address.
    """
    from bough.web.server import access_policy_of, address_of, open_socket, serve  # noqa: PLC0415 - 300 ms
    from bough.web.state import AppState  # noqa: PLC0415 - 300 ms; help needs none of it

    if quiet is not None and not notify:
        raise click.UsageError("--quiet is for --notify; give that as well")
    notifier = library.make_notifier(quiet=quiet, complain=output.say) if notify else None
    sock = open_socket(check_name(host), port)
    with sock:
        gate = access_policy_of(sock, host)
        index = check_name(given.index) if given.index is not None else None
        state = AppState(get_claude_folders(given), index, token_needed=gate.everything)
        state.live.notifier = notifier
        address = address_of(sock, host, gate)
        output.say(f"bough is at {address}  Ctrl-C ends it.")
        if gate.everything:
            output.say(
                "Other machines can reach it. Whoever has this address can read your "
                "transcripts; it is not encrypted on its way."
            )
        try:
            serve(state, sock, gate, None if no_browser else lambda: _open_browser(address))
        except KeyboardInterrupt:
            return ExitCode.INTERRUPTED
        finally:
            if notifier is not None:
                notifier.close()
    return ExitCode.FINE


def _open_browser(address: str) -> None:
    """Open the browser, where there is a desktop to open it on."""
    unix = sys.platform not in ("win32", "darwin")
    if unix and not any(os.environ.get(name) for name in _DISPLAYS):
        return
    import webbrowser  # noqa: PLC0415 - 6 ms, only here

    # A browser that is slow to start must not keep the server from answering it.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
