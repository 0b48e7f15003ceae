"""What `import bough` offers: the library behind every face.

```python
import bough

for project in bough.projects():
    print(project.name, project.sessions)
session = bough.read_session("path/to/session.jsonl")
for message in session.conversation().messages:
    print(message.kind, message.text)
```

docs/library.md describes every name. Those that `bough` itself exports are for users;
the rest serves the faces.
"""

from collections.abc import Iterable
from os import PathLike

from bough.errors import BoughError
from bough.files.directory import Problem
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message, TextBlock
from bough.model.conversation.plans import PlanLinks
from bough.model.health import Finding, Health
from bough.model.outline.turns import Turn
from bough.model.session import Agent, Session
from bough.model.tools.calls import CallResult, Picture, ToolBlock
from bough.model.transcript import Tip
from bough.model.tree.branches import BranchPoint
from bough.model.tree.lineage import Origin
from bough.model.tree.nodes import Tree
from bough.model.usage import tokens as ledger
from bough.model.usage.tokens import Tokens, Usage
from bough.query.json_documents import (
    ConversationDocument,
    DoctorDocument,
    TreeDocument,
    conversation_document,
    doctor_document,
    tree_document,
)
from bough.query.lists.from_files import list_all_conversations, list_conversations, list_sessions
from bough.query.lists.list_rows import (
    ConversationList,
    ConversationRow,
    Dirs,
    Project,
    SessionList,
    SessionRow,
)
from bough.query.lists.projects import list_projects as _projects
from bough.query.lists.projects import project_listings
from bough.query.lists.related import lineage, plans
from bough.query.lookup import find_project, find_session
from bough.query.sessions.load_session import read_session
from bough.records.record import BadLine, Record

__all__ = [
    "Agent",
    "BadLine",
    "BoughError",
    "BranchPoint",
    "CallResult",
    "Conversation",
    "ConversationDocument",
    "ConversationList",
    "ConversationRow",
    "DoctorDocument",
    "Finding",
    "Health",
    "Message",
    "Origin",
    "Picture",
    "PlanLinks",
    "Problem",
    "Project",
    "Record",
    "Session",
    "SessionList",
    "SessionRow",
    "TextBlock",
    "Tip",
    "Tokens",
    "ToolBlock",
    "Tree",
    "TreeDocument",
    "Turn",
    "Usage",
    "conversation_document",
    "doctor_document",
    "find_project",
    "find_session",
    "lineage",
    "list_all_conversations",
    "list_conversations",
    "list_sessions",
    "plans",
    "project_listings",
    "projects",
    "read_session",
    "sessions",
    "tree_document",
    "usage",
]

ClaudeDir = str | PathLike[str] | Dirs | None


def projects(claude_dir: ClaudeDir = None) -> list[Project]:
    """List the projects of one or several Claude folders, the most recently active first.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.

    Raises:
        ClaudeFolderNotFound: None of the places is a folder.
    """
    return _projects(_as_dirs(claude_dir))


def sessions(
    project: str | None = None, claude_dir: ClaudeDir = None, *, everything: bool = False
) -> list[SessionRow]:
    """List sessions, newest first; what cannot be read is left out.

    Args:
        project: A project's path, name or folder name; by default all.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        everything: Also list sessions without any conversation.

    Raises:
        ClaudeFolderNotFound: None of the places is a folder.
        ProjectNotFound: No project goes by that name.
        AmbiguousProject: Several do.
    """
    return list_sessions(_as_dirs(claude_dir), project, everything=everything).rows


def usage(of: Iterable[Session]) -> Usage:
    """Sum what several sessions used, each API call counted once over all of them.

    Forks and resumed sessions carry copies of the same calls; their own sums add up to more.
    """
    lines = (line for session in of for line in session.usage_lines())
    return ledger.sum_usage(ledger.count_calls_once(lines))


def _as_dirs(claude_dir: ClaudeDir) -> Dirs:
    if claude_dir is None:
        return ()
    return [claude_dir] if isinstance(claude_dir, str | PathLike) else claude_dir
