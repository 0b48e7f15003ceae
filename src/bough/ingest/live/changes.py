"""Changes: what happened to the files, as values for whoever wants to know.

A change says what is new, never what to do about it. Each concerns one transcript, but for
`FellBehind`, which concerns the listener, and `Trouble`, which may concern the watch itself.
"""

from typing import TypeAlias

from msgspec import Struct

from bough.ingest.transcript_paths import Place
from bough.model.agents.links import AgentMeta
from bough.model.live.status import Standing
from bough.records.record import BadLine, Record


class Started(Struct, frozen=True, tag="started"):
    """A transcript appeared."""

    place: Place


class Appended(Struct, frozen=True, tag="appended"):
    """Lines came to an end: their records, in file order, each reported once.

    `past` marks what was there before the watch began.
    """

    place: Place
    items: tuple[Record | BadLine, ...]
    past: bool = False


class Replaced(Struct, frozen=True, tag="replaced"):
    """A transcript was cut, or other bytes took the place of those read: it starts over."""

    place: Place


class Renamed(Struct, frozen=True, tag="renamed"):
    """A transcript goes by another name; it is read on where it was."""

    place: Place
    before: Place


class Vanished(Struct, frozen=True, tag="vanished"):
    """A transcript is gone."""

    place: Place


class Described(Struct, frozen=True, tag="described"):
    """A file beside a transcript tells something new: a title, or what an agent is for."""

    place: Place
    title: str | None = None
    meta: AgentMeta | None = None


class StateChanged(Struct, frozen=True, tag="state"):
    """A session stands otherwise than before; `before` is None the first time."""

    place: Place
    standing: Standing
    before: Standing | None = None


class Trouble(Struct, frozen=True, tag="trouble"):
    """Something cannot be read, or the watch has to make do; in a sentence for people."""

    message: str
    path: str | None = None


class FellBehind(Struct, frozen=True, tag="fell_behind"):
    """So many changes were dropped, because the listener did not take them."""

    dropped: int


Change: TypeAlias = (
    Started
    | Appended
    | Replaced
    | Renamed
    | Vanished
    | Described
    | StateChanged
    | Trouble
    | FellBehind
)
