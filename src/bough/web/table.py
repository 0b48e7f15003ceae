"""The table of routes: what can be asked, with which params, and what the answer is.

The server and the OpenAPI document are both made from it, so neither can know a route that
the other does not.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from bough.web import (
    beside,
    completing,
    exporting,
    facts,
    finding,
    listing,
    living,
    reading,
    wire,
    wire_lists,
    wire_live,
    wire_reading,
    wire_search,
)

Handle = Callable[..., object]
"""Takes the house, the session's id where the path has one, and the params."""


class Route(Struct, frozen=True):
    """One route; without `answer` it gives bytes, of one of the `media` types."""

    path: str
    about: str
    params: type[Struct]
    answer: type[Struct] | None
    handle: Handle
    method: str = "GET"
    media: tuple[str, ...] = ("application/json",)

    @property
    def has_session(self) -> bool:
        """Tell whether the path names a session."""
        return "{session}" in self.path


_ONE: Final = "/api/sessions/{session}"
_DOCUMENTS: Final = ("text/markdown", "text/html", "application/json")
_PICTURES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")


def _get(path: str, about: str, params: Any, answer: Any, handle: Handle) -> Route:
    return Route(path, about, params, answer, handle)


ROUTES: Final[tuple[Route, ...]] = (
    _get("/api/about", "What is read, and how far", wire.Nothing, wire.About, listing.about),
    Route(
        "/api/ready", "Begin to read", wire.Nothing, wire.Ready, listing.make_ready, method="POST"
    ),
    _get(
        "/api/projects",
        "All projects, the most recently active first",
        wire.Nothing,
        wire_lists.Projects,
        listing.list_projects,
    ),
    _get(
        "/api/sessions",
        "Sessions, filtered and sorted, a page at a time",
        wire_lists.SessionsQuery,
        wire_lists.Sessions,
        listing.list_sessions,
    ),
    _get(
        _ONE,
        "Everything beside the words of a session",
        wire_lists.FactsQuery,
        wire_lists.SessionFacts,
        facts.session_facts,
    ),
    _get(
        f"{_ONE}/conversation",
        "A conversation: its pieces by name, those around the start rendered",
        wire_reading.ConversationQuery,
        wire_reading.ConversationAnswer,
        reading.conversation,
    ),
    _get(
        f"{_ONE}/pieces",
        "Pieces in a row, rendered",
        wire_reading.PiecesQuery,
        wire_reading.PiecesAnswer,
        reading.pieces,
    ),
    _get(
        f"{_ONE}/changes",
        "What is other than it was at a revision",
        wire_reading.ChangesQuery,
        wire_reading.ChangesAnswer,
        reading.changes,
    ),
    _get(
        f"{_ONE}/body",
        "What is inside a fold",
        wire_reading.BodyQuery,
        wire_reading.BodyAnswer,
        reading.body,
    ),
    _get(
        f"{_ONE}/find",
        "Words in a conversation",
        wire_reading.FindQuery,
        wire_reading.FindAnswer,
        reading.find,
    ),
    _get(
        f"{_ONE}/raw",
        "The records of a message as they lie in the file",
        wire_reading.RawQuery,
        wire_reading.RawAnswer,
        beside.raw,
    ),
    Route(
        f"{_ONE}/picture",
        "A picture",
        wire_reading.PictureQuery,
        None,
        beside.picture,
        media=_PICTURES,
    ),
    _get(
        f"{_ONE}/output",
        "A stretch of an output kept in a file of its own",
        wire_reading.OutputQuery,
        wire_reading.OutputAnswer,
        beside.output,
    ),
    _get(
        f"{_ONE}/markdown",
        "A conversation or a message as Markdown",
        wire_reading.MarkdownQuery,
        wire_reading.TextAnswer,
        reading.markdown,
    ),
    Route(
        f"{_ONE}/export",
        "A document, to be saved",
        wire_reading.ExportQuery,
        None,
        exporting.export,
        media=_DOCUMENTS,
    ),
    _get(
        f"{_ONE}/export/preview",
        "What a document would hold",
        wire_reading.ExportQuery,
        wire_reading.ExportPreview,
        exporting.preview,
    ),
    _get(
        "/api/search",
        "Search everything",
        wire_search.SearchQuery,
        wire_search.SearchAnswer,
        finding.find_everywhere,
    ),
    _get(
        "/api/complete",
        "What could be typed next in a query",
        wire_search.CompleteQuery,
        wire_search.CompleteAnswer,
        completing.complete,
    ),
    _get(
        "/api/live",
        "Sessions that are going on",
        wire.Nothing,
        wire_live.LiveAnswer,
        living.live,
    ),
)
