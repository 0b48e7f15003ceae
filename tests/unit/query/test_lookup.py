"""Finding a project or a session by what a person calls it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bough.errors import AmbiguousProject, AmbiguousSession, ProjectNotFound, SessionNotFound
from bough.query.index.handle import open_index
from bough.query.lists.projects import project_listings
from bough.query.lists.session_lookup import find_session
from bough.query.lookup import (
    ProjectNames,
    choose_project,
    choose_session,
    explain_missing,
    find_nearest,
    find_project,
)
from bough.query.stats.stats_scope import find_stats_scope
from bough.query.usage.sources import FileUsageSource
from bough.query.usage.usage_lookup import find_usage_session
from bough.sample import SampleSession, session
from tests.conftest import Home


def write(home: Home, *books: SampleSession) -> list[Path]:
    with home.writing() as folder:
        return [builder.write(folder) for builder in books]


def project(home: Home, wanted: str) -> str:
    return find_project(wanted, project_listings([home])).dir


# -- rules --------------------------------------------------------------------------------------

SHOP = ProjectNames("-home-dev-shop", "/c/projects/-home-dev-shop", "/home/dev/shop", "shop", 1)
OTHER = ProjectNames("-srv-shop", "/c/projects/-srv-shop", "/srv/shop", "shop", 2)
NOTES = ProjectNames("-home-dev-Notes", "/c/projects/-home-dev-Notes", None, "Notes", 3)
TWIN = ProjectNames("-srv-shop", "/d/projects/-srv-shop", "/mnt/shop", "store", 4)


@pytest.mark.parametrize(
    ("wanted", "about"),
    [
        ("-home-dev-shop", 1),
        ("/c/projects/-srv-shop", 2),
        ("/home/dev/shop", 1),
        ("/home/dev/shop/", 1),
        ("/SRV/shop", 2),
        ("Notes", 3),
        ("notes", 3),
    ],
)
def test_folder_place_path_and_name_find_it(wanted: str, about: int) -> None:
    assert choose_project(wanted, [SHOP, OTHER, NOTES]) == about


def test_two_of_one_name_are_told_apart_by_their_folders() -> None:
    with pytest.raises(AmbiguousProject) as error:
        choose_project("shop", [SHOP, OTHER])

    assert "-home-dev-shop" in error.value.message
    assert "-srv-shop" in error.value.message


def test_folders_of_one_name_are_told_apart_by_their_places() -> None:
    with pytest.raises(AmbiguousProject, match="/d/projects"):
        choose_project("-srv-shop", [OTHER, TWIN])


def test_what_is_not_there_names_what_is_nearly_called_so() -> None:
    with pytest.raises(ProjectNotFound, match="Notes"):
        choose_project("Note", [SHOP, NOTES])


IDS = [(one, one) for one in ("3f9c21d0-aa", "3f9c77e1-bb", "b8180000-cc")]


def test_an_id_beats_another_that_begins_with_it() -> None:
    assert choose_session("3f9c", [("3f9c", 1), ("3f9c21d0", 2)]) == 1


def test_an_id_that_stands_twice_is_ambiguous() -> None:
    with pytest.raises(AmbiguousSession, match="Give the file's path"):
        choose_session("3f9c", [("3f9c", 1), ("3f9c", 2)])


def test_what_is_about_as_near_as_the_nearest_is_named_too() -> None:
    with pytest.raises(SessionNotFound, match=r"Nearest: 3f9c21d0 A, 3f9c77e1 A\.$"):
        choose_session("3f9d", IDS, lambda _: "A")


def test_what_is_less_near_than_the_nearest_is_not_named() -> None:
    with pytest.raises(SessionNotFound, match=r"Nearest: 3f9c21d0\.$"):
        choose_session("3f9c21d1", IDS)


def test_what_is_far_from_everything_has_no_nearest() -> None:
    with pytest.raises(SessionNotFound, match="bough sessions lists them"):
        choose_session("zzzz", IDS)


def test_a_very_long_name_is_compared_by_its_beginning() -> None:
    assert find_nearest("3f9c" + "0" * 100_000, {"a": "3f9d" + "0" * 60}) == ["a"]


@pytest.mark.parametrize("wanted", ["PAPER-LNTERN", "paper-lantrn"])
def test_a_misspelt_name_is_near_whatever_its_case(wanted: str) -> None:
    assert find_nearest(wanted, {"x": "Paper-Lantern", "y": "orchard"}) == ["x"]


def test_a_name_of_nothing_is_explained_by_what_is_nearest() -> None:
    unknown = SessionNotFound("shopp")

    both = explain_missing("shopp", unknown, ProjectNotFound("shopp", ["shop"]))

    assert both.message == "No project and no session is called shopp. Nearest: shop."
    assert explain_missing("x", unknown).message == (
        "No project and no session is called x. "
        "bough projects and bough sessions list what there is."
    )


# -- projects -----------------------------------------------------------------------------------


@pytest.fixture
def shop(home: Home) -> Home:
    write(home, session("one", cwd="/home/dev/shop").user("a"))
    write(home, session("two", cwd="/home/dev/lamp").user("b"))
    return home


@pytest.mark.parametrize(
    "wanted",
    ["-home-dev-shop", "/home/dev/shop", "/home/dev/shop/", "shop", "SHOP", "/home/DEV/shop"],
)
def test_a_project_is_found_by_folder_name_path_and_name(shop: Home, wanted: str) -> None:
    assert project(shop, wanted) == "-home-dev-shop"


def test_a_project_is_found_by_where_its_files_lie(shop: Home) -> None:
    assert project(shop, str(shop.projects / "-home-dev-shop")) == "-home-dev-shop"


def test_a_project_is_found_by_a_path_from_here(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop").mkdir()
    write(home, session("one", cwd=str((tmp_path / "shop").resolve())).user("a"))
    monkeypatch.chdir(tmp_path / "shop")

    assert project(home, ".").endswith("shop")


def test_a_name_that_fits_several_projects_is_ambiguous(home: Home) -> None:
    write(home, session("one", cwd="/home/ada/shop").user("a"))
    write(home, session("two", cwd="/home/bob/shop").user("b"))

    with pytest.raises(AmbiguousProject) as caught:
        project(home, "shop")

    assert caught.value.matches == ("-home-ada-shop", "-home-bob-shop")
    assert project(home, "/home/ada/shop") == "-home-ada-shop"


def test_one_name_in_two_claude_folders_is_told_apart_by_path(home: Home, tmp_path: Path) -> None:
    write(home, session("one", cwd="/home/dev/shop").user("a"))
    session("two", cwd="/home/dev/shop").user("b").write(tmp_path / "other")

    with pytest.raises(AmbiguousProject) as caught:
        find_project("-home-dev-shop", project_listings([home, tmp_path / "other"]))

    assert len(set(caught.value.matches)) == 2


def test_an_unknown_project_names_the_nearest(shop: Home) -> None:
    with pytest.raises(ProjectNotFound, match="Nearest: shop"):
        project(shop, "shopp")


def test_a_path_that_is_none_is_not_found(shop: Home) -> None:
    with pytest.raises(ProjectNotFound):
        project(shop, "a\0b")
    with pytest.raises(ProjectNotFound):
        project(shop, "~nobody/shop")


# -- sessions -----------------------------------------------------------------------------------


def named(prefix: str, **words: str) -> SampleSession:
    identity = prefix + "00000000-0000-4000-8000-000000000000"[len(prefix) :]
    return session(prefix, session_id=identity, **words).user(f"session {prefix}")  # type: ignore[arg-type]


def test_a_session_is_found_by_a_prefix_that_fits_one(home: Home) -> None:
    first, second = write(home, named("3f9c"), named("3fa1"))

    assert find_session("3f9", [home]) == first
    assert find_session("3FA", [home]) == second
    assert find_session(first.stem, [home]) == first


def test_a_prefix_that_fits_several_is_ambiguous(home: Home) -> None:
    write(home, named("3f9c"), named("3fa1"))

    with pytest.raises(AmbiguousSession, match='"3f" fits 2 sessions'):
        find_session("3f", [home])


def test_a_session_in_two_folders_is_ambiguous_even_by_its_whole_id(home: Home) -> None:
    one, two = named("3f9c", cwd="/home/dev/a"), named("3f9c", cwd="/home/dev/b")
    path, _ = write(home, one, two)

    with pytest.raises(AmbiguousSession, match="Give the file's path"):
        find_session(path.stem, [home])


def test_an_unknown_session_names_the_nearest_with_its_title(home: Home) -> None:
    write(home, named("3f9c"), named("b818"))

    with pytest.raises(SessionNotFound, match="Nearest: 3f9c0000 session 3f9c"):
        find_session("3f9d", [home])


@pytest.mark.parametrize("wanted", ["", "zzzz"])
def test_nothing_near_is_said_as_such(home: Home, wanted: str) -> None:
    write(home, named("3f9c"))

    with pytest.raises(SessionNotFound):
        find_session(wanted, [home])


def test_a_path_is_taken_as_it_is(home: Home, tmp_path: Path) -> None:
    assert find_session("x.jsonl", [home]) == Path("x.jsonl")
    assert find_session("some/where", [home]) == Path("some/where")
    assert find_session("~/x.jsonl", [home]) == Path("~/x.jsonl").expanduser()


def test_an_agents_file_is_no_session(home: Home) -> None:
    write(home, named("3f9c", version="2.0.60").agent("Explore", "look", agent_id="abcdef0"))

    with pytest.raises(SessionNotFound):
        find_session("agent-", [home])


def test_what_a_deleted_session_left_is_not_found(home: Home) -> None:
    with home.writing() as folder:
        named("3f9c").agent("Explore", "look").write_companions(folder)

    with pytest.raises(SessionNotFound):
        find_session("3f9c", [home])


def test_latest_is_where_something_was_last_said(home: Home) -> None:
    old, new = write(home, named("aaaa"), session("bbbb").wait(hours=3).user("b"))
    with home.writing():
        os.utime(old, (2_000_000_000, 2_000_000_000))
        os.utime(new, (1_900_000_000, 1_900_000_000))

    assert find_session("latest", [home]) == new


def test_latest_is_a_session_with_a_conversation(home: Home) -> None:
    talk, silent = write(home, named("aaaa"), session("bbbb").mode())
    with home.writing():
        os.utime(talk, (1_000_000_000, 1_000_000_000))
        os.utime(silent, (2_000_000_000, 2_000_000_000))

    assert find_session("latest", [home]) == talk


def test_latest_of_nothing_is_not_found(home: Home) -> None:
    with pytest.raises(SessionNotFound):
        find_session("latest", [home])


# -- the same rule in the usage and in the index ------------------------------------------------


def find_everywhere(home: Home, tmp_path: Path, wanted: str) -> set[str]:
    """Ask the files, the usage of calls and the index; give their answers, or what they say."""
    usages = FileUsageSource([home]).usages()
    with open_index([home], tmp_path / "index.db") as index:
        found = set()
        questions: tuple[Callable[[], str], ...] = (
            lambda: find_session(wanted, [home]).stem,
            lambda: find_usage_session(wanted, usages),
            lambda: str(find_stats_scope(index, session=wanted).session),
        )
        for find in questions:
            try:
                found.add(find())
            except (AmbiguousSession, SessionNotFound) as error:
                found.add(error.message)
        return found


@pytest.mark.parametrize("wanted", ["3f9c", "3F9C", "3f", "b818", "", "zzzz", "latest"])
def test_files_usage_and_index_give_one_answer(home: Home, tmp_path: Path, wanted: str) -> None:
    write(home, named("3f9c").assistant("a"), named("3fa1").assistant("b"))
    write(home, session("b818", session_id="b8180000").wait(hours=3).user("c").assistant("d"))

    assert len(find_everywhere(home, tmp_path, wanted)) == 1


def test_files_usage_and_index_name_the_same_nearest(home: Home, tmp_path: Path) -> None:
    write(home, named("3f9c").assistant("a"), named("b818").assistant("b"))

    found = find_everywhere(home, tmp_path, "3f9d")

    # Usage read from files has no titles.
    said = "No session begins with 3f9d. Nearest: 3f9c0000"
    assert found == {f"{said}.", f"{said} session 3f9c."}


def test_a_path_finds_its_session_everywhere(home: Home, tmp_path: Path) -> None:
    path, _ = write(home, named("3f9c").assistant("a"), named("3fa1").assistant("b"))

    assert find_everywhere(home, tmp_path, str(path)) == {path.stem}


def test_a_file_that_lies_elsewhere_now_still_names_its_session(home: Home) -> None:
    (path,) = write(home, named("3f9c").assistant("a"))

    found = find_usage_session(f"/gone/{path.name}", FileUsageSource([home]).usages())

    assert found == path.stem


def test_an_id_that_begins_alike_is_the_nearest_whatever_follows() -> None:
    known = [("3f9c21d0-2fb3", 1), ("9c999993-0000", 2), ("f9c99999-1111", 3)]

    with pytest.raises(SessionNotFound, match=r"Nearest: 3f9c21d0\.?$"):
        choose_session("3f9c99999", known)
