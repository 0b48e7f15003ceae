"""A conversation up to a point: all that Claude will see after a fork from there.

Only read: what changes the session, or leads to another of its branches, has no key here. The
way back is the preview.
"""

from typing import ClassVar, Final

from bough.library import read_session
from bough.tui.conversation.load_conversation import LoadedConversation, prepare_conversation
from bough.tui.conversation.view import ConversationContent
from bough.tui.override import override
from bough.tui.screens.conversation.screen import ConversationScreen

_DISABLED_ACTIONS: Final = frozenset(
    ("fork", "make-active", "undo", "rename", "compare", "tree", "follow", "export")
)


class UpToScreen(ConversationScreen):
    """The beginning of a conversation."""

    KEYS: ClassVar = ("down", "unfold", "next-prompt", "find", "page-down", "back", "help")

    def __init__(self, path: str, uuid: str, what: str) -> None:
        super().__init__(path, tip=uuid)
        self.point = uuid
        self.what = what

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Say what it is."""
        return [self.what, "Claude will see"]

    @override
    def begin(self) -> None:
        """Read all of it: a point may lie anywhere."""
        self.restore_view()
        self.run_in_thread(self.read_whole, self.show_opened)

    @override
    def read_whole(self) -> LoadedConversation:
        """Read the session, and tell it up to the point."""
        telling = ConversationContent(
            read_session(self.path), self.point, glyphs=self.bough.glyphs, up_to=True
        )
        return prepare_conversation(telling, self.folds, None, whole=True)

    @override
    def show_opened(self, found: object) -> None:
        """Show it, and stay: nothing follows a point."""
        super().show_opened(found)
        self.reader.follow = False

    @override
    def do_end(self) -> None:
        """Go to the point."""
        self.reader.go_to_end()

    @override
    def can_follow(self) -> bool:
        """Follow nothing: what comes is beyond the point."""
        return False

    @override
    def remember(self) -> None:
        """Keep nothing: this is not where reading of the session stopped."""

    @override
    def can_do(self, name: str) -> bool:
        """Offer nothing that changes the session or leads away from the point."""
        return name not in _DISABLED_ACTIONS and super().can_do(name)

    @override
    def do(self, name: str) -> bool:
        """Do what only reads."""
        return name not in _DISABLED_ACTIONS and super().do(name)
