"""A conversation up to a point: all that Claude will see after a fork from there.

Only read: what changes the session, or leads to another of its branches, has no key here. The
way back is the preview.
"""

from typing import ClassVar, Final

from bough.library import read_session
from bough.tui.conversation.load_conversation import Opened, ready
from bough.tui.conversation.view import Telling
from bough.tui.override import override
from bough.tui.screens.conversation.screen import Conversation

_NOT_HERE: Final = frozenset(
    ("fork", "make-active", "undo", "rename", "compare", "tree", "follow", "export")
)


class UpTo(Conversation):
    """The beginning of a conversation."""

    KEYS: ClassVar = ("down", "unfold", "next-prompt", "find", "page-down", "back", "help")

    def __init__(self, path: str, uuid: str, what: str) -> None:
        super().__init__(path, tip=uuid)
        self.point = uuid
        self.what = what

    @override
    def where(self) -> list[str]:
        """Say what it is."""
        return [self.what, "Claude will see"]

    @override
    def begin(self) -> None:
        """Read all of it: a point may lie anywhere."""
        self.settle_in()
        self.ask(self.read_whole, self.show_opened)

    @override
    def read_whole(self) -> Opened:
        """Read the session, and tell it up to the point."""
        telling = Telling(read_session(self.path), self.point, glyphs=self.bough.glyphs, up_to=True)
        return ready(telling, self.folds, None, whole=True)

    @override
    def show_opened(self, found: object) -> None:
        """Show it, and stay: nothing follows a point."""
        super().show_opened(found)
        self.reader.follow = False

    @override
    def do_end(self) -> None:
        """Go to the point."""
        self.reader.to_end()

    @override
    def follows(self) -> bool:
        """Follow nothing: what comes is beyond the point."""
        return False

    @override
    def remember(self) -> None:
        """Keep nothing: this is not where reading of the session stopped."""

    @override
    def can(self, name: str) -> bool:
        """Offer nothing that changes the session or leads away from the point."""
        return name not in _NOT_HERE and super().can(name)

    @override
    def do(self, name: str) -> bool:
        """Do what only reads."""
        return name not in _NOT_HERE and super().do(name)
