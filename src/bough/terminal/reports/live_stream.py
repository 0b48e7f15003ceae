"""Events as lines: the time, the session's label in its colour, then what happened.

15:10:29 orchard-shop 3f9c  ~ The suite should be green before I touch it
15:10:31 orchard-shop 3f9c  * Bash pytest -q
15:10:35 orchard-shop 3f9c  x Bash pytest -q  exit 1  4.2 s

Where a call and its end come together they are one line. A session is named by its title
when it first speaks. Agents stand two columns further in.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from bough.model.live.status import SessionState
from bough.model.text.formats import format_clock, format_count, format_duration
from bough.model.text.times import parse_moment
from bough.query.live.events import StreamEvent
from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.clock import read_time_words
from bough.terminal.conversation.markdown import render_markdown, wrap_source
from bough.terminal.style import (
    Role,
    SessionColors,
    Span,
    StyledLine,
    glyphs_for,
    line_of,
    make_line,
    strip_line,
)
from bough.terminal.text import fit, lines_of, one_line, pad, width

_LABEL: Final = 22
_SHORT: Final = 4
_NARROWEST: Final = 12
_OUTPUT: Final = 5
_LONGEST: Final = 20_000
_BAD: Final = frozenset({"failed", "refused", "blocked"})
_QUIET: Final = frozenset(
    {"notice", "hook", "retry", "renamed", "replaced", "vanished", "progress"}
)
_SHOWN_BY: Final = {"interrupted": SessionState.INTERRUPTED, "error": SessionState.FAILED}


class EventRenderer:
    """Writes events as lines; `labels` says that several sessions may speak."""

    def __init__(self, *, labels: bool = True) -> None:
        self._labels = labels
        self._colors = SessionColors()
        self._titles: dict[str, str] = {}
        self._shown_titles: dict[str, str] = {}
        self._last: dict[str, str] = {}
        self._widest = 0

    def render_events(
        self, events: Iterable[StreamEvent], terminal: Terminal, now: datetime
    ) -> list[StyledLine]:
        """Write a batch."""
        page = _BatchRenderer(terminal, now)
        return [line for event in join_calls(events) for line in self._render_event(event, page)]

    def _render_event(self, event: StreamEvent, page: "_BatchRenderer") -> Iterator[StyledLine]:
        if event.kind == "title":
            self._titles[event.session] = event.text
            if event.session in self._shown_titles:
                yield from self._render_heading(event, page)
            return
        if event.kind == "started" or self._is_repeated(event):
            return
        if event.session and event.kind != "vanished":
            yield from self._render_heading(event, page)
        self._widest = max(self._widest, width(self._label_text(event)), len("bough"))
        room = self._free_columns(page, event)
        body = page.render_body(_shorten_event(event) if room is not None else event, room)
        if not body:
            return
        indent = "  " * event.depth
        blank = " " * (page.clock_width + (self._label_width(page) if self._labels else 0))
        for number, line in enumerate(body):
            lead = (
                (*page.render_clock(event), *self._render_label(event, page))
                if number == 0
                else line_of(blank)
            )
            yield strip_line((*lead, (Role.CLAUDE, indent), *line))

    def _is_repeated(self, event: StreamEvent) -> bool:
        """Tell whether a state only repeats what was shown just before it."""
        before = self._last.get(event.session)
        self._last[event.session] = event.kind
        return event.kind == "state" and before is not None and _SHOWN_BY.get(before) is event.state

    def _render_heading(self, event: StreamEvent, page: "_BatchRenderer") -> Iterator[StyledLine]:
        """Name a session by its title, once, and again when it is called otherwise."""
        title = self._titles.get(event.session)
        if title is None or self._shown_titles.get(event.session) == title:
            return
        self._shown_titles[event.session] = title
        gap = page.glyphs.gap * 2
        label = (self._colors.choose_role(event.session), self._label_text(event))
        room = page.free_columns(width(gap) * 2 + width(self._label_text(event)) + 3)
        words = one_line(title) if room is None else fit(one_line(title), room)
        blank = (Role.CLAUDE, " ")
        yield (Role.META, gap), blank, label, blank, (Role.META, f"{words} {gap}")

    def _label_text(self, event: StreamEvent) -> str:
        return f"{one_line(event.name)} {event.session[:_SHORT]}"

    def _label_width(self, page: "_BatchRenderer") -> int:
        """Give the room for labels: as much as they needed so far, and no more than is good."""
        columns = page.terminal.width
        most = _LABEL if columns is None or columns >= 80 else _LABEL // 2
        return min(self._widest, most) + 2

    def _render_label(self, event: StreamEvent, page: "_BatchRenderer") -> StyledLine:
        if not self._labels:
            return ()
        wide = self._label_width(page)
        short = event.session[:_SHORT]
        name = fit(one_line(event.name), wide - 3 - len(short), page.glyphs.ellipsis)
        label = f"{name} {short}" if event.session else "bough"
        role = self._colors.choose_role(event.session) if event.session else Role.CLAUDE
        return (role, label), (Role.CLAUDE, " " * (wide - width(label)))

    def _free_columns(self, page: "_BatchRenderer", event: StreamEvent) -> int | None:
        used = page.clock_width + (self._label_width(page) if self._labels else 0) + 2 * event.depth
        return page.free_columns(used)


class _BatchRenderer:
    """One batch's terminal, looks and moment."""

    def __init__(self, terminal: Terminal, now: datetime) -> None:
        self.terminal = terminal
        self.glyphs = glyphs_for(terminal)
        self._now = now
        self._words = read_time_words()
        longest = "12:10:31 PM " if self._words.twelve_hours else "15:10:31 "
        self.clock_width = len(longest)

    def free_columns(self, used: int) -> int | None:
        columns = self.terminal.width
        return None if columns is None else max(_NARROWEST, columns - used)

    def render_clock(self, event: StreamEvent) -> StyledLine:
        at = parse_moment(event.time) or self._now
        clock = format_clock(at, words=self._words, seconds=True)
        return (Role.META, pad(clock, self.clock_width - 1)), (Role.CLAUDE, " ")

    def render_body(self, event: StreamEvent, room: int | None) -> list[StyledLine]:
        """Write what happened, its sign before it and further lines below the words."""
        glyphs = self.glyphs
        match event.kind:
            case "text":
                return self._render_words(event.text, _columns_after_sign(room))
            case "thinking":
                words = event.text if event.kept else "Thought, text not kept"
                return self._render_prose(glyphs.thought, words, Role.THINKING, room)
            case "prompt" | "command" | "agent":
                agent = event.kind == "agent"
                sign, role = (glyphs.agent, Role.AGENT) if agent else (glyphs.tip, Role.PROMPT)
                brief = "Brief: " if event.depth and not agent else ""
                return self._render_prose(sign, brief + event.text, role, room)
            case "tool" | "result":
                return self._render_tool(event, room)
            case "state" | "budget":
                return self._render_state(event, room)
            case _:
                return self._render_other(event, room)

    def _render_words(self, text: str, columns: int | None) -> list[StyledLine]:
        """Write what Claude says; where nothing can be set off, as it was written."""
        if self.terminal.depth is ColorDepth.PLAIN:
            return [line_of(f"  {line}") for line in wrap_source(text, columns)]
        lines = render_markdown(text, self.glyphs, columns)
        return [((Role.CLAUDE, "  "), *line) for line in lines]

    def _render_other(self, event: StreamEvent, room: int | None) -> list[StyledLine]:
        glyphs = self.glyphs
        match event.kind:
            case "output":
                lines = [line for line in lines_of(event.text.strip()) if line]
                more = [f"({len(lines) - _OUTPUT} more lines)"] if len(lines) > _OUTPUT + 1 else []
                shown = lines[:_OUTPUT] if more else lines
                return [self._render_line(" ", line, Role.META, room) for line in (*shown, *more)]
            case "compacted":
                words = one_line(event.text)
                return [
                    self._render_line(
                        glyphs.compaction, words or "Compacted", Role.COMPACTION, room
                    )
                ]
            case "interrupted":
                return [self._render_line("-", "Interrupted by you", Role.META, room)]
            case "queued":
                return self._render_prose(glyphs.tip, f"queued: {event.text}", Role.META, room)
            case kind if kind in _QUIET:
                sign = "" if kind == "progress" else "-"
                return [self._render_line(sign, event.text, Role.META, room)]
            case _:
                return self._render_prose(glyphs.failed, event.text, Role.ERROR, room)

    def _render_state(self, event: StreamEvent, room: int | None) -> list[StyledLine]:
        glyphs = self.glyphs
        looks = {
            SessionState.WAITING: (glyphs.waiting, Role.WAITING),
            SessionState.FINISHED: (glyphs.ok, Role.ACTIVE),
            SessionState.FAILED: (glyphs.failed, Role.ERROR),
            SessionState.COMPACTING: (glyphs.compaction, Role.COMPACTION),
            SessionState.BACKGROUND: (glyphs.other, Role.ACTIVE),
            SessionState.INTERRUPTED: ("-", Role.META),
        }
        look = looks.get(event.state) if event.state is not None else None
        if event.kind == "budget":
            look = looks[SessionState.WAITING]
        return [self._render_line(look[0], event.text, look[1], room)] if look else []

    def _render_tool(self, event: StreamEvent, room: int | None) -> list[StyledLine]:
        """Write a call, its end, or both; a bad end says why below."""
        glyphs = self.glyphs
        ended = event.outcome is not None
        bad = event.outcome in _BAD
        sign, role = (glyphs.failed, Role.ERROR) if bad else (glyphs.ok, Role.ACTIVE)
        if not ended:
            sign, role = glyphs.node, Role.TOOL
        elif event.outcome == "stopped":
            sign, role = "-", Role.META
        facts = [event.text] if ended and event.text not in ("ok", event.about) else []
        facts += [format_duration(event.seconds)] if event.seconds is not None else []
        end = "".join(f"  {one_line(fact)}" for fact in facts)
        name, about = one_line(event.tool or ""), one_line(event.about or "")
        if room is not None:
            about = fit(about, max(8, room - 3 - width(name) - width(end)), glyphs.ellipsis)
        spans: list[Span] = [(role, f"{sign} "), (Role.TOOL, name), (Role.CLAUDE, f" {about}")]
        spans.append((Role.ERROR if bad else Role.META, end))
        lines = [make_line(spans)]
        if bad and event.reason:
            lines.append(self._render_line(" ", event.reason, Role.ERROR, room))
        return lines

    def _render_prose(self, sign: str, text: str, role: Role, room: int | None) -> list[StyledLine]:
        lines = wrap_source(text.strip(), _columns_after_sign(room)) or [""]
        signs = [sign, *[""] * (len(lines) - 1)]
        return [
            make_line([(role, f"{pad(one, 2)}{line}")])
            for one, line in zip(signs, lines, strict=True)
        ]

    def _render_line(self, sign: str, text: str, role: Role, room: int | None) -> StyledLine:
        words = one_line(text)
        if room is not None:
            words = fit(words, room - 2, self.glyphs.ellipsis)
        return make_line([(role, f"{pad(sign, 2)}{words}")])


def join_calls(events: Iterable[StreamEvent]) -> list[StreamEvent]:
    """Put the end of a call in the place of the call, where both are in one batch."""
    batch = list(events)
    ends = {event.call: event for event in batch if event.kind == "result" and event.call}
    calls = {event.call for event in batch if event.kind == "tool"}
    found: list[StreamEvent] = []
    for event in batch:
        if event.kind == "tool" and event.call in ends:
            found.append(ends[event.call])
        elif event.kind != "result" or event.call not in calls:
            found.append(event)
    return found


def _shorten_event(event: StreamEvent) -> StreamEvent:
    """Cut what no terminal has room for; a pipe gets every word."""
    if len(event.text) <= _LONGEST:
        return event
    more = f"\n({format_count(len(event.text) - _LONGEST)} more characters)"
    return replace(event, text=event.text[:_LONGEST] + more)


def _columns_after_sign(room: int | None) -> int | None:
    return None if room is None else room - 2
