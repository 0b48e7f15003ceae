"""Every transcript, and what became of it since the last look."""

import os
from pathlib import Path

import pytest

from bough.files.poller import HOT_SECONDS, Poller
from tests.conftest import Home

pytestmark = pytest.mark.writes_home


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def lookout(home: Home) -> Poller:
    found = Poller([home.projects, home.path / "sessions"])
    found.scan_all()
    return found


def write(path: Path, data: bytes = b"{}\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def names(paths: set[str]) -> set[str]:
    return {Path(path).name for path in paths}


def test_a_first_look_finds_what_the_client_writes_and_nothing_else(home: Home) -> None:
    wanted = [
        write(home.projects / "-p" / "s.jsonl"),
        write(home.projects / "-p" / "agent-1.jsonl"),
        write(home.projects / "-p" / "s" / "custom-title.json"),
        write(home.projects / "-p" / "s" / "subagents" / "agent-2.jsonl"),
        write(home.projects / "-p" / "s" / "subagents" / "agent-2.meta.json"),
        write(home.projects / "-p" / "s" / "subagents" / "workflows" / "w" / "agent-3.jsonl"),
        write(home.path / "sessions" / "42.json"),
    ]
    write(home.projects / "-p" / "s" / "tool-results" / "x.jsonl")
    write(home.projects / "-p" / "memory" / "m.jsonl")
    write(home.projects / "-p" / "._s.jsonl")
    write(home.projects / "-p" / "s.jsonl.backup")
    write(home.path / "sessions" / "42.abc.key")

    found = lookout(home)

    assert set(found.files) == set(map(str, wanted))


def test_a_second_look_finds_only_what_changed(home: Home) -> None:
    path = write(home.projects / "-p" / "s.jsonl")
    write(home.projects / "-p" / "t.jsonl")
    found = lookout(home)

    assert found.scan_all() == set()
    write(path, b"{}\n{}\n")
    assert found.scan_all() == {str(path)}
    path.unlink()
    assert found.scan_all() == {str(path)}
    assert str(path) not in found.files


def test_a_glance_sees_new_files_folders_and_roots(home: Home) -> None:
    home.projects.rmdir()
    found = lookout(home)

    first = write(home.projects / "-p" / "s.jsonl")
    assert found.scan_likely() == {str(first)}
    deep = write(home.projects / "-p" / "s" / "subagents" / "agent-1.jsonl")
    other = write(home.projects / "-q" / "t.jsonl")
    assert found.scan_likely() == {str(deep), str(other)}
    assert found.scan_likely() == set()


def test_a_glance_sees_appends_to_files_that_changed_lately(home: Home) -> None:
    path = write(home.projects / "-p" / "s.jsonl")
    clock = Clock()
    found = Poller([home.projects], clock)
    found.scan_all()

    write(path, b"{}\n{}\n")
    assert found.scan_likely() == {str(path)}
    clock.now += HOT_SECONDS + 1
    write(path, b"{}\n{}\n{}\n")
    assert found.scan_likely() == set()
    assert found.scan_all() == {str(path)}


def test_a_glance_leaves_out_what_has_long_been_quiet(home: Home) -> None:
    old = write(home.projects / "-p" / "s.jsonl")
    os.utime(old, (1_000_000, 1_000_000))
    quiet = write(home.projects / "-p" / "s" / "subagents" / "agent-1.jsonl")
    os.utime(quiet, (1_000_000, 1_000_000))
    found = lookout(home)

    with old.open("ab") as file:
        file.write(b"{}\n")
    new = write(home.projects / "-p" / "s" / "subagents" / "agent-2.jsonl")

    assert found.scan_likely() == set()
    assert found.scan_all() == {str(old), str(new)}
    newer = write(home.projects / "-p" / "s" / "subagents" / "agent-3.jsonl")
    assert found.scan_likely() == {str(newer)}


def test_a_folder_that_is_removed_takes_its_files_with_it(home: Home) -> None:
    path = write(home.projects / "-p" / "s" / "subagents" / "agent-1.jsonl")
    found = lookout(home)

    path.unlink()
    for folder in (path.parent, path.parent.parent, path.parent.parent.parent):
        folder.rmdir()

    assert found.scan_likely() == {str(path)}
    assert found.files == {}


def test_a_check_looks_only_where_it_is_told_to(home: Home) -> None:
    path = write(home.projects / "-p" / "s.jsonl")
    other = write(home.projects / "-p" / "t.jsonl")
    found = lookout(home)
    write(path, b"{}\n{}\n")
    write(other, b"{}\n{}\n")

    assert found.scan_paths([str(path)]) == {str(path)}
    assert found.scan_all() == {str(other)}


def test_a_check_tells_of_a_file_even_where_it_looks_the_same(home: Home) -> None:
    path = write(home.projects / "-p" / "s.jsonl")

    assert lookout(home).scan_paths([str(path)]) == {str(path)}


def test_a_check_below_a_folder_nobody_knew_finds_all_of_it(home: Home) -> None:
    found = lookout(home)
    one = write(home.projects / "-p" / "s" / "subagents" / "agent-1.jsonl")
    two = write(home.projects / "-p" / "t.jsonl")

    assert found.scan_paths([str(one)]) == {str(one), str(two)}


@pytest.mark.parametrize("place", ["-p/s/tool-results/big.txt", "-p/notes.txt", "-p/s.jsonl.tmp"])
def test_a_check_of_other_files_finds_nothing(home: Home, place: str) -> None:
    write(home.projects / "-p" / "s.jsonl")
    found = lookout(home)

    assert found.scan_paths([str(write(home.projects / place))]) == set()


def test_what_lies_elsewhere_is_not_followed(home: Home, tmp_path: Path) -> None:
    found = lookout(home)

    assert found.scan_paths([str(write(tmp_path / "elsewhere" / "s.jsonl")), "/", ""]) == set()


def test_a_project_that_is_a_link_is_followed_and_counted_once(home: Home, tmp_path: Path) -> None:
    write(tmp_path / "moved" / "s.jsonl")
    write(home.projects / "-here" / "t.jsonl")
    (home.projects / "-moved").symlink_to(tmp_path / "moved")
    (home.projects / "-again").symlink_to(home.projects / "-here")
    (home.projects / "-loop").symlink_to(home.projects)

    found = lookout(home)

    assert sorted(found.files) == [
        str(home.projects / "-here" / "t.jsonl"),
        str(home.projects / "-moved" / "s.jsonl"),
    ]


def test_a_place_told_by_its_real_path_is_known_by_ours(home: Home, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home.path)
    found = Poller([link / "projects"])
    path = write(home.projects / "-p" / "s.jsonl")
    found.scan_all()

    assert found.scan_paths([str(path)]) == {str(link / "projects" / "-p" / "s.jsonl")}


def test_a_folder_that_cannot_be_listed_hides_nothing_else(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home.projects / "-closed" / "s.jsonl")
    write(home.projects / "-open" / "t.jsonl")
    listed = os.scandir

    def refuse(folder: str) -> object:
        if str(folder).endswith("-closed"):
            raise PermissionError(13, "no", folder)
        return listed(folder)

    monkeypatch.setattr(os, "scandir", refuse)

    assert names(set(lookout(home).files)) == {"t.jsonl"}
