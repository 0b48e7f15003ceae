"""Files are written whole, over nothing, and never inside a Claude folder."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.errors import BoughError, Misuse
from bough.export.save import check_file, check_folder, make_folder, save_file
from tests.conftest import Home


def test_a_file_is_written_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    save_file(tmp_path / "a.md", b"words")

    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]
    assert (tmp_path / "a.md").read_bytes() == b"words"


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()
    (tmp_path / "a.md" / "inner").touch()

    with pytest.raises(BoughError, match="Nothing was written"):
        save_file(tmp_path / "a.md", b"words")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md"]


def test_a_file_that_is_there_is_written_over_only_by_force(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("mine")

    with pytest.raises(Misuse, match="exists already"):
        check_file(tmp_path / "a.md")
    check_file(tmp_path / "a.md", force=True)


def test_a_claude_folder_is_refused_even_by_force(home: Home, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home.path)

    for place in (home.path / "a.md", home.projects / "x" / "a.md", tmp_path / "link" / "a.md"):
        with pytest.raises(Misuse, match="never writes"):
            check_file(place, force=True)
        with pytest.raises(Misuse, match="never writes"):
            check_folder(place.parent, force=True)


def test_a_folder_has_to_be_new_or_empty(tmp_path: Path) -> None:
    check_folder(tmp_path / "new")
    make_folder(tmp_path / "new" / "inner")

    check_folder(tmp_path / "new" / "inner")
    with pytest.raises(Misuse, match="not empty"):
        check_folder(tmp_path / "new")


def test_a_file_is_no_folder_and_a_folder_no_file(tmp_path: Path) -> None:
    (tmp_path / "a").touch()

    with pytest.raises(Misuse, match="is a file"):
        check_folder(tmp_path / "a")
    with pytest.raises(Misuse, match="is a folder"):
        check_file(tmp_path)


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Let new files be readable by everybody, unless whoever makes them says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.usefixtures("open_umask")
def test_a_file_is_its_owners_alone_also_over_one_that_was_not(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("mine")
    part = tmp_path / f".old.md.{os.getpid()}.part"
    part.write_text("left behind")

    save_file(tmp_path / "old.md", b"words")
    save_file(tmp_path / "new.md", b"words")

    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"old.md": 0o600, "new.md": 0o600}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.usefixtures("open_umask")
def test_folders_that_are_made_are_their_owners_alone_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o775)

    make_folder(tmp_path / "shared" / "site" / "pages")

    modes = [
        (tmp_path / name).stat().st_mode & 0o777
        for name in ("shared", "shared/site", "shared/site/pages")
    ]
    assert modes == [0o775, 0o700, 0o700]
