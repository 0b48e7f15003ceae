"""The line in which words to find are typed, and where they are looked for."""

from textual import events
from textual.message import Message
from textual.widgets import Input


class FindBar(Input):
    """Asks for words; Tab changes between this branch and all of them."""

    class Widened(Message):
        """Words are to be looked for in more places, or in fewer."""

        def __init__(self, *, everywhere: bool) -> None:
            super().__init__()
            self.everywhere = everywhere

    def __init__(self) -> None:
        super().__init__(id="find", classes="hidden")
        self.everywhere = False
        self._update_placeholder()

    @property
    def is_shown(self) -> bool:
        """Tell whether it is to be seen."""
        return not self.has_class("hidden")

    def on_key(self, event: events.Key) -> None:
        """Take Tab, before it goes to the next pane."""
        if event.key == "tab":
            event.stop()
            event.prevent_default()
            self._toggle_everywhere()

    def _toggle_everywhere(self) -> None:
        self.everywhere = not self.everywhere
        self._update_placeholder()
        self.post_message(self.Widened(everywhere=self.everywhere))

    def _update_placeholder(self) -> None:
        here, other = "this branch and its agents", "all branches"
        now, then = (other, here) if self.everywhere else (here, other)
        self.placeholder = f"Find on {now}. Tab: on {then}"
