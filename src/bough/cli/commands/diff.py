"""`bough diff`: two branches of a session side by side."""

import click

from bough.cli import output
from bough.cli.arguments import find_message, load_session
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import make_canvas
from bough.cli.travel_documents import comparison_document
from bough.config import load_settings
from bough.errors import ExitCode, Misuse
from bough.model.session import Session
from bough.model.tree.message_tree import NONE, GroupKind
from bough.model.usage.price_list import apply_overrides
from bough.timetravel.compare.compare_branches import compare_branches

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
    asked = load_session(given, session)
    seen = compare_branches(
        asked,
        _find_tip(asked, tip1),
        _find_tip(asked, tip2),
        apply_overrides(load_settings().prices),
    )
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(comparison_document(seen), screen)
        return ExitCode.FINE
    from bough.terminal.reports.branch_diff import render_comparison  # noqa: PLC0415 - 17 ms; JSON needs none of it

    output.page_lines(render_comparison(asked, seen, make_canvas(given)), screen)
    return ExitCode.FINE


def _find_tip(session: Session, wanted: str) -> str:
    """Find the message that is meant; a prompt stands for its turn."""
    if wanted == _ACTIVE:
        if session.active_tip is None:
            raise Misuse(f"Session {session.id[:8]} has no active tip. Name a message.")
        return session.active_tip
    uuid = find_message(session, wanted)
    story = session.message_tree
    knot = story.above[session.tree.number[uuid]]
    if knot == NONE or story.groups[knot].kind is not GroupKind.PROMPT:
        return uuid
    active = next((set(story.path(tip.group)) for tip in session.tips if tip.active), set())
    while answers := [
        c for c in story.groups[knot].children if story.groups[c].kind is not GroupKind.PROMPT
    ]:
        if story.groups[answers[-1]].kind is GroupKind.COMPACTION:
            break
        knot = next((child for child in answers if child in active), answers[-1])
    return story.tree.uuid(story.last_line(knot))
