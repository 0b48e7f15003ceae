"""Read the conversations that Claude Code keeps on disk.

The public names live in `bough.library` and arrive on first use: importing one module of
ours must not pull in all the others, and `bough --help` needs none of them.
"""

import sys
from types import ModuleType

# Not imported: `bough statusline` needs nothing else that loads `typing`, 2 ms of its 20.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing_extensions import override

    from bough.errors import BoughError
    from bough.library import (
        Agent,
        Annotation,
        AppliedOperation,
        BackupReport,
        BadLine,
        BranchComparison,
        BranchPoint,
        CallResult,
        Conversation,
        ConversationRow,
        Explanation,
        Export,
        Finding,
        Health,
        Hit,
        ImportReport,
        IndexCheck,
        IndexHandle,
        LiveSession,
        Message,
        Operation,
        Origin,
        Picture,
        Plan,
        PlanLinks,
        Project,
        Record,
        Remedy,
        ResumeCommand,
        SearchPage,
        Session,
        SessionMatches,
        SessionOutline,
        SessionRow,
        SitePage,
        SqlResult,
        StatsReport,
        Stream,
        StreamEvent,
        Suggestion,
        TableColumns,
        TextBlock,
        TextMatch,
        Tip,
        Tokens,
        ToolBlock,
        ToolCall,
        Tree,
        Turn,
        Usage,
        UsageRow,
        UsageTable,
        UsageTotal,
        annotate,
        annotations,
        apply,
        branch,
        check_index,
        compare,
        conversations,
        doctor,
        explain_usage,
        export,
        export_annotations,
        export_site,
        find,
        fork,
        goto,
        hide_project,
        history,
        import_annotations,
        index,
        lineage,
        move,
        outline,
        plans,
        preview,
        projects,
        prune_backups,
        read_session,
        remedies,
        rename,
        repair,
        restore,
        resume_command,
        search,
        sessions,
        sql,
        star,
        stats,
        status,
        suggest_query,
        sum_usage,
        tables,
        undo,
        unstar,
        usage,
        watch,
    )
else:

    def override(method: object) -> object:
        """Stand in for `typing.override`, which Python 3.11 does not have."""
        return method


__version__ = "0.2.0"

__all__ = [
    "Agent",
    "Annotation",
    "AppliedOperation",
    "BackupReport",
    "BadLine",
    "BoughError",
    "BranchComparison",
    "BranchPoint",
    "CallResult",
    "Conversation",
    "ConversationRow",
    "Explanation",
    "Export",
    "Finding",
    "Health",
    "Hit",
    "ImportReport",
    "IndexCheck",
    "IndexHandle",
    "LiveSession",
    "Message",
    "Operation",
    "Origin",
    "Picture",
    "Plan",
    "PlanLinks",
    "Project",
    "Record",
    "Remedy",
    "ResumeCommand",
    "SearchPage",
    "Session",
    "SessionMatches",
    "SessionOutline",
    "SessionRow",
    "SitePage",
    "SqlResult",
    "StatsReport",
    "Stream",
    "StreamEvent",
    "Suggestion",
    "TableColumns",
    "TextBlock",
    "TextMatch",
    "Tip",
    "Tokens",
    "ToolBlock",
    "ToolCall",
    "Tree",
    "Turn",
    "Usage",
    "UsageRow",
    "UsageTable",
    "UsageTotal",
    "__version__",
    "annotate",
    "annotations",
    "apply",
    "branch",
    "check_index",
    "compare",
    "conversations",
    "doctor",
    "explain_usage",
    "export",
    "export_annotations",
    "export_site",
    "find",
    "fork",
    "goto",
    "hide_project",
    "history",
    "import_annotations",
    "index",
    "lineage",
    "move",
    "outline",
    "plans",
    "preview",
    "projects",
    "prune_backups",
    "read_session",
    "remedies",
    "rename",
    "repair",
    "restore",
    "resume_command",
    "search",
    "sessions",
    "sql",
    "star",
    "stats",
    "status",
    "suggest_query",
    "sum_usage",
    "tables",
    "undo",
    "unstar",
    "usage",
    "watch",
]


def __getattr__(name: str) -> object:
    """Fetch a public name from the library the first time it is asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'bough' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - nobody needs it before

    where = "bough.errors" if name == "BoughError" else "bough.library"
    value: object = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, fetched or not."""
    return sorted({*globals(), *__all__})


class _PublicNames(ModuleType):
    """Keeps public names what they are.

    Python puts a package that is imported into its parent, and `bough.export` is both a
    function for users and a package of ours, which is only ever imported from.
    """

    @override
    def __setattr__(self, name: str, value: object) -> None:
        if name not in __all__ or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _PublicNames
