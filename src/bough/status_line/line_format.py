"""The line itself: its parts, what is left out where there is little room, and its colours.

    orchard-shop ⎇ resume-import · opus-5-5 · 44% ctx · $6.19 (day $14.13, 5 h 38% → 16:00) · ■ 1
    waits elsewhere

Numbers of the session come from the client, those of the day, the block and other sessions from
the cache. They are written as every face writes them (`bough.model.text.formats`, which is too
large to load here; a test holds both against each other).
"""

import os
import re
import time

from bough.status_line.client_status import ClientStatus, clean_text
from bough.status_line.number_cache import FRESH_SECONDS, StatusNumbers

FIELDS = (
    "project", "branch", "model", "context", "cost", "day", "block", "limit", "week", "waiting",
    "age", "budget", "session", "version", "folder",
)  # fmt: skip
"""What may stand in braces in a format."""

_FIELD = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}")
_NOTHING = "bough"
_FULL_WEEK = 80
_WARN, _ALARM = 70, 90
_DEEPEST = 40
_HEAD_BYTES = 1_024

_DIM, _BOLD, _YELLOW, _RED, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[33m", "\x1b[31m", "\x1b[0m"


class LineParts:
    """Everything that may stand in a line, as texts; empty where it is not known."""

    def __init__(self, client: ClientStatus, cached: StatusNumbers | None, now: float) -> None:
        self._client = client
        self._cached = cached if cached is not None and cached.is_shown else None
        self._now = now
        self.project = client.project
        self.branch = clean_text(client.text("worktree", "branch")) or find_git_branch(
            client.folder
        )
        self.model = client.model
        self.percent = client.context_percent
        self.context = "" if self.percent is None else f"{format_share(self.percent)} ctx"
        self.cost = format_dollars(client.number("cost", "total_cost_usd"))
        self.day = self._write_cost("day", self._cached.day_cost if self._cached else None)
        self.block = self._write_block()
        self.limit = self._write_limit("five_hour", "5 h")
        self.week = self._write_limit("seven_day", "7 d")
        self.is_week_short = (self._used("seven_day") or 0) >= _FULL_WEEK
        self.waiting = self._write_waiting()
        self.budget = self._write_budget()
        self.age = self._write_age()
        self.session = clean_text(client.session)
        self.version = clean_text(client.text("version"))
        self.folder = clean_text(client.folder, 200)

    def _used(self, name: str) -> float | None:
        resets = self._client.number("rate_limits", name, "resets_at")
        if resets is not None and resets <= self._now:
            return None  # what the client last heard is of a time that is over
        return self._client.number("rate_limits", name, "used_percentage")

    def _write_limit(self, name: str, words: str) -> str:
        used = self._used(name)
        if used is None:
            return ""
        resets = self._client.number("rate_limits", name, "resets_at")
        until = self._write_clock(resets) if name == "five_hour" else ""
        return f"{words} {format_share(used)}{f' → {until}' if until else ''}"

    def _write_block(self) -> str:
        cached = self._cached
        text = self._write_cost("block", cached.block_cost if cached else None)
        until = self._write_clock(cached.block_ends) if cached and text else ""
        return f"{text} → {until}" if until else text

    def _write_cost(self, word: str, usd: float | None) -> str:
        return "" if usd is None else f"{word} {format_dollars(usd)}"

    def _write_waiting(self) -> str:
        count = self._cached.count_waiting(self._client.session) if self._cached else 0
        if not count:
            return ""
        where = " elsewhere" if self._client.session else ""
        return f"{count} {'waits' if count == 1 else 'wait'}{where}"

    def _write_budget(self) -> str:
        """Write which budgets are used up: session over $5.00, day over $40.00."""
        found = self._cached.list_used_budgets(self._client.session) if self._cached else []
        return ", ".join(f"{one.of} over {format_dollars(one.usd)}" for one in found)

    def _write_age(self) -> str:
        age = self._cached.age if self._cached else 0.0
        known = self.day or self.block or self.waiting or self.budget
        return f"as of {age // 60:.0f} min ago" if age > FRESH_SECONDS and known else ""

    def _write_clock(self, at: float | None) -> str:
        """Write the time of day in the person's zone."""
        if at is None or not 0 <= at < 1 << 40:
            return ""
        offset = self._cached.zone_offset if self._cached else None
        try:
            moment = time.localtime(at) if offset is None else time.gmtime(at + offset)
        except (OverflowError, ValueError, OSError):
            return ""
        if self._cached is not None and self._cached.has_twelve_hours:
            half = "AM" if moment.tm_hour < 12 else "PM"
            return f"{moment.tm_hour % 12 or 12}:{moment.tm_min:02d} {half}"
        return f"{moment.tm_hour:02d}:{moment.tm_min:02d}"


def write_line(
    parts: LineParts, *, template: str | None = None, width: int | None = None, color: bool = True
) -> str:
    """Write the line: in the form that was asked for, or the usual one, on so many columns."""
    if template is not None:
        return cut_to_width(_fill_template(parts, template), width) or _NOTHING
    plain = ""
    for left_out in range(len(_DISPENSABLE) + 1):
        pieces = _list_pieces(parts, frozenset(_DISPENSABLE[:left_out]))
        plain = " · ".join("".join(text for _, text in piece) for piece in pieces)
        if width is None or measure_width(plain) <= width:
            return _paint(pieces, color=color) if plain else _NOTHING
    return cut_to_width(plain, width)


_Piece = list[tuple[str, str]]
"""A piece of the line: styles and texts."""

_DISPENSABLE = ("age", "model", "branch", "week", "until", "limit", "day", "context", "cost")
"""What is left out first where there is little room."""


def _list_pieces(parts: LineParts, left_out: frozenset[str]) -> list[_Piece]:
    def wanted(name: str) -> str:
        text: str = getattr(parts, name)
        return "" if name in left_out else text

    name = wanted("project")
    branch = f" ⎇ {wanted('branch')}" if name and wanted("branch") else ""
    pieces = [
        [(_BOLD, name), (_DIM, branch)],
        [(_DIM, wanted("model"))],
        [(_style_share(parts.percent), wanted("context"))],
        _list_costs(parts, left_out),
        [(_RED, f"▲ {parts.budget}" if parts.budget else "")],
        [(_YELLOW, f"■ {parts.waiting}" if parts.waiting else "")],
        [(_DIM, wanted("age"))],
    ]
    return [shown for piece in pieces if (shown := [one for one in piece if one[1]])]


def _list_costs(parts: LineParts, left_out: frozenset[str]) -> _Piece:
    """Write what the session cost, and beside it what the day and the five hours did."""
    limit = "" if "limit" in left_out else parts.limit or parts.block
    limit = limit.split(" → ", maxsplit=1)[0] if "until" in left_out else limit
    day = "" if "day" in left_out else parts.day
    week = parts.week if parts.is_week_short and "week" not in left_out else ""
    beside = ", ".join(text for text in (day, limit, week) if text)
    cost = "" if "cost" in left_out else parts.cost
    if cost and beside:
        return [("", cost), (_DIM, f" ({beside})")]
    return [("", cost or beside)]


def _paint(pieces: list[_Piece], *, color: bool) -> str:
    if not color:
        return " · ".join("".join(text for _, text in piece) for piece in pieces)
    return f"{_DIM} · {_PLAIN}".join(
        "".join(f"{style}{text}{_PLAIN}" if style else text for style, text in piece)
        for piece in pieces
    )


def _style_share(percent: float | None) -> str:
    if percent is None or percent < _WARN:
        return ""
    return _YELLOW if percent < _ALARM else _RED


def _fill_template(parts: LineParts, template: str) -> str:
    """Put the parts into a format; what is called otherwise stays as it is."""

    def fill(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        found: str = getattr(parts, match[1]) if match[1] in FIELDS else match[0]
        return found

    return " ".join(clean_text(_FIELD.sub(fill, template.replace(r"\t", " ")), 500).split("\n"))


def format_dollars(usd: float | None) -> str:
    """Write a cost as every face does; empty where none is known."""
    if usd is None:
        return ""
    if usd <= 0:
        return "$0.00"
    if usd < 0.01:
        return "<$0.01"
    return f"${usd:,.0f}" if round(usd, 2) >= 1_000 else f"${usd:.2f}"


def format_share(percent: float) -> str:
    """Write a share of a hundred as every face does."""
    percent = min(max(percent, 0.0), 999.0)
    if 0 < percent < 1:
        return "<1%"
    if 99 < percent < 100:
        return ">99%"
    return f"{percent:.0f}%"


def find_git_branch(folder: str) -> str:
    """Name the branch that a folder is on, by the one file that says it; empty where none is."""
    place = folder
    for _ in range(_DEEPEST):
        if not os.path.isabs(place):  # noqa: PTH117 - pathlib costs 4 ms
            return ""
        git = os.path.join(place, ".git")  # noqa: PTH118
        link = _read_head(git)
        if link.startswith("gitdir: "):
            git = os.path.join(place, link[8:].strip())  # noqa: PTH118
        head = _read_head(os.path.join(git, "HEAD"))  # noqa: PTH118
        if head:
            name = head.strip().removeprefix("ref: refs/heads/")
            return clean_text(name if name != head.strip() else name[:8], 40)
        place, last = os.path.dirname(place), place  # noqa: PTH120
        if place == last:
            return ""
    return ""


def _read_head(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            return os.read(descriptor, _HEAD_BYTES).decode("utf-8", "replace")
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return ""


def measure_width(text: str) -> int:
    """Measure a text in columns."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # noqa: PLC0415 - most lines need none

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def cut_to_width(text: str, width: int | None) -> str:
    """Cut a text to so many columns."""
    if width is None or measure_width(text) <= width:
        return text
    while text and measure_width(text) > width - 1:
        text = text[:-1]
    return f"{text.rstrip()}…" if width > 0 else ""
