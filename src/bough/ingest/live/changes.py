"""Changes: what happened to the files, as values for whoever wants to know.

A change says what is new, never what to do about it. Each concerns one transcript, but for
`WatchProblem`, which may concern the watch itself.
"""

from typing import TypeAlias

from msgspec import Struct

from bough.ingest.transcript_paths import TranscriptPath
from bough.model.agents.links import AgentMeta
from bough.model.live.status import SessionStatus
from bough.records.record import BadLine, Record


class TranscriptStarted(Struct, frozen=True, tag="started"):
    """A transcript appeared."""

    place: TranscriptPath


class RecordsAppended(Struct, frozen=True, tag="appended"):
    """Lines came to an end: their records, in file order, each reported once.

    `past` marks what was there before the watch began.
    """

    place: TranscriptPath
    items: tuple[Record | BadLine, ...]
    past: bool = False


class TranscriptReplaced(Struct, frozen=True, tag="replaced"):
    """A transcript was cut, or other bytes took the place of those read: it starts over."""

    place: TranscriptPath


class TranscriptRenamed(Struct, frozen=True, tag="renamed"):
    """A transcript goes by another name; it is read on where it was."""

    place: TranscriptPath
    before: TranscriptPath


class TranscriptVanished(Struct, frozen=True, tag="vanished"):
    """A transcript is gone."""

    place: TranscriptPath


class SidecarChanged(Struct, frozen=True, tag="described"):
    """A file beside a transcript tells something new: a title, or what an agent is for."""

    place: TranscriptPath
    title: str | None = None
    meta: AgentMeta | None = None


class StateChanged(Struct, frozen=True, tag="state"):
    """A session stands otherwise than before; `before` is None the first time."""

    place: TranscriptPath
    status: SessionStatus
    before: SessionStatus | None = None


class WatchProblem(Struct, frozen=True, tag="trouble"):
    """Something cannot be read, or the watch has to make do; in a sentence for people."""

    message: str
    path: str | None = None


Change: TypeAlias = (
    TranscriptStarted
    | RecordsAppended
    | TranscriptReplaced
    | TranscriptRenamed
    | TranscriptVanished
    | SidecarChanged
    | StateChanged
    | WatchProblem
)
