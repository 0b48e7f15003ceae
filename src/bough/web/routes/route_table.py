"""The table of routes: what can be asked, with which params, and what the answer is.

The server and the OpenAPI document are both made from it, so neither can know a route that
the other does not.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from bough.web.routes import (
    annotations,
    archive,
    compare,
    health,
    lists,
    search,
    travel,
    tree,
    usage,
)
from bough.web.routes import conversation as reading
from bough.web.routes import export as exporting
from bough.web.routes import message as beside
from bough.web.routes import presentation as presenting
from bough.web.routes import session as facts
from bough.web.routes import settings_page as choosing
from bough.web.wire import about as about_wire
from bough.web.wire import annotation_items as annotations_wire
from bough.web.wire import archive_answers as archive_wire
from bough.web.wire import comparison as compare_wire
from bough.web.wire import health_findings as health_wire
from bough.web.wire import hits as search_wire
from bough.web.wire import list_rows as lists_wire
from bough.web.wire import live_events as live_wire
from bough.web.wire import pieces as reading_wire
from bough.web.wire import setting_rows as settings_wire
from bough.web.wire import slides as slides_wire
from bough.web.wire import travel_plans as travel_wire
from bough.web.wire import tree_rows as tree_wire
from bough.web.wire import usage_report as usage_wire

Handle = Callable[..., object]
"""Takes the state, the session's id where the path has one, and the params."""


class Route(Struct, frozen=True):
    """One route; without `answer` it gives bytes, of one of the `media` types.

    What `searches` everything takes longer than the rest, and waits in a line of its own. Where
    it `has_body`, the params are a JSON document in the body and not in the address. `conflict` is
    what it answers with status 409 where that says more than other errors.
    """

    path: str
    about: str
    params: type[Struct]
    answer: type[Struct] | None
    handle: Handle
    method: str = "GET"
    searches: bool = False
    has_body: bool = False
    media: tuple[str, ...] = ("application/json",)
    conflict: type[Struct] | None = None

    @property
    def has_session(self) -> bool:
        """Tell whether the path names a session."""
        return "{session}" in self.path


_SESSION_PATH: Final = "/api/sessions/{session}"
_DOCUMENTS: Final = ("text/markdown", "text/html", "application/json")
_PICTURES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")


def _get_route(path: str, about: str, params: Any, answer: Any, handle: Handle) -> Route:
    return Route(path, about, params, answer, handle)


