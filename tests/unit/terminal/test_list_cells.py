"""What lists say in a few characters."""

from msgspec.structs import replace

from bough.query.lists.list_rows import Project
from bough.terminal.list_cells import find_alike_projects

SHOP = Project("-dev-shop", "/dev/shop", "shop", 1, None, None, "/claude/projects/-dev-shop")


def test_projects_with_the_same_name_and_path_are_alike() -> None:
    copy = replace(SHOP, id="-backup-shop")
    other = replace(SHOP, id="-dev-lantern", name="lantern")

    assert find_alike_projects([SHOP, copy, other]) == {"-dev-shop", "-backup-shop"}
    assert find_alike_projects([SHOP, other]) == frozenset()


def test_projects_of_two_machines_are_told_apart_by_them() -> None:
    assert find_alike_projects([SHOP, replace(SHOP, machine="laptop")]) == frozenset()
