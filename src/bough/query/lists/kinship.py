"""How the sessions of a project hang together: forks and copies, plans and what they became."""

from bough.files.discover import ProjectFiles
from bough.model.conversation.plans import PlanLinks, plan_links
from bough.model.tree.lineage import Origin
from bough.query.finding import find_project
from bough.query.lists.from_files import read_sessions
from bough.query.lists.projects import project_listings
from bough.query.lists.rows import Dirs
from bough.query.sessions.project_folder import Folder


def lineage(project: str, dirs: Dirs = ()) -> dict[str, Origin]:
    """Find for each session of a project the one it was forked or copied from.

    Args:
        project: The project's path, name or folder name.
        dirs: Claude folders; by default the usual places.
    """
    return dict(Folder(_listing(project, dirs).path).origins)


def plans(project: str, dirs: Dirs = ()) -> dict[str, PlanLinks]:
    """Tie the plans of a project to the sessions that carried them out.

    Args:
        project: The project's path, name or folder name.
        dirs: Claude folders; by default the usual places.
    """
    read = read_sessions(_listing(project, dirs), [])
    return plan_links({session.id: session.plan for _, session in read})


def _listing(project: str, dirs: Dirs) -> ProjectFiles:
    return find_project(project, project_listings(dirs))
