"""Which project is a worktree of which repository.

The folder on disk knows best (`.git` is a file there). When it is gone, the path often
still tells: tools put their worktrees into folders with well-known names.
"""

import re
from pathlib import Path

from bough.files.regular_file import open_regular

_PATTERNS = re.compile(
    r"(?P<repo>.+?)[\\/](?:\.claude[\\/]worktrees|\.claude-worktrees|\.worktrees|\.auto-claude"
    r"[\\/]worktrees|\.21st[\\/]worktrees|\.ccswitch[\\/]worktrees)[\\/][^\\/]+"
)
_LONGEST_LINK = 8_192


def repository_of(cwd: str) -> str | None:
    """Give the path of the repository that a folder is a worktree of, else None."""
    return _repository_by_git(cwd) or _repository_by_path(cwd)


def is_existing_folder(path: str) -> bool:
    """Tell whether a folder that a record names is on this machine."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False  # no system could have such a name


def _repository_by_path(cwd: str) -> str | None:
    match = _PATTERNS.match(cwd)
    return match["repo"] if match else None


def _repository_by_git(cwd: str) -> str | None:
    """Look for the `.git` that a folder belongs to; only in a worktree is it a file."""
    folder = Path(cwd)
    # A record may name anything: a path of another system, or a share of a foreign host.
    if not folder.is_absolute() or cwd.startswith(("\\\\", "//")):
        return None
    try:
        for place in (folder, *folder.parents):
            link = place / ".git"
            if link.is_file():
                return _follow_link(place, link)
            if link.is_dir():
                return None
    except (OSError, ValueError):
        return None
    return None


def _follow_link(place: Path, link: Path) -> str | None:
    """Follow a worktree's `.git` to the repository; a submodule's leads elsewhere."""
    named = _read_link(link).partition("gitdir:")[2].strip()
    gitdir = place / named
    if not named or gitdir.parent.name != "worktrees":
        return None
    common = gitdir / "commondir"
    shared = gitdir / _read_link(common) if common.is_file() else gitdir.parent.parent
    shared = shared.resolve()
    return str(shared.parent if shared.name == ".git" else shared)


def _read_link(link: Path) -> str:
    with open_regular(link) as file:
        return (file.read(_LONGEST_LINK) or b"").decode("utf-8", "replace").strip()
