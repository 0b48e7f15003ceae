"""What is going on, on the wire: the rows of the live list and the events of the stream."""

from msgspec import Struct

from bough.library import LiveSession
from bough.web.wire.about import IndexStatus


class LiveAnswer(Struct, frozen=True):
    """Sessions that are going on, or were lately; the most urgent first."""

    waits: int
    working: int
    sessions: list[LiveSession]
    said: list["LiveMessage"]


class LiveEvent(Struct, frozen=True):
    """`live`: a row of the live list is other than it was."""

    session: LiveSession
    waits: int
    working: int


class GoneEvent(Struct, frozen=True):
    """`gone`: a session is in the live list no longer, or its file is gone."""

    session: str
    project: str
    deleted: bool
    waits: int
    working: int


class ChangeEvent(Struct, frozen=True):
    """`change`: a session's file, or that of one of its agents, is other than it was."""

    session: str
    project: str
    agent: str | None
    revision: str


class LiveMessage(Struct, frozen=True):
    """`said`: one thing that happened, as the stream shows it."""

    time: str | None
    session: str
    project: str
    project_name: str
    title: str
    agent: str | None
    uuid: str | None
    kind: str
    words: str
    tool: str | None
    failed: bool


class IndexEvent(Struct, frozen=True):
    """`index`: how far the index is."""

    index: IndexStatus


class ResetEvent(Struct, frozen=True):
    """`reset`: events were missed that are kept no longer; ask for everything again."""

    reason: str
