"""Which project is a worktree of which repository.

The folder on disk knows best (`.git` is a file there). When it is gone, the path often
still tells: tools put their worktrees into folders with well-known names.
"""

import re
from pathlib import Path

_PATTERNS = re.compile(
    r"^(?P<repo>.+?)[\\/](?:\.claude[\\/]worktrees|\.claude-worktrees|\.worktrees|\.auto-claude"
    r"[\\/]worktrees|\.21st[\\/]worktrees|\.ccswitch[\\/]worktrees)[\\/](?P<name>[^\\/]+)"
)


def repository_of(cwd: str) -> str | None:
    """Give the path of the repository that a folder is a worktree of, else None."""
    return _by_git(Path(cwd)) or _by_path(cwd)


def _by_path(cwd: str) -> str | None:
    match = _PATTERNS.match(cwd)
    return match["repo"] if match else None


def _by_git(folder: Path) -> str | None:
    link = folder / ".git"
    try:
        if not link.is_file():
            return None
        text = link.read_text(encoding="utf-8", errors="replace")
        gitdir = Path(text.partition("gitdir:")[2].strip())
        common = gitdir / "commondir"
        if common.is_file():
            gitdir = (gitdir / common.read_text(encoding="utf-8").strip()).resolve()
    except (OSError, ValueError):
        return None
    for part in (gitdir, *gitdir.parents):
        if part.name == ".git" and part.parent != folder:
            return str(part.parent)
    return None
