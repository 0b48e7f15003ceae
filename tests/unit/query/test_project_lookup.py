"""A project by what a person calls it."""

import pytest

from bough.errors import AmbiguousProject, ProjectNotFound
from bough.query.project_lookup import ProjectNames, find_by_name

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
    assert find_by_name(wanted, [SHOP, OTHER, NOTES]) == about


def test_two_of_one_name_are_told_apart_by_their_folders() -> None:
    with pytest.raises(AmbiguousProject) as error:
        find_by_name("shop", [SHOP, OTHER])

    assert "-home-dev-shop" in error.value.message
    assert "-srv-shop" in error.value.message


def test_folders_of_one_name_are_told_apart_by_their_places() -> None:
    with pytest.raises(AmbiguousProject, match="/d/projects"):
        find_by_name("-srv-shop", [OTHER, TWIN])


def test_what_is_not_there_names_what_is_nearly_called_so() -> None:
    with pytest.raises(ProjectNotFound, match="Notes"):
        find_by_name("Note", [SHOP, NOTES])
