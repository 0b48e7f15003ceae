"""A conversation made ready to be shown, away from the screen.

All that takes long is done here, in a thread: telling it, listing its pieces and what stands
beside it, finding the words that somebody came for.
"""

from collections.abc import Sequence

from msgspec import Struct

from bough.library import Session, find_kept_place, find_plan_marks
from bough.model.interpret.kept_places import KeptPlace
from bough.terminal.style import Glyphs
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.side_panes import (
    build_fact_items,
    build_outline_items,
    build_place_items,
)
from bough.tui.conversation.text_matches import FindMatch, find_matches, find_matches_in_message
from bough.tui.conversation.view import ConversationContent
from bough.tui.widgets.list_items import ListItem


class Target(Struct, frozen=True):
    """Where to go once a session is open: a record, and words in it."""

    uuid: str | None = None
    words: str = ""


class LoadedConversation(Struct):
    """A conversation, whether it is all of it, and where in it to go."""

    content: ConversationContent
    whole: bool
    target_key: str | None = None
    """The key of the piece that was asked for; None where none was, or it is not in it."""
    matches: Sequence[FindMatch] = ()
    match_number: int | None = None
    outline: Sequence[ListItem] = ()
    facts: Sequence[ListItem] = ()
    kept_in: KeptPlace = KeptPlace.FILE


def prepare_conversation(
    content: ConversationContent, folds: Folds, target: Target | None, *, whole: bool
) -> LoadedConversation:
    """Make a conversation ready."""
    if whole:
        content.mark_plans(find_plan_marks(content.session, content.conversation))
    content.pieces(folds)
    made = LoadedConversation(content, whole)
    if whole:
        made.outline, made.facts = build_outline_items(content), build_fact_items(content)
        if content.session.path is not None:
            made.kept_in = find_kept_place(content.session.path)
            made.facts = [*build_place_items(made.kept_in, content.glyphs), *made.facts]
    message = content.find_message(target.uuid) if target is not None and target.uuid else None
    if message is None or target is None:
        return made
    made.target_key = content.item_key_of(message)
    if target.words:
        made.matches = find_matches(content, target.words)
        inside = {spot.key for spot in find_matches_in_message(content, target.words, message)}
        made.match_number = next(
            (n for n, spot in enumerate(made.matches) if spot.key in inside), None
        )
    return made


def build_content(
    session: Session, uuid: str | None, tip: str | None, glyphs: Glyphs
) -> ConversationContent:
    """Tell the conversation through a record, else to a tip, else the active one."""
    known = session.tree.number
    wanted = next((one for one in (uuid, tip) if one is not None and one in known), None)
    return ConversationContent(session, wanted, glyphs=glyphs)
