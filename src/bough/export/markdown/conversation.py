"""A conversation as Markdown: readable on a page that renders it, and as the text it is.

Who speaks is a heading, the words follow as they were written. Thoughts, notes and what
tools were given and gave back are folded under a line that says how it ended, so that the
document reads as the talk it was. An agent is a section, its own conversation one fold away.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.export.document_options import Include
from bough.export.markdown.fences import fenced, folded, inline, open_text, quoted
from bough.export.markdown.tools import given_markdown, result_markdown
from bough.export.pieces import Slot
from bough.model.conversation.branch_path import (
    asked_on,
    seam_opening,
    seam_text,
    turns_on,
    why_left,
)
from bough.model.conversation.content import Block, Words
from bough.model.conversation.exchange_summary import foot_words, money
from bough.model.conversation.note_labels import INTERRUPTED, is_interrupt, note_words, skill_of
from bough.model.conversation.outline import Branch, Seam
from bough.model.conversation.steps import BAD, Run, Step
from bough.model.conversation.turns import Turn
from bough.model.text.formats import duration, plural, size
from bough.model.tools.call_row import State, ToolView, view_of
from bough.model.tools.call_summary import text_in
from bough.model.tools.calls import ToolBlock

if TYPE_CHECKING:
    from bough.export.html.conversation_view import Telling

_ASKED: Final = frozenset({"prompt", "queued", "command", "shell"})
_THOUGHTS: Final = frozenset({"thinking", "redacted_thinking"})
_SIGNS: Final = {State.OK: "✓", State.OPEN: "…", State.STOPPED: "-"}
_LINE: Final = 160
_DEEPEST: Final = 6
_ARROW: Final = "\N{RIGHTWARDS ARROW}"
_EVERYTHING: Final = Include()


class Writer(Struct, frozen=True):
    """Writes the pieces of one conversation; `level` is that of its headings."""

    told: "Telling"
    include: Include = _EVERYTHING
    level: int = 2

    def pieces(self) -> Iterator[str]:
        """Write every piece, in order."""
        for slot in self.told.slots:
            text = "\n\n".join(self.piece(slot))
            if text:
                yield text

    def piece(self, slot: Slot) -> Iterator[str]:
        """Write one piece, paragraph by paragraph."""
        turn = slot.turn
        match slot.item:
            case Seam():
                yield from self._seam(slot.item, turn)
                return
            case Branch():
                yield self._twig(slot.item)
                return
            case _:
                pass
        if turn is None:
            return
        self.told.scene.enter(turn)
        if slot.piece.kind == "answer":
            yield from self._answer(slot, turn)
        elif slot.piece.kind in _ASKED:
            yield from self._asked(turn)
        elif slot.piece.kind in ("error", "bad_line"):
            yield from self._trouble(turn)
        else:
            yield from self._quiet(turn.blocks, turn.kind)

    # -- who said what ------------------------------------------------------------------------

    def _head(self, who: str, *facts: str) -> str:
        words = ", ".join(fact for fact in (who, *facts) if fact)
        return f"{'#' * min(self.level, _DEEPEST)} {words}"

    def _asked(self, turn: Turn) -> Iterator[str]:
        time = self.told.scene.clock(turn.timestamp)
        tags = {"queued": f"queued at {time}", "command": "command", "shell": "you ran it"}
        facts = [tags["queued"]] if turn.kind == "queued" else [time, tags.get(turn.kind, "")]
        yield self._head(self.told.scene.asker, *facts)
        for block in turn.blocks:
            match block:
                case Words(type="text") if turn.kind == "shell":
                    yield fenced(f"! {block.text}", "sh")
                case Words(type="text"):
                    yield open_text(block.text)
                case Words(type="output") if block.text.strip():
                    yield fenced(block.text, "text")
                case _:
                    yield from self._quiet([block], turn.kind)

    def _answer(self, slot: Slot, turn: Turn) -> Iterator[str]:
        self.told.scene.enter(turn)
        if slot.head:
            yield self._head("Claude", self.told.scene.clock(turn.timestamp))
        thoughts = self._thoughts(turn)
        for part in slot.parts:
            if isinstance(part, Run):
                for step in part.steps:
                    yield from self._step(step)
                continue
            match part.block:
                case ToolBlock() as block:
                    yield from self._agent(block)
                case Words(type=kind) as block if kind in _THOUGHTS:
                    yield _thought(block, thoughts.get(part.number))
                case Words(type="text") as block:
                    yield open_text(block.text)
                case block:
                    yield from self._quiet([block], turn.kind)
        if slot.foot is not None:
            context = self.told.scene.context(turn)
            groups = foot_words(slot.foot, slot.answers or [turn], context)
            if groups:
                yield f"*{', '.join(word for group in groups for word in group)}*"

    def _thoughts(self, turn: Turn) -> dict[int, float | None]:
        numbers = [n for n, block in enumerate(turn.blocks) if block.type in _THOUGHTS]
        if not numbers:
            return {}
        lasted = self.told.scene.thoughts(turn)
        return dict(zip(numbers, lasted, strict=False))

    def _quiet(self, blocks: list[Block], kind: str) -> Iterator[str]:
        for block in blocks:
            if isinstance(block, ToolBlock):
                yield from self._step(Step(0, block))
            elif block.picture is not None:
                yield f"*{inline(block.text)}, {size(block.picture.size)}*"
            elif block.type == "error":
                yield f"**✗ {inline(block.text)}**"
            elif is_interrupt(block):
                yield f"*{INTERRUPTED}*"
            else:
                yield from _note(block, kind)

    def _trouble(self, turn: Turn) -> Iterator[str]:
        for block in turn.blocks:
            match block:
                case Words(type="error" | "text"):
                    yield f"**✗ {inline(block.text)}**"
                case Words(type="raw") if block.text.strip():
                    yield fenced(block.text, "text")
                case _:
                    yield from self._quiet([block], turn.kind)

    # -- steps and agents ---------------------------------------------------------------------

    def _step(self, step: Step) -> Iterator[str]:
        block = step.block
        view = view_of(block, self.told.scene.called_at(block.id), self.told.scene.cwd)
        body = given_markdown(block)
        if block.result is not None and self.include.results:
            body += result_markdown(block.result, self.told.scene.whole(block.result))
        line = step_line(view)
        yield folded(line, "\n\n".join(body)) if body else f"- {inline(line)}"
        if view.outcome.reason:
            yield f"> {inline(view.outcome.reason)}"
        yield from self._quiet([words for _, words in step.beside], "")

    def _agent(self, block: ToolBlock) -> Iterator[str]:
        """Write what an agent was sent for, its answer, and its own conversation."""
        scene = self.told.scene
        sent = scene.agents.get(block.id)
        view = view_of(block, scene.called_at(block.id), scene.cwd)
        given = block.input if isinstance(block.input, dict) else {}
        kind = text_in(given, "subagent_type")
        task = text_in(given, "description", "name") or view.summary
        facts: list[str] = []
        if sent is not None:
            facts.append(plural(sent.steps, "step") if sent.steps is not None else "")
            facts.append(duration(sent.seconds) if sent.seconds else "")
            facts.append(money(sent.bill))
        head = f"{f'{kind} agent' if kind else 'Agent'}: {task}"
        words = ", ".join(fact for fact in facts if fact)
        end = f" ({words})" if words else ""
        yield f"{'#' * min(self.level + 1, _DEEPEST)} ◆ {inline(head)}{end} {_sign(view)}"
        text = block.result.text.strip() if block.result is not None else ""
        if text and self.include.results:
            yield quoted(open_text(text))
        inside = self._inside(block, sent.id if sent is not None else None)
        brief = text_in(given, "prompt")
        if inside:
            steps = (
                plural(sent.steps, "step") if sent is not None and sent.steps else "conversation"
            )
            yield folded(f"Its {steps}", inside)
        elif brief:
            yield folded("Its brief", quoted(open_text(brief)))

    def _inside(self, block: ToolBlock, name: str | None) -> str:
        """Write an agent's own conversation; nothing where it is not kept or not wanted."""
        name = block.agent or name
        known = name is not None and any(a.id == name for a in self.told.session.agents)
        if name is None or not known or not self.include.agents:
            return ""
        inner = Writer(self.told.agent(name), self.include, self.level + 2)
        return "\n\n".join(inner.pieces())

    # -- seams and twigs ----------------------------------------------------------------------

    def _seam(self, seam: Seam, turn: Turn | None) -> Iterator[str]:
        words = seam_text(seam, _ARROW, seam_opening(seam))
        time = self.told.scene.clock(seam.timestamp)
        yield "---"
        yield f"**{words}**" + (f" {time}" if time else "")
        for block in turn.blocks if turn is not None else ():
            if isinstance(block, Words) and block.text.strip():
                if block.type == "summary":
                    yield folded("What was kept: the summary", quoted(open_text(block.text)))
                else:
                    yield quoted(open_text(block.text))
        yield "---"

    def _twig(self, branch: Branch) -> str:
        asked = asked_on(branch)
        why, at = why_left(branch)
        left = f"{why} {self.told.scene.clock(at)}".strip()
        facts = ", ".join(word for word in (turns_on(branch), left) if word)
        words = inline(asked[0].text) if asked else "without words"
        way = "The active branch goes on here" if branch.active else "Another branch left here"
        return f"> *{way}:* {words} ({facts})"


