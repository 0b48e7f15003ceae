"""Where the conversation on a screen is read from.

All of it takes a while, so the screen calls it in threads. Nothing here knows a screen.
"""

from msgspec import Struct

from bough.library import Session, open_first, open_from, read_session
from bough.terminal.style import Glyphs
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.load_conversation import (
    LoadedConversation,
    Target,
    build_content,
    prepare_conversation,
)
from bough.tui.conversation.view import ConversationContent


class ConversationSource(Struct):
    """The file of a session, and which of its conversations is read."""

    path: str
    tip: str | None = None
    """The end of the branch that is read; None stands for the active one."""
    up_to: str | None = None
    """The record after which nothing is read; None stands for the end."""

    def read_first(
        self, offset: int | None, folds: Folds, target: Target | None, glyphs: Glyphs
    ) -> LoadedConversation:
        """Read what is looked at first: the part around an offset, else the end."""
        session, whole = open_first(self.path, offset)
        return self._prepare(session, folds, target, glyphs, whole=whole)

    def read_whole(self, folds: Folds, target: Target | None, glyphs: Glyphs) -> LoadedConversation:
        """Read all of the session."""
        return self._prepare(read_session(self.path), folds, target, glyphs, whole=True)

    def _prepare(
        self,
        session: Session,
        folds: Folds,
        target: Target | None,
        glyphs: Glyphs,
        *,
        whole: bool,
    ) -> LoadedConversation:
        if self.up_to is not None:
            content = ConversationContent(session, self.up_to, glyphs=glyphs, up_to=True)
        else:
            uuid = target.uuid if target is not None else None
            content = build_content(session, uuid, self.tip, glyphs)
        return prepare_conversation(content, folds, target, whole=whole)

    def read_from(self, offset: int, folds: Folds, glyphs: Glyphs) -> ConversationContent:
        """Read what was written from an offset on."""
        content = build_content(open_from(self.path, offset), None, self.tip, glyphs)
        content.pieces(folds)
        return content

    def read_branch(
        self, uuid: str, known: Session | None, folds: Folds, glyphs: Glyphs
    ) -> ConversationContent:
        """Give the conversation that goes through a record; a `known` session is not read again."""
        session = known if known is not None else read_session(self.path)
        content = build_content(session, uuid, None, glyphs)
        content.pieces(folds)
        return content
