from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere
from tests.unit.timetravel.making import LONG_AGO, Shelf, long_talk


def test_the_title_is_the_last_line_and_the_time_stays(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = long_talk(session()).title("Old").last_prompt("four")
    file = shelf.put(builder)

    travel.apply(travel.rename(file, "New  name", environment=environment), environment)

    added = (
        f'{{"type":"custom-title","customTitle":"New name","sessionId":"{builder.session_id}"}}\n'
    )
    assert file.read_bytes() == builder.bytes() + added.encode()
    assert read_session(file).title == "New name"
    assert file.stat().st_mtime == LONG_AGO


def test_the_clients_own_copy_is_left_alone(shelf: Shelf, environment: TravelEnvironment) -> None:
    file = shelf.put(long_talk(session()).title("Old", sidecar=True))
    copy = file.with_suffix("") / "custom-title.json"
    before = copy.read_bytes()

    travel.apply(travel.rename(file, "New", environment=environment), environment)

    assert copy.read_bytes() == before
    assert file.read_bytes().endswith(b'"New","sessionId":"%b"}\n' % file.stem.encode())


@pytest.mark.parametrize("cut", [0, 20], ids=["no newline", "torn"])
def test_a_line_without_end_is_not_glued_to(
    shelf: Shelf, environment: TravelEnvironment, cut: int
) -> None:
    builder = long_talk(session())
    file = shelf.put(builder.tear_line(cut) if cut else builder.drop_newline())
    before = file.read_bytes()

    travel.apply(travel.rename(file, "New", environment=environment), environment)

    assert file.read_bytes().startswith(before + b"\n{")
    assert read_session(file).title == "New"


def test_a_title_needs_words(shelf: Shelf, environment: TravelEnvironment) -> None:
    with pytest.raises(AlreadyThere, match="needs words"):
        travel.rename(shelf.put(long_talk(session())), " \n ", environment=environment)


def test_a_session_is_known_by_its_file(shelf: Shelf, environment: TravelEnvironment) -> None:
    file: Path = shelf.put(long_talk(session()))

    assert travel.rename(file, "x", environment=environment).session == file.stem


@pytest.mark.parametrize(("version", "notes"), [("2.0.37", 1), ("2.0.42", 0)])
def test_it_is_said_where_the_client_shows_no_titles(
    shelf: Shelf, environment: TravelEnvironment, version: str, notes: int
) -> None:
    file = shelf.put(long_talk(session(version=version)))

    plan = travel.rename(file, "x", environment=environment)

    assert len(plan.notes) == notes
    assert all(version in note and "from 2.0.42 on" in note for note in plan.notes)
