"""The panes beside a conversation: its prompts at the left, facts about it at the right."""

from collections.abc import Iterator

from bough.model.conversation.context_window import filling
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Parting, Seam
from bough.model.tools.call_row import view_of
from bough.model.tools.calls import ToolBlock
from bough.model.usage.costs import NOTHING
from bough.tui.conversation.view import Telling, left_words
from bough.tui.style.style import (
    Line,
    Role,
    Span,
    bar,
    changes,
    fit,
    money,
    one_line,
    pad,
    plural,
    share,
    tokens,
    width,
)
from bough.tui.widgets.list_items import Piece, blank, say, still

_ROOM = 30
_MOST = 40
_PARTS = 4
"""So many parts of the context are told, the largest."""


def outline_pieces(telling: Telling) -> list[Piece]:
    """List the prompts, the seams and where other branches leave."""
    asked = [item for item in telling.items if isinstance(item, Exchange)]
    pieces = [say("prompts", f"Prompts {len(asked):,}", Role.HEADER)]
    for number, item in enumerate(telling.items):
        match item:
            case Exchange():
                sign = telling.glyphs.tip if item.active else telling.glyphs.knot
                spans: list[Line] = [
                    ((Role.ACTIVE, f"{sign} "), (Role.PROMPT, one_line(item.text)))
                ]
                agents = f"  {telling.glyphs.agent}{len(item.agents)}" if item.agents else ""
                time = telling.setting.sheet.time(item.timestamp)
                if agents:
                    spans.append(((Role.META, f"  {time}{agents}"),))
                about = f"{telling.scope}{item.uuid}"
                pieces.append(Piece(f"o/{about}", still(spans), "prompt", about))
            case Seam():
                about = f"{telling.scope}{item.uuid}/seam"
                line: Line = ((Role.COMPACTION, f"{telling.glyphs.seam} Compacted"),)
                pieces.append(Piece(f"o/{about}", still([line]), "seam", about))
            case Parting():
                for at, branch in enumerate(item.branches):
                    first = next((i.text for i in branch.items if isinstance(i, Exchange)), "")
                    sign = f"{telling.glyphs.end}{telling.glyphs.other} "
                    row: Line = ((Role.LEFT, f"{sign}{one_line(first)}"),)
                    pieces.append(Piece(f"o/{number}/{at}", still([row]), "twig", branch))
    return pieces


def fact_pieces(telling: Telling) -> list[Piece]:
    """List branches, cost, context, agents and files."""
    return [piece for part in (_branches, _numbers, _agents, _files) for piece in part(telling)]


def _branches(telling: Telling) -> Iterator[Piece]:
    session = telling.session
    yield say("branches", f"Branches {len(session.tips):,}", Role.HEADER)
    active = telling.conversation.active
    own = sum(isinstance(item, Exchange) for item in telling.items)
    sign = telling.glyphs.knot if active else telling.glyphs.other
    role = Role.ACTIVE if active else Role.LEFT
    yield say("b/own", f"{sign} this one, {plural(own, 'turn')}", role)
    for number, item in enumerate(telling.items):
        if not isinstance(item, Parting):
            continue
        for at, branch in enumerate(item.branches):
            first = one_line(next((i.text for i in branch.items if isinstance(i, Exchange)), ""))
            look = Role.ACTIVE if branch.active else Role.LEFT
            words = f"{telling.glyphs.other} {fit(first, _ROOM - 2, telling.glyphs.ellipsis)}"
            line: list[Line] = [((look, words),), ((Role.META, f"  {left_words(branch)}"),)]
            yield Piece(f"b/{number}/{at}", still(line), "twig", branch)
    yield blank("b.")


def _numbers(telling: Telling) -> Iterator[Piece]:
    asked = [item for item in telling.items if isinstance(item, Exchange)]
    here = sum((one.bill for one in asked), NOTHING)
    yield say("cost", "Cost", Role.HEADER)
    yield say("c/here", f"{money(here) or '-'} here, {money(telling.seen.bill) or '-'} in all")
    yield blank("c.")
    contexts = list(telling.setting.contexts.values())
    if contexts:
        last = contexts[-1]
        unicode = telling.glyphs.knot != "*"
        yield say("context", f"Context {share(last.share)}", Role.HEADER)
        drawn = bar(last.share, 1.0, _ROOM - 4, unicode=unicode)
        yield say("x/bar", drawn, Role.ACTIVE)
        yield say("x/of", f"{tokens(last.tokens)} of {tokens(last.window)}")
        parts = sorted(filling(telling.conversation.turns, last.tokens), key=lambda p: -p.tokens)
        for part in parts[:_PARTS]:
            number = tokens(part.tokens)
            yield say(f"x/{part.name}", f"{pad(part.name, _ROOM - 4 - width(number))}{number}")
        yield blank("x.")


def _agents(telling: Telling) -> Iterator[Piece]:
    found = [agent for i in telling.items if isinstance(i, Exchange) for agent in i.agents]
    if not found:
        return
    total = sum((agent.bill for agent in found), NOTHING)
    yield say("agents", f"Agents {len(found):,}  {money(total)}", Role.HEADER)
    for agent in found[:_MOST]:
        text = fit(one_line(agent.text), _ROOM - 2, telling.glyphs.ellipsis)
        words = f"{telling.glyphs.agent} {text}"
        yield say(f"a/{agent.call}", words, Role.AGENT)
    yield blank("a.")


def _files(telling: Telling) -> Iterator[Piece]:
    touched: dict[str, tuple[int, int]] = {}
    for turn in telling.conversation.turns:
        for block in turn.blocks:
            if isinstance(block, ToolBlock) and block.name in ("Edit", "MultiEdit", "Write"):
                view = view_of(block, cwd=telling.setting.cwd)
                added, removed = touched.get(view.summary, (0, 0))
                more, less = view.outcome.added or 0, view.outcome.removed or 0
                touched[view.summary] = (added + more, removed + less)
    if not touched:
        return
    yield say("files", f"Files {len(touched):,}", Role.HEADER)
    for number, (path, (added, removed)) in enumerate(list(touched.items())[:_MOST]):
        name = one_line(path).replace("\\", "/").rpartition("/")[2]
        spans: list[Span] = [
            (Role.CLAUDE, fit(name, 18, telling.glyphs.ellipsis)),
            (Role.META, f"  {changes(added, removed)}"),
        ]
        yield Piece(f"f/{number}", still([tuple(spans)]), "file", picked=False)
