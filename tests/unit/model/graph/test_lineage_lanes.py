"""The files of a lineage in lanes: a copy goes on in its lane, a fork leaves it."""

from collections.abc import Mapping

from bough.model.graph.lineage_lanes import find_relatives, place_lineage
from bough.model.tree.lineage import Origin


def rows_of(session: str, origins: Mapping[str, Origin]) -> list[tuple[str, int, bool]]:
    placed = place_lineage(session, origins)
    return [(row.member.session, row.lane.depth, row.opens) for row in placed]


def test_a_session_of_its_own_is_one_row() -> None:
    assert rows_of("a", {"y": Origin("x", 1, "fork")}) == [("a", 0, False)]


def test_a_copy_goes_on_in_the_lane_and_a_fork_leaves_it() -> None:
    origins = {"fork": Origin("a", 2, "fork"), "copy": Origin("a", 4, "copy")}

    assert rows_of("copy", origins) == [("a", 0, False), ("fork", 1, True), ("copy", 0, False)]


def test_of_two_copies_the_one_on_the_way_to_the_session_keeps_the_lane() -> None:
    origins = {"one": Origin("a", 2, "copy"), "two": Origin("a", 2, "copy")}

    assert rows_of("one", origins) == [("a", 0, False), ("two", 1, True), ("one", 0, False)]
    assert rows_of("two", origins) == [("a", 0, False), ("one", 1, True), ("two", 0, False)]


def test_relatives_are_found_through_ancestors_and_descendants() -> None:
    origins = {"b": Origin("a", 1, "fork"), "c": Origin("a", 1, "fork"), "d": Origin("c", 1, "x")}

    assert find_relatives("b", origins) == {"a", "b", "c", "d"}