ROUTES: Final[tuple[Route, ...]] = (
    _get_route(
        "/api/about",
        "What is read, and how far",
        about_wire.NoParams,
        about_wire.About,
        lists.describe_app,
    ),
    Route(
        "/api/ready",
        "Begin to read",
        about_wire.NoParams,
        about_wire.ReadyAnswer,
        lists.make_ready,
        method="POST",
    ),
    _get_route(
        "/api/projects",
        "All projects, the most recently active first",
        about_wire.NoParams,
        lists_wire.ProjectsAnswer,
        lists.list_projects,
    ),
    _get_route(
        "/api/sessions",
        "Sessions, filtered and sorted, a page at a time",
        lists_wire.SessionsQuery,
        lists_wire.SessionsAnswer,
        lists.list_sessions,
    ),
    _get_route(
        _SESSION_PATH,
        "Everything beside the words of a session",
        lists_wire.FactsQuery,
        lists_wire.SessionDetails,
        facts.get_session_details,
    ),
    _get_route(
        f"{_SESSION_PATH}/conversation",
        "A conversation: its pieces by name, those around the start rendered",
        reading_wire.ConversationQuery,
        reading_wire.ConversationAnswer,
        reading.get_conversation,
    ),
    _get_route(
        f"{_SESSION_PATH}/pieces",
        "Pieces in a row, rendered",
        reading_wire.PiecesQuery,
        reading_wire.PiecesAnswer,
        reading.pieces,
    ),
    _get_route(
        f"{_SESSION_PATH}/changes",
        "What is other than it was at a revision",
        reading_wire.ChangesQuery,
        reading_wire.ChangesAnswer,
        reading.get_changes,
    ),
    _get_route(
        f"{_SESSION_PATH}/body",
        "What is inside a fold",
        reading_wire.BodyQuery,
        reading_wire.BodyAnswer,
        reading.get_body,
    ),
    _get_route(
        f"{_SESSION_PATH}/find",
        "Words in a conversation",
        reading_wire.FindQuery,
        reading_wire.FindAnswer,
        reading.find_in_conversation,
    ),
    _get_route(
        f"{_SESSION_PATH}/raw",
        "The records of a message as they lie in the file",
        reading_wire.RawQuery,
        reading_wire.RawAnswer,
        beside.get_raw_records,
    ),
    Route(
        f"{_SESSION_PATH}/picture",
        "A picture",
        reading_wire.PictureQuery,
        None,
        beside.get_picture,
        media=_PICTURES,
    ),
    _get_route(
        f"{_SESSION_PATH}/output",
        "A stretch of an output kept in a file of its own",
        reading_wire.OutputQuery,
        reading_wire.OutputAnswer,
        beside.get_output,
    ),
    _get_route(
        f"{_SESSION_PATH}/markdown",
        "A conversation or a message as Markdown",
        reading_wire.MarkdownQuery,
        reading_wire.TextAnswer,
        reading.get_markdown,
    ),
    _get_route(
        f"{_SESSION_PATH}/presentation",
        "A conversation as slides: all by name, those around the start rendered",
        slides_wire.PresentationQuery,
        slides_wire.PresentationAnswer,
        presenting.get_presentation,
    ),
    _get_route(
        f"{_SESSION_PATH}/slides",
        "Slides in a row, rendered",
        slides_wire.SlidesQuery,
        slides_wire.SlidesAnswer,
        presenting.get_slides,
    ),
    _get_route(
        f"{_SESSION_PATH}/slides/body",
        "What is inside a fold of a slide",
        slides_wire.SlideBodyQuery,
        reading_wire.BodyAnswer,
        presenting.get_slide_body,
    ),
    Route(
        f"{_SESSION_PATH}/export",
        "A document, to be saved",
        reading_wire.ExportQuery,
        None,
        exporting.export_document,
        media=_DOCUMENTS,
    ),
    _get_route(
        f"{_SESSION_PATH}/export/preview",
        "What a document would hold",
        reading_wire.ExportQuery,
        reading_wire.ExportPreview,
        exporting.preview_document,
    ),
    _get_route(
        f"{_SESSION_PATH}/tree",
        "The graph of a session: its shape, and the rows around the start",
        tree_wire.TreeQuery,
        tree_wire.TreeAnswer,
        tree.get_tree,
    ),
    _get_route(
        f"{_SESSION_PATH}/tree/rows",
        "Rows of the graph of a session",
        tree_wire.TreeRowsQuery,
        tree_wire.TreeRowsAnswer,
        tree.get_tree_rows,
    ),
    _get_route(
        f"{_SESSION_PATH}/reading",
        "Pieces from a message on, on the branch that goes through it",
        tree_wire.ReadingQuery,
        tree_wire.ReadingAnswer,
        tree.read_branch,
    ),
    _get_route(
        f"{_SESSION_PATH}/lineage",
        "The files a session comes from, and those that go on from it",
        tree_wire.LineageQuery,
        tree_wire.LineageAnswer,
        tree.get_lineage,
    ),
    _get_route(
        f"{_SESSION_PATH}/compare",
        "Two branches side by side: where they part, what each said and cost",
        compare_wire.CompareQuery,
        compare_wire.CompareAnswer,
        compare.compare_sides,
    ),
    _get_route(
        f"{_SESSION_PATH}/compare/files",
        "How two branches left each file that one of them wrote to",
        compare_wire.CompareQuery,
        compare_wire.CompareFilesAnswer,
        compare.compare_side_files,
    ),
    Route(
        "/api/search",
        "Search everything",
        search_wire.SearchQuery,
        search_wire.SearchAnswer,
        search.search_everything,
        searches=True,
    ),
    _get_route(
        "/api/complete",
        "What could be typed next in a query",
        search_wire.CompleteQuery,
        search_wire.CompleteAnswer,
        search.complete_query,
    ),
    _get_route(
        "/api/annotations",
        "Stars and notes on messages",
        about_wire.NoParams,
        annotations_wire.AnnotationsAnswer,
        annotations.list_annotations,
    ),
    Route(
        "/api/annotations",
        "Star, note or hide something",
        annotations_wire.AnnotationBody,
        annotations_wire.AnnotationItem,
        annotations.change_one,
        method="POST",
        has_body=True,
    ),
    _get_route(
        "/api/settings",
        "What can be chosen, what holds, and where it was set",
        about_wire.NoParams,
        settings_wire.SettingsAnswer,
        choosing.show_settings,
    ),
    Route(
        "/api/settings",
        "Change a setting",
        settings_wire.SettingBody,
        settings_wire.SettingsAnswer,
        choosing.change_one,
        method="POST",
        has_body=True,
    ),
    _get_route(
        "/api/live",
        "Sessions that are going on",
        about_wire.NoParams,
        live_wire.LiveAnswer,
        lists.list_live,
    ),
    _get_route(
        "/api/usage",
        "Tokens and money, as `bough usage` counts them",
        usage_wire.UsageQuery,
        usage_wire.UsageAnswer,
        usage.report_usage,
    ),
    _get_route(
        "/api/usage/totals",
        "What was used today, this week and in 30 days",
        about_wire.NoParams,
        usage_wire.TotalsAnswer,
        usage.sum_recent,
    ),
    _get_route(
        "/api/usage/explanation",
        "What is behind a cost: calls, prices, models without one",
        usage_wire.ExplanationQuery,
        usage_wire.ExplanationAnswer,
        usage.explain_cost,
    ),
    *(
        _get_route(
            f"/api/stats/{name}",
            f"The report {name} of `bough stats`",
            usage_wire.StatsQuery,
            answer,
            usage.make_stats_route(name),
        )
        for name, answer in usage_wire.STATS_ANSWERS.items()
    ),
    _get_route(
        "/api/stats/sessions",
        "The sessions behind a row of a report",
        usage_wire.ReportSessionsQuery,
        usage_wire.ReportSessionsAnswer,
        usage.list_sessions_behind,
    ),
    Route(
        "/api/travel/preview",
        "What a fork, goto, rename, repair or undo would do, or why it cannot be done",
        travel_wire.TravelBody,
        travel_wire.TravelAnswer,
        travel.preview_change,
        method="POST",
        has_body=True,
    ),
    Route(
        "/api/travel/apply",
        "Carry out a plan that was previewed",
        travel_wire.PlanBody,
        travel_wire.AppliedAnswer,
        travel.apply_plan,
        method="POST",
        has_body=True,
        conflict=travel_wire.PlanChangedAnswer,
    ),
    _get_route(
        "/api/travel/history",
        "What bough did to sessions, the newest first",
        travel_wire.OperationsQuery,
        travel_wire.OperationsAnswer,
        travel.list_operations,
    ),
    _get_route(
        f"{_SESSION_PATH}/health",
        "What is wrong with a session, and how it is repaired",
        about_wire.NoParams,
        health_wire.SessionHealth,
        health.get_session_health,
    ),
    _get_route(
        "/api/health",
        "What was found so far in all sessions",
        about_wire.NoParams,
        health_wire.HistoryHealth,
        health.get_history_health,
    ),
    Route(
        "/api/health",
        "Look through all sessions",
        about_wire.NoParams,
        health_wire.HistoryHealth,
        health.check_history,
        method="POST",
    ),
    _get_route(
        "/api/archive",
        "How the archive stands: what is kept, deleted, and deleted next",
        about_wire.NoParams,
        archive_wire.ArchiveAnswer,
        archive.get_archive,
    ),
    _get_route(
        "/api/archive/forecast",
        "What the client deletes within a week, in a line",
        about_wire.NoParams,
        archive_wire.ForecastAnswer,
        archive.get_forecast,
    ),
    _get_route(
        "/api/archive/work",
        "How far the work on the archive is",
        about_wire.NoParams,
        archive_wire.ArchiveWork,
        archive.get_work,
    ),
    Route(
        "/api/archive/work",
        "Archive what is new, verify every byte, or stop that",
        archive_wire.WorkBody,
        archive_wire.ArchiveWork,
        archive.work_on_archive,
        method="POST",
        has_body=True,
    ),
    Route(
        "/api/archive/forget",
        "Remove every copy of a session, and take none in again",
        archive_wire.ForgetBody,
        archive_wire.ForgottenAnswer,
        archive.forget_session,
        method="POST",
        has_body=True,
    ),
)
