from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere
from tests.unit.timetravel.making import LONG_AGO, Shelf, long_talk


def test_the_title_is_the_last_line_and_the_time_stays(
    shelf: Shelf, desk: TravelEnvironment
) -> None:
    book = long_talk(session()).title("Old").last_prompt("four")
    file = shelf.put(book)

    travel.apply(travel.rename(file, "New  name", desk=desk), desk)

    added = f'{{"type":"custom-title","customTitle":"New name","sessionId":"{book.session_id}"}}\n'
    assert file.read_bytes() == book.bytes() + added.encode()
    assert read_session(file).title == "New name"
    assert file.stat().st_mtime == LONG_AGO


def test_the_clients_own_copy_is_left_alone(shelf: Shelf, desk: TravelEnvironment) -> None:
    file = shelf.put(long_talk(session()).title("Old", sidecar=True))
    copy = file.with_suffix("") / "custom-title.json"
    before = copy.read_bytes()

    travel.apply(travel.rename(file, "New", desk=desk), desk)

    assert copy.read_bytes() == before
    assert file.read_bytes().endswith(b'"New","sessionId":"%b"}\n' % file.stem.encode())


@pytest.mark.parametrize("cut", [0, 20], ids=["no newline", "torn"])
def test_a_line_without_end_is_not_glued_to(
    shelf: Shelf, desk: TravelEnvironment, cut: int
) -> None:
    book = long_talk(session())
    file = shelf.put(book.tear_line(cut) if cut else book.drop_newline())
    before = file.read_bytes()

    travel.apply(travel.rename(file, "New", desk=desk), desk)

    assert file.read_bytes().startswith(before + b"\n{")
    assert read_session(file).title == "New"


def test_a_title_needs_words(shelf: Shelf, desk: TravelEnvironment) -> None:
    with pytest.raises(AlreadyThere, match="needs words"):
        travel.rename(shelf.put(long_talk(session())), " \n ", desk=desk)


def test_a_session_is_known_by_its_file(shelf: Shelf, desk: TravelEnvironment) -> None:
    file: Path = shelf.put(long_talk(session()))

    assert travel.rename(file, "x", desk=desk).session == file.stem
