"""A conversation on a sheet: its head, then everything on the way to its tip.

A conversation as a person reads it, from its start to its tip.

The stem runs through everything: what leaves it, an agent or another branch, is said where
it leaves. Branches that are not read are one line each; with all of them unfolded they
stand at their place, behind a bar.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.branch_path import (
    Item,
    left_at,
    left_because,
    route,
    seam_opening,
    seam_text,
)
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Overview, Parting, Seam, overview
from bough.model.conversation.turns import Turn
from bough.model.session import Session
from bough.model.text.formats import duration, plural
from bough.model.text.times import moment_of, seconds_between
from bough.model.usage.costs import NOTHING, Bill
from bough.terminal.canvas import MEASURE, Sheet
from bough.terminal.conversation.turn_context import foot, setting_for, turns_by_item
from bough.terminal.conversation.turns import Setting, quiet_lines, turn_lines
from bough.terminal.header import money, session_line
from bough.terminal.style import Role
from bough.terminal.text import fit, width

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


class Shown(Struct, frozen=True):
    """The lines, and the one (from 1) that a pager opens at."""

    lines: list[str]
    start: int | None

    def opening(self, height: int | None) -> int | None:
        """Choose the line at the top of a screen: no emptiness below the end."""
        if self.start is None or height is None:
            return self.start
        return min(self.start, max(1, len(self.lines) - height + 2))


def shown(
    session: Session,
    told: list[Conversation],
    sheet: Sheet,
    through: str | None,
    *,
    everything: bool,
) -> Shown:
    """Write the conversation that was asked for; with everything, the others at their places."""
    main = next((c for c in told if c.active), told[-1])
    seen = overview(session)
    items = route(seen, main.tip)
    aside = _seen_from(sheet, session)
    ordered = [main, *(c for c in told if c is not main)]
    setting = setting_for(session, seen, aside, ordered)
    if not items:
        lines = [line for turn in main.turns for line in turn_lines(turn, setting)]
        return Shown([*_head(session, main, seen, items, sheet), *lines], None)
    reading = read_out(items, turns_by_item(ordered, items), setting, unfold=everything)
    head = _head(session, main, seen, items, sheet)
    target = _target(items, through)
    start = reading.places.get(target or "")
    return Shown([*head, *reading.lines[:-1]], start + len(head) if start else None)


def _seen_from(sheet: Sheet, session: Session) -> Sheet:
    """Tell times as seen from the session's end, so that its last day has hours."""
    ended = moment_of(session.ended_at)
    return sheet if ended is None else replace(sheet, now=ended)


def _target(items: list[Item], through: str | None) -> str | None:
    """Find the exchange a reader wants to see first: the one named, else the last."""
    asked = [item for item in items if isinstance(item, Exchange)]
    if through is not None:
        asked = [exchange for exchange in asked if through in exchange.uuids] or asked
    return asked[-1].uuid if asked else None


def _head(
    session: Session, conversation: Conversation, seen: Overview, items: list[Item], sheet: Sheet
) -> list[str]:
    words = _sentence(session, conversation, seen, items, sheet)
    return [
        session_line(session, sheet, sheet.measure),
        *sheet.prose(words, 0, Role.META),
        "",
    ]


def _sentence(
    session: Session, conversation: Conversation, seen: Overview, items: list[Item], sheet: Sheet
) -> str:
    """Say which branch this is, how long, what it cost, and when it was."""
    asked = [item for item in items if isinstance(item, Exchange)]
    bill = sum((exchange.bill for exchange in asked), NOTHING)
    branches = len(session.tips)
    which = "Active branch" if conversation.active else "Branch left behind"
    facts = [f"{which} of {branches}"] if branches > 1 else []
    facts += [plural(len(asked), "turn"), _costs(bill, seen.bill)]
    seconds = seconds_between(conversation.started_at, conversation.ended_at)
    facts += [duration(seconds) if seconds else "", _day(conversation, sheet)]
    return ", ".join(fact for fact in facts if fact)


def _costs(here: Bill, all_of_it: Bill) -> str:
    if here.picodollars == all_of_it.picodollars or not money(here):
        return money(all_of_it)
    return f"{money(here)} here, {money(all_of_it)} in all"


def _day(conversation: Conversation, sheet: Sheet) -> str:
    """Name the day where it is not today."""
    ended = moment_of(conversation.ended_at)
    if ended is None or ended.astimezone().date() == sheet.now.astimezone().date():
        return ""
    return f"ended {sheet.time(conversation.ended_at)}"
