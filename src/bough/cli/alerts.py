"""Alerts: a bell, a notification or a command of the person's own, when something matters.

`--on` names what matters: states (waiting, finished, error, interrupted, ...), kinds of
events, or /a pattern/ in what is said. The command gets the event as JSON on its standard
input and the main facts in its environment; nothing of a transcript becomes part of the
command itself. What was there before the watch began alerts nobody.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from bough import library
from bough.cli import output
from bough.errors import Misuse
from bough.model.live.record_events import RecordEventKind
from bough.model.live.status import SessionState
from bough.terminal.capabilities import is_terminal

if TYPE_CHECKING:
    from bough.library import Notifier, PatternSource, StreamEvent

DEFAULT_CONDITIONS: Final = ("finished", "waiting", "error", "budget")
_AT_ONCE: Final = 4
_LONGEST: Final = 4_000
_PATTERN_SECONDS: Final = 2.0
_STATES: Final = {state.value for state in SessionState}
_NAMES: Final = {
    *_STATES,
    *("error", "agent", "started", "budget"),
    *(kind.value for kind in RecordEventKind),
}
_PATTERN: Final = re.compile(r"/((?:[^/\\]|\\.)*)/(i?)")


class Conditions(Struct, frozen=True):
    """What matters: names of states and kinds, and patterns."""

    names: frozenset[str] = frozenset()
    patterns: "tuple[PatternSource, ...]" = ()

    def is_met_by(self, event: "StreamEvent") -> bool:
        """Tell whether an event matters."""
        if event.past:
            return False
        if event.kind == "state":
            failed = event.state is SessionState.FAILED and "error" in self.names
            return failed or (event.state is not None and event.state.value in self.names)
        named = event.kind in self.names and event.kind != RecordEventKind.ERROR.value
        return named or self._is_pattern_in(event)

    def _is_pattern_in(self, event: "StreamEvent") -> bool:
        if not self.patterns:
            return False
        run = library.match_patterns(self.patterns, [event.text], seconds=_PATTERN_SECONDS)
        if run.stopped_after is None:
            return any(run.spans[0])
        output.say(
            f"A pattern of --on was stopped after {_PATTERN_SECONDS:.0f} s; what session "
            f"{event.session[:8]} just said was not compared with it."
        )
        return False


def parse_conditions(words: Sequence[str]) -> Conditions:
    """Read what --on was given: names with commas between them, and /patterns/."""
    names: set[str] = set()
    patterns: list[PatternSource] = []
    for text in words or DEFAULT_CONDITIONS:
        rest = text.strip()
        while rest:
            if found := _PATTERN.match(rest):
                patterns.append(_check_pattern(found[1], found[2]))
                rest = rest[found.end() :].lstrip(", ")
                continue
            name, _, rest = rest.partition(",")
            rest = rest.strip()
            if name.strip() not in _NAMES:
                known = ", ".join([*(state.value for state in SessionState), "error", "budget"])
                raise Misuse(f"--on takes no {name.strip()}. It takes {known} and /a pattern/.")
            names.add(name.strip())
    return Conditions(frozenset(names), tuple(patterns))


class EventCommand:
    """The command of --exec, run beside us for each event, a few at a time."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._running: list[subprocess.Popen[bytes]] = []
        self._complained = False

    def list_running(self) -> list[subprocess.Popen[bytes]]:
        """List those that have not ended; whoever has ended is let go."""
        self._running = [child for child in self._running if child.poll() is None]
        return self._running

    def run(self, event: "StreamEvent") -> None:
        """Run it for an event; where it is slow, the event passes without it."""
        if len(self.list_running()) >= _AT_ONCE:
            if not self._complained:
                output.say("The command of --exec is slow; some events pass without it.")
                self._complained = True
            return
        try:
            with tempfile.TemporaryFile() as file:
                file.write(encode_event(event))
                file.seek(0)
                self._running.append(_start_command(self._command, file, event))
        except OSError as error:
            output.say(f"The command of --exec could not be run: {error.strerror}.")


class Alerts:
    """Rings, tells the desktop and runs the command for events that matter."""

    def __init__(
        self,
        when: Conditions,
        command: str | None,
        *,
        bell: bool,
        notifier: "Notifier | None" = None,
    ) -> None:
        self._when = when
        self.command = EventCommand(command) if command is not None else None
        self._bell = bell
        self._notifier = notifier

    def note_past(self, events: "Iterable[StreamEvent]") -> None:
        """Learn what was before; it alerts nobody."""
        if self._notifier is not None:
            self._notifier.note_past(events)

    def close(self) -> None:
        """Send what waits to be sent."""
        if self._notifier is not None:
            self._notifier.close()

    def handle_events(self, events: "Sequence[StreamEvent]") -> None:
        """Look for events that matter; to be called about once a second, also without any."""
        if self._notifier is not None:
            self._notifier.handle_events(events)
        if not self._bell and self.command is None:
            return
        found = [event for event in events if self._when.is_met_by(event)]
        if found and self._bell:
            _ring_bell()
        if self.command is not None:
            self.command.list_running()
            for event in found:
                self.command.run(event)


def encode_event(event: "StreamEvent") -> bytes:
    """Write an event as a line of JSON."""
    try:
        return msgspec.json.encode(event) + b"\n"
    except UnicodeEncodeError:
        # A path may hold bytes that are no text, and so may the folder's name.
        texts = {
            name: getattr(event, name) or "" for name in ("path", "project", "name", "session")
        }
        clean = {name: text.encode("utf-8", "replace").decode() for name, text in texts.items()}
        return msgspec.json.encode(msgspec.structs.replace(event, **clean)) + b"\n"


def _start_command(command: str, stdin: IO[bytes], event: "StreamEvent") -> subprocess.Popen[bytes]:
    facts = {
        "BOUGH_EVENT": event.state.value if event.state else event.kind,
        "BOUGH_SESSION": event.session,
        "BOUGH_PROJECT": event.name or event.project,
        "BOUGH_TEXT": event.text[:_LONGEST].replace("\0", ""),
    }
    return subprocess.Popen(  # noqa: S602 - the person's own command, with nothing put into it
        command,
        shell=True,
        stdin=stdin,
        stdout=_find_stderr(),
        env={**os.environ, **facts},
        start_new_session=True,
    )


def _find_stderr() -> int:
    """Send the command's talk where ours goes; stdout is data."""
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return subprocess.DEVNULL


def _ring_bell() -> None:
    if is_terminal(sys.stderr):
        sys.stderr.write("\a")
        sys.stderr.flush()


def _check_pattern(pattern: str, flags: str) -> "PatternSource":
    """Check that a pattern is one; it is matched where it can be stopped."""
    chosen = re.IGNORECASE if flags else re.NOFLAG
    try:
        re.compile(pattern, chosen)
    except re.error as error:
        raise Misuse(f"--on cannot read the pattern /{pattern}/: {error}.") from error
    return library.PatternSource(pattern, chosen)
