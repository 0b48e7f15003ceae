"""Sessions by the ids in addresses."""

import shutil
from pathlib import Path

import pytest

from bough.errors import AmbiguousSession, SessionNotFound
from bough.sample import session
from bough.web.runtime.session_ids import SessionIds


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    session("one", session_id="aaaa1111-0000").user("hi").write(tmp_path)
    session("two", session_id="aaaa2222-0000").user("ho").write(tmp_path)
    return tmp_path


def test_a_session_is_found_by_its_id_and_by_its_beginning(claude: Path) -> None:
    catalogue = SessionIds([claude])

    whole = catalogue.find("aaaa1111-0000")

    assert catalogue.find("aaaa11") == whole
    assert catalogue.find("AAAA11") == whole
    assert Path(whole.path).name == "aaaa1111-0000.jsonl"


def test_several_that_begin_so_are_named(claude: Path) -> None:
    with pytest.raises(AmbiguousSession, match="2 sessions"):
        SessionIds([claude]).find("aaaa")


def test_the_nearest_are_named(claude: Path) -> None:
    with pytest.raises(SessionNotFound, match="Nearest: aaaa"):
        SessionIds([claude]).find("aaab1")


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        ".",
        "..",
        "../aaaa1111-0000",
        "/etc/passwd",
        "aaaa1111-0000.jsonl",
        "aaaa1111-0000\0",
        "C:\\x",
        "latest",
        "*",
        "~",
        "\ud800",
        "a" * 100_000,
    ],
)
def test_nothing_but_ids_is_found(claude: Path, wanted: str) -> None:
    with pytest.raises((SessionNotFound, AmbiguousSession)):
        SessionIds([claude]).find(wanted)


def test_copies_in_other_folders_have_addresses_of_their_own(claude: Path) -> None:
    (folder,) = (claude / "projects").iterdir()
    shutil.copytree(folder, folder.with_name("-z-copy"))
    catalogue = SessionIds([claude])

    ids = [entry.id for entry in catalogue.entries()]

    assert len(set(ids)) == 4
    copy = next(one for one in catalogue.entries() if one.dir == "-z-copy")
    assert copy.id.startswith(f"{copy.session}~")
    assert catalogue.find(copy.id).path == copy.path
    assert catalogue.id_of(copy.path) == copy.id
    assert catalogue.find("aaaa1111-0000").dir != "-z-copy"


def test_a_session_that_begins_later_is_found(
    claude: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bough.web.runtime.session_ids._FRESH", -1.0)
    catalogue = SessionIds([claude])
    catalogue.entries()

    session("three", session_id="bbbb").user("hey").write(claude)

    assert catalogue.find("bbbb").session == "bbbb"


def test_without_a_folder_there_is_nothing(tmp_path: Path) -> None:
    assert SessionIds([tmp_path / "nowhere"]).entries() == []


def test_a_file_that_is_gone_keeps_its_name(claude: Path) -> None:
    assert SessionIds([claude]).id_of("/gone/cccc.jsonl") == "cccc"
