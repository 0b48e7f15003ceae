"""A session as a graph: entries in their lanes, from afar and from close by."""

from bough.model.graph.session_graph import (
    MOST_LANES,
    EntryKind,
    PlacedEntry,
    build_session_graph,
)
from bough.model.graph.zoom import Zoom
from bough.model.outline.session_outline import outline_of
from bough.query.lists.related import SessionFork
from bough.sample import SampleSession, session
from tests.unit.model.opened import opened


def graph(
    builder: SampleSession, zoom: Zoom = Zoom.PROMPTS, *, working: bool = False
) -> list[PlacedEntry]:
    read = opened(builder)
    return build_session_graph(read, outline_of(read), zoom, working=working)


def drawn(rows: list[PlacedEntry]) -> list[str]:
    """Draw the lanes as a page does: bars at the left, `>` where a branch leaves."""
    found = []
    for row in rows:
        bars = "".join("|" if bar.goes_on else " " for bar in row.lane.bars)
        turn = row.entry.turn
        words = turn.text if turn is not None else f"{row.entry.count} between"
        sign = "*" if row.on_path else "o"
        found.append(f"{bars}{'>' if row.opens else ''}{sign} {words}")
    return found


def rewound() -> SampleSession:
    """Two ways from one prompt; one of them parts again."""
    built = session().user("one", name="1").assistant("a", name="A")
    built.user("two", name="2").assistant("b", name="B")
    built.user("three").assistant("c")
    built.at("B").user("four").assistant("d")
    return built.at("A").user("five").assistant("e")


def test_a_branch_is_drawn_to_its_end_before_the_active_one_goes_on() -> None:
    assert drawn(graph(rewound())) == [
        "* one",
        "|>o two",
        "||>o three",
        "|o four",
        "* five",
    ]


def test_the_turn_that_branches_leave_says_how_many() -> None:
    splits = {row.entry.turn.text: row.entry.splits for row in graph(rewound()) if row.entry.turn}

    assert splits == {"one": 1, "two": 1, "three": 0, "four": 0, "five": 0}


def test_a_branch_says_what_it_was_split_from_and_why_it_was_left() -> None:
    three = next(r.entry for r in graph(rewound()) if r.entry.turn and r.entry.turn.text == "three")

    assert three.parent is not None
    assert three.parent.text == "two"
    assert three.note.word == "rewound"
    assert three.note.at == three.turn.ended_at if three.turn else None


def test_from_afar_turns_between_two_splits_are_counted() -> None:
    built = session().user("one").assistant("a", name="A")
    for number in range(5):
        built.user(f"more {number}").assistant("b")
    built.at("A").user("last").assistant("c")

    shape = drawn(graph(built, Zoom.SHAPE))

    assert shape == ["* one", "|>o more 0", "|o 3 between", "|o more 4", "* last"]


def test_from_close_by_every_message_of_a_turn_is_a_row() -> None:
    built = session().user("one").tool("Bash", {"command": "ls"}, "x").assistant("done")

    rows = graph(built, Zoom.MESSAGES)

    assert [row.entry.kind for row in rows] == [EntryKind.TURN, *[EntryKind.MESSAGE] * 3]
    assert [row.entry.message.text for row in rows[1:] if row.entry.message] == [
        "Bash ls",
        "result: x",
        "done",
    ]


def test_agents_compactions_and_forks_have_rows_of_their_own() -> None:
    built = session().user("one", name="1").agent("Explore", "find it").assistant("a", name="A")
    built.compact("So far.", keep=[built.uuid("A")])
    built.user("two").assistant("b")
    read = opened(built)
    fork = SessionFork("other", "Another file", built.uuid("A"), None)

    rows = build_session_graph(read, outline_of(read), Zoom.PROMPTS, [fork])

    assert [row.entry.kind for row in rows] == ["turn", "agent", "fork", "compaction", "turn"]
    assert next(row.entry.fork for row in rows if row.entry.fork) is fork


def test_lanes_beyond_the_last_share_it_and_say_how_deep_they_are() -> None:
    built = session().user("0").assistant("a", name="A0")
    for depth in range(1, MOST_LANES + 4):
        built.user(f"{depth}").assistant("a", name=f"A{depth}")
    for depth in range(MOST_LANES + 2, -1, -1):
        built.at(f"A{depth}").user(f"again {depth}").assistant("b")

    rows = graph(built)

    deepest = max(rows, key=lambda row: row.lane.depth)
    assert deepest.lane.depth > MOST_LANES
    assert deepest.lane.crowded
    assert len(deepest.lane.bars) == MOST_LANES - 1


def test_a_turn_without_an_end_works_while_a_client_does() -> None:
    built = session().user("one")

    assert graph(built)[-1].entry.note.word == "unfinished"
    assert graph(built, working=True)[-1].entry.note.word == "working"
