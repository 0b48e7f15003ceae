"""Whether the index still knows what is on disk."""

from pathlib import Path

from bough.query.index.handle import check_index, open_index
from bough.sample import session
from tests.conftest import Home


def test_an_index_that_was_just_made_is_current(home: Home, tmp_path: Path) -> None:
    with home.writing():
        session().user("a").agent("Explore", "look").assistant("b").write(home)
    open_index([home], tmp_path / "i.sqlite").close()

    found = check_index([home], tmp_path / "i.sqlite")

    assert (found.current, found.files, found.bytes) == (True, 2, 0)


def test_new_changed_and_gone_files_are_told_apart(home: Home, tmp_path: Path) -> None:
    with home.writing():
        session("one").user("a").write(home)
        gone = session("two").user("b").write(home)
    open_index([home], tmp_path / "i.sqlite").close()
    with home.writing():
        grown = session("one").user("a").assistant("more").write(home)
        gone.unlink()
        session("three").user("c").write(home)

    found = check_index([home], tmp_path / "i.sqlite")

    assert not found.current
    assert (found.files, found.new, found.changed, found.gone) == (1, 1, 1, 1)
    assert found.bytes > 0
    assert grown.is_file()
