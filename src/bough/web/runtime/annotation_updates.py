"""What the pages are told of stars, notes and hidden projects that another process changed.

The file with them says in its first bytes how often it was changed: that is looked at whenever the
live updates come round, about once a second, and nothing more as long as nothing changed.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from bough.library import Annotation, Annotations, list_other_notes, load_readable_annotations
from bough.web.runtime.broadcaster import ServerEvent
from bough.web.runtime.list_cache import ListSnapshot
from bough.web.runtime.session_ids import SessionIds
from bough.web.wire.annotation_items import AnnotationItem
from bough.web.wire.list_rows import OtherNote
from bough.web.wire.live_events import ResetEvent

_EVERY: Final = 0.5
_MOST_EVENTS: Final = 200
"""After more changes at once, as of an import, pages ask for everything again."""


class AnnotationUpdates:
    """Tells what is other than it was; what a page changed is told twice, and alike."""

    def __init__(
        self,
        session_ids: SessionIds,
        lists: Callable[[], ListSnapshot],
        publish: Callable[[Sequence[ServerEvent]], None],
        load: Callable[[], Annotations] = lambda: load_readable_annotations()[0],
    ) -> None:
        self._session_ids = session_ids
        self._lists = lists
        self._publish = publish
        self._load = load
        self._known: Annotations | None = None
        self._looked_at = 0.0

    def look(self) -> None:
        """Tell the pages what changed since the last look; the first look only remembers."""
        now = time.monotonic()
        if now - self._looked_at < _EVERY:
            return
        self._looked_at = now
        found = self._load()
        before, self._known = self._known, found
        if before is None or found is before:
            return
        changed = _find_changed(before, found)
        if len(changed) > _MOST_EVENTS:
            self._publish([ServerEvent("reset", ResetEvent("Many notes changed."))])
        elif changed:
            items = [item for one in changed for item in self._make_items(one)]
            self._publish([ServerEvent("annotation", item) for item in items])

    def _make_items(self, one: Annotation) -> list[AnnotationItem]:
        return [make_annotation_item(one, address) for address in self._find_addresses(one)]

    def _find_addresses(self, one: Annotation) -> list[str]:
        """Give the ids by which pages know something: copies of a session have one each."""
        match one.kind:
            case "session":
                return [e.id for e in self._session_ids.entries() if e.session == one.id]
            case "project":
                lists = self._lists()
                return [
                    address
                    for folder, address in lists.project_ids.items()
                    if (project := lists.project(folder)) is not None and project.id == one.id
                ]
            case "message":
                return [one.id]


def make_annotation_item(one: Annotation, address: str) -> AnnotationItem:
    """Write what is said of something for a page that knows it by an address."""
    others = [OtherNote(it.author, it.starred, it.note) for it in list_other_notes(one)]
    return AnnotationItem(one.kind, address, one.starred, one.note, one.hidden, others)


def _find_changed(before: Annotations, after: Annotations) -> list[Annotation]:
    """List what is said otherwise than before; of what is said no longer, that it is empty."""
    subjects = {(one.kind, one.id): one for one in (*before.list_all(), *after.list_all())}
    return [
        now
        for kind, about in subjects
        if (now := after.find(kind, about)) != before.find(kind, about)
    ]
