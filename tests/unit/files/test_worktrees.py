"""Which project is a worktree of which repository."""

from pathlib import Path

import pytest

from bough.files.worktrees import repository_of


def repository(tmp_path: Path) -> Path:
    repo = tmp_path / "shop"
    (repo / ".git" / "worktrees" / "fix").mkdir(parents=True)
    return repo


def worktree(tmp_path: Path, gitdir: str) -> Path:
    tree = tmp_path / "fix"
    tree.mkdir(exist_ok=True)
    (tree / ".git").write_text(f"gitdir: {gitdir}\n", encoding="utf-8")
    return tree


def test_a_worktree_leads_to_its_repository(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    gitdir = repo / ".git" / "worktrees" / "fix"
    (gitdir / "commondir").write_text("../..\n", encoding="utf-8")

    assert repository_of(str(worktree(tmp_path, str(gitdir)))) == str(repo)


def test_a_worktree_may_be_linked_by_a_relative_path(tmp_path: Path) -> None:
    repo = repository(tmp_path)

    tree = worktree(tmp_path, "../shop/.git/worktrees/fix")

    assert repository_of(str(tree)) == str(repo)


def test_a_folder_below_a_worktree_belongs_to_it(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    below = worktree(tmp_path, str(repo / ".git/worktrees/fix")) / "src" / "deep"
    below.mkdir(parents=True)

    assert repository_of(str(below)) == str(repo)


def test_a_worktree_whose_repository_is_gone_still_names_it(tmp_path: Path) -> None:
    gone = tmp_path / "gone" / ".git" / "worktrees" / "fix"

    assert repository_of(str(worktree(tmp_path, str(gone)))) == str(tmp_path / "gone")


def test_a_worktree_of_a_bare_repository_leads_to_that(tmp_path: Path) -> None:
    bare = tmp_path / "shop.git" / "worktrees" / "fix"
    bare.mkdir(parents=True)
    (bare / "commondir").write_text("../..", encoding="utf-8")

    assert repository_of(str(worktree(tmp_path, str(bare)))) == str(tmp_path / "shop.git")


def test_a_repository_is_no_worktree_of_itself(tmp_path: Path) -> None:
    assert repository_of(str(repository(tmp_path))) is None


def test_a_submodule_is_no_worktree(tmp_path: Path) -> None:
    module = tmp_path / "shop" / ".git" / "modules" / "fix"
    module.mkdir(parents=True)

    assert repository_of(str(worktree(tmp_path, str(module)))) is None


@pytest.mark.parametrize("text", ["", "gitdir:", "nonsense", "gitdir: \0"])
def test_a_link_that_says_nothing_leads_nowhere(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text, encoding="utf-8")

    assert repository_of(str(tmp_path)) is None


@pytest.mark.parametrize(
    ("cwd", "repo"),
    [
        ("/home/dev/shop/.claude/worktrees/fix", "/home/dev/shop"),
        ("/home/dev/shop/.claude/worktrees/fix/src", "/home/dev/shop"),
        ("/home/dev/shop/.worktrees/fix", "/home/dev/shop"),
        ("/home/dev/shop/.claude-worktrees/fix", "/home/dev/shop"),
        ("/home/dev/shop/.auto-claude/worktrees/fix", "/home/dev/shop"),
        ("C:\\Users\\dev\\shop\\.claude\\worktrees\\fix", "C:\\Users\\dev\\shop"),
        ("/home/dev/shop/.claude/worktrees", None),
        ("/home/dev/shop", None),
        ("shop", None),
        ("", None),
        ("\\\\server\\share\\shop", None),
        ("/home/dev/\0", None),
    ],
)
def test_a_folder_that_is_gone_is_known_by_its_path(cwd: str, repo: str | None) -> None:
    assert repository_of(cwd) == repo
