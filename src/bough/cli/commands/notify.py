"""`bough notify`: tells a person who is elsewhere that a session waits, finished or failed."""

import os
import sys
import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from bough import library
from bough.cli import output, schedules
from bough.cli.alerts import EventCommand
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import (
    SETTINGS,
    BoughCommand,
    BoughGroup,
    Globals,
    pass_globals,
)
from bough.cli.signals import catch_signals, is_reader_gone, reset_terminal
from bough.errors import ExitCode, Misuse
from bough.terminal import clock
from bough.terminal.capabilities import is_terminal

if TYPE_CHECKING:
    from bough.library import Notification, Notifier, NotifierOptions, SendNotification, Stream

CommandBody = Callable[..., object]
_WAIT: Final = 1.0


def notify_options(body: CommandBody) -> CommandBody:
    """Give a command the options that say what is told, when and how; it gets them as `options`."""
    options = [
        click.option(
            "--on",
            metavar="KINDS",
            multiple=True,
            help="waiting, finished, failed, budget, with commas; all if not given.",
        ),
        click.option("--quiet", metavar="HOURS", help="Tell nothing in these hours: 22:00-08:00."),
        click.option(
            "--only",
            metavar="PROJECT",
            multiple=True,
            help="Only this project or session; may be given again.",
        ),
        click.option(
            "--desktop", is_flag=True, help="On this desktop, as where no other way is chosen."
        ),
        click.option("--exec", "run", metavar="CMD", help="Run a command, as watch --exec does."),
        click.option(
            "--webhook", metavar="URL", help="Post JSON to an address: it leaves this machine."
        ),
        click.option("--no-index", is_flag=True, help="Do not keep the index current meanwhile."),
    ]

    @wraps(body)
    def collect(  # noqa: PLR0913 - one for each option
        *args: object,
        on: tuple[str, ...],
        quiet: str | None,
        only: tuple[str, ...],
        desktop: bool,
        run: str | None,
        webhook: str | None,
        no_index: bool,
        **rest: object,
    ) -> object:
        chosen = library.NotifierOptions(
            on=on,
            quiet=quiet,
            only=tuple(check_name(name) for name in only),
            desktop=desktop,
            run=run,
            webhook=check_name(webhook) if webhook is not None else None,
            no_index=no_index,
        )
        return body(*args, options=chosen, **rest)

    decorated: CommandBody = collect
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


@click.group("notify", cls=BoughGroup, invoke_without_command=True, context_settings=SETTINGS)
@notify_options
@click.option("--terminal", is_flag=True, help="By the terminal this runs in (OSC 9, 777 or 99).")
@click.option(
    "--osc",
    type=click.Choice(["9", "777", "99"]),
    metavar="N",
    help="By the terminal, with this sequence: 9, 777 or 99.",
)
@pass_globals
@click.pass_context
def notify(
    ctx: click.Context,
    given: Globals,
    *,
    options: "NotifierOptions",
    terminal: bool,
    osc: str | None,
) -> int | None:
    """Tell you when a session waits for you, finishes or fails. Ctrl-C ends it.

    Each is told once, on your desktop unless you say otherwise, and printed; --json prints one
    object per line. After five within ten seconds the rest is told as one: 6 sessions wait.
    install keeps it running in the background instead.
    """
    if (name := ctx.invoked_subcommand) is not None:
        if terminal or osc is not None or options != library.NotifierOptions():
            raise Misuse(f"Options go behind the command: bough notify {name} --on waiting.")
        return None
    senders: list[SendNotification] = []
    if terminal or osc is not None:
        senders.append(_make_terminal_sender(osc))
    if options.webhook is not None:
        senders.append(library.make_webhook_sender(options.webhook))
    if options.desktop or not (senders or options.run is not None):
        senders.append(library.find_desktop_sender())
    notifier = library.make_notifier(
        senders, on=options.on, quiet=options.quiet, complain=output.say
    )
    with catch_signals() as ended:
        stream = library.watch(
            options.only,
            get_claude_folders(given),
            index=check_name(given.index) if given.index is not None else None,
            no_index=options.no_index,
            stop=ended,
            complain=output.say,
            now=clock.now(),
        )
        if options.webhook is not None:
            output.say(
                f"What is told leaves this machine: it is sent to "
                f"{library.find_webhook_host(options.webhook)}, secrets hidden as far as they "
                "are known."
            )
        run = EventCommand(options.run) if options.run else None
        return _follow(given, stream, notifier, run, ended)


@notify.command("install", cls=BoughCommand)
@notify_options
@schedules.INSTALL_DRY_RUN
@pass_globals
def install(given: Globals, *, options: "NotifierOptions", dry_run: bool) -> int:
    """Let the system run bough notify in the background while you are logged in.

    By a user service of systemd, an agent of launchd, or a scheduled task. Called again it
    takes the new options; bough notify uninstall takes it away.
    """
    if options.desktop or (options.run is None and options.webhook is None):
        library.find_desktop_sender()  # a refusal now is better than silence later
    if options.webhook is not None:
        host = library.find_webhook_host(options.webhook)
        output.say(f"What is told will leave this machine: it is sent to {host}.")
    chosen = msgspec.structs.replace(options, only=tuple(map(_name_elsewhere, options.only)))
    # Whoever is meant must be there now; in the background nobody reads that they are not.
    with library.watch(chosen.only, get_claude_folders(given), no_index=True):
        pass
    index = given.index
    if index is not None:
        index = str(Path(check_name(index)).expanduser().absolute())
    return schedules.install_schedule(
        given,
        library.plan_notify_service(chosen, schedules.list_absolute_folders(given), index),
        library.install_notify_service,
        dry_run=dry_run,
        sentence="bough notify runs in the background while you are logged in",
    )


@notify.command("uninstall", cls=BoughCommand)
@schedules.UNINSTALL_DRY_RUN
@pass_globals
def uninstall(given: Globals, *, dry_run: bool) -> int:
    """Remove what bough notify install set up, and nothing else."""
    return schedules.uninstall_schedule(
        given,
        library.plan_notify_service(),
        library.uninstall_notify_service,
        library.list_notify_service_files(),
        dry_run=dry_run,
    )


def _name_elsewhere(name: str) -> str:
    """Name a project so that it is found from every folder."""
    place = Path(name).expanduser()
    return str(place.absolute()) if place.is_dir() else name


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
        raise Misuse("--terminal needs a terminal, and stderr is not one.")
    code = library.TerminalCode(osc) if osc else library.find_terminal_code(os.environ)
    tmux = bool(os.environ.get("TMUX"))

    def send(notification: "Notification") -> None:
        sys.stderr.write(library.encode_for_terminal(notification, code, tmux=tmux))
        sys.stderr.flush()

    return send
