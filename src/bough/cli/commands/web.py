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
@click.option("--no-browser", is_flag=True, help="Do not open a browser; only print the address.")
@click.option(
    "--notify", is_flag=True, help="Tell this desktop of sessions that wait, finish or fail."
)
@click.option(
    "--quiet", metavar="HOURS", help="With --notify: nothing in these hours: 22:00-08:00."
)
@click.option(
    "--tls-cert", metavar="FILE", help="With --store: a certificate (PEM); needs --tls-key."
)
@click.option("--tls-key", metavar="FILE", help="With --store: the key of --tls-cert.")
@click.option(
    "--trusted-proxy",
    metavar="CIDR",
    multiple=True,
    help="With --store: a proxy's addresses, which encrypts for us; may be given again.",
)
@click.option(
    "--trust-header",
    metavar="NAME",
    help="With --trusted-proxy: the header in which it says which member somebody is.",
)
@pass_globals
def web(  # noqa: PLR0913 - one for each option
    given: Globals,
    host: str,
    port: int | None,
    *,
    no_browser: bool,
    notify: bool,
    quiet: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    trusted_proxy: tuple[str, ...],
    trust_header: str | None,
) -> int:
    """Open your history in the browser. Ctrl-C ends it.

    Only this machine can reach it, and nothing is sent elsewhere. With another --host every
    request needs the token that stands in the printed address.

    With --store it serves a team: each comes in with their own token, and sees what is theirs
    and what is shared with them. Other machines reach it only encrypted.
    """
    if given.store is not None:
        if notify or quiet is not None:
            raise click.UsageError("--notify is about this machine; a team's store has no desktop")
        certificate = _read_certificate(tls_cert, tls_key)
        return _serve_team(given.store, host, port, certificate, (trusted_proxy, trust_header))
    if tls_cert or tls_key or trusted_proxy or trust_header:
        raise click.UsageError("--tls-cert, --tls-key, --trusted-proxy and --trust-header go with "
                               "--store")  # fmt: skip
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


def _read_certificate(tls_cert: str | None, tls_key: str | None) -> tuple[str, str] | None:
    if tls_cert is None and tls_key is None:
        return None
    if tls_cert is None or tls_key is None:
        raise click.UsageError("--tls-cert and --tls-key go together")
    return check_name(tls_cert), check_name(tls_key)


def _serve_team(
    store: str,
    host: str,
    port: int | None,
    certificate: tuple[str, str] | None,
    proxy: tuple[tuple[str, ...], str | None],
) -> int:
    from bough.web.server import open_socket, serve_team  # noqa: PLC0415 - 300 ms
    from bough.web.team.open_gate import open_gate  # noqa: PLC0415 - 300 ms

    gate, place = open_gate(store, host, *proxy, has_certificate=certificate is not None)
    with open_socket(check_name(host), port) as sock:
        scheme = "https" if certificate is not None else "http"
        name = f"[{host}]" if ":" in host else host
        output.say(f"bough serves {place} at {scheme}://{name}:{sock.getsockname()[1]}/  "
                   "Ctrl-C ends it.")  # fmt: skip
        try:
            serve_team(gate, sock, certificate)
        except KeyboardInterrupt:
            return ExitCode.INTERRUPTED
    return ExitCode.FINE


def _open_browser(address: str) -> None:
    """Open the browser, where there is a desktop to open it on."""
    unix = sys.platform not in ("win32", "darwin")
    if unix and not any(os.environ.get(name) for name in _DISPLAYS):
        return
    import webbrowser  # noqa: PLC0415 - 6 ms, only here

    # A browser that is slow to start must not keep the server from answering it.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
