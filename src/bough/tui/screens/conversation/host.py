"""What the parts of a conversation's screen ask of the screen that has them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from bough.model.conversation.messages import Message
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.view import ConversationContent
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from bough.tui.app.app import Bough


class ConversationHost(Protocol):
    """A screen with a conversation on it."""

    reader: ListView
    content: ConversationContent | None
    folds: Folds
    whole: bool
    """Whether all of the session was read, not only the part that is seen."""

    @property
    def bough(self) -> "Bough":
        """Give the app."""

    @property
    def path(self) -> str:
        """Give the file of the session."""

    @property
    def session_id(self) -> str:
        """Give the id of the session."""

    @property
    def message(self) -> Message | None:
        """Give the message under the cursor."""

    @property
    def list_view(self) -> ListView | None:
        """Give the list that has the keys."""

    def draw(self) -> None:
        """Show the conversation as it is folded now."""

    def do(self, name: str) -> bool:
        """Do what a key stands for."""

    def show_footer_keys(self) -> None:
        """Write the footer."""

    def run_in_thread(
        self, question: Callable[[], object], answer: Callable[[object], None], group: str = "ask"
    ) -> None:
        """Ask something in a thread; the answer comes back to the screen."""
