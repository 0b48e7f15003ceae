"""A project is known by the address of its repository, without who may read it there."""

from pathlib import Path

import pytest

from bough.team.repository_name import find_repository, normalise_remote, read_remotes


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("git@github.com:acme/shop.git", "github.com/acme/shop"),
        ("https://github.com/acme/shop", "github.com/acme/shop"),
        ("https://ann:hunter2-xyz9@GitHub.com/acme/shop.git/", "github.com/acme/shop"),
        ("ssh://git@github.com:22/acme/shop.git", "github.com/acme/shop"),
        ("ssh://git@git.example.com:2222/acme/shop", "git.example.com:2222/acme/shop"),
        ("host:shop", "host/shop"),
        ("file:///srv/git/shop.git", None),
        ("/srv/git/shop.git", None),
        ("../shop", None),
        (r"C:\git\shop", None),
        ("https://[broken", None),
        ("https://github.com/", None),
    ],
)
def test_remotes_have_one_name_on_every_machine(url: str, name: str | None) -> None:
    assert normalise_remote(url) == name


def test_the_remote_called_origin_counts_before_others() -> None:
    config = '[remote "fork"]\n\turl = a:b\n[core]\n\turl = c:d\n[remote "origin"]\n\turl = "e:f"\n'
    assert read_remotes(config) == {"fork": "a:b", "origin": "e:f"}


def test_a_folder_inside_a_repository_and_its_worktree_are_of_it(tmp_path: Path) -> None:
    repository, tree = tmp_path / "shop", tmp_path / "tree"
    inner = repository / "src" / "deep"
    inner.mkdir(parents=True)
    git = repository / ".git"
    (git / "worktrees" / "tree").mkdir(parents=True)
    (git / "config").write_text('[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
    (git / "worktrees" / "tree" / "commondir").write_text("../..")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {git / 'worktrees' / 'tree'}\n")
    found = [find_repository(str(place)) for place in (repository, inner, tree)]
    assert found == ["github.com/acme/shop"] * 3


def test_a_folder_that_is_gone_or_foreign_has_no_repository(tmp_path: Path) -> None:
    places = [None, str(tmp_path / "gone"), "//host/share", r"C:\x", "relative"]
    assert [find_repository(place) for place in places] == [None] * 5
