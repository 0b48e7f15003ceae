"""`bough diff`: two branches of a session side by side."""

import click

from bough.cli import output
from bough.cli.arguments import asked_message, asked_session
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import sheet_for
from bough.cli.travel_documents import comparison_document
from bough.config import settings
from bough.errors import ExitCode, Misuse
from bough.model.session import Session
from bough.model.tree.message_tree import NONE, Is
from bough.model.usage.price_list import with_overrides
from bough.timetravel.compare.compare_branches import compare

_ACTIVE = "active"


@command("diff")
@click.argument("session")
@click.argument("tip1")
@click.argument("tip2")
@pass_globals
def diff(given: Globals, session: str, tip1: str, tip2: str) -> int:
    """Compare two branches of SESSION: where they part, and what each said, wrote and cost.

    SESSION is a path, the beginning of an id, or latest. TIP1 and TIP2 are messages by their
    ids, as bough tree and bough conversations show them, or active. A prompt stands for its
    whole turn. Wide terminals show both side by side, others one after the other.
    """
    asked = asked_session(given, session)
    seen = compare(asked, _tip(asked, tip1), _tip(asked, tip2), with_overrides(settings().prices))
    screen = output.screen(given.color)
    if given.json:
        output.emit_json(comparison_document(seen), screen)
        return ExitCode.FINE
    from bough.terminal.reports.branch_diff import diff_lines  # noqa: PLC0415 - JSON needs none of it

    output.page(diff_lines(asked, seen, sheet_for(given)), screen)
    return ExitCode.FINE


def _tip(session: Session, wanted: str) -> str:
    """Find the message that is meant; a prompt stands for its turn."""
    if wanted == _ACTIVE:
        if session.active_tip is None:
            raise Misuse(f"Session {session.id[:8]} has no active tip. Name a message.")
        return session.active_tip
    uuid = asked_message(session, wanted)
    story = session.story
    knot = story.above[session.tree.number[uuid]]
    if knot == NONE or story.knots[knot].kind is not Is.PROMPT:
        return uuid
    active = next((set(story.path(tip.knot)) for tip in session.tips if tip.active), set())
    while answers := [
        c for c in story.knots[knot].children if story.knots[c].kind is not Is.PROMPT
    ]:
        if story.knots[answers[-1]].kind is Is.SEAM:
            break
        knot = next((child for child in answers if child in active), answers[-1])
    return story.tree.uuid(story.last_line(knot))
