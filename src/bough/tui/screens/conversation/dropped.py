"""Dropped: what a compaction took away from Claude, prompt by prompt."""

from typing import ClassVar

from bough.model.conversation.branch_path import dropped_by
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Seam
from bough.tui.conversation.view import Telling
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import Line, Role, one_line, plural, seam_text
from bough.tui.widgets.list_items import Piece, blank, say, still
from bough.tui.widgets.list_view import Reel


class Dropped(Place):
    """The turns between a compaction and the one before it."""

    KEYS: ClassVar = ("down", "open", "back", "help")

    def __init__(self, telling: Telling, seam: Seam) -> None:
        super().__init__()
        self.telling = telling
        self.seam = seam

    @override
    def where(self) -> list[str]:
        """Say what this is."""
        return [self.telling.session.title, "What was dropped"]

    @override
    def begin(self) -> None:
        """List the turns."""
        asked = dropped_by(self.seam, self.telling.items)
        glyphs = self.telling.glyphs
        pieces = [
            say("head", seam_text(self.seam, glyphs.arrow), Role.COMPACTION),
            say(
                "sub",
                f"Claude knows these {plural(len(asked), 'turn')} only from the summary.",
            ),
            blank("b"),
        ]
        for number, one in enumerate(asked):
            time = self.telling.setting.sheet.time(one.timestamp)
            line: Line = (
                (Role.COMPACTION, f"{glyphs.other} "),
                (Role.META, f"{time}  "),
                (Role.CLAUDE, one_line(one.text)),
                (Role.META, f"  {plural(one.steps, 'step')}"),
            )
            pieces.append(Piece(f"d/{number}", still([line]), "prompt", one))
        reel = self.query_one("#list", Reel)
        reel.show(pieces)
        reel.focus()

    def do_open(self) -> None:
        """Go to the turn in the conversation."""
        picked = self.query_one("#list", Reel).picked
        if picked is None or not isinstance(picked.about, Exchange):
            return
        uuid = picked.about.uuid
        self.bough.back()
        place = self.bough.place
        reel = place.reel if place is not None else None
        if reel is not None and uuid is not None:
            reel.to_key(f"{self.telling.scope}{uuid}")
