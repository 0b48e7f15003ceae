"""Of 796 nodes with several children, nine are branches.

The lines are those of the prompts that start each way, counted from 0.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from bough.model.session import Session

Files = Mapping[Path, Session]
Ways = list[tuple[str, str, list[int]]]

IN_THE_CORPUS: Ways = [
    ("0f008414", "edit", [12, 15]),
    ("808f2765", "edit", [650, 782]),
    ("87620040", "command", [36, 81]),
    ("9b8d20ae", "edit", [32, 36]),
    ("b8186959", "edit", [555, 557]),
    ("c51e78a1", "command", [188, 194]),
    ("d18c4dd5", "edit", [28, 31]),
    ("d18c4dd5", "edit", [229, 232]),
    ("d18c4dd5", "edit", [258, 267, 272]),
]
OF_CLIENTS: Ways = [
    ("1.0.128/interactive", "edit", [2, 9]),
    ("2.0.76/interactive", "edit", [4, 14]),
    ("2.1.150/interactive", "edit", [9, 21]),
    ("2.1.250/interactive", "edit", [12, 27]),
    ("2.1.325/tui-rewind", "edit", [40, 47]),
    ("2.1.50/interactive", "edit", [4, 15]),
]


def lines(session: Session, uuids: tuple[str, ...]) -> list[int]:
    tree = session.tree
    return [tree.lines[tree.number[uuid]][0].number - 1 for uuid in uuids]


def test_the_branch_points_of_the_corpus_are_exactly_these(corpus: Files) -> None:
    found = [
        (path.name[:8], point.cause, lines(session, point.children))
        for path, session in corpus.items()
        for point in session.branch_points
    ]

    assert sorted(found) == IN_THE_CORPUS


def test_each_rewind_in_a_real_client_is_a_branch_point_and_nothing_else(
    client_files: Files,
) -> None:
    found = [
        ("/".join(path.parts[-5:-3]), point.cause, lines(session, point.children))
        for path, session in client_files.items()
        for point in session.branch_points
    ]

    assert sorted(found) == OF_CLIENTS


def test_the_naive_rule_would_find_796(corpus: Files) -> None:
    count = 0
    for session in corpus.values():
        parents = {r.uuid: r.parent_uuid for r in session.records if r.uuid is not None}
        count += sum(n > 1 for parent, n in Counter(parents.values()).items() if parent)

    assert count == 796
