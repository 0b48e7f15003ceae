"""A conversation as fragments of HTML: for pages, which ask piece by piece, and for documents.

```python
told = Telling(session)
told.pieces[0].key          # what there is, nothing rendered
told.html(0)                # a fragment; what is folded is asked for by its key
told.body(key)
told.whole(0)               # the same with everything inside
```
"""

from functools import cached_property
from typing import Unpack

from msgspec import Struct

from bough.errors import NotFound
from bough.export.html.dividers import tip_of
from bough.export.html.find import Found, find_in, places_of
from bough.export.html.fold_bodies import Bodies
from bough.export.html.render_context import Options, Scene, Style
from bough.export.html.render_piece import Renderer
from bough.export.pieces import Piece, Slot, slots_of, turn_key
from bough.model.conversation.branch_path import (
    asked_on,
    conversation_through,
    route,
    seam_text,
    turns_on,
    why_left,
)
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Overview, Seam, overview
from bough.model.conversation.turn_facts import turns_by_item
from bough.model.conversation.turns import Turn
from bough.model.session import Agent, Session
from bough.model.tools.calls import ToolBlock

__all__ = ["Found", "OutlineRow", "Piece", "Telling"]

_IN_PLACE = 30
"""How many pieces of an agent open at once in place."""


class OutlineRow(Struct, frozen=True):
    """A line of the outline: the piece it leads to, and what it says of it.

    `kind` is prompt, command, shell, queued, retry or continued; seam or twig. `about` says
    what is not in the text: how long a twig is and why it was left. `tip` is a twig's.
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


class Telling:
    """One conversation of a session, or of one of its agents, ready to be rendered."""

    def __init__(
        self,
        session: Session,
        tip: str | None = None,
        *,
        agent: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        chosen = session if agent is None else _agent_of(session, agent)
        self._set(chosen, tip, Style(**options), "", 0)

    def _set(self, session: Session, tip: str | None, style: Style, scope: str, depth: int) -> None:
        self.session = session
        self.style = style
        self.conversation = conversation_through(session, tip)
        self.seen: Overview = overview(session)
        self.items = route(self.seen, self.conversation.tip)
        self.turns: list[Turn] = self.conversation.turns
        if style.revise is not None:
            self.turns = [style.revise(turn) for turn in self.turns]
        by_item = turns_by_item([self.conversation], self.items)
        if style.revise is not None:
            revised = {
                id(old): new for old, new in zip(self.conversation.turns, self.turns, strict=True)
            }
            by_item = {uuid: [revised[id(t)] for t in own] for uuid, own in by_item.items()}
        self.slots: list[Slot] = slots_of(self.items, by_item, self.turns)
        self.pieces: list[Piece] = [slot.piece for slot in self.slots]
        self.scene = Scene(session, self.conversation, self.seen, style, scope=scope, depth=depth)
        self._renderer = Renderer(self.scene, self.items, self._whole_agent)
        self._agents: dict[str, Telling] = {}

    # -- fragments ----------------------------------------------------------------------------

    def html(self, number: int) -> str:
        """Render one piece; the bodies of its folds are left out, each named by a key."""
        return self._renderer.fragment(self.slots[number], first=number == 0, full=False)

    def whole(self, number: int, name: str = "") -> str:
        """Render one piece with every body inside; `name` is what links to it call it."""
        return self._renderer.fragment(self.slots[number], first=number == 0, full=True, name=name)

    def body(self, key: str) -> str:
        """Render the body of a fold.

        Raises:
            NotFound: No fold of this conversation has that key.
        """
        if key.startswith("agent:"):
            name, inner, rest = key.partition("/")
            name, _, start = name.removeprefix("agent:").partition("@")
            telling = self.agent(name)
            if inner:
                return telling.body(rest)
            return telling.stretch(name, int(start) if start.isdigit() else 0, self.scene.scope)
        return Bodies(self.scene, self.items, self._by_key, self._seams).body(key)

    def stretch(self, name: str, start: int, scope: str) -> str:
        """Render some pieces in a row, for an agent that opens in place."""
        stop = start + _IN_PLACE
        out = [self.html(number) for number in range(start, min(stop, len(self.slots)))]
        more = len(self.slots) - stop
        if more > 0:
            key = f"{scope}agent:{name}@{stop}"
            out.append(
                f'<button type="button" class="act load" data-do="load" data-body="{key}">'
                f"Show {more:,} more</button>"
            )
        return "".join(out)

    def _whole_agent(self, block: ToolBlock) -> str:
        sent = self.scene.agents.get(block.id)
        name = block.agent or (sent.id if sent is not None else None)
        if name is None:
            return ""
        try:
            telling = self.agent(name)
        except NotFound:
            return ""
        return "".join(telling.whole(number) for number in range(len(telling.slots)))

    def agent(self, name: str) -> "Telling":
        """Give the telling of an agent's own conversation."""
        if name not in self._agents:
            telling = Telling.__new__(Telling)
            scope = f"{self.scene.scope}agent:{name}/"
            depth = self.scene.depth + 1
            telling._set(_agent_of(self.session, name), None, self.style, scope, depth)  # noqa: SLF001
            self._agents[name] = telling
        return self._agents[name]

    # -- places -------------------------------------------------------------------------------

    def uuids_to_piece(self, uuid: str) -> int | None:
        """Find the piece a record is in, by any record's uuid; None where it is in none."""
        return self._places.get(uuid)

    @cached_property
    def _by_key(self) -> dict[str, Turn]:
        return {turn_key(turn): turn for turn in self.turns}

    @cached_property
    def _seams(self) -> dict[str, Slot]:
        return {slot.piece.key: slot for slot in self.slots if isinstance(slot.item, Seam)}

    @cached_property
    def _places(self) -> dict[str, int]:
        return places_of(self.slots, self.session)

    def outline(self) -> list[OutlineRow]:
        """List what was asked, with seams and the ways that leave."""
        starts: dict[str, int] = {}
        for number, slot in enumerate(self.slots):
            starts.setdefault(slot.piece.uuid or slot.piece.key, number)
        rows: list[OutlineRow] = []
        twigs = (n for n, slot in enumerate(self.slots) if isinstance(slot.item, Branch))
        for item in self.items:
            match item:
                case Exchange():
                    rows.append(self._asked(item, starts.get(item.uuid or "", 0)))
                case Seam():
                    words = seam_text(item, "\N{RIGHTWARDS ARROW}").split(", ")
                    number = starts.get(item.uuid or "", 0)
                    text = ", ".join(words[:2])
                    rows.append(OutlineRow(number, "seam", text, item.timestamp, uuid=item.uuid))
                case _:
                    rows += [self._left(way, next(twigs, 0)) for way in item.branches]
        return rows

    def _asked(self, item: Exchange, number: int) -> OutlineRow:
        return OutlineRow(
            number=number,
            kind=item.kind,
            text=self.scene.washed(item.text),
            time=item.timestamp,
            agents=len(item.agents),
            failed=item.failed,
            steps=item.steps,
            end=item.end,
            uuid=item.uuid,
        )

    def _left(self, branch: Branch, number: int) -> OutlineRow:
        asked = asked_on(branch)
        why, at = why_left(branch)
        left = f"{why} {self.scene.clock(at)}".strip()
        return OutlineRow(
            number=number,
            kind="twig",
            text=self.scene.washed(asked[0].text) if asked else "",
            time=asked[0].timestamp if asked else None,
            about=", ".join(word for word in (turns_on(branch), left) if word),
            tip=tip_of(branch, self.session.active_tip),
            uuid=asked[0].uuid if asked else None,
        )

    def find(self, words: str) -> list[Found]:
        """Find all places where some words stand, in the order they are read."""
        return find_in(self.slots, words)

    def markdown(self, number: int) -> str:
        """Give one piece as Markdown."""
        from bough.export.markdown.conversation import piece_markdown  # noqa: PLC0415 - it tells tellings

        return piece_markdown(self, number)


def _agent_of(session: Session, name: str) -> Agent:
    found = next((agent for agent in session.agents if agent.id == name), None)
    if found is None:
        raise NotFound(f"No agent of session {session.id[:8]} is called {name}.")
    return found
