"""From a conversation to its other branches: reading one, comparing it, what was dropped."""

from typing import Protocol

from textual.screen import Screen

from bough.library import PlanFile, PlanLink
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.turns import Turn
from bough.tui.conversation.load_conversation import Target
from bough.tui.conversation.view import ItemSource
from bough.tui.screens.conversation.host import ConversationHost
from bough.tui.widgets.list_items import ListItem


class BranchHost(ConversationHost, Protocol):
    """A screen with a conversation, which can open another of its branches."""

    def make_branch_screen(self, tip: str, target: Target) -> Screen[object]:
        """Give a screen with another branch of the session."""

    def make_session_screen(self, path: str, title: str) -> Screen[object]:
        """Give a screen with another session of the project."""


class BranchNavigation:
    """Side branches and compactions of a conversation, to be opened."""

    def __init__(self, screen: BranchHost) -> None:
        self.screen = screen

    def do_open(self) -> None:
        """Open what is under the cursor: read a branch, go to a prompt, unfold the rest."""
        shown = self.screen.list_view
        picked = shown.picked if shown is not None else None
        if picked is None or self.screen.content is None:
            return
        if picked.kind == "plan":
            self._open_plan(picked.about)
        elif shown is not self.screen.reader:
            self._open_from_pane(picked)
        elif picked.kind == "side-branch" and isinstance(picked.about, ItemSource):
            self._read_branch(picked.about.item)
        elif picked.kind == "compaction" and isinstance(picked.about, ItemSource):
            self._show_dropped(picked, picked.about.item)
        else:
            self.screen.do("toggle")

    def _open_from_pane(self, picked: ListItem) -> None:
        if isinstance(picked.about, Branch):
            self._read_branch(picked.about)
        elif isinstance(picked.about, str):
            self.screen.reader.go_to_key(picked.about)
            self.screen.reader.focus()

    def _open_plan(self, mark: object) -> None:
        """Read a plan, or the session of its other part."""
        if isinstance(mark, PlanLink):
            self.screen.bough.open(self.screen.make_session_screen(mark.path, mark.title))
        elif isinstance(mark, PlanFile) and self.screen.content is not None:
            from bough.tui.screens.conversation.plan_text import PlanTextScreen  # noqa: PLC0415

            self.screen.bough.open(PlanTextScreen(self.screen.content.session.title, mark))

    def _read_branch(self, branch: object) -> None:
        asked = (
            [i for i in branch.items if isinstance(i, Turn)] if isinstance(branch, Branch) else []
        )
        last = next((one.uuid for one in reversed(asked) if one.uuid), None)
        if last is not None:
            self.screen.bough.open(self.screen.make_branch_screen(last, Target(asked[0].uuid)))

    def _show_dropped(self, picked: ListItem, item: object) -> None:
        from bough.tui.screens.conversation.dropped import DroppedScreen  # noqa: PLC0415

        if not self.screen.folds.is_open(picked.key):
            self.screen.do("toggle")
        elif isinstance(item, Compaction) and self.screen.content is not None:
            self.screen.bough.open(DroppedScreen(self.screen.content, item))

    def do_compare(self) -> None:
        """Compare the branch under the cursor with the active one."""
        from bough.tui.screens.compare import CompareScreen  # noqa: PLC0415

        picked = self.screen.reader.picked
        about = picked.about if picked is not None else None
        if self.screen.content is None or not self.screen.whole:
            return
        session, tip = self.screen.content.session, self.screen.content.conversation.tip
        if isinstance(about, ItemSource) and isinstance(about.item, Branch):
            asked = [i for i in about.item.items if isinstance(i, Turn)]
            tip = next((one.uuid for one in reversed(asked) if one.uuid), tip)
        active = session.active_tip
        if active is not None and tip is not None and tip != active:
            self.screen.bough.open(CompareScreen(session, active, tip))
        else:
            self.screen.bough.show_notice(
                "This is the active branch. Compare another: c on a side branch or in the tree."
            )
