"""Histories that servers are asked about: two projects, of which one is in scope."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from bough import library
from bough.mcp.answers import Answerer
from bough.mcp.scope import ProjectScope, ScopedHistory
from bough.sample import SampleSession, session

OURS = "/home/dev/orchard-shop"
THEIRS = "/home/dev/other-client"
FOREIGN = "kumquat"
"""A word that only the other project has."""
START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def orchard() -> SampleSession:
    """Tell a session with everything that a tool can ask for."""
    told = session("orchard", cwd=OURS, branch="main", start=START)
    told.user("Use SQLite for the job queue, never Redis.", name="asked")
    told.assistant("Agreed: the job queue uses SQLite.")
    told.tool(
        "Bash", {"command": "make test SEED=41"}, "ImportError: no module queue_41", is_error=True
    )
    told.tool(
        "Edit", {"file_path": f"{OURS}/src/queue.py", "old_string": "a", "new_string": "b"}, "ok"
    )
    told.tool("Bash", {"command": "make test SEED=42"}, "12 passed")
    told.tool("WebFetch", {"url": "https://x.test", "prompt": "p"}, "outsideword from a page")
    told.agent("Explore", "Look for queues", answer="An explorer found three queues.")
    told.assistant("The tests pass.", name="passed")
    told.compact("Summary:\nThe queue is done.")
    told.user("Now write the readme.").assistant("Written.")
    told.at("asked").user("Try Redis after all", name="left").assistant("Redis it is, tried.")
    told.at("passed").user("Go on on the main line").assistant("Gone on.")
    return told


def other() -> SampleSession:
    """Tell a session of another project."""
    told = session("other", cwd=THEIRS, start=START + timedelta(days=1))
    told.user(f"Use {FOREIGN} for the job queue").assistant(f"{FOREIGN} it is.")
    told.tool(
        "Bash", {"command": "make test SEED=43"}, "ImportError: no module queue_43", is_error=True
    )
    told.tool(
        "Edit", {"file_path": f"{THEIRS}/src/queue.py", "old_string": "a", "new_string": "b"}, "ok"
    )
    return told


def worktree() -> SampleSession:
    """Tell a session in a worktree of the repository in scope."""
    told = session(
        "worktree",
        cwd=f"{OURS}/.claude/worktrees/fix-tax",
        branch="fix-tax",
        start=START + timedelta(hours=5),
    )
    return told.user("Fix the tax in the worktree").assistant("Fixed the tax.")


def write_history(place: Path, *sessions: SampleSession) -> tuple[Path, Path]:
    """Write sessions below a folder, and an index of them; give the Claude folder and it."""
    claude, index = place / "claude", place / "index.sqlite"
    (claude / "projects").mkdir(parents=True, exist_ok=True)
    for told in sessions:
        told.write(claude)
    library.open_index([claude], index).close()
    return claude, index


def make_answerer(claude: Path, index: Path, project: str | None = OURS) -> Answerer:
    """Make what answers, without a protocol around it."""
    return Answerer(ScopedHistory(ProjectScope(project), [str(claude)], str(index)))
