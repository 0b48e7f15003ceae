"""What a piece is rendered with, beside what it says itself: options, facts, times."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from functools import cached_property
from typing import TypedDict

from msgspec import Struct

from bough.export.markup.escape import escape_attribute, escape_html
from bough.model.conversation.messages import Message
from bough.model.outline.branch_path import OutlineItem, list_dropped_turns
from bough.model.outline.message_facts import MessageFacts
from bough.model.outline.session_outline import Compaction
from bough.model.outline.turns import Turn
from bough.model.recall.dropped_parts import map_dropped_files
from bough.model.session import Session
from bough.model.text.formats import (
    ENGLISH,
    TimeFormat,
    format_clock,
    format_day_line,
    format_moment,
)
from bough.model.text.times import parse_moment
from bough.model.tools.calls import CallResult, Picture, ToolBlock
from bough.query.sessions.stored_outputs import StoredOutput

PictureUrl = Callable[[Session, Picture, int], str | None]
"""Gives the address of a picture: the nth of the record it lies in.

None where there is none, and nothing where it is left out.
"""

ReadOutput = Callable[[str], StoredOutput | None]
"""Reads the output in a file, as a result names it; None where it cannot be read."""


class RenderOptions(Struct, frozen=True):
    """How a whole conversation is rendered.

    Without a `picture_url` the bytes of pictures are inside. `zone` and `words` are for
    times; `revise` may change a message before it is shown, and `redact_text` any other words of a
    person or a model, to hide secrets. `strip_result` may take from a call what its body shall not
    show; `agents` says whether their conversations are inside. `read_output` reads an output that
    lies in a file of its own; without it only its beginning is shown. `now` is asked where times
    are read at once; a document is read whenever, and names the year of every day. `session_url`
    names the page of another session; without it nothing leads from a turn to a plan.
    """

    picture_url: PictureUrl | None = None
    zone: tzinfo | None = None
    words: TimeFormat = ENGLISH
    revise: Callable[[Message], Message] | None = None
    redact_text: Callable[[str], str] | None = None
    strip_result: Callable[[ToolBlock], ToolBlock] | None = None
    agents: bool = True
    read_output: ReadOutput | None = None
    now: Callable[[], datetime] | None = None
    session_url: Callable[[str], str] | None = None

    @property
    def local_zone(self) -> tzinfo | None:
        """Give the zone in which times are told; None is the machine's own."""
        return self.zone or self.words.zone


class RenderKeywords(TypedDict, total=False):
    """The fields of the options, for those who set some of them."""

    picture_url: PictureUrl
    zone: tzinfo | None
    words: TimeFormat
    revise: Callable[[Message], Message] | None
    redact_text: Callable[[str], str] | None
    strip_result: Callable[[ToolBlock], ToolBlock] | None
    agents: bool
    read_output: ReadOutput | None
    now: Callable[[], datetime] | None
    session_url: Callable[[str], str] | None


class RenderContext:
    """One conversation and the facts its pieces are rendered with."""

    def __init__(
        self, facts: MessageFacts, options: RenderOptions, *, scope: str = "", depth: int = 0
    ) -> None:
        self.facts = facts
        self.session = facts.session
        self.options = options
        self.scope = scope
        self.depth = depth
        self._seen_at = facts.seen_at or datetime.fromtimestamp(0, UTC)
        self._dropped_turns: tuple[Sequence[OutlineItem], Mapping[int, list[Turn]]] | None = None

    def find_dropped_turns(
        self, compaction: Compaction, items: Sequence[OutlineItem]
    ) -> Sequence[Turn]:
        """List the turns that a compaction took away; a path may have thousands of them."""
        if self._dropped_turns is None or self._dropped_turns[0] is not items:
            dropped = {id(one): turns for one, turns in list_dropped_turns(items)}
            self._dropped_turns = items, dropped
        return self._dropped_turns[1].get(id(compaction), ())

    @cached_property
    def dropped_files(self) -> list[Mapping[str | None, Sequence[str]]]:
        """Give the files that were written to before each compaction, for each conversation."""
        return [map_dropped_files(conversation) for conversation in self.facts.conversations]

    def redact_text(self, text: str) -> str:
        """Give words as they may be shown."""
        return self.options.redact_text(text) if self.options.redact_text is not None else text

    def strip_result(self, block: ToolBlock) -> ToolBlock:
        """Give a call with what its body may show."""
        return self.options.strip_result(block) if self.options.strip_result is not None else block

    def read_output(self, result: CallResult) -> StoredOutput | None:
        """Give all of an output that lies in a file of its own, where that is wanted."""
        if self.options.read_output is None or result.persisted is None:
            return None
        return self.options.read_output(result.persisted)

    # -- times --------------------------------------------------------------------------------

    def format_clock(self, timestamp: str | None) -> str:
        """Write a time of day, with its day where that is another one; empty where unknown."""
        at = parse_moment(timestamp)
        return self._format_clock(at) if at is not None else ""

    def _format_clock(self, at: datetime) -> str:
        options = self.options
        clock = format_clock(at, options.zone, options.words)
        if options.now is None:
            # Nobody knows when a document is read: a weekday would mislead.
            day = at.astimezone(options.local_zone).date()
            same = day == self._seen_at.astimezone(options.local_zone).date()
            return clock if same else f"{day.isoformat()} {clock}"
        written = format_moment(at, options.now(), options.zone, options.words)
        return written if ":" in written else f"{written} {clock}"

    @property
    def today(self) -> date | None:
        """Give the day that it is now; None for a document, which is read whenever."""
        now = self.options.now
        return now().astimezone(self.options.local_zone).date() if now is not None else None

    def render_day(self, day: date) -> str:
        """Write the line with which a day begins."""
        words = format_day_line(day, self.today, self.options.words)
        return f'<p class="day"><time datetime="{day.isoformat()}">{escape_html(words)}</time></p>'

    def clock(self, timestamp: str | None) -> str:
        """Write the time of day of what stands under its day's line, as an element."""
        at = parse_moment(timestamp)
        return self._render_time(at, self._write_clock(at)) if at is not None else ""

    def _write_clock(self, at: datetime) -> str:
        return format_clock(at, self.options.zone, self.options.words)

    def time(self, timestamp: str | None) -> str:
        """Write a time as an element with all of it as its title."""
        at = parse_moment(timestamp)
        return self._render_time(at, self._format_clock(at)) if at is not None else ""

    def _render_time(self, at: datetime, words: str) -> str:
        local = at.astimezone(self.options.local_zone)
        clock = format_clock(at, self.options.zone, self.options.words, seconds=True)
        full = f"{local.date()} {clock} {local.tzname() or ''}".rstrip()
        shown = escape_html(words)
        return f'<time datetime="{at.isoformat()}" title="{escape_attribute(full)}">{shown}</time>'
