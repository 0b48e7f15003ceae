"""Presentations that are being shown: a few of each open session.

To hide the secrets of a long session takes seconds, and slides are asked for one after the other.
Who presents sees one state of a session, also while that goes on.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from bough.library import Presentation

_MOST: Final = 2

_Name = tuple[str | None, str | None, str | None, bool]
"""Which conversation, by tip, agent and end, and whether its secrets are hidden."""


class PresentationSnapshot(Struct, frozen=True):
    """A presentation of a revision of a session."""

    revision: str
    presentation: Presentation


class PresentationCache:
    """The presentations of one session, those asked for last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[_Name, str], PresentationSnapshot] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, name: _Name, revision: str) -> PresentationSnapshot | None:
        """Give one that is here."""
        return self._kept.get((name, revision))

    def add(
        self, name: _Name, revision: str, build: Callable[[], Presentation]
    ) -> PresentationSnapshot:
        """Make one, unless somebody else did so meanwhile."""
        with self._lock:
            key = name, revision
            if key not in self._kept:
                self._kept[key] = PresentationSnapshot(revision, build())
            self._kept.move_to_end(key)
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)
            return self._kept[key]
