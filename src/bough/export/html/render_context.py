"""What a piece is rendered with, beside what it says itself.

Everything here is made on first use: a list of pieces needs none of it, and a page that
shows forty of twenty thousand pays for the tables once.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from typing import Final, TypedDict

from msgspec import Struct

from bough.export.markup.escape import escape_attribute, escape_html
from bough.model.conversation.context_window import ContextWindow
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.outline.branch_path import list_turns
from bough.model.outline.message_facts import (
    ThoughtDurations,
    measure_message_context,
    records_of,
)
from bough.model.outline.session_outline import SessionOutline
from bough.model.session import Agent, Session
from bough.model.text.formats import ENGLISH, TimeFormat, format_moment
from bough.model.text.times import parse_moment
from bough.model.tools.call_row import find_call_times
from bough.model.tools.calls import CallResult, Picture, ToolBlock
from bough.query.sessions.stored_outputs import StoredOutput

PictureUrl = Callable[[Session, Picture, int], str | None]
"""Gives the address of a picture: the nth of the record it lies in; None where there is none."""

ReadOutput = Callable[[str], StoredOutput | None]
"""Reads the output in a file, as a result names it; None where it cannot be read."""

_TO_SECONDS: Final = len("2026-01-05 09:00:00")


class RenderOptions(Struct, frozen=True):
    """How a whole telling is rendered.

    Without a `picture_url` the bytes of pictures are inside. `zone` and `words` are for
    times; `revise` may change a message before it is shown, and `redact_text` any other words of a
    person or a model, to hide secrets. `strip_result` may take from a call what its body shall not
    show; `agents` says whether their conversations are inside. `read_output` reads an output that
    lies in a file of its own; without it only its beginning is shown.
    """

    picture_url: PictureUrl | None = None
    zone: tzinfo | None = None
    words: TimeFormat = ENGLISH
    revise: Callable[[Message], Message] | None = None
    redact_text: Callable[[str], str] | None = None
    strip_result: Callable[[ToolBlock], ToolBlock] | None = None
    agents: bool = True
    read_output: ReadOutput | None = None


class RenderKeywords(TypedDict, total=False):
    """The fields of a style, for those who set some of them."""

    picture_url: PictureUrl
    zone: tzinfo | None
    words: TimeFormat
    revise: Callable[[Message], Message] | None
    redact_text: Callable[[str], str] | None
    strip_result: Callable[[ToolBlock], ToolBlock] | None
    agents: bool
    read_output: ReadOutput | None


class RenderContext:
    """One conversation and the facts its pieces are rendered with."""

    def __init__(
        self,
        session: Session,
        conversation: Conversation,
        seen: SessionOutline,
        style: RenderOptions,
        *,
        scope: str = "",
        depth: int = 0,
    ) -> None:
        self.session = session
        self.conversation = conversation
        self.session_outline = seen
        self.options = style
        self.scope = scope
        self.depth = depth
        self.cwd = session.cwd
        self._times: dict[str, str] = {}
        self._loaded_messages: set[int] = set()
        self.asker = "Brief" if isinstance(session, Agent) or session.sidechain else "You"
        # Seen from the session's end, so that its last day has hours.
        self._now = parse_moment(session.ended_at) or datetime.fromtimestamp(0, UTC)

    @cached_property
    def agents(self) -> Mapping[str, AgentSummary]:
        """Describe the agents by the calls that started them."""
        asked = (e for branch in self.session_outline.branches for e in list_turns(branch.items))
        return {agent.call: agent for turn in asked for agent in turn.agents if agent.call}

    @cached_property
    def _thoughts(self) -> ThoughtDurations:
        return ThoughtDurations(self.conversation)

    def thought_durations(self, message: Message) -> list[float | None]:
        """Give how long the thoughts of a message took."""
        return self._thoughts.measure(message)

    def load_call_times(self, message: Message) -> None:
        """Learn when the calls of a message were made, before any of them is shown."""
        if message.offset not in self._loaded_messages:
            self._loaded_messages.add(message.offset)
            self._times |= find_call_times(records_of(self.session, message))

    def call_time(self, call: str) -> str | None:
        """Give when a call was made; its message has to be entered before."""
        return self._times.get(call)

    def context(self, message: Message) -> ContextWindow | None:
        """Tell how full the context was after a message."""
        return measure_message_context(self.session, message)

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
        style = self.options
        written = format_moment(at, self._now, style.zone, style.words)
        if ":" in written:
            return written
        return f"{written} {format_moment(at, at, style.zone, style.words)}"

    def time(self, timestamp: str | None) -> str:
        """Write a time as an element that tells it in full."""
        at = parse_moment(timestamp)
        if at is None:
            return ""
        local = at.astimezone(self.options.zone)
        full = f"{str(local)[:_TO_SECONDS]} {local.tzname() or ''}".rstrip()
        shown = escape_html(self.format_clock(timestamp))
        return f'<time datetime="{at.isoformat()}" title="{escape_attribute(full)}">{shown}</time>'
