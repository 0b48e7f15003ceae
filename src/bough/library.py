"""What `import bough` offers: the library behind every face.

    import bough

    for project in bough.projects():
        print(project.name, project.sessions)
    session = bough.read_session("path/to/session.jsonl")
    for turn in session.conversation().turns:
        print(turn.kind, turn.text)
"""

from os import PathLike

from bough.model.conversation import Conversation
from bough.model.session import Agent, Session
from bough.model.tools import Result, ToolBlock
from bough.model.tree import Tree
from bough.model.turns import Turn, Words
from bough.query.browse import (
    ConversationRow,
    Dirs,
    Project,
    SessionList,
    SessionRow,
    find_project,
    find_session,
    list_conversations,
    list_sessions,
    project_listings,
)
from bough.query.browse import projects as _projects
from bough.query.reading import read_session
from bough.records.record import BadLine, Record

__all__ = [
    "Agent",
    "BadLine",
    "Conversation",
    "ConversationRow",
    "Project",
    "Record",
    "Result",
    "Session",
    "SessionList",
    "SessionRow",
    "ToolBlock",
    "Tree",
    "Turn",
    "Words",
    "find_project",
    "find_session",
    "list_conversations",
    "list_sessions",
    "project_listings",
    "projects",
    "read_session",
]


def projects(claude_dir: str | PathLike[str] | Dirs | None = None) -> list[Project]:
    """List the projects of one or several Claude folders, the most recently active first.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
    """
    if claude_dir is None:
        return _projects()
    if isinstance(claude_dir, str | PathLike):
        return _projects([claude_dir])
    return _projects(claude_dir)
