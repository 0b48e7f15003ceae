"""A conversation made ready to be shown, away from the screen.

All that takes long is done here, in a thread: telling it, listing its pieces and what stands
beside it, finding the words that somebody came for.
"""

from collections.abc import Sequence

from msgspec import Struct

from bough.library import Session
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.side_panes import fact_pieces, outline_pieces
from bough.tui.conversation.text_matches import Spot, find, find_in_turn
from bough.tui.conversation.view import Telling
from bough.tui.style.style import Glyphs
from bough.tui.widgets.list_items import Piece


class Target(Struct, frozen=True):
    """Where to go once a session is open: a record, and words in it."""

    uuid: str | None = None
    words: str = ""


class Opened(Struct):
    """A conversation, whether it is all of it, and where in it to go."""

    telling: Telling
    whole: bool
    goes_to: str | None = None
    """The key of the piece that was asked for; None where none was, or it is not in it."""
    spots: Sequence[Spot] = ()
    spot: int | None = None
    outline: Sequence[Piece] = ()
    facts: Sequence[Piece] = ()


def ready(telling: Telling, folds: Folds, target: Target | None, *, whole: bool) -> Opened:
    """Make a conversation ready."""
    telling.pieces(folds)
    made = Opened(telling, whole)
    if whole:
        made.outline, made.facts = outline_pieces(telling), fact_pieces(telling)
    turn = telling.holding(target.uuid) if target is not None and target.uuid else None
    if turn is None or target is None:
        return made
    made.goes_to = telling.key_of(turn)
    if target.words:
        made.spots = find(telling, target.words)
        inside = {spot.key for spot in find_in_turn(telling, target.words, turn)}
        made.spot = next((n for n, spot in enumerate(made.spots) if spot.key in inside), None)
    return made


def told(session: Session, uuid: str | None, tip: str | None, glyphs: Glyphs) -> Telling:
    """Tell the conversation through a record, else to a tip, else the active one."""
    known = session.tree.number
    wanted = next((one for one in (uuid, tip) if one is not None and one in known), None)
    return Telling(session, wanted, glyphs=glyphs)
