"""One opened session, kept current, and the conversations that are read in it.

A page knows a conversation by a revision. When the session has grown, what it knows is
compared with what there is now, piece by piece, and only the rest is sent. For a while an
open session remembers from which piece on each revision is other than the next.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from msgspec import Struct

from bough.errors import NotFound
from bough.library import (
    ConversationView,
    GrowingSession,
    apply_time_settings,
    build_presentation,
    find_start_before,
    is_small,
    keep_drawable,
    load_prices,
    open_part,
)
from bough.memory import exempt_opened
from bough.model.outline.session_outline import SessionOutline, outline_of
from bough.model.session import Agent, Session
from bough.model.tools.calls import Picture
from bough.web.open_sessions.appended_view import AppendedView, extend_view, split_tail
from bough.web.open_sessions.presentation_cache import PresentationCache, PresentationSnapshot

_VIEWS: Final = 12
_STEPS: Final = 64
_PARTS: Final = 4
_LARGE: Final = 3_000_000
"""Of larger files only the end is told anew, as long as that is possible."""
_RENDERED: Final = 1_000_000
_PER_BYTE: Final = 1.5
"""So many bytes of memory a byte of a file takes, once for its records and once for each
conversation that is told of them: 1.5 and 1.3 in the corpus."""
_PER_LETTER: Final = 4
_PATIENCE: Final = 0.3
_SLOW: Final = 0.4
_REST: Final = 3
"""What took long to tell is told anew after so many times as long."""
_SOON: Final = 0.05


class ConversationRef(Struct, frozen=True):
    """Which conversation of a session: the path to a tip, or an agent's own; else the active.

    One that goes `until` a message ends there, wherever its branch goes on to.
    """

    tip: str | None = None
    agent: str | None = None
    until: str | None = None


class RenderedView:
    """A conversation as it was told at a revision; what was rendered of it last is kept."""

    def __init__(self, view: ConversationView | AppendedView, revision: str) -> None:
        self.content = view
        self.revision = revision
        self.bytes = 0
        self.rendered: dict[int, str] = {}

    def html(self, number: int) -> str:
        """Render a piece, if that was not done just before."""
        found = self.rendered.get(number)
        if found is None:
            found = self.content.html(number)
            self.bytes += len(found)
            if self.bytes > _RENDERED:
                self.rendered, self.bytes = {}, len(found)
            self.rendered[number] = found
        return found

    def reuse_rendered(self, other: "RenderedView", before: int) -> None:
        """Take what was rendered of the pieces before a number from another."""
        # Somebody may render the other meanwhile: a copy does not change under us.
        self.rendered = {n: html for n, html in other.rendered.copy().items() if n < before}
        self.bytes = sum(map(len, self.rendered.values()))


class LiveView(RenderedView):
    """A conversation that goes on, and what its earlier revisions share with it.

    It does not change: whoever reads in it while the session grows reads one state of it.
    """

    def __init__(
        self,
        view: ConversationView | AppendedView,
        revision: str,
        steps: Sequence[tuple[str, int, bool]] = (),
    ) -> None:
        super().__init__(view, revision)
        self._steps = steps

    def extend(
        self, conversation_view: ConversationView | AppendedView, revision: str
    ) -> "LiveView":
        """Give the conversation with what is new, which knows from which piece on that is."""
        first = first_difference(self.content.contents, conversation_view.contents)
        same = self.content.outline() == conversation_view.outline()
        steps = [*self._steps, (self.revision, first, same)][-_STEPS:]
        view = LiveView(conversation_view, revision, steps)
        view.reuse_rendered(self, first)
        return view

    def since(self, revision: str) -> tuple[int, bool] | None:
        """Tell from which piece on this is other than a revision; None where nobody knows.

        The second answer tells whether the outline is the same.
        """
        if revision == self.revision:
            return len(self.content.pieces), True
        known = [step[0] for step in self._steps]
        if revision not in known:
            return None
        steps = self._steps[known.index(revision) :]
        return min(first for _, first, _ in steps), all(same for _, _, same in steps)


class PartialView(RenderedView):
    """A stretch of a session that is not open yet; `size` is how many bytes it takes up twice."""

    def __init__(self, view: ConversationView, revision: str, size: int) -> None:
        super().__init__(view, revision)
        self.size = size


class OpenSession:
    """One session; whoever reads in it comes in by `view`."""

    def __init__(self, address: str, path: str) -> None:
        self.address = address
        self.path = path
        self._growing = GrowingSession(path)
        self._views: OrderedDict[ConversationRef, LiveView] = OrderedDict()
        self._parts: OrderedDict[str, PartialView] = OrderedDict()
        self._lock = threading.RLock()
        self._parts_lock = threading.Lock()
        self._paused_until = 0.0
        self._full_paused_until = 0.0
        self._over = self._growing.over
        self._prices = load_prices()
        self.presentations = PresentationCache()
        self._drawn: tuple[Session, Session] | None = None
        """All of the session, and what is shown of it."""
        self._outlined: tuple[Session, SessionOutline] | None = None
        self.is_open = False
        self.is_late = False

    @property
    def session(self) -> Session:
        """Give the session, read as far as it is written now; of too many branches the end."""
        with self._lock:
            self._growing.refresh()
            self.is_open = True
            whole = self._growing.session
            if self._drawn is None or self._drawn[0] is not whole:
                self._drawn = whole, keep_drawable(whole)
            return self._drawn[1]

    @property
    def size(self) -> int:
        """Give how many bytes its file had."""
        return self._growing.size

    @property
    def memory(self) -> int:
        """Estimate the bytes of memory that it takes: what it read, told and rendered."""
        if not self.is_open and not self._parts:
            return 0
        own, agents = self._growing.size, self._growing.agent_bytes
        views, parts = list(self._views.values()), list(self._parts.values())
        viewed = own * (len(views) + len(self.presentations)) + sum(part.size for part in parts)
        rendered = sum(view.bytes for view in (*views, *parts))
        return int(_PER_BYTE * (own + agents + viewed)) + _PER_LETTER * rendered

    @property
    def folder(self) -> Path:
        """Name the project's folder."""
        return Path(self.path).parent

    @property
    def is_small(self) -> bool:
        """Tell whether opening it takes no time to speak of."""
        return is_small(self.path)

    def view(self, which: ConversationRef) -> LiveView:
        """Give a conversation as it is now.

        Telling a large one anew takes a while, and somebody may write it all the time. Who
        knows it already gets what there is, and `is_late` says: look again soon.
        """
        known = self._views.get(which)
        if known is not None and time.monotonic() < self._paused_until:
            self.is_late = True
            return known
        if not self._lock.acquire(timeout=-1 if known is None else _PATIENCE):
            self.is_late = True
            return known or self.view(which)
        try:
            return self._update_view(which)
        finally:
            self._lock.release()

    def retry_delay(self) -> float:
        """Tell in how many seconds it is worth looking again."""
        return max(_SOON, max(self._paused_until, self._full_paused_until) - time.monotonic())

    def _update_view(self, which: ConversationRef) -> LiveView:
        begun = time.monotonic()
        self.is_late = False
        session = self.session
        revision = self._growing.revision
        prices = load_prices()
        if (self._over, self._prices) != (self._growing.over, prices):
            # It was rewritten, or costs something else: nothing known of it holds.
            self._over, self._prices, self._outlined = self._growing.over, prices, None
            self._views.clear()
        view = self._views.get(which)
        if view is None:
            view = self._views[which] = LiveView(self._build_for(session, which), revision)
            exempt_opened()
        elif view.revision != revision:
            conversation_view = self._extend_tail(which, view) or self._build_for(session, which)
            view = self._views[which] = view.extend(conversation_view, revision)
            took = time.monotonic() - begun
            self._paused_until = begun + took * (_REST if took > _SLOW else 1)
        self._views.move_to_end(which)
        if len(self._views) > _VIEWS:
            # The active branch stays: pages that follow it know its revisions.
            del self._views[next(one for one in self._views if one != ConversationRef())]
        return view

    def build_once(self, which: ConversationRef) -> ConversationView | AppendedView:
        """Tell a conversation for one question; it is not kept."""
        with self._lock:
            known = self._views.get(which)
            return known.content if known is not None else self._build_for(self.session, which)

    def session_or_agent(self, agent: str | None) -> Session:
        """Give the session, or one of its agents."""
        session = self.session
        if agent is None:
            return session
        found = next((one for one in session.agents if one.id == agent), None)
        if found is None:
            raise NotFound(f"This session has no agent {agent[:40]}.")
        return found

    def presentation(
        self, which: ConversationRef, revision: str, *, redact: bool
    ) -> PresentationSnapshot:
        """Give the slides of a conversation: of a revision, or as it is now where none is named.

        Raises:
            NotFound: Nothing is known any more of that revision.
        """
        name = (which.tip, which.agent, which.until, redact)
        if (known := self.presentations.find(name, revision)) is not None:
            return known
        with self._lock:
            session = self.session_or_agent(which.agent)
            current = self._growing.revision
        if revision and revision != current:
            raise NotFound("These slides have to be listed again.")
        return self.presentations.add(
            name,
            current,
            lambda: build_presentation(
                session,
                which.tip,
                until=which.until,
                redact=redact,
                picture_url=make_picture_urls(self.address, which.agent),
                now=_read_clock,
                words=apply_time_settings(),
            ),
        )

    def open_partial(self, at: str | None) -> PartialView:
        """Give the stretch around a message, else the end, without opening the whole."""
        offset = find_start_before(self.path, at) if at else None
        session = open_part(self.path, offset)
        first = session.records[0].offset if session.records else 0
        end = session.records[-1].offset + len(session.records[-1].raw) if session.records else 0
        revision = f"part-{first}-{len(session.records)}"
        part = PartialView(self._build_view(session, None), revision, 2 * (end - first))
        with self._parts_lock:
            self._parts[part.revision] = part
            while len(self._parts) > _PARTS:
                self._parts.popitem(last=False)
        return part

    def find_partial(self, revision: str) -> PartialView | None:
        """Give a stretch that a page still reads."""
        return self._parts.get(revision)

    def full_view(self, which: ConversationRef) -> ConversationView:
        """Give all of a conversation as one view, perhaps not the very newest."""
        view = self.view(which)
        if isinstance(view.content, ConversationView):
            return view.content
        if time.monotonic() < self._full_paused_until:
            self.is_late = True
            return view.content.end.whole
        with self._lock:
            begun = time.monotonic()
            conversation_view = self._build_for(self.session, which)
            self._views[which] = view.extend(conversation_view, self._growing.revision)
            took = time.monotonic() - begun
            self._full_paused_until = begun + 2 * _REST * took
        return conversation_view

    def _extend_tail(self, which: ConversationRef, view: LiveView) -> AppendedView | None:
        """Tell only the end of a large conversation, if it just goes on."""
        growing = self._growing
        if which != ConversationRef() or growing.size < _LARGE or growing.agent_bytes > _LARGE:
            return None
        known = view.content
        end = (
            known.end
            if isinstance(known, AppendedView)
            else split_tail(known, growing.slice_session, self._build_view)
        )
        return (
            extend_view(end, growing.slice_session, self._build_view) if end is not None else None
        )

    def _build_for(self, session: Session, which: ConversationRef) -> ConversationView:
        if which.agent is not None:
            return self._build_view(self.session_or_agent(which.agent), which.tip, which.until)
        if self._outlined is None or self._outlined[0] is not session:
            # It is the same for all branches, and there may be thousands.
            self._outlined = session, outline_of(session, self._prices)
        return self._build_view(session, which.tip, which.until, self._outlined[1])

    def _build_view(
        self,
        session: Session,
        tip: str | None = None,
        until: str | None = None,
        outline: SessionOutline | None = None,
    ) -> ConversationView:
        return ConversationView(
            session,
            tip,
            until=until,
            outline=outline,
            picture_url=make_picture_urls(self.address),
            now=_read_clock,
            words=apply_time_settings(),
            session_url=lambda one: f"/s/{quote(one, safe='')}",
        )


def _read_clock() -> datetime:
    return datetime.now(UTC)


def first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    """Find the first place at which two lists differ."""
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left is not right and left != right:
            return number
    return min(len(one), len(other))


def make_picture_urls(
    session: str, agent: str | None = None
) -> Callable[[Session, Picture, int], str]:
    """Give what names the pictures of a session, or of an agent of it, in a page.

    Where secrets are hidden, an agent is but a session: `agent` says whose that is.
    """

    def address(inside: Session, picture: Picture, number: int) -> str:
        params: dict[str, str | int] = {"offset": picture.offset, "n": number}
        if isinstance(inside, Agent):
            params["agent"] = inside.id
        elif agent is not None:
            params["agent"] = agent
        return f"/api/sessions/{quote(session, safe='')}/picture?{urlencode(params)}"

    return address