def piece_markdown(told: "Telling", number: int) -> str:
    """Give one piece of a conversation as Markdown."""
    return "\n\n".join(Writer(told).piece(told.slots[number]))


def step_line(view: ToolView) -> str:
    """Write a call in one line: its name, what it is about, how it ended, how long it took."""
    name = f"{view.server}: {view.name}" if view.server else view.name
    seconds = duration(view.seconds) if view.seconds is not None else ""
    facts = ", ".join(fact for fact in (view.outcome.text, seconds) if fact)
    end = f" ({facts})" if facts else ""
    return f"{name} {view.summary}".rstrip() + f"{end} {_sign(view)}"


def _sign(view: ToolView) -> str:
    return "✗" if view.outcome.state in BAD else _SIGNS.get(view.outcome.state, "✗")


def _thought(block: Words, seconds: float | None) -> str:
    head = f"Thought for {duration(seconds)}" if seconds else "Thought"
    if block.type == "redacted_thinking":
        return f"*{head}, text withheld*"
    if not block.text.strip():
        return f"*{head}, text not kept by the client*"
    return folded(head, quoted(open_text(block.text)))


def _note(block: Words, kind: str) -> Iterator[str]:
    """Write a note in a line; a long one is folded under its first."""
    words = note_words(block, kind).strip()
    if not words:
        return
    skill = skill_of(block)
    head, _, rest = words.partition("\n")
    if skill is not None:
        yield folded(f"Instructions of /{skill}", quoted(open_text(block.text)))
    elif rest.strip() or len(head) > _LINE:
        whole = len(head) <= _LINE
        short = head if whole else head[: _LINE - 1].rstrip() + "…"
        yield folded(short, fenced(rest if whole else block.text, "text"))
    else:
        yield f"*{inline(head)}*"
