"""`bough watch`: what happens in all sessions, as it happens."""

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.alerts import Alerts, Conditions, encode_event, parse_conditions
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.signals import catch_signals, is_reader_gone, reset_terminal
from bough.errors import ExitCode, Misuse
from bough.terminal import clock
from bough.terminal.capabilities import is_terminal
from bough.terminal.reports.live_stream import EventRenderer

if TYPE_CHECKING:
    from bough.library import Notifier, Stream, StreamEvent

_WAIT: Final = 1.0


@command("watch")
@click.argument("what", metavar="[PROJECT or SESSION]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Everything, as without a name.")
@click.option(
    "--only",
    metavar="KINDS",
    multiple=True,
    help="Only these, with commas: thinking, text, tools, prompts, states, errors.",
)
@click.option("--tools/--no-tools", default=None, help="With or without tool calls.")
@click.option("--agents/--no-agents", default=None, help="With or without what agents do.")
@click.option("--since", metavar="TIME", default="10m", help="How far back to begin: 10m, 2h, now.")
@click.option("--tip", metavar="UUID", help="Of one session only the branch through this message.")
@click.option("--exec", "run", metavar="CMD", help="Run a command on the events of --on.")
@click.option("--bell", is_flag=True, help="Ring the terminal's bell on the events of --on.")
@click.option("--notify", is_flag=True, help="Tell this desktop of those of --on that are states.")
@click.option(
    "--quiet", metavar="HOURS", help="With --notify: nothing in these hours: 22:00-08:00."
)
@click.option(
    "--on",
    metavar="EVENTS",
    multiple=True,
    help="finished, waiting, error (these three if not given), interrupted, /a pattern/.",
)
@click.option("--no-index", is_flag=True, help="Do not keep the index current meanwhile.")
@pass_globals
def watch(  # noqa: PLR0913 - one for each option
    given: Globals,
    what: tuple[str, ...],
    *,
    everything: bool,
    only: tuple[str, ...],
    tools: bool | None,
    agents: bool | None,
    since: str,
    tip: str | None,
    run: str | None,
    bell: bool,
    notify: bool,
    quiet: str | None,
    on: tuple[str, ...],
    no_index: bool,
) -> int:
    """Show what happens in sessions, as it happens: thinking, words, tools, agents.

    Of the projects and sessions named, or of all. It begins with the recent past and goes on
    until Ctrl-C. --json prints one event per line; bough docs live describes them.
    """
    if everything and what:
        raise click.UsageError("Give --all or names, not both")
    if on and run is None and not bell and not notify:
        raise click.UsageError("--on says when; give --exec, --bell or --notify as well")
    if quiet is not None and not notify:
        raise click.UsageError("--quiet is for --notify; give that as well")
    library.choose_events(only)  # before what --on says is looked at
    conditions = parse_conditions(on)
    notifier = _make_notifier(conditions, quiet) if notify else None
    alerts = Alerts(conditions, run, bell=bell, notifier=notifier)
    with catch_signals() as ended:
        stream = library.watch(
            [check_name(name) for name in what],
            get_claude_folders(given),
            only=only,
            tools=tools,
            agents=agents,
            since=check_name(since),
            tip=check_name(tip) if tip is not None else None,
            index=check_name(given.index) if given.index is not None else None,
            no_index=no_index,
            stop=ended,
            complain=output.say,
            now=clock.now(),
        )
        show = _make_printer(given, stream.is_shown, single=stream.is_single)
        try:
            return _follow_stream(given, stream, show, alerts, ended)
        finally:
            alerts.close()


def _make_notifier(conditions: Conditions, quiet: str | None) -> "Notifier":
    """Prepare to tell the desktop of what --on names; it is told of nothing else."""
    chosen = sorted(conditions.names & {"waiting", "finished", "failed", "error", "budget"})
    if not chosen:
        raise Misuse(
            "--notify tells waiting, finished, error and budget. Name one of them in --on."
        )
    return library.make_notifier(on=chosen, quiet=quiet, complain=output.say)


ShowEvents = Callable[["Sequence[StreamEvent]"], None]


def _follow_stream(
    given: Globals, stream: "Stream", show: ShowEvents, alerts: Alerts, ended: threading.Event
) -> int:
    """Show the past, then what comes, until somebody ends it."""
    try:
        with stream:
            past = stream.past()
            show(past)
            alerts.note_past(past)
            if not any(event.uuid for event in past) and is_terminal(sys.stdout):
                output.say("Nothing happened lately. What happens is shown here; Ctrl-C ends it.")
            while not ended.is_set() and not is_reader_gone():
                events = stream.next(_WAIT)
                if events:
                    show(events)
                alerts.handle_events(events)
    except KeyboardInterrupt:
        reset_terminal(output.detect_screen(given.color))
        return ExitCode.INTERRUPTED
    return ExitCode.INTERRUPTED if ended.is_set() else ExitCode.FINE


def _make_printer(
    given: Globals, choice: "Callable[[StreamEvent], bool]", *, single: bool
) -> ShowEvents:
    lines = EventRenderer(labels=not single)

    def as_json(events: "Sequence[StreamEvent]") -> None:
        output.emit_bytes(b"".join(map(encode_event, filter(choice, events))))
        output.flush_output()

    def as_lines(events: "Sequence[StreamEvent]") -> None:
        _say_troubles(events)
        shown = [event for event in events if choice(event) and event.kind != "trouble"]
        # The size is asked for again each time: a terminal may be resized.
        screen = output.detect_screen(given.color)
        output.write_lines(lines.render_events(shown, screen, clock.now()), screen)
        output.flush_output()

    return as_json if given.json else as_lines


def _say_troubles(events: "Iterable[StreamEvent]") -> None:
    for event in events:
        if event.kind == "trouble":
            output.say(event.text)
