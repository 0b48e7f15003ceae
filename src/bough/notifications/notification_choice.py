"""Which events of live sessions become notifications: pure, with a clock that is handed in.

A session that begins to wait, finishes or fails is told once, until it stands otherwise; a
budget that is used up is told once. After five within ten seconds the rest is held back and told
as one ("6 sessions wait"). Within quiet hours nothing is told, later neither. In words of
transcripts secrets are hidden, then they are cleaned and cut, here, once for all senders.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final

from msgspec import Struct

from bough.errors import Misuse
from bough.export.secrets.redact import Redactor
from bough.model.live.status import SessionState, is_guess
from bough.query.live.events import SessionEventKind, StreamEvent

MOST_AT_ONCE: Final = 5
WINDOW: Final = timedelta(seconds=10)
LONGEST: Final = 200
"""How many characters a notification has, its heading included."""
_LONGEST_NAME: Final = 60
_SEQUENCE: Final = re.compile("(?:\x1b\\[|\x9b)[0-?]*+[ -/]*+[@-~]")
# Unicode's default ignorable ones and marks of annotations, but for the joiners and variants that
# letters and emoji need. Nothing takes their place: what they part may be a secret.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]+"
)
# Controls and spaces, separators of lines, halves of pairs.
_BREAKS: Final = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]+")
_QUIET: Final = re.compile(r"(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})")


class NotificationKind(StrEnum):
    """What a person is told of, the most urgent first."""

    WAITING = "waiting"
    FAILED = "failed"
    BUDGET = "budget"
    FINISHED = "finished"


_KINDS: Final = {
    SessionState(kind.value): kind
    for kind in NotificationKind
    if kind is not NotificationKind.BUDGET
}
_ALIASES: Final = {"error": NotificationKind.FAILED}
_HEADINGS: Final = {
    NotificationKind.WAITING: "waits for you",
    NotificationKind.FAILED: "failed",
    NotificationKind.BUDGET: "is over budget",
    NotificationKind.FINISHED: "finished",
}
_MANY: Final = {
    NotificationKind.WAITING: "wait",
    NotificationKind.FAILED: "failed",
    NotificationKind.BUDGET: "over budget",
    NotificationKind.FINISHED: "finished",
}


class Notification(Struct, frozen=True):
    """One thing to tell: a heading, and words that may be empty.

    `session` and `project` are empty where it stands for several `sessions`. `event` is what the
    command of `--exec` gets.
    """

    kind: NotificationKind
    heading: str
    text: str
    event: StreamEvent
    sessions: int = 1

    @property
    def line(self) -> str:
        """Give it on one line."""
        return f"{self.heading}: {self.text}" if self.text else self.heading


class NotificationDocument(Struct, frozen=True):
    """A notification as `bough notify --json` prints it and a webhook gets it."""

    kind: NotificationKind
    heading: str
    text: str
    session: str
    project: str
    sessions: int
    time: str | None


class QuietHours(Struct, frozen=True):
    """Hours in which nothing is told; they may go over midnight."""

    begin: time
    end: time

    def contains(self, now: datetime) -> bool:
        """Tell whether a moment, in the person's own zone, is quiet."""
        at = now.time()
        if self.begin <= self.end:
            return self.begin <= at < self.end
        return at >= self.begin or at < self.end


