"""A conversation as fragments of HTML: for pages, which ask piece by piece, and for documents.

```python
view = ConversationView(session)
view.pieces[0].key          # what there is, nothing rendered
view.html(0)                # a fragment; what is folded is asked for by its key
view.body(key)
view.whole(0)               # the same with everything inside
```
"""

from functools import cached_property
from typing import Unpack

from msgspec import Struct

from bough.errors import NotFound
from bough.export.html.dividers import tip_of
from bough.export.html.find import PieceMatch, find_row, find_words, index_records
from bough.export.html.fold_bodies import FoldBodies
from bough.export.html.render_context import RenderContext, RenderKeywords, RenderOptions
from bough.export.html.render_piece import PieceRenderer
from bough.export.pieces import PieceContent, PieceInfo, list_contents
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.outline.branch_path import (
    PathEnd,
    describe_compaction,
    explain_why_left,
    find_conversation_through,
    find_path_end,
    format_branch_length,
    list_own_turns,
    name_branch,
    path_to_tip,
)
from bough.model.outline.day_lines import find_day_starts
from bough.model.outline.message_facts import MessageFacts, group_messages_by_item
from bough.model.outline.pieces import Piece, list_pieces
from bough.model.outline.session_outline import (
    Branch,
    BranchOff,
    Compaction,
    SessionOutline,
)
from bough.model.outline.turns import Turn
from bough.model.session import Agent, Session
from bough.model.tools.calls import ToolBlock
from bough.query.lists.related import find_plan_marks
from bough.query.priced_outline import outline_with_prices

__all__ = ["ConversationView", "OutlineRow", "PieceInfo", "PieceMatch"]

_IN_PLACE = 30
"""How many pieces of an agent open at once in place."""


class OutlineRow(Struct, frozen=True):
    """A line of the outline: the piece it leads to, and what it says of it.

    `kind` is prompt, command, shell, queued, retry or continued; compaction or side-branch.
    `about` says what is not in the text: how long a side branch is and why it was left. `tip` is
    the end of a side branch.
    """

    number: int
    kind: str
    text: str
    time: str | None = None
    agents: int = 0
    failed: int = 0
    steps: int = 0
    end: str = ""
    about: str = ""
    tip: str | None = None
    uuid: str | None = None


