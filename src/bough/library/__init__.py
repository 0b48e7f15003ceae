"""What `import bough` offers: the library behind every face.

```python
import bough

for project in bough.projects():
    print(project.name, project.sessions)
session = bough.read_session("latest")
for message in session.conversation().messages:
    print(message.kind, message.text)
```

What a command does is one call here: `bough search` is `bough.search`. docs/library.md
describes every name. Those that `bough` itself exports are for users; the rest serves the
faces, which import nothing of the stages below (a contract holds that).

A name is fetched from its module on first use, so that a question loads only what answers
it. The functions stand in `bough.library.*_functions`, the types where they are made.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from bough.library.name_table import NAMES_BY_MODULE

if TYPE_CHECKING:
    from bough.archive.status import ArchiveStatus
    from bough.archive.verification import ArchiveDamage
    from bough.errors import BoughError
    from bough.export.document import Export, export_session
    from bough.export.document_options import (
        DEFAULT_BUDGET,
        ExportFormat,
        ExportOptions,
        SecretFinding,
        parse_budget,
    )
    from bough.export.header import make_file_name
    from bough.export.html.conversation_view import ConversationView, OutlineRow
    from bough.export.html.find import PieceMatch
    from bough.export.html.presentation import Presentation, build_presentation
    from bough.export.html.text_pair import render_hunks, render_text_pair
    from bough.export.llm.fit import estimate_tokens
    from bough.export.markdown.conversation import write_piece
    from bough.export.pieces import PieceContent, PieceInfo
    from bough.export.save import check_file, save_file
    from bough.export.site import SitePage
    from bough.files.directory import Problem
    from bough.library.annotation_functions import (
        ImportReport,
        annotate,
        annotations,
        change_annotation,
        export_annotations,
        hide_project,
        import_annotations,
        load_annotations,
        load_readable_annotations,
        star,
        unstar,
    )
    from bough.library.archive_functions import (
        archive_sessions,
        archive_status,
        find_archived_session,
        forget_archived_session,
        verify_archive,
    )
    from bough.library.client_settings_functions import (
        HooksStatus,
        hooks_status,
        install_hooks,
        install_status_line,
        uninstall_hooks,
        uninstall_status_line,
    )
    from bough.library.export_functions import ExportChoices, choose_format, export, export_site
    from bough.library.guide_functions import GuidePage, list_guide_pages, read_guide_page
    from bough.library.health_functions import (
        HealthReport,
        ReportedFinding,
        report_health,
        report_health_of_files,
    )
    from bough.library.index_functions import check_index, index, sql, tables
    from bough.library.list_functions import conversations, projects, sessions
    from bough.library.live_functions import refresh_status_numbers, status, watch
    from bough.library.search_functions import (
        count_session_hits,
        parse_query,
        search,
        suggest_query,
    )
    from bough.library.session_functions import (
        doctor,
        find,
        outline,
        read_session,
        resume_command,
    )
    from bough.library.settings_functions import (
        Setting,
        change_prices,
        change_setting,
        find_setting,
        list_settings,
        list_settings_warnings,
    )
    from bough.library.stats_functions import stats, stats_sessions
    from bough.library.travel_functions import (
        apply,
        branch,
        compare,
        compare_files,
        fork,
        goto,
        history,
        move,
        preview,
        prune_backups,
        remedies,
        rename,
        repair,
        restore,
        undo,
    )
    from bough.library.usage_functions import explain_usage, sum_usage, usage
    from bough.model.conversation.conversation import Conversation
    from bough.model.conversation.messages import Message, TextBlock
    from bough.model.conversation.plan_files import PlanFile, PlanLink
    from bough.model.conversation.plans import PlanLinks
    from bough.model.conversation.todo_lists import TodoItem, TodoList, count_todos
    from bough.model.health import Finding, Health
    from bough.model.outline.session_outline import SessionOutline
    from bough.model.outline.turns import Turn
    from bough.model.session import Agent, Session
    from bough.model.tools.call_list import ToolCall
    from bough.model.tools.calls import CallResult, Picture, ToolBlock
    from bough.model.transcript import Tip
    from bough.model.tree.branches import BranchPoint
    from bough.model.tree.lineage import Origin
    from bough.model.tree.nodes import Tree
    from bough.model.usage.costs import UsageTotal
    from bough.model.usage.tokens import Tokens, Usage
    from bough.query.index.handle import IndexCheck, IndexHandle, index_exists, open_index
    from bough.query.json_documents import (
        ConversationDocument,
        DoctorDocument,
        TreeDocument,
        conversation_document,
        doctor_document,
        tree_document,
    )
    from bough.query.lists.annotated_rows import annotate_projects, annotate_sessions
    from bough.query.lists.catalog import Catalog, open_catalog
    from bough.query.lists.costs import add_conversation_costs, add_session_costs
    from bough.query.lists.from_files import (
        list_all_conversations,
        list_conversations,
        list_sessions,
    )
    from bough.query.lists.list_rows import (
        ConversationList,
        ConversationRow,
        Project,
        SessionList,
        SessionRow,
    )
    from bough.query.lists.pages import ListPage, cut_page
    from bough.query.lists.projects import order_projects, project_listings
    from bough.query.lists.related import (
        SessionFork,
        find_plan_marks,
        lineage,
        list_forks,
        plans,
        trace_lineage,
    )
    from bough.query.lists.session_filter import (
        SESSION_SORTS,
        SESSION_STATES,
        SessionFilter,
        filter_sessions,
        parse_states,
        sort_by_state,
        sort_sessions,
    )
    from bough.query.lists.session_lookup import find_session
    from bough.query.live.event_filter import choose_events
    from bough.query.live.events import StreamEvent
    from bough.query.live.running_sessions import (
        RECENT,
        LiveSession,
        describe_work,
        seconds_in_state,
    )
    from bough.query.live.session_states import find_session_states, read_session_status
    from bough.query.live.stream import Stream
    from bough.query.lookup import explain_missing, find_project
    from bough.query.search.completion import Vocabulary, complete_query, gather_vocabulary
    from bough.query.search.pattern_process import (
        PatternSource,
        end_pattern_processes,
        match_patterns,
    )
    from bough.query.search.search import Hit, ListedHit, SearchPage, search_document
    from bough.query.search.suggestions import Suggestion
    from bough.query.sessions.load_part import open_first, open_from, open_part, open_range
    from bough.query.sessions.resume_command import ResumeCommand
    from bough.query.sessions.session_parts import check_version, find_agent, find_message
    from bough.query.stats.activity import ActivityReport
    from bough.query.stats.agents import AgentReport
    from bough.query.stats.api_errors import ErrorReport
    from bough.query.stats.compactions import CompactionReport
    from bough.query.stats.files import FileReport
    from bough.query.stats.hooks import HookReport
    from bough.query.stats.models import ModelReport
    from bough.query.stats.overview import StatsOverview
    from bough.query.stats.report_sessions import ReportSession
    from bough.query.stats.report_table import (
        ReportBar,
        ReportTable,
        bars_of,
        table_of,
        write_days,
        write_filter,
    )
    from bough.query.stats.stats_report import STATS_REPORTS, StatsReport
    from bough.query.stats.tools import ToolReport
    from bough.query.usage.by_branch import sum_left_behind
    from bough.query.usage.calendar import find_weekday, parse_date_range
    from bough.query.usage.explain import (
        ExplainedCall,
        ExplainedModel,
        Explanation,
        explain_models,
        explanation_document,
    )
    from bough.query.usage.report import (
        BY,
        REPORTS,
        UsageRow,
        UsageTable,
        amount_document,
        usage_document,
        usage_records,
    )
    from bough.query.usage.time_settings import apply_time_settings, load_zone
    from bough.query.usage.time_zones import LocalZone, find_zone
    from bough.records.record import BadLine, Record
    from bough.store.annotations.annotation import LONGEST_NOTE, Annotation, Annotations
    from bough.store.annotations.annotation_store import AnnotationChange
    from bough.store.query_language import Query, QuerySyntaxError
    from bough.store.rows import SqlResult, TableColumns
    from bough.timetravel.apply import AppliedOperation, require_applicable
    from bough.timetravel.backups import Backup, BackupReport
    from bough.timetravel.compare.compare_branches import (
        BranchComparison,
        ComparedBranch,
        ComparedTurn,
        FileChange,
        compare_branches,
    )
    from bough.timetravel.compare.compare_files import FileDifference, find_file_differences
    from bough.timetravel.errors import (
        AmbiguousPoint,
        Busy,
        FileChanged,
        GotoUnsafe,
        NotATurnEnd,
        Refusal,
        SessionMaybeOpen,
        SessionOpen,
        shorten_id,
    )
    from bough.timetravel.journal import Operation
    from bough.timetravel.plan import Plan, Point
    from bough.timetravel.plans.find import SessionMatches, TextMatch, list_searchable_texts
    from bough.timetravel.plans.find_point import PointSpec
    from bough.timetravel.plans.repair import Remedy
    from bough.timetravel.plans.turn_ends import describe_point
    from bough.timetravel.preview import PreviewRow, build_preview, render_diff

__all__ = [
    "BY",
    "DEFAULT_BUDGET",
    "LONGEST_NOTE",
    "RECENT",
    "REPORTS",
    "SESSION_SORTS",
    "SESSION_STATES",
    "STATS_REPORTS",
    "ActivityReport",
    "Agent",
    "AgentReport",
    "AmbiguousPoint",
    "Annotation",
    "AnnotationChange",
    "Annotations",
    "AppliedOperation",
    "ArchiveDamage",
    "ArchiveStatus",
    "Backup",
    "BackupReport",
    "BadLine",
    "BoughError",
    "BranchComparison",
    "BranchPoint",
    "Busy",
    "CallResult",
    "Catalog",
    "CompactionReport",
    "ComparedBranch",
    "ComparedTurn",
    "Conversation",
    "ConversationDocument",
    "ConversationList",
    "ConversationRow",
    "ConversationView",
    "DoctorDocument",
    "ErrorReport",
    "ExplainedCall",
    "ExplainedModel",
    "Explanation",
    "Export",
    "ExportChoices",
    "ExportFormat",
    "ExportOptions",
    "FileChange",
    "FileChanged",
    "FileDifference",
    "FileReport",
    "Finding",
    "GotoUnsafe",
    "GuidePage",
    "Health",
    "HealthReport",
    "Hit",
    "HookReport",
    "HooksStatus",
    "ImportReport",
    "IndexCheck",
    "IndexHandle",
    "ListPage",
    "ListedHit",
    "LiveSession",
    "LocalZone",
    "Message",
    "ModelReport",
    "NotATurnEnd",
    "Operation",
    "Origin",
    "OutlineRow",
    "PatternSource",
    "Picture",
    "PieceContent",
    "PieceInfo",
    "PieceMatch",
    "Plan",
    "PlanFile",
    "PlanLink",
    "PlanLinks",
    "Point",
    "PointSpec",
    "Presentation",
    "PreviewRow",
    "Problem",
    "Project",
    "Query",
    "QuerySyntaxError",
    "Record",
    "Refusal",
    "Remedy",
    "ReportBar",
    "ReportSession",
    "ReportTable",
    "ReportedFinding",
    "ResumeCommand",
    "SearchPage",
    "SecretFinding",
    "Session",
    "SessionFilter",
    "SessionFork",
    "SessionList",
    "SessionMatches",
    "SessionMaybeOpen",
    "SessionOpen",
    "SessionOutline",
    "SessionRow",
    "Setting",
    "SitePage",
    "SqlResult",
    "StatsOverview",
    "StatsReport",
    "Stream",
    "StreamEvent",
    "Suggestion",
    "TableColumns",
    "TextBlock",
    "TextMatch",
    "Tip",
    "TodoItem",
    "TodoList",
    "Tokens",
    "ToolBlock",
    "ToolCall",
    "ToolReport",
    "Tree",
    "TreeDocument",
    "Turn",
    "Usage",
    "UsageRow",
    "UsageTable",
    "UsageTotal",
    "Vocabulary",
    "add_conversation_costs",
    "add_session_costs",
    "amount_document",
    "annotate",
    "annotate_projects",
    "annotate_sessions",
    "annotations",
    "apply",
    "apply_time_settings",
    "archive_sessions",
    "archive_status",
    "bars_of",
    "branch",
    "build_presentation",
    "build_preview",
    "change_annotation",
    "change_prices",
    "change_setting",
    "check_file",
    "check_index",
    "check_version",
    "choose_events",
    "choose_format",
    "compare",
    "compare_branches",
    "compare_files",
    "complete_query",
    "conversation_document",
    "conversations",
    "count_session_hits",
    "count_todos",
    "cut_page",
    "describe_point",
    "describe_work",
    "doctor",
    "doctor_document",
    "end_pattern_processes",
    "estimate_tokens",
    "explain_missing",
    "explain_models",
    "explain_usage",
    "explanation_document",
    "export",
    "export_annotations",
    "export_session",
    "export_site",
    "filter_sessions",
    "find",
    "find_agent",
    "find_archived_session",
    "find_file_differences",
    "find_message",
    "find_plan_marks",
    "find_project",
    "find_session",
    "find_session_states",
    "find_setting",
    "find_weekday",
    "find_zone",
    "forget_archived_session",
    "fork",
    "gather_vocabulary",
    "goto",
    "hide_project",
    "history",
    "hooks_status",
    "import_annotations",
    "index",
    "index_exists",
    "install_hooks",
    "install_status_line",
    "lineage",
    "list_all_conversations",
    "list_conversations",
    "list_forks",
    "list_guide_pages",
    "list_searchable_texts",
    "list_sessions",
    "list_settings",
    "list_settings_warnings",
    "load_annotations",
    "load_readable_annotations",
    "load_zone",
    "make_file_name",
    "match_patterns",
    "move",
    "open_catalog",
    "open_first",
    "open_from",
    "open_index",
    "open_part",
    "open_range",
    "order_projects",
    "outline",
    "parse_budget",
    "parse_date_range",
    "parse_query",
    "parse_states",
    "plans",
    "preview",
    "project_listings",
    "projects",
    "prune_backups",
    "read_guide_page",
    "read_session",
    "read_session_status",
    "refresh_status_numbers",
    "remedies",
    "rename",
    "render_diff",
    "render_hunks",
    "render_text_pair",
    "repair",
    "report_health",
    "report_health_of_files",
    "require_applicable",
    "restore",
    "resume_command",
    "save_file",
    "search",
    "search_document",
    "seconds_in_state",
    "sessions",
    "shorten_id",
    "sort_by_state",
    "sort_sessions",
    "sql",
    "star",
    "stats",
    "stats_sessions",
    "status",
    "suggest_query",
    "sum_left_behind",
    "sum_usage",
    "table_of",
    "tables",
    "trace_lineage",
    "tree_document",
    "undo",
    "uninstall_hooks",
    "uninstall_status_line",
    "unstar",
    "usage",
    "usage_document",
    "usage_records",
    "verify_archive",
    "watch",
    "write_days",
    "write_filter",
    "write_piece",
]


_MODULES: Final = {
    name: module for module, names in NAMES_BY_MODULE.items() for name in names.split()
}


def __getattr__(name: str) -> object:
    """Fetch a name from its module the first time it is asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module 'bough.library' has no attribute {name!r}")
    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the names, fetched or not."""
    return sorted({*globals(), *__all__})