class NotificationChooser:
    """Remembers where sessions stand and what was told lately."""

    def __init__(self, kinds: Iterable[NotificationKind], quiet: QuietHours | None = None) -> None:
        self._kinds = frozenset(kinds)
        self._quiet = quiet
        self._states: dict[str, SessionState] = {}
        self._titles: dict[str, str] = {}
        self._window_end: datetime | None = None
        self._sent = 0
        self._in_window: dict[str, NotificationKind] = {}
        self._held: dict[str, StreamEvent] = {}

    def note_past(self, events: Iterable[StreamEvent]) -> None:
        """Learn how sessions are called and where they stand, and tell nobody."""
        for _ in self._list_changes(events):
            pass

    def choose(self, events: Iterable[StreamEvent], now: datetime) -> list[Notification]:
        """List what is to be told now; ask about once a second, also where nothing happened.

        Args:
            events: What happened since.
            now: The moment, in the person's own zone: quiet hours are theirs.
        """
        found = self._end_window(now)
        for event, kind in self._list_changes(events):
            key = _key_of(event)
            if kind is None or event.past:
                # Answered meanwhile: a summary must not count it.
                self._held.pop(key, None)
                self._in_window.pop(key, None)
            elif self._window_end is None or self._sent < MOST_AT_ONCE:
                self._window_end = self._window_end or now + WINDOW
                self._in_window[key] = kind
                self._held.pop(key, None)
                self._sent += 1
                found.append(self._describe(event, kind))
            else:
                self._in_window[key] = kind
                self._held[key] = event
        return [] if self._quiet is not None and self._quiet.contains(now) else found

    def _end_window(self, now: datetime) -> list[Notification]:
        """Tell what was held back, once ten seconds have passed."""
        # A clock that is set back must not hold anything for hours.
        if self._window_end is None or self._window_end - WINDOW <= now < self._window_end:
            return []
        held, counted = list(self._held.values()), list(self._in_window.values())
        self._window_end, self._sent = None, 0
        self._held, self._in_window = {}, {}
        if not held:
            return []
        if len(held) == 1 and len(counted) == 1:
            return [self._describe(held[0], counted[0])]
        return [_describe_many(held[-1], counted)]

    def _list_changes(
        self, events: Iterable[StreamEvent]
    ) -> Iterator[tuple[StreamEvent, NotificationKind | None]]:
        """Give each session that stands otherwise than before; the kind, where it is to be told."""
        for event in events:
            key = _key_of(event)
            if event.kind is SessionEventKind.TITLE:
                self._titles[_session_key_of(event)] = event.text
            if event.kind is SessionEventKind.VANISHED and event.agent is None:
                self._titles.pop(key, None)
                self._states.pop(key, None)
            if event.kind is SessionEventKind.BUDGET and NotificationKind.BUDGET in self._kinds:
                # The stream gives each once, when it happens.
                yield event, NotificationKind.BUDGET
            if event.kind is not SessionEventKind.STATE or event.state is None:
                continue
            before = self._states.get(key)
            self._states[key] = event.state
            if before is not event.state:
                kind = _KINDS.get(event.state)
                yield event, kind if kind in self._kinds else None

    def _describe(self, event: StreamEvent, kind: NotificationKind) -> Notification:
        name = _clean(event.name or event.project, _LONGEST_NAME) or "A session"
        if kind is NotificationKind.BUDGET and not event.session:
            name = "The day"
        guessed = event.state is not None and is_guess(event.state, sure=event.sure)
        probably = "probably " if guessed else ""
        heading = f"{name} {probably}{_HEADINGS[kind]}"
        _, _, asked = event.text.partition(": ")
        title = self._titles.get(_session_key_of(event))
        title = title or (f"Session {event.session[:8]}" if event.session else "")
        words = f"{asked} ({title})" if asked and title else asked or title
        return Notification(kind, heading, _clean(words, LONGEST - len(heading) - 2), event)


def parse_notification_kinds(words: Sequence[str]) -> frozenset[NotificationKind]:
    """Read what --on was given, with commas between the names; nothing means all."""
    names = [name.strip() for text in words for name in text.split(",") if name.strip()]
    found = set()
    for name in names:
        kind = _ALIASES.get(name) or next((k for k in NotificationKind if k.value == name), None)
        if kind is None:
            raise Misuse(f"--on takes no {name}. It takes waiting, finished, failed and budget.")
        found.add(kind)
    return frozenset(found or NotificationKind)


def parse_quiet_hours(text: str) -> QuietHours:
    """Read hours such as 22:00-08:00."""
    found = _QUIET.fullmatch(text.strip())
    try:
        first, second, third, fourth = map(int, found.groups()) if found else (0, 0, 0, 0)
        begin, end = time(first, second), time(third, fourth)
    except ValueError:
        begin = end = time()
    if begin == end:
        raise Misuse(f"--quiet takes hours such as 22:00-08:00, not {text}.")
    return QuietHours(begin, end)


def notification_document(notification: Notification) -> NotificationDocument:
    """Give a notification as JSON has it."""
    event = notification.event
    return NotificationDocument(
        kind=notification.kind,
        heading=notification.heading,
        text=notification.text,
        # Names of files may hold bytes that are no text.
        session=event.session.encode("utf-8", "replace").decode(),
        project=event.project.encode("utf-8", "replace").decode(),
        sessions=notification.sessions,
        time=event.time,
    )


def _describe_many(newest: StreamEvent, counted: Sequence[NotificationKind]) -> Notification:
    """Tell several sessions at once, the most urgent kind first."""
    numbers = [(kind, counted.count(kind)) for kind in NotificationKind if kind in counted]
    first, count = numbers[0]
    words = [f"{count} {'session' if count == 1 else 'sessions'} {_word_for(first, count)}"]
    words += [f"{number} {_word_for(kind, number)}" for kind, number in numbers[1:]]
    heading = ", ".join(words)
    is_budget = first is NotificationKind.BUDGET
    event = StreamEvent(
        kind=SessionEventKind.BUDGET if is_budget else SessionEventKind.STATE,
        session="",
        project="",
        uuid=None,
        time=newest.time,
        text=heading,
        state=None if is_budget else SessionState(first.value),
    )
    return Notification(first, heading, "", event, len(counted))


def _word_for(kind: NotificationKind, count: int) -> str:
    return "waits" if kind is NotificationKind.WAITING and count == 1 else _MANY[kind]


def _key_of(event: StreamEvent) -> str:
    """Tell apart what is told: where a session stands, and that its budget is used up."""
    key = _session_key_of(event)
    return f"{key} budget" if event.kind is SessionEventKind.BUDGET else key


def _session_key_of(event: StreamEvent) -> str:
    """Tell sessions apart: one id may stand in two folders."""
    return f"{event.project}/{event.session}"


def _clean(text: str, most: int) -> str:
    """Take out what acts unseen and what is secret, and cut."""
    # Before it is cut: half a secret is not recognised.
    seen = _UNSEEN.sub("", _SEQUENCE.sub("", text))
    words = Redactor().words(_BREAKS.sub(" ", seen).strip())
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"
