"""From a conversation to its other branches: reading one, comparing it, what was dropped."""

from textual.screen import Screen

from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Seam
from bough.tui.conversation.load_conversation import Target
from bough.tui.conversation.view import About
from bough.tui.override import override
from bough.tui.screens.conversation.follow import Following
from bough.tui.widgets.list_items import Piece


class Branching(Following):
    """A conversation whose twigs and seams can be opened."""

    def another(self, tip: str, target: Target) -> Screen[object]:
        """Give a screen with another branch of the session."""
        raise NotImplementedError

    @override
    def do_open(self) -> None:
        """Open what is under the cursor: read a branch, go to a prompt, unfold the rest."""
        reel = self.reel
        picked = reel.picked if reel is not None else None
        if picked is None or self.telling is None:
            return
        if reel is not self.reader:
            self._open_beside(picked)
        elif picked.kind == "twig" and isinstance(picked.about, About):
            self._read_branch(picked.about.item)
        elif picked.kind == "seam" and isinstance(picked.about, About):
            self._show_dropped(picked, picked.about.item)
        else:
            self.do_toggle()

    def _open_beside(self, picked: Piece) -> None:
        if isinstance(picked.about, Branch):
            self._read_branch(picked.about)
        elif isinstance(picked.about, str):
            self.reader.to_key(picked.about)
            self.reader.focus()

    def _read_branch(self, branch: object) -> None:
        asked = (
            [i for i in branch.items if isinstance(i, Exchange)]
            if isinstance(branch, Branch)
            else []
        )
        last = next((one.uuid for one in reversed(asked) if one.uuid), None)
        if last is not None:
            self.bough.open(self.another(last, Target(asked[0].uuid)))

    def _show_dropped(self, picked: Piece, seam: object) -> None:
        from bough.tui.screens.conversation.dropped import Dropped  # noqa: PLC0415

        if not self.folds.is_open(picked.key):
            self.do_toggle()
        elif isinstance(seam, Seam) and self.telling is not None:
            self.bough.open(Dropped(self.telling, seam))

    def do_compare(self) -> None:
        """Compare the branch under the cursor with the active one."""
        from bough.tui.screens.compare import Compare  # noqa: PLC0415

        picked = self.reader.picked
        about = picked.about if picked is not None else None
        if self.telling is None or not self.whole:
            return
        session, tip = self.telling.session, self.telling.conversation.tip
        if isinstance(about, About) and isinstance(about.item, Branch):
            asked = [i for i in about.item.items if isinstance(i, Exchange)]
            tip = next((one.uuid for one in reversed(asked) if one.uuid), tip)
        active = session.active_tip
        if active is not None and tip is not None and tip != active:
            self.bough.open(Compare(session, active, tip))
        else:
            self.bough.tell(
                "This is the active branch. Compare another: c on a twig or in the tree."
            )
