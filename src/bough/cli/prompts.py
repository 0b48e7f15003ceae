"""Questions to a person at a terminal: yes or no, and which of several points is meant.

Questions go to stderr, so that stdout stays data. Where nobody is there to answer, the
question becomes a sentence that says what to give instead.
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from bough.cli import output
from bough.errors import BoughError, Misuse
from bough.query.sessions.load_session import read_session
from bough.terminal import clock
from bough.terminal.capabilities import is_terminal
from bough.terminal.reports.plan_preview import as_typed
from bough.terminal.text import fit, one_line
from bough.timetravel.errors import AmbiguousPoint, EndsNoTurn, Refused, short
from bough.timetravel.plans.find_point import Aim
from bough.timetravel.plans.turn_ends import point_at

if TYPE_CHECKING:
    from pathlib import Path

    from bough.model.session import Session
    from bough.timetravel.plan import Plan, Point

_YES: Final = {"y", "yes"}
_NOTHING: Final = "Nothing was changed."
_COLUMNS: Final = 100


def somebody_is_there() -> bool:
    """Tell whether a person can read a question and answer it."""
    return is_terminal(sys.stdin) and is_terminal(sys.stderr)


def agreed(question: str) -> bool:
    """Ask once; anything but a yes is a no."""
    return (_answer(f"{question} (y/N) ") or "").casefold() in _YES


def aiming(
    path: "Path",
    at: str,
    plan: "Callable[[Aim], Plan]",
    spelled: Callable[[str], str],
    *,
    yes: bool = False,
) -> "Callable[[], Plan]":
    """Give what makes a plan for a point, and asks which one is meant where that is unclear.

    What was answered once is not asked again when the plan is made again.

    Args:
        path: The session's file.
        at: The point as it was given.
        plan: Makes a plan for a point.
        spelled: Writes the words of a command line that name a point by its id.
        yes: Take the nearest end of a turn without asking.
    """
    aim = Aim(at)

    def make() -> "Plan":
        nonlocal aim
        while True:
            try:
                return plan(aim)
            except AmbiguousPoint as error:
                aim = Aim(_chosen(path, error, spelled))
            except EndsNoTurn as error:
                aim = Aim(_nearest(error, spelled, yes=yes))

    return make


def _nearest(error: EndsNoTurn, spelled: Callable[[str], str], *, yes: bool) -> str:
    """Offer the end of the turn instead of a point in its middle."""
    if error.nearest is None:
        raise error
    if yes:
        return error.nearest
    name = short(error.nearest)
    reason = f"This point ends no turn: {error.reason}. The turn ends at {name}"
    if not somebody_is_there():
        raise Refused(f"{reason}; use {spelled(name)}.")
    output.say(f"{reason}.")  # apart from the question, which must fit on a line
    if agreed("Use that?"):
        return error.nearest
    raise Refused(_NOTHING)


def _chosen(path: "Path", error: AmbiguousPoint, spelled: Callable[[str], str]) -> str:
    """Let a person choose one of several points, or list them."""
    session = read_session(path)
    lines = [_line(session, uuid) for uuid in error.matches]
    head = f'"{error.wanted}" fits {len(lines)} turns:'
    if error.wanted.lower() in {uuid[: len(error.wanted)] for uuid in error.matches}:
        head = f'"{error.wanted}" begins {len(lines)} ids:'
    if not somebody_is_there():
        listed = "\n".join(f"  {line}" for line in lines)
        name = short(error.matches[0])
        raise Misuse(f"{head}\n{listed}\nGive the id of one, as in {spelled(name)}.")
    output.say(head)
    for number, line in enumerate(lines, 1):
        output.say(f"{number:3}  {fit(line, _COLUMNS)}")
    while (answer := _answer(f"Which one? (1-{len(lines)}) ")) is not None:
        if answer.isdigit() and 1 <= int(answer) <= len(lines):
            return error.matches[int(answer) - 1]
        if not answer:
            break
    raise BoughError(f"None was chosen. {_NOTHING}")


def _line(session: "Session", uuid: str) -> str:
    """Describe a point so that a person can tell it from others."""
    from bough.terminal.canvas import Sheet  # noqa: PLC0415 - rarely asked

    sheet = Sheet(clock.now(), words=clock.time_words())
    node = session.tree.number[uuid]
    point = _point(session, node)
    words = one_line(as_typed(point.text)) if point is not None else ""
    time = sheet.time(session.tree.nodes[node].timestamp)
    active = any(
        session.story.above[node] in session.story.path(tip.knot)
        for tip in session.tips
        if tip.active
    )
    return f"{short(uuid)}  {time}  {'' if active else '(left behind) '}{words}"


def _point(session: "Session", node: int) -> "Point | None":
    knot = session.story.above[node]
    return point_at(session, knot) if knot >= 0 else None


def _answer(question: str) -> str | None:
    """Read what a person types; None where they end the input."""
    output.finish()
    output.status(question)
    text = sys.stdin.readline()
    if not text:
        output.say("")  # the cursor still stands behind the question
        return None
    return text.strip()
