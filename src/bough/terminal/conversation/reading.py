"""A conversation as a person reads it, from its start to its tip.

The stem runs through everything: what leaves it, an agent or another branch, is said where
it leaves. Branches that are not read are one line each; with all of them unfolded they
stand at their place, behind a bar.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Parting, Seam
from bough.model.conversation.route import Item, left_at, left_because
from bough.model.conversation.routewords import seam_opening, seam_text
from bough.model.conversation.turns import Turn
from bough.model.text.numbers import plural
from bough.terminal.canvas import MEASURE, Sheet
from bough.terminal.conversation.foot import foot
from bough.terminal.conversation.turns import Setting, quiet_lines, turn_lines
from bough.terminal.fitting import fit, width
from bough.terminal.style import Role

_DEEPEST: Final = 8
_SEAM_DASHES: Final = 2

Turns = Mapping[str, Sequence[Turn]]
"""The turns of each exchange and seam, by its uuid."""


class Reading(Struct, frozen=True):
    """The lines of a conversation, and for each exchange the line (from 1) it begins at."""

    lines: list[str]
    places: dict[str, int]


class _Job(Struct, frozen=True):
    """Something still to be written, behind so many bars."""

    item: Item | Branch
    depth: int = 0


def read_out(
    items: Sequence[Item], turns: Turns, setting: Setting, *, unfold: bool = False
) -> Reading:
    """Write the items of a route, those of other branches too where they are unfolded."""
    lines: list[str] = []
    places: dict[str, int] = {}
    styles = setting.sheet.styles
    waiting = [_Job(item) for item in reversed(items)]
    while waiting:
        job = waiting.pop()
        if isinstance(job.item, Exchange) and job.item.uuid:
            places[job.item.uuid] = len(lines) + 1
        bar = f"{styles.glyphs.bar} " * min(job.depth, _DEEPEST)
        lead = styles.paint(Role.LEFT, bar.rstrip(" "))
        blank = " " if bar else ""
        written = _written(job.item, turns, _narrowed(setting, width(bar)))
        lines += [f"{lead}{blank}{line}".rstrip(" ") for line in written]
        waiting += reversed(_inside(job, unfold=unfold))
    return Reading(lines, places)


def _narrowed(setting: Setting, by: int) -> Setting:
    """Leave room for the bars at the left."""
    columns = setting.sheet.columns
    if not by or columns is None:
        return setting
    return replace(setting, sheet=replace(setting.sheet, columns=min(columns, MEASURE) - by))


def _inside(job: _Job, *, unfold: bool) -> list[_Job]:
    """List what a job leads to: the branches of a parting, and what is on them."""
    if isinstance(job.item, Parting):
        return [_Job(branch, job.depth) for branch in job.item.branches]
    if isinstance(job.item, Branch) and unfold:
        return [_Job(item, job.depth + 1) for item in job.item.items]
    return []


def _written(item: Item | Branch, turns: Turns, setting: Setting) -> list[str]:
    match item:
        case Exchange():
            own = turns.get(item.uuid or "", ())
            lines = [line for turn in own for line in turn_lines(turn, setting)]
            return [*lines, *foot(item, own, setting), ""]
        case Seam():
            return [*_seam(item, turns.get(item.uuid or "", ()), setting.sheet), ""]
        case Branch():
            return [_twig(item, setting), ""]
        case Parting():
            return []


def _seam(seam: Seam, turns: Sequence[Turn], sheet: Sheet) -> list[str]:
    """Write a compaction as a line of dashes with what it did, and its summary below."""
    glyphs = sheet.styles.glyphs
    head = f"{glyphs.seam}{glyphs.gap * _SEAM_DASHES} {sheet.time(seam.timestamp)}  "
    room = sheet.measure - width(head)
    text = seam_text(seam, glyphs.arrow, seam_opening(seam))
    if width(text) > room:
        text = seam_text(seam, glyphs.arrow)
    if sheet.columns is not None:
        text = fit(text, room, glyphs.ellipsis)
    dashes = glyphs.gap * (room - width(text) - 1)
    line = sheet.styles.paint(Role.COMPACTION, f"{head}{text} {dashes}".rstrip(" "))
    summaries = [b for turn in turns for b in turn.blocks if b.type == "summary"]
    return [line, *(row for block in summaries for row in quiet_lines(block, sheet))]


def _twig(branch: Branch, setting: Setting) -> str:
    """Write where another branch leaves: its first words, how long it is, why it was left."""
    sheet = setting.sheet
    glyphs = sheet.styles.glyphs
    asked = [item for item in branch.items if isinstance(item, Exchange)]
    sign = glyphs.knot if branch.active else glyphs.other
    role = Role.ACTIVE if branch.active else Role.LEFT
    why = "active" if branch.active else left_because(branch)
    if why == "rewound":
        why = f"{why} {sheet.time(left_at(branch))}"
    facts = [plural(len(asked), "turn"), why]
    last = next((one.uuid for one in reversed(asked) if one.uuid), None)
    if last is not None:
        facts.append(f"--tip {last[: setting.short]}")
    words = next((one.text for one in asked), "")
    left = [(role, f"{glyphs.tee}{glyphs.dash}{sign} "), (role, words)]
    return sheet.line(left, [(Role.META, ", ".join(fact for fact in facts if fact))])
