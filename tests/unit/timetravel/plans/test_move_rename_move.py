import os
from pathlib import Path

import pytest

from bough.errors import Misuse
from bough.files.discover import encode_cwd
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere, CannotUndo, SessionOpen
from bough.timetravel.plan import Move
from tests.unit.timetravel.making import LONG_AGO, Shelf, long_talk


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The place the project was moved to."""
    folder = tmp_path / "new" / "shop"
    folder.mkdir(parents=True)
    return folder


def test_the_folder_gets_the_name_the_client_looks_for(
    shelf: Shelf, environment: TravelEnvironment, project: Path
) -> None:
    builder = long_talk(session()).title("t", sidecar=True)
    file = shelf.put(builder)
    companion = file.with_suffix("") / "custom-title.json"
    before = {path.name: path.read_bytes() for path in (file, companion)}

    plan = travel.move(file.parent, project)
    travel.apply(plan, environment)

    moved = shelf.folder / "projects" / encode_cwd(str(project))
    assert (moved / file.name).read_bytes() == before[file.name]
    assert (moved / file.stem / "custom-title.json").read_bytes() == before[companion.name]
    assert (moved / file.name).stat().st_mtime == LONG_AGO
    assert not file.parent.exists()


def test_the_real_path_counts_not_the_one_that_was_typed(
    shelf: Shelf, environment: TravelEnvironment, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(project)

    plan = travel.move(shelf.put(long_talk(session())).parent, tmp_path / "link")

    assert plan.cwd == str(project)


def test_a_long_path_gets_the_short_name_with_its_code(
    shelf: Shelf, environment: TravelEnvironment, tmp_path: Path
) -> None:
    deep = tmp_path / ("d" * 120) / ("e" * 120)
    deep.mkdir(parents=True)

    plan = travel.move(shelf.put(long_talk(session())).parent, deep)

    [step] = plan.steps
    assert isinstance(step, Move)
    assert Path(step.target).name == encode_cwd(str(deep))
    assert len(Path(step.target).name) < 210


def test_undo_moves_it_back(shelf: Shelf, environment: TravelEnvironment, project: Path) -> None:
    file = shelf.put(long_talk(session()))
    before = shelf.look()
    travel.apply(travel.move(file.parent, project), environment)

    travel.apply(travel.undo(environment=environment), environment)

    assert shelf.look() == before


def test_sessions_join_those_that_are_there_already(
    shelf: Shelf, environment: TravelEnvironment, project: Path
) -> None:
    file = shelf.put(long_talk(session()))
    there = shelf.put_bytes(b"{}\n", "other", encode_cwd(str(project)))
    (file.parent / "memory").mkdir()
    (there.parent / "memory").mkdir()

    plan = travel.move(file.parent, project)
    travel.apply(plan, environment)

    assert {path.name for path in there.parent.iterdir()} == {file.name, there.name, "memory"}
    assert plan.notes == (f"memory is in both folders and stays in {file.parent.name}.",)
    assert file.parent.is_dir()


def test_undo_leaves_what_came_to_the_new_folder_since(
    shelf: Shelf, environment: TravelEnvironment, project: Path
) -> None:
    file = shelf.put(long_talk(session()))
    travel.apply(travel.move(file.parent, project), environment)
    new = shelf.put_bytes(b"{}\n", "since", encode_cwd(str(project)))

    travel.apply(travel.undo(environment=environment), environment)

    assert file.is_file()
    assert new.is_file()


def test_undo_is_refused_where_the_old_place_is_taken(
    shelf: Shelf, environment: TravelEnvironment, project: Path
) -> None:
    file = shelf.put(long_talk(session()))
    travel.apply(travel.move(file.parent, project), environment)
    shelf.put_bytes(b"{}\n", file.stem, file.parent.name)

    with pytest.raises(CannotUndo, match="is there again"):
        travel.undo(environment=environment)


def test_nothing_is_written_over(
    shelf: Shelf, environment: TravelEnvironment, project: Path
) -> None:
    file = shelf.put(long_talk(session()))
    shelf.put_bytes(b"{}\n", file.stem, encode_cwd(str(project)))

    with pytest.raises(AlreadyThere, match="nothing is written over"):
        travel.move(file.parent, project)


def test_a_project_that_lies_there_already_stays(
    shelf: Shelf, environment: TravelEnvironment, project: Path
) -> None:
    file = shelf.put_bytes(b"{}\n", "s", encode_cwd(str(project)))

    with pytest.raises(AlreadyThere, match="Nothing to do"):
        travel.move(file.parent, project)


def test_a_place_that_is_not_there_is_misuse(
    shelf: Shelf, environment: TravelEnvironment, tmp_path: Path
) -> None:
    with pytest.raises(Misuse, match="There is no folder"):
        travel.move(shelf.put(long_talk(session())).parent, tmp_path / "gone")


def test_only_folders_below_projects_move(shelf: Shelf, project: Path) -> None:
    with pytest.raises(Misuse, match="is not the folder of a project"):
        travel.move(shelf.put(long_talk(session())), project)


def test_an_open_session_holds_its_project(
    shelf: Shelf, environment: TravelEnvironment, project: Path
) -> None:
    file = shelf.put(long_talk(session()))
    registry = shelf.folder / "sessions"
    registry.mkdir()
    (registry / "1.json").write_text(f'{{"pid":{os.getpid()},"sessionId":"{file.stem}"}}')

    with pytest.raises(SessionOpen):
        travel.move(file.parent, project)
