"""Kept outputs: found by listing, never by a path somebody wrote, and read within bounds."""

from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.query.sessions.stored_outputs import (
    list_stored_outputs,
    read_output,
    resolve_output_path,
)
from bough.sample import session
from tests.conftest import Home

TEXT = "żółw\n" * 2_000


@pytest.fixture
def kept(home: Home) -> str:
    with home.writing() as folder:
        path = session().user("a").big_result("Bash", {}, TEXT).assistant("b").write(folder)
    (found,) = set(list_stored_outputs(read_session(path)))
    return found


def test_an_output_is_read_whole(kept: str) -> None:
    found = read_output(kept, 1_000_000)

    assert found is not None
    assert (found.text, found.bytes, found.whole) == (TEXT, len(TEXT.encode()), True)


def test_of_too_large_an_output_whole_lines_are_read(kept: str) -> None:
    found = read_output(kept, 100)

    assert found is not None
    assert not found.whole
    assert found.text == "żółw\n" * 12
    assert found.bytes == len(TEXT.encode())


def test_an_output_that_is_gone_is_none(kept: str, home: Home) -> None:
    with home.writing():
        Path(kept).unlink()

    assert read_output(kept, 100) is None


def test_a_link_out_of_the_project_is_not_followed(kept: str, home: Home, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    with home.writing():
        Path(kept).unlink()
        Path(kept).symlink_to(secret)

    assert resolve_output_path(kept) is None
    assert read_output(kept, 100) is None


def test_a_folder_is_no_output(kept: str, home: Home) -> None:
    with home.writing():
        Path(kept).unlink()
        Path(kept).mkdir()

    assert read_output(kept, 100) is None
