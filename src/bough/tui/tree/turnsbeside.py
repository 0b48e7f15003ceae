"""The turns before and after a point, along the branch that it was chosen on."""

from bough.library import Session, read_session
from bough.model.conversation.route import conversation_through
from bough.model.tree.message_tree import NONE, Is


def turn_beside(path: str, branch: str, here: str, by: int) -> str | None:
    """Find the prompt of a turn so many turns away; None where the branch has none there.

    Args:
        path: The session's file.
        branch: A record of the branch.
        here: A record of the turn to go from.
        by: How many turns, back where it is below zero.
    """
    return beside(read_session(path), branch, here, by)


def beside(session: Session, branch: str, here: str, by: int) -> str | None:
    """Find the prompt of a turn in a session that is open."""
    story, number = session.story, session.tree.number
    if branch not in number or here not in number:
        return None
    knots = conversation_through(session, branch).knots
    prompts = [knot for knot in knots if story.knots[knot].kind is Is.PROMPT]
    own = story.above[number[here]]
    if own == NONE or own not in knots:
        return None
    at = knots.index(own)
    passed = sum(knots.index(prompt) <= at for prompt in prompts) - 1
    wanted = passed + by
    if not 0 <= wanted < len(prompts):
        return None
    return session.tree.uuid(story.knots[prompts[wanted]].first)