class ConversationView:
    """One conversation of a session, or of one of its agents, ready to be rendered.

    It goes through `tip`; with `until` it goes to that message, and ends there: what went on from
    it is left out, also as a branch.
    """

    _is_cut = False
    _end: PathEnd | None = None
    """Of a part of a conversation, what is on its path."""

    def __init__(
        self,
        session: Session,
        tip: str | None = None,
        *,
        agent: str | None = None,
        until: str | None = None,
        outline: SessionOutline | None = None,
        **options: Unpack[RenderKeywords],
    ) -> None:
        chosen = session if agent is None else _find_agent(session, agent)
        seen = outline if outline is not None and agent is None else outline_with_prices(chosen)
        through = (
            find_conversation_through(chosen, tip) if until is None else chosen.conversation(until)
        )
        self._is_cut = until is not None
        self._prepare(chosen, seen, through, RenderOptions(**options), "", 0)

    @classmethod
    def of_part(
        cls, session: Session, part: Conversation, outline: SessionOutline, options: RenderOptions
    ) -> "ConversationView":
        """Prepare a part of a conversation, as `cut_shared` gives it, without what leaves it."""
        view = cls.__new__(cls)
        first = next((record.uuid for record in part.nodes), None)
        view._end = find_path_end(outline, part.tip, first, len(part.groups))  # noqa: SLF001
        view._prepare(session, outline, part, options, "", 0)  # noqa: SLF001
        return view

    def _prepare(
        self,
        session: Session,
        outline: SessionOutline,
        conversation: Conversation,
        options: RenderOptions,
        scope: str,
        depth: int,
    ) -> None:
        self.session = session
        self.options = options
        self.conversation = conversation
        self.session_outline: SessionOutline = outline
        end = self._end
        self.items = end.items if end is not None else path_to_tip(outline, conversation.tip)
        while self._is_cut and self.items and isinstance(self.items[-1], BranchOff):
            self.items.pop()
        self.messages: list[Message] = self.conversation.messages
        by_item = group_messages_by_item([self.conversation], self.items)
        if options.revise is not None:
            self.messages = [options.revise(message) for message in self.messages]
            revised = {
                id(old): new
                for old, new in zip(self.conversation.messages, self.messages, strict=True)
            }
            by_item = {uuid: [revised[id(t)] for t in own] for uuid, own in by_item.items()}
        self.outline_pieces: list[Piece] = list_pieces(
            self.items, by_item, self.messages, left=end is not None and end.left
        )
        self.contents = list_contents(self.outline_pieces)
        self.pieces: list[PieceInfo] = [content.info for content in self.contents]
        facts = MessageFacts(session, self.session_outline, [self.conversation])
        if options.session_url is not None and not depth:
            facts.plan_marks = find_plan_marks(session, self.conversation)
        self.render_context = RenderContext(facts, options, scope=scope, depth=depth)
        self._renderer = PieceRenderer(self.render_context, self.items, self._render_agent)
        self._agents: dict[str, ConversationView] = {}
        times = (
            None if isinstance(slot.item, Branch) else slot.info.timestamp for slot in self.contents
        )
        today = self.render_context.today if not depth else None
        self._days = find_day_starts(times, today, options.local_zone)

    # -- fragments ----------------------------------------------------------------------------

    def html(self, number: int) -> str:
        """Render one piece; the bodies of its folds are left out, each named by a key."""
        day = self._days.get(number)
        return self._renderer.render(self.contents[number], first=number == 0, full=False, day=day)

    def whole(self, number: int, name: str = "") -> str:
        """Render one piece with every body inside; `name` is what links to it call it."""
        return self._renderer.render(
            self.contents[number],
            first=number == 0,
            full=True,
            name=name,
            day=self._days.get(number),
        )

    def render_content(self, content: PieceContent, *, full: bool) -> str:
        """Render a piece that was cut otherwise than for a page that is scrolled."""
        return self._renderer.render(content, first=False, full=full)

    def body(self, key: str) -> str:
        """Render the body of a fold.

        Raises:
            NotFound: No fold of this conversation has that key.
        """
        if key.startswith("agent:"):
            name, inner, rest = key.partition("/")
            name, _, start = name.removeprefix("agent:").partition("@")
            view = self.agent(name)
            if inner:
                return view.body(rest)
            return view.render_range(
                name, int(start) if start.isdigit() else 0, self.render_context.scope
            )
        return FoldBodies(self.render_context, self.items, self._by_key, self._compactions).body(
            key
        )

    def render_range(self, name: str, start: int, scope: str) -> str:
        """Render some pieces in a row, for an agent that opens in place."""
        stop = start + _IN_PLACE
        out = [self.html(number) for number in range(start, min(stop, len(self.contents)))]
        more = len(self.contents) - stop
        if more > 0:
            key = f"{scope}agent:{name}@{stop}"
            out.append(
                f'<button type="button" class="act load" data-do="load" data-body="{key}">'
                f"Show {more:,} more</button>"
            )
        return "".join(out)

    def _render_agent(self, block: ToolBlock) -> str:
        sent = self.render_context.facts.agents.get(block.id)
        name = block.agent or (sent.id if sent is not None else None)
        if name is None:
            return ""
        try:
            view = self.agent(name)
        except NotFound:
            return ""
        return "".join(view.whole(number) for number in range(len(view.contents)))

    def agent(self, name: str) -> "ConversationView":
        """Give the view of an agent's own conversation."""
        if name not in self._agents:
            view = ConversationView.__new__(ConversationView)
            scope = f"{self.render_context.scope}agent:{name}/"
            depth = self.render_context.depth + 1
            found = _find_agent(self.session, name)
            outline = outline_with_prices(found)
            view._prepare(found, outline, found.conversation(), self.options, scope, depth)  # noqa: SLF001
            self._agents[name] = view
        return self._agents[name]

    # -- places -------------------------------------------------------------------------------

    def find_piece(self, uuid: str) -> int | None:
        """Find the piece a record is in, by any record's uuid; None where it is in none."""
        return self._piece_of_record.get(uuid)

    def find_row(self, uuid: str) -> PieceMatch | None:
        """Find the row inside a piece that a record is shown in; None for a piece of its own."""
        number = self.find_piece(uuid)
        return None if number is None else find_row(self.contents, self.session, number, uuid)

    @cached_property
    def _by_key(self) -> dict[str, Message]:
        return {message.key: message for message in self.messages}

    @cached_property
    def _compactions(self) -> dict[str, PieceContent]:
        return {slot.info.key: slot for slot in self.contents if isinstance(slot.item, Compaction)}

    @cached_property
    def _piece_of_record(self) -> dict[str, int]:
        return index_records(self.contents, self.session)

    def outline(self) -> list[OutlineRow]:
        """List what was asked, with compactions and the side branches."""
        starts: dict[str, int] = {}
        for number, slot in enumerate(self.contents):
            starts.setdefault(slot.info.uuid or slot.info.key, number)
        rows: list[OutlineRow] = []
        side_branches = (n for n, slot in enumerate(self.contents) if isinstance(slot.item, Branch))
        for item in self.items:
            match item:
                case Turn():
                    rows.append(self._outline_prompt(item, starts.get(item.key, 0)))
                case Compaction():
                    words = describe_compaction(item, "\N{RIGHTWARDS ARROW}").split(", ")
                    number = starts.get(item.key, 0)
                    text = ", ".join(words[:2])
                    rows.append(
                        OutlineRow(number, "compaction", text, item.timestamp, uuid=item.uuid)
                    )
                case _:
                    rows += [
                        self._outline_branch(path, next(side_branches, 0)) for path in item.branches
                    ]
        return rows

    def _outline_prompt(self, item: Turn, number: int) -> OutlineRow:
        return OutlineRow(
            number=number,
            kind=item.kind,
            text=self.render_context.redact_text(item.label if item.is_continuation else item.text),
            time=item.timestamp,
            agents=len(item.agents),
            failed=item.failed,
            steps=item.steps,
            end=item.end,
            uuid=item.uuid,
        )

    def _outline_branch(self, branch: Branch, number: int) -> OutlineRow:
        asked = list_own_turns(branch)
        why, at = explain_why_left(branch)
        left = f"{why} {self.render_context.format_clock(at)}".strip()
        return OutlineRow(
            number=number,
            kind="side-branch",
            text=self.render_context.redact_text(name_branch(branch)),
            time=asked[0].timestamp if asked else None,
            about=", ".join(word for word in (format_branch_length(branch), left) if word),
            tip=tip_of(branch, self.session.active_tip),
            uuid=asked[0].uuid if asked else None,
        )

    def find(self, words: str) -> list[PieceMatch]:
        """Find all places where some words stand, in the order they are read."""
        return find_words(self.contents, words)


def _find_agent(session: Session, name: str) -> Agent:
    found = next((agent for agent in session.agents if agent.id == name), None)
    if found is None:
        raise NotFound(f"No agent of session {session.id[:8]} is called {name}.")
    return found
