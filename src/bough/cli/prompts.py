"""Questions to a person at a terminal: yes or no, and which of several points is meant.

Questions go to stderr, so that stdout stays data. Where nobody is there to answer, the
question becomes a sentence that says what to give instead.
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from bough import library
from bough.cli import output
from bough.errors import BoughError, Misuse
from bough.library import shorten_id
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.capabilities import is_terminal
from bough.terminal.reports.plan_preview import format_prompt
from bough.terminal.text import fit, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bough.library import AmbiguousPoint, NotATurnEnd, Plan, Point, PointSpec
    from bough.model.session import Session

_YES: Final = {"y", "yes"}
_NOTHING: Final = "Nothing was changed."
_COLUMNS: Final = 100


def is_interactive() -> bool:
    """Tell whether a person can read a question and answer it."""
    return is_terminal(sys.stdin) and is_terminal(sys.stderr)


def ask_yes_no(question: str) -> bool:
    """Ask once; anything but a yes is a no."""
    return (_read_answer(f"{question} (y/N) ") or "").casefold() in _YES


def make_planner(
    path: "Path",
    at: str,
    plan: "Callable[[PointSpec], Plan]",
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
        yes: Ask nothing; another point than the one given is then never taken.
    """
    aim = library.PointSpec(at)

    def make() -> "Plan":
        nonlocal aim
        while True:
            try:
                return plan(aim)
            except library.AmbiguousPoint as error:
                aim = library.PointSpec(_choose_point(path, error, spelled))
            except library.NotATurnEnd as error:
                aim = library.PointSpec(_offer_nearest(error, spelled, yes=yes))

    return make


def _offer_nearest(error: "NotATurnEnd", spelled: Callable[[str], str], *, yes: bool) -> str:
    """Offer the end of the turn instead of a point in its middle."""
    if error.nearest is None:
        raise error
    name = shorten_id(error.nearest)
    reason = f"This point ends no turn: {error.reason}. The turn ends at {name}"
    if yes or not is_interactive():
        raise library.Refusal(f"{reason}; use {spelled(name)}.")
    output.say(f"{reason}.")  # apart from the question, which must fit on a line
    if ask_yes_no("Use that?"):
        return error.nearest
    raise library.Refusal(_NOTHING)


def _choose_point(path: "Path", error: "AmbiguousPoint", spelled: Callable[[str], str]) -> str:
    """Let a person choose one of several points, or list them."""
    session = library.read_session(path)
    lines = [_describe_point(session, uuid) for uuid in error.matches]
    head = f'"{error.wanted}" fits {len(lines)} turns:'
    if error.wanted.lower() in {uuid[: len(error.wanted)] for uuid in error.matches}:
        head = f'"{error.wanted}" begins {len(lines)} ids:'
    if not is_interactive():
        listed = "\n".join(f"  {line}" for line in lines)
        name = shorten_id(error.matches[0])
        raise Misuse(f"{head}\n{listed}\nGive the id of one, as in {spelled(name)}.")
    at = _ask_number(head, lines)
    if at is None:
        raise BoughError(f"Nothing was chosen. {_NOTHING}")
    return error.matches[at]


def choose_line(head: str, lines: "Sequence[str]", example: str, *, most: int) -> int:
    """Let a person choose one of several by number; where nobody can be asked, list them.

    Args:
        head: What they have in common.
        lines: What tells each from the others; it begins with an id.
        example: A command that names one by its id.
        most: How many are shown.
    """
    shown = lines[:most]
    rest = [f"and {len(lines) - most:,} more"] if len(lines) > most else []
    if not is_interactive():
        listed = "\n".join(f"  {line}" for line in (*shown, *rest))
        raise Misuse(f"{head}\n{listed}\nGive the id of one, as in {example}.")
    at = _ask_number(head, shown, rest)
    if at is None:
        raise BoughError("Nothing was chosen.")
    return at


def _ask_number(head: str, lines: "Sequence[str]", rest: "Sequence[str]" = ()) -> int | None:
    """Show lines with numbers and ask for one; None where none is given."""
    output.say(head)
    for number, line in enumerate(lines, 1):
        output.say(f"{number:3}  {fit(line, _COLUMNS)}")
    for line in rest:
        output.say(f"     {line}")
    while (answer := _read_answer(f"Which one? (1-{len(lines)}) ")) is not None:
        if answer.isdigit() and 1 <= int(answer) <= len(lines):
            return int(answer) - 1
        if not answer:
            break
    return None


def _describe_point(session: "Session", uuid: str) -> str:
    """Describe a point so that a person can tell it from others."""
    canvas = Canvas(clock.now(), words=clock.read_time_words())
    node = session.tree.number[uuid]
    point = _find_point(session, node)
    words = one_line(format_prompt(point.text)) if point is not None else ""
    time = canvas.time(session.tree.nodes[node].timestamp)
    active = any(
        session.message_tree.above[node] in session.message_tree.path(tip.group)
        for tip in session.tips
        if tip.active
    )
    return f"{shorten_id(uuid)}  {time}  {'' if active else '(left behind) '}{words}"


def _find_point(session: "Session", node: int) -> "Point | None":
    group = session.message_tree.above[node]
    return library.describe_point(session, group) if group >= 0 else None


def _read_answer(question: str) -> str | None:
    """Read what a person types; None where they end the input."""
    output.flush_output()
    output.show_status(question)
    text = sys.stdin.readline()
    if not text:
        output.say("")  # the cursor still stands behind the question
        return None
    return text.strip()
