"""`bough watch`: what happens in all sessions, as it happens."""

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
import msgspec

from bough.cli import output
from bough.cli.alerts import Alerts, parse_conditions
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.signals import catch_signals, is_reader_gone, reset_terminal
from bough.config import claude_dirs, index_path
from bough.errors import ExitCode, Misuse
from bough.query.index.handle import index_exists
from bough.query.live.events import StreamEvent
from bough.query.live.stream import Stream, open_stream
from bough.store.protocol import Store
from bough.store.query_language.dates import parse_moment
from bough.store.sqlite.store import SqliteStore
from bough.terminal import clock
from bough.terminal.capabilities import is_terminal
from bough.terminal.reports.live_stream import EventRenderer

_WAIT: Final = 1.0
_GROUPS: Final = {
    "thinking": ("thinking",),
    "text": ("text",),
    "tools": ("tool", "result"),
    "prompts": ("prompt", "queued", "command", "output"),
    "states": ("state",),
    "errors": ("error", "retry", "interrupted", "hook", "bad_line", "trouble"),
}


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
@click.option("--exec", "run", metavar="CMD", help="Run a command on the events of --on.")
@click.option("--bell", is_flag=True, help="Ring the terminal's bell on the events of --on.")
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
    run: str | None,
    bell: bool,
    on: tuple[str, ...],
    no_index: bool,
) -> int:
    """Show what happens in sessions, as it happens: thinking, words, tools, agents.

    Of the projects and sessions named, or of all. It begins with the recent past and goes on
    until Ctrl-C. --json prints one event per line; docs/live.md describes them.
    """
    if everything and what:
        raise click.UsageError("Give --all or names, not both")
    if on and run is None and not bell:
        raise click.UsageError("--on says when; give --exec or --bell as well")
    choice = choose_events(only, tools=tools, agents=agents)
    alerts = Alerts(parse_conditions(on), run, bell=bell)
    names = [check_name(name) for name in what]
    begin = _parse_since(since)
    with catch_signals() as ended:
        store = None if no_index else _find_index(given)
        stream = open_stream(
            get_claude_folders(given),
            names,
            since=begin,
            stop=ended,
            store=store,
            complain=output.say,
        )
        show = _make_printer(given, choice, single=stream.is_single)
        return _follow_stream(given, stream, show, alerts, ended)


def choose_events(
    only: Sequence[str], *, tools: bool | None = None, agents: bool | None = None
) -> Callable[[StreamEvent], bool]:
    """Choose which events are shown."""
    groups = {name.strip() for words in only for name in words.split(",") if name.strip()}
    unknown = groups - _GROUPS.keys() - {"agents"}
    if unknown:
        raise Misuse(f"--only knows no {min(unknown)}. It takes {', '.join(_GROUPS)}.")
    all_agents = agents if agents is not None else not groups or "agents" in groups
    if tools is not None and groups:
        groups = groups | {"tools"} if tools else groups - {"tools"}
    kinds = {kind for name in groups & _GROUPS.keys() for kind in _GROUPS[name]}
    hidden = set(_GROUPS["tools"]) if tools is False else set()

    def shown(event: StreamEvent) -> bool:
        if (event.depth or event.kind == "agent") and not all_agents:
            return False
        if event.kind == "title":
            return True
        if event.kind == "agent":
            return not groups or "agents" in groups or agents is True
        return event.kind not in hidden and (not groups or event.kind in kinds)

    return shown


ShowEvents = Callable[[Sequence[StreamEvent]], None]


def _follow_stream(
    given: Globals, stream: Stream, show: ShowEvents, alerts: Alerts, ended: threading.Event
) -> int:
    """Show the past, then what comes, until somebody ends it."""
    try:
        with stream:
            past = stream.past()
            show(past)
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
    given: Globals, choice: Callable[[StreamEvent], bool], *, single: bool
) -> ShowEvents:
    lines = EventRenderer(labels=not single)

    def as_json(events: Sequence[StreamEvent]) -> None:
        output.emit_bytes(b"".join(map(_encode_event, filter(choice, events))))
        output.flush_output()

    def as_lines(events: Sequence[StreamEvent]) -> None:
        _say_troubles(events)
        told = [event for event in events if choice(event) and event.kind != "trouble"]
        # The size is asked for again each time: a terminal may be resized.
        shown = lines.render_events(told, output.detect_screen(given.color), clock.now())
        output.write("".join(f"{line}\n" for line in shown))
        output.flush_output()

    return as_json if given.json else as_lines


def _say_troubles(events: Iterable[StreamEvent]) -> None:
    for event in events:
        if event.kind == "trouble":
            output.say(event.text)


def _encode_event(event: StreamEvent) -> bytes:
    try:
        return msgspec.json.encode(event) + b"\n"
    except UnicodeEncodeError:
        # A path may hold bytes that are no text.
        path = (event.path or "").encode("utf-8", "replace").decode()
        return msgspec.json.encode(msgspec.structs.replace(event, path=path)) + b"\n"


def _parse_since(since: str) -> datetime:
    now = clock.now()
    zone = now.astimezone().tzinfo or UTC
    found = parse_moment(check_name(since), now, zone)
    if found is None:
        raise Misuse(f"--since wants a time, such as 10m, 2h, 14:30 or yesterday, not {since}.")
    return found


def _find_index(given: Globals) -> Callable[[], Store] | None:
    """Open the index where there is one; a watch makes none."""
    dirs = get_claude_folders(given)
    index = check_name(given.index) if given.index is not None else None
    if not index_exists(dirs, index):
        return None
    path = index_path(Path(index) if index else None, claude_dirs([Path(d) for d in dirs]))

    def opened() -> Store:
        return SqliteStore(path)

    return opened
