"""From a conversation to its other branches: reading one, comparing it, what was dropped."""

from textual.screen import Screen

from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.turns import Turn
from bough.tui.conversation.load_conversation import Target
from bough.tui.conversation.view import ItemSource
from bough.tui.override import override
from bough.tui.screens.conversation.follow import FollowLive
from bough.tui.widgets.list_items import ListItem


class BranchNavigation(FollowLive):
    """A conversation whose twigs and seams can be opened."""

    def make_branch_screen(self, tip: str, target: Target) -> Screen[object]:
        """Give a screen with another branch of the session."""
        raise NotImplementedError

    @override
    def do_open(self) -> None:
        """Open what is under the cursor: read a branch, go to a prompt, unfold the rest."""
        reel = self.list_view
        picked = reel.picked if reel is not None else None
        if picked is None or self.content is None:
            return
        if reel is not self.reader:
            self._open_from_pane(picked)
        elif picked.kind == "twig" and isinstance(picked.about, ItemSource):
            self._read_branch(picked.about.item)
        elif picked.kind == "seam" and isinstance(picked.about, ItemSource):
            self._show_dropped(picked, picked.about.item)
        else:
            self.do_toggle()

    def _open_from_pane(self, picked: ListItem) -> None:
        if isinstance(picked.about, Branch):
            self._read_branch(picked.about)
        elif isinstance(picked.about, str):
            self.reader.go_to_key(picked.about)
            self.reader.focus()

    def _read_branch(self, branch: object) -> None:
        asked = (
            [i for i in branch.items if isinstance(i, Turn)] if isinstance(branch, Branch) else []
        )
        last = next((one.uuid for one in reversed(asked) if one.uuid), None)
        if last is not None:
            self.bough.open(self.make_branch_screen(last, Target(asked[0].uuid)))

    def _show_dropped(self, picked: ListItem, seam: object) -> None:
        from bough.tui.screens.conversation.dropped import DroppedScreen  # noqa: PLC0415

        if not self.folds.is_open(picked.key):
            self.do_toggle()
        elif isinstance(seam, Compaction) and self.content is not None:
            self.bough.open(DroppedScreen(self.content, seam))

    def do_compare(self) -> None:
        """Compare the branch under the cursor with the active one."""
        from bough.tui.screens.compare import CompareScreen  # noqa: PLC0415

        picked = self.reader.picked
        about = picked.about if picked is not None else None
        if self.content is None or not self.whole:
            return
        session, tip = self.content.session, self.content.conversation.tip
        if isinstance(about, ItemSource) and isinstance(about.item, Branch):
            asked = [i for i in about.item.items if isinstance(i, Turn)]
            tip = next((one.uuid for one in reversed(asked) if one.uuid), tip)
        active = session.active_tip
        if active is not None and tip is not None and tip != active:
            self.bough.open(CompareScreen(session, active, tip))
        else:
            self.bough.show_notice(
                "This is the active branch. Compare another: c on a twig or in the tree."
            )
