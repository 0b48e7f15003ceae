"""Read the conversations that Claude Code keeps on disk.

The public names live in `bough.library` and arrive on first use: importing one module of
ours must not pull in all the others, and `bough --help` needs none of them.
"""

from typing import TYPE_CHECKING

from bough.errors import BoughError

if TYPE_CHECKING:
    from bough.library import (
        Agent,
        BadLine,
        BranchPoint,
        CallResult,
        Conversation,
        Finding,
        Health,
        Message,
        Origin,
        Picture,
        PlanLinks,
        Project,
        Record,
        Session,
        SessionRow,
        TextBlock,
        Tip,
        Tokens,
        ToolBlock,
        Tree,
        Turn,
        Usage,
        lineage,
        plans,
        projects,
        read_session,
        sessions,
        usage,
    )

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "BadLine",
    "BoughError",
    "BranchPoint",
    "CallResult",
    "Conversation",
    "Finding",
    "Health",
    "Message",
    "Origin",
    "Picture",
    "PlanLinks",
    "Project",
    "Record",
    "Session",
    "SessionRow",
    "TextBlock",
    "Tip",
    "Tokens",
    "ToolBlock",
    "Tree",
    "Turn",
    "Usage",
    "__version__",
    "lineage",
    "plans",
    "projects",
    "read_session",
    "sessions",
    "usage",
]


def __getattr__(name: str) -> object:
    """Fetch a public name from the library the first time it is asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'bough' has no attribute {name!r}")
    from bough import library  # noqa: PLC0415 - the point of this function

    value: object = getattr(library, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, fetched or not."""
    return sorted({*globals(), *__all__})
