"""A conversation on a sheet: its head, then everything on the way to its tip."""

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.conversation import Conversation
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Overview, overview
from bough.model.conversation.route import Item, route
from bough.model.session import Session
from bough.model.text.elapsed import seconds_between
from bough.model.text.numbers import duration, plural
from bough.model.text.times import moment_of
from bough.model.usage.bills import NOTHING, Bill
from bough.terminal.canvas import Sheet
from bough.terminal.conversation.reading import read_out
from bough.terminal.conversation.telling import setting_for, turns_by_item
from bough.terminal.conversation.turns import turn_lines
from bough.terminal.header import money, session_line
from bough.terminal.style import Role


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
