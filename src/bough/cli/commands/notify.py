"""`bough notify`: tells a person who is elsewhere that a session waits, finished or failed."""

import os
import sys
import threading
from typing import TYPE_CHECKING, Final

import click
import msgspec

from bough import library
from bough.cli import output
from bough.cli.alerts import EventCommand
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.signals import catch_signals, is_reader_gone, reset_terminal
from bough.errors import ExitCode, Misuse
from bough.terminal import clock
from bough.terminal.capabilities import is_terminal

if TYPE_CHECKING:
    from bough.library import Notification, Notifier, SendNotification, Stream

_WAIT: Final = 1.0


@command("notify")
@click.option(
    "--on",
    metavar="KINDS",
    multiple=True,
    help="waiting, finished, failed, budget, with commas; all if not given.",
)
@click.option("--quiet", metavar="HOURS", help="Tell nothing in these hours: 22:00-08:00.")
@click.option(
    "--only",
    metavar="PROJECT",
    multiple=True,
    help="Only this project or session; may be given again.",
)
@click.option("--desktop", is_flag=True, help="On this desktop, as without any of the next four.")
@click.option("--terminal", is_flag=True, help="By the terminal this runs in (OSC 9, 777 or 99).")
@click.option(
    "--osc",
    type=click.Choice(["9", "777", "99"]),
    metavar="N",
    help="By the terminal, with this sequence: 9, 777 or 99.",
)
@click.option("--exec", "run", metavar="CMD", help="Run a command, as watch --exec does.")
@click.option("--webhook", metavar="URL", help="Post JSON to an address: it leaves this machine.")
@click.option("--no-index", is_flag=True, help="Do not keep the index current meanwhile.")
@pass_globals
def notify(  # noqa: PLR0913 - one for each option
    given: Globals,
    *,
    on: tuple[str, ...],
    quiet: str | None,
    only: tuple[str, ...],
    desktop: bool,
    terminal: bool,
    osc: str | None,
    run: str | None,
    webhook: str | None,
    no_index: bool,
) -> int:
    """Tell you when a session waits for you, finishes or fails. Ctrl-C ends it.

    Each is told once, on your desktop unless you say otherwise, and printed; --json prints one
    object per line. After five within ten seconds the rest is told as one: 6 sessions wait.
    """
    senders: list[SendNotification] = []
    if terminal or osc is not None:
        senders.append(_make_terminal_sender(osc))
    if webhook is not None:
        senders.append(library.make_webhook_sender(check_name(webhook)))
    if desktop or not (senders or run is not None):
        senders.append(library.find_desktop_sender())
    notifier = library.make_notifier(senders, on=on, quiet=quiet, complain=output.say)
    with catch_signals() as ended:
        stream = library.watch(
            [check_name(name) for name in only],
            get_claude_folders(given),
            index=check_name(given.index) if given.index is not None else None,
            no_index=no_index,
            stop=ended,
            complain=output.say,
            now=clock.now(),
        )
        if webhook is not None:
            output.say(
                f"What is told leaves this machine: it is sent to "
                f"{library.find_webhook_host(webhook)}, secrets hidden as far as they are known."
            )
        return _follow(given, stream, notifier, EventCommand(run) if run else None, ended)


def _follow(
    given: Globals,
    stream: "Stream",
    notifier: "Notifier",
    run: EventCommand | None,
    ended: threading.Event,
) -> int:
    """Tell what happens until somebody ends it."""
    try:
        with stream:
            notifier.note_past(stream.past())
            output.say("bough tells you what happens from now on. Ctrl-C ends it.")
            while not ended.is_set() and not is_reader_gone():
                for notification in notifier.handle_events(stream.next(_WAIT)):
                    _print(given, notification)
                    if run is not None:
                        run.run(notification.event)
    except KeyboardInterrupt:
        reset_terminal(output.detect_screen(given.color))
        return ExitCode.INTERRUPTED
    finally:
        notifier.close()
    return ExitCode.INTERRUPTED if ended.is_set() else ExitCode.FINE


def _print(given: Globals, notification: "Notification") -> None:
    if given.json:
        found = library.notification_document(notification)
        output.emit_bytes(msgspec.json.encode(found) + b"\n")
    else:
        output.write(f"{clock.now():%H:%M:%S} {notification.line}\n")
    output.flush_output()


def _make_terminal_sender(osc: str | None) -> "SendNotification":
    """Write to stderr, for stdout is data."""
    if not is_terminal(sys.stderr):
        raise Misuse("--terminal needs a terminal, and stderr is none.")
    code = library.TerminalCode(osc) if osc else library.find_terminal_code(os.environ)
    tmux = bool(os.environ.get("TMUX"))

    def send(notification: "Notification") -> None:
        sys.stderr.write(library.encode_for_terminal(notification, code, tmux=tmux))
        sys.stderr.flush()

    return send
