"""What came before the app did: keys that were typed early, an answer that comes late."""

import re
import unicodedata
from time import monotonic
from typing import Final

from textual import events
from textual.app import App
from textual.keys import KEY_NAME_REPLACEMENTS

from bough.tui.override import override
from bough.tui.style.background import Ground, LateAnswer

_SEQUENCE: Final = re.compile("\x1b[\\[O][0-?]*[ -/]*[@-~]")
"""An arrow or the like: what it was meant for is gone before it could be seen."""
_NAMES: Final = {"\r": "enter", "\n": "enter", "\t": "tab", "\x1b": "escape", "\x7f": "backspace"}


def key_name(character: str) -> str:
    """Name a key as Textual does."""
    if character in _NAMES or character.isalnum():
        return _NAMES.get(character, character)
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


class Arriving(App[None]):
    """Takes over from the shell without losing a key."""

    _ground = Ground()
    _late: LateAnswer | None = None

    def arrive(self, ground: Ground) -> None:
        """Keep what the terminal said, for when the app runs."""
        self._ground = ground

    def on_ready(self) -> None:
        """Take the keys that were typed before there was an app."""
        if self._ground.owes:
            self._late = LateAnswer(monotonic())
        for character in _SEQUENCE.sub("", self._ground.typed):
            self.post_message(events.Key(key_name(character), character))

    @override
    async def on_event(self, event: events.Event) -> None:
        """Keep a late answer from the screens."""
        late = self._late
        key = event.key if isinstance(event, events.Key) and not event.is_forwarded else ""
        if late is None or not key or not late.swallows(key, monotonic()):
            await super().on_event(event)
