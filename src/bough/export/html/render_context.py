"""What a piece is rendered with, beside what it says itself.

Everything here is made on first use: a list of pieces needs none of it, and a page that
shows forty of twenty thousand pays for the tables once.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from typing import Final, TypedDict

from msgspec import Struct

from bough.export.markup.escape import attribute, escaped
from bough.model.agents.summaries import SentOut
from bough.model.conversation.branch_path import exchanges_of
from bough.model.conversation.context_window import Context
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.outline import Overview
from bough.model.conversation.turn_facts import Thoughts, context_of, records_of
from bough.model.conversation.turns import Turn
from bough.model.session import Agent, Session
from bough.model.text.formats import ENGLISH, TimeWords, moment
from bough.model.text.times import moment_of
from bough.model.tools.call_row import call_times
from bough.model.tools.calls import Picture, Result, ToolBlock
from bough.query.sessions.stored_outputs import KeptOutput

PictureUrl = Callable[[Session, Picture, int], str | None]
"""Gives the address of a picture: the nth of the record it lies in; None where there is none."""

ReadOutput = Callable[[str], KeptOutput | None]
"""Reads the output in a file, as a result names it; None where it cannot be read."""

_TO_SECONDS: Final = len("2026-01-05 09:00:00")


class Style(Struct, frozen=True):
    """How a whole telling is rendered.

    Without a `picture_url` the bytes of pictures are inside. `zone` and `words` are for
    times; `revise` may change a turn before it is shown, and `wash` any other words of a
    person or a model, to hide secrets. `bare` may take from a call what its body shall not
    show; `agents` says whether their conversations are inside. `whole` reads an output that
    lies in a file of its own; without it only its beginning is shown.
    """

    picture_url: PictureUrl | None = None
    zone: tzinfo | None = None
    words: TimeWords = ENGLISH
    revise: Callable[[Turn], Turn] | None = None
    wash: Callable[[str], str] | None = None
    bare: Callable[[ToolBlock], ToolBlock] | None = None
    agents: bool = True
    whole: ReadOutput | None = None


class Options(TypedDict, total=False):
    """The fields of a style, for those who set some of them."""

    picture_url: PictureUrl
    zone: tzinfo | None
    words: TimeWords
    revise: Callable[[Turn], Turn] | None
    wash: Callable[[str], str] | None
    bare: Callable[[ToolBlock], ToolBlock] | None
    agents: bool
    whole: ReadOutput | None


class Scene:
    """One conversation and the facts its pieces are rendered with."""

    def __init__(
        self,
        session: Session,
        conversation: Conversation,
        seen: Overview,
        style: Style,
        *,
        scope: str = "",
        depth: int = 0,
    ) -> None:
        self.session = session
        self.conversation = conversation
        self.seen = seen
        self.style = style
        self.scope = scope
        self.depth = depth
        self.cwd = session.cwd
        self._times: dict[str, str] = {}
        self._entered: set[int] = set()
        self._clocks: dict[str | None, str] = {}
        self.asker = "Brief" if isinstance(session, Agent) or session.sidechain else "You"
        # Seen from the session's end, so that its last day has hours.
        self._now = moment_of(session.ended_at) or datetime.fromtimestamp(0, UTC)

    @cached_property
    def agents(self) -> Mapping[str, SentOut]:
        """Describe the agents by the calls that started them."""
        asked = (e for branch in self.seen.branches for e in exchanges_of(branch.items))
        return {agent.call: agent for exchange in asked for agent in exchange.agents}

    @cached_property
    def _thoughts(self) -> Thoughts:
        return Thoughts(self.conversation)

    def thoughts(self, turn: Turn) -> list[float | None]:
        """Give how long the thoughts of a turn took."""
        return self._thoughts.of(turn)

    def enter(self, turn: Turn) -> None:
        """Learn when the calls of a turn were made, before any of them is shown."""
        if turn.offset not in self._entered:
            self._entered.add(turn.offset)
            self._times |= call_times(records_of(self.session, turn))

    def called_at(self, call: str) -> str | None:
        """Give when a call was made; its turn has to be entered before."""
        return self._times.get(call)

    def context(self, turn: Turn) -> Context | None:
        """Tell how full the context was after a turn."""
        return context_of(self.session, turn)

    def washed(self, text: str) -> str:
        """Give words as they may be shown."""
        return self.style.wash(text) if self.style.wash is not None else text

    def bare(self, block: ToolBlock) -> ToolBlock:
        """Give a call with what its body may show."""
        return self.style.bare(block) if self.style.bare is not None else block

    def whole(self, result: Result) -> KeptOutput | None:
        """Give all of an output that lies in a file of its own, where that is wanted."""
        if self.style.whole is None or result.persisted is None:
            return None
        return self.style.whole(result.persisted)

    # -- times --------------------------------------------------------------------------------

    def clock(self, timestamp: str | None) -> str:
        """Write a time of day, with its day where that is another one; empty where unknown."""
        if timestamp not in self._clocks:
            at = moment_of(timestamp)
            self._clocks[timestamp] = self._clock(at) if at is not None else ""
        return self._clocks[timestamp]

    def _clock(self, at: datetime) -> str:
        style = self.style
        written = moment(at, self._now, style.zone, style.words)
        if ":" in written:
            return written
        return f"{written} {moment(at, at, style.zone, style.words)}"

    def time(self, timestamp: str | None) -> str:
        """Write a time as an element that tells it in full."""
        at = moment_of(timestamp)
        if at is None:
            return ""
        local = at.astimezone(self.style.zone)
        full = f"{str(local)[:_TO_SECONDS]} {local.tzname() or ''}".rstrip()
        shown = escaped(self.clock(timestamp))
        return f'<time datetime="{at.isoformat()}" title="{attribute(full)}">{shown}</time>'
