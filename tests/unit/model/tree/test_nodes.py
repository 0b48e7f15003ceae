"""Identity and tree (rules 2 and 3): who is one node, and who follows whom."""

from datetime import timedelta
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.files.lines import split_lines
from bough.line import Line
from bough.model.tree.nodes import ROOT, Tree, build_tree
from bough.records.decode import decode_lines, message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, User
from bough.sample import SampleCall, SampleSession, session
from bough.sample.data.blocks import image, text
from tests.unit.model.opened import opened
from tests.unit.model.readings import read, tree_of

Json = dict[str, object]


def parent_of(builder: SampleSession, name: str) -> str | None:
    """Name the parent of a step in the tree."""
    tree = tree_of(builder)
    parent = tree.parent[tree.number[builder.uuid(name)]]
    return None if parent == ROOT else builder.name_of(tree.uuid(parent))


def made(*lines: Json) -> list[Record]:
    """Read records of which only what is given is there."""
    found = decode_lines(Line(at, at, msgspec.json.encode(line)) for at, line in enumerate(lines))
    return [item for item in found if not isinstance(item, BadLine)]


def node(uuid: str, parent: str | None = None, **fields: object) -> Json:
    told: Json = {"type": "user", "uuid": uuid, "parentUuid": parent}
    return told | {"message": {"role": "user", "content": uuid}} | fields


def edges(tree: Tree) -> dict[str, str | None]:
    """Tell each node's parent by uuid, whatever the order of the lines."""
    return {
        tree.uuid(number): None if parent == ROOT else tree.uuid(parent)
        for number, parent in enumerate(tree.parent)
    }


# -- what is a node -------------------------------------------------------------------------------


def test_every_record_with_a_uuid_is_a_node_and_no_other() -> None:
    builder = session(version="2.1.50").user("a").progress("bash_progress").assistant("b")
    builder.attachment("file").turn_duration().title("t").last_prompt("a", 1).queue("enqueue", "q")

    tree = tree_of(builder)

    assert [type(record).__name__ for record in tree.nodes] == [
        "User",
        "Progress",
        "Assistant",
        "Attachment",
        "System",
    ]


def test_a_node_of_an_unknown_kind_is_a_link_of_the_chain() -> None:
    tree = build_tree(made(node("a"), node("b", "a", type="of-tomorrow"), node("c", "b")))

    assert edges(tree) == {"a": None, "b": "a", "c": "b"}


def test_a_uuid_is_opaque() -> None:
    tree = build_tree(made(node("request_7"), node("b", "request_7"), node("日本", "b")))

    assert edges(tree) == {"request_7": None, "b": "request_7", "日本": "b"}


def test_an_empty_file_has_an_empty_tree() -> None:
    tree = build_tree([])

    assert (tree.nodes, tree.roots, tree.children()) == ([], [], [])


# -- a uuid that comes again ----------------------------------------------------------------------


def test_a_repeated_uuid_is_one_node_and_its_last_line_counts() -> None:
    builder = (
        session().user("first", name="u").again("u", message={"role": "user", "content": "last"})
    )

    tree = tree_of(builder)

    assert len(tree.nodes) == 1
    assert isinstance(tree.nodes[0], User)
    assert message_of(tree.nodes[0]).content == "last"
    assert tree.duplicates == 1


def test_of_two_parents_of_a_repeated_uuid_the_last_counts() -> None:
    builder = session().user("a", name="a").assistant("b", name="b").user("c", name="c")
    builder.again("c", parentUuid=builder.uuid("a"))

    assert parent_of(builder, "c") == "a"


def test_all_lines_of_a_repeated_uuid_are_kept() -> None:
    builder = session().user("a", name="a").again("a").again("a")

    tree = tree_of(builder)

    assert [len(lines) for lines in tree.lines] == [3]
    assert tree.duplicates == 2


def test_a_repeated_uuid_stays_where_it_first_stood() -> None:
    builder = session().user("a", name="a").assistant("b", name="b").again("a")

    tree = tree_of(builder)

    assert [builder.name_of(tree.uuid(n)) for n in range(2)] == ["a", "b"]


def test_a_line_that_repeats_its_own_descendant_as_parent_does_not_loop() -> None:
    builder = session().user("a", name="a").assistant("b", name="b")
    builder.again("a", parentUuid=builder.uuid("b"))

    tree = tree_of(builder)

    assert tree.cycles == 1
    assert parent_of(builder, "b") == "a"


# -- replayed copies ------------------------------------------------------------------------------


def replayed(builder: SampleSession, *names: str) -> dict[str, str]:
    """Replay steps; give the uuids of the copies by the names of the originals."""
    before = len(builder.nodes)
    builder.replay(*names)
    return dict(zip(names, builder.nodes[before:], strict=True))


def talk() -> SampleSession:
    builder = session().user("a", name="a").assistant("b", name="b")
    return builder.tool("Bash", {"command": "ls"}, "c", name="c").assistant("d", name="d")


STRETCH = ("a", "b", "c", "c.result", "d")


def test_a_replay_of_another_root_is_the_same_nodes() -> None:
    builder = talk().at(None)
    copies = replayed(builder, *STRETCH)

    tree = tree_of(builder)

    assert len(tree.nodes) == len(STRETCH)
    assert tree.copies == len(STRETCH)
    assert {name: tree.number[uuid] for name, uuid in copies.items()} == {
        name: tree.number[builder.uuid(name)] for name in STRETCH
    }


def test_a_node_is_never_a_copy_of_its_own_ancestor() -> None:
    """What hangs on its own end is sent by the client a second time, so it was said twice."""
    builder = talk()
    replayed(builder, *STRETCH)

    tree = tree_of(builder)

    assert (len(tree.nodes), tree.copies) == (2 * len(STRETCH), 0)


def test_two_interrupts_on_one_line_with_one_restamped_time_are_two() -> None:
    builder = session().user("a").assistant("b").interrupt(name="first")
    stamp = builder.record_of("first")["timestamp"]
    builder.user("c").assistant("d").interrupt(name="second", timestamp=stamp)

    tree = tree_of(builder)

    assert tree.copies == 0
    assert tree.number[builder.uuid("first")] != tree.number[builder.uuid("second")]


def test_a_replay_hung_in_the_middle_is_the_same_nodes() -> None:
    builder = talk().at("a")
    replayed(builder, "b", "c", "c.result", "d")

    tree = tree_of(builder)

    assert (len(tree.nodes), tree.copies) == (len(STRETCH), 4)


def test_what_follows_a_replay_follows_the_original() -> None:
    builder = talk().at(None)
    replayed(builder, *STRETCH)
    builder.user("e", name="e")

    assert parent_of(builder, "e") == "d"


def test_lines_of_copies_are_kept_with_the_original() -> None:
    builder = talk().at(None)
    copies = replayed(builder, *STRETCH)

    tree = tree_of(builder)

    assert [line.uuid for line in tree.lines[0]] == [builder.uuid("a"), copies["a"]]


def test_a_stretch_replayed_three_times_is_one() -> None:
    builder = talk()
    for _ in range(3):
        replayed(builder.at(None), *STRETCH)

    assert tree_of(builder).copies == 3 * len(STRETCH)


def test_a_replay_that_splits_a_prompt_into_its_blocks_is_the_same_node() -> None:
    builder = session().user([text("look"), image()], name="a").assistant("b", name="b")
    one = builder.record_of("a")
    for number, block in enumerate((text("look"), image())):
        said = {"role": "user", "content": [block]}
        builder.at(None if number == 0 else -1)
        builder.node("user", message=said, timestamp=one["timestamp"])

    tree = tree_of(builder)

    assert (len(tree.nodes), tree.copies) == (2, 2)


def resumed_with_picture(*, restamped: bool) -> SampleSession:
    """A prompt with a picture, and what clients before 2.1 write again when they resume."""
    builder = session(version="1.0.128").user("hi").assistant("Hello", name="above")
    builder.user([text("look"), image()], name="look").assistant("Nice", name="nice")
    asked, answered = builder.record_of("look"), builder.record_of("nice")
    later = "2026-01-05T09:00:03.500Z"
    builder.at("above")
    for block in (text("look"), image()):
        said = {"role": "user", "content": [block]}
        time = later if restamped else asked["timestamp"]
        builder.node("user", message=said, timestamp=time)
    time = later if restamped else answered["timestamp"]
    builder.node("assistant", message=answered["message"], timestamp=time)
    builder.user("on", name="on").assistant("Yes")
    return builder.user("end").assistant("Bye")


@pytest.mark.parametrize("restamped", [False, True])
def test_a_prompt_that_a_resume_wrote_again_in_pieces_is_one_turn(restamped: bool) -> None:
    builder = resumed_with_picture(restamped=restamped)

    seen = opened(builder)

    assert tree_of(builder).copies == 3
    assert [one.turn_count for one in seen.conversations] == [4]


def test_the_same_answer_below_another_prompt_is_no_restamped_copy() -> None:
    builder = session().user("one", name="one").assistant("Yes", name="yes")
    said = builder.record_of("yes")["message"]
    builder.at(None).user("two").node("assistant", message=said)

    assert tree_of(builder).copies == 0


def test_a_replay_that_joins_two_records_is_the_same_as_the_last_of_them() -> None:
    builder = session().user([text("one")], name="a")
    time = builder.record_of("a")["timestamp"]
    builder.user([text("two")], name="b", timestamp=time)
    both = {"role": "user", "content": [text("one"), text("two")]}
    builder.at(None).node("user", message=both, timestamp=time)

    tree = tree_of(builder)

    assert tree.number[builder.nodes[-1]] == tree.number[builder.uuid("b")]


def test_the_same_words_at_another_time_are_no_copy() -> None:
    builder = session().user("continue").assistant("b").at(None).user("continue")

    assert tree_of(builder).copies == 0


def test_other_words_at_the_same_time_are_no_copy() -> None:
    builder = session(tick=timedelta()).user("a").at(None).user("b")

    assert tree_of(builder).copies == 0


def test_the_same_words_of_the_model_in_another_message_are_no_copy() -> None:
    builder = session(tick=timedelta()).user("a").assistant("done").at(1).assistant("done")

    assert tree_of(builder).copies == 0


def test_results_of_two_calls_with_the_same_words_are_no_copies() -> None:
    builder = session(tick=timedelta()).user("a")
    builder.tools(
        SampleCall(tool="Bash", given={}, result="same", seconds=0),
        SampleCall(tool="Bash", given={}, result="same", seconds=0),
    )

    assert tree_of(builder).copies == 0


def test_records_without_a_time_are_never_copies() -> None:
    said = {"role": "user", "content": "same"}

    tree = build_tree(made(node("a", message=said), node("b", message=said)))

    assert tree.copies == 0


@pytest.mark.parametrize("version", ["1.0.51", "2.0.14"])
def test_a_fork_stamped_alike_has_no_copies(version: str) -> None:
    """`--fork-session` of 2.0.14 and the resume of 1.0.51 stamp all lines with one time."""
    builder = session(version=version, tick=timedelta())
    for _ in range(3):
        builder.user("continue").assistant("done").informational("hook ran")

    tree = tree_of(builder)

    assert (len(tree.nodes), tree.copies) == (9, 0)


def test_in_a_fork_stamped_alike_an_answer_is_still_told_by_its_message_id() -> None:
    builder = (
        session(version="2.0.14", tick=timedelta()).user("a", name="a").assistant("b", name="b")
    )
    builder.at("a").replay("b")

    assert tree_of(builder).copies == 1


def test_in_a_fork_stamped_alike_the_same_prompt_on_two_branches_is_two() -> None:
    builder = (
        session(version="2.0.14", tick=timedelta()).user("a", name="a").assistant("b", name="b")
    )
    builder.user("again").assistant("c").at("b").user("again").assistant("d")

    assert tree_of(builder).copies == 0


def test_notes_of_the_same_moment_that_follow_each_other_are_no_copies() -> None:
    builder = (
        session(tick=timedelta()).user("a").informational("hook ran").informational("hook ran")
    )

    assert tree_of(builder).copies == 0


def test_a_replay_in_a_circle_of_parents_does_not_loop() -> None:
    builder = talk().at(None)
    copies = replayed(builder, *STRETCH)
    builder.amend(copies["a"], parentUuid=copies["d"])

    assert tree_of(builder).copies == len(STRETCH)


# -- roots, orphans, circles ----------------------------------------------------------------------


def test_an_orphan_is_a_root() -> None:
    builder = (
        session().user("a", name="a").at_missing().user("b", name="b").assistant("c", name="c")
    )

    tree = tree_of(builder)

    assert [builder.name_of(tree.uuid(number)) for number in tree.orphans] == ["b"]
    assert [builder.name_of(tree.uuid(number)) for number in tree.roots] == ["a", "b"]


@pytest.mark.parametrize("parent", [None, ""])
def test_a_root_is_no_orphan(parent: str | None) -> None:
    tree = build_tree(made(node("a", parent)))

    assert (tree.roots, tree.orphans) == ([0], [])


def test_a_record_that_is_its_own_parent_is_a_root() -> None:
    tree = build_tree(made(node("a", "a"), node("b", "a")))

    assert edges(tree) == {"a": None, "b": "a"}
    assert tree.cycles == 1


def test_a_circle_is_cut_above_its_oldest_node() -> None:
    lines = [
        node("a", "c", timestamp="2026-01-01T00:00:03.000Z"),
        node("b", "a", timestamp="2026-01-01T00:00:01.000Z"),
        node("c", "b", timestamp="2026-01-01T00:00:02.000Z"),
    ]

    tree = build_tree(made(*lines))

    assert edges(tree) == {"a": "c", "b": None, "c": "b"}
    assert tree.cycles == 1


def test_every_circle_is_cut_once() -> None:
    tree = build_tree(made(node("a", "b"), node("b", "a"), node("c", "d"), node("d", "c")))

    assert tree.cycles == 2
    assert len(tree.roots) == 2


def test_a_parent_may_come_later_in_the_file() -> None:
    tree = build_tree(made(node("c", "b"), node("b", "a"), node("a")))

    assert edges(tree) == {"a": None, "b": "a", "c": "b"}
    assert tree.orphans == []


def test_a_bad_line_in_the_place_of_a_node_makes_its_child_an_orphan() -> None:
    builder = session().user("a", name="a").malformed_line().at_missing().user("b", name="b")

    tree = tree_of(builder)

    assert [builder.name_of(tree.uuid(number)) for number in tree.orphans] == ["b"]


# -- large trees ----------------------------------------------------------------------------------


def test_a_chain_of_100_000_nodes_is_built_and_walked() -> None:
    count = 100_000
    lines = [User(uuid=str(n), parent_uuid=str(n - 1) if n else None) for n in range(count)]

    tree = build_tree(lines)

    assert sum(1 for _ in tree.walk_up(count - 1)) == count
    assert tree.roots == [0]


def test_a_circle_of_100_000_nodes_is_cut() -> None:
    count = 100_000
    lines = [User(uuid=str(n), parent_uuid=str((n - 1) % count)) for n in range(count)]

    tree = build_tree(lines)

    assert tree.cycles == 1
    assert len(list(tree.walk_up(tree.number["5"]))) <= count


def test_1_000_siblings_keep_their_order() -> None:
    lines = made(node("root"), *(node(f"{n:04}", "root") for n in range(1_000)))

    tree = build_tree(lines)

    assert tree.children()[0] == list(range(1, 1_001))


@pytest.mark.slow
def test_100_000_equal_prompts_of_one_moment_are_told_apart_in_one_go() -> None:
    prompts = "\n".join(
        f'{{"type":"user","uuid":"u{n}","parentUuid":"a{n - 1}","timestamp":"t",'
        '"message":{"content":"continue"}}\n'
        f'{{"type":"assistant","uuid":"a{n}","parentUuid":"u{n}","timestamp":"t",'
        f'"message":{{"id":"m{n}","content":"done"}}}}'
        for n in range(50_000)
    )

    tree = build_tree(
        r for r in decode_lines(split_lines([prompts.encode()])) if isinstance(r, Record)
    )

    assert tree.copies == 0


# -- laws -----------------------------------------------------------------------------------------


@st.composite
def some_nodes(draw: st.DrawFn) -> list[Json]:
    """Make records with distinct uuids, and parents that are there, missing or in circles."""
    count = draw(st.integers(1, 12))
    parents = st.none() | st.sampled_from([str(n) for n in range(count)] + ["gone"])
    return [
        node(
            str(n),
            draw(parents),
            type=draw(st.sampled_from(["user", "assistant", "system", "of-tomorrow"])),
            timestamp=f"2026-01-01T00:00:{draw(st.integers(0, 9)):02}.000Z",
        )
        for n in range(count)
    ]


@given(some_nodes(), st.randoms(use_true_random=False))
def test_shuffling_records_with_distinct_uuids_changes_no_edge(
    lines: list[Json], random: Random
) -> None:
    shuffled = list(lines)
    random.shuffle(shuffled)

    before, after = build_tree(made(*lines)), build_tree(made(*shuffled))

    assert edges(after) == edges(before)
    assert after.cycles == before.cycles
    assert len(after.orphans) == len(before.orphans)


@given(some_nodes())
def test_every_record_is_in_exactly_one_node_and_every_walk_ends(lines: list[Json]) -> None:
    tree = build_tree(made(*lines))

    kept = [record.uuid for node_lines in tree.lines for record in node_lines]
    assert sorted(kept, key=str) == sorted(str(line["uuid"]) for line in lines)
    for number in range(len(tree.nodes)):
        assert len(set(tree.walk_up(number))) == len(list(tree.walk_up(number)))


@given(st.lists(st.integers(0, 10_000), max_size=5))
def test_a_file_read_by_appends_has_the_tree_of_the_file_read_whole(cuts: list[int]) -> None:
    builder = talk().again("b").at(None)
    replayed(builder, *STRETCH)
    raw = builder.at_missing().user("lost").compact().tear_line().bytes()

    found: list[Record] = []
    taken, number = 0, 1
    for cut in [*sorted(min(cut, len(raw)) for cut in cuts), len(raw)]:
        ended = [line for line in split_lines([raw[taken:cut]], taken, number) if line.ended]
        found += [item for item in decode_lines(ended) if not isinstance(item, BadLine)]
        taken += sum(len(line.raw) for line in ended)
        number += len(ended)

    by_appends, whole = build_tree(found), tree_of(builder)
    assert edges(by_appends) == edges(whole)
    assert by_appends.number == whole.number
    assert (by_appends.duplicates, by_appends.copies) == (whole.duplicates, whole.copies)


def test_reading_is_lossless_whatever_the_tree_makes_of_it() -> None:
    builder = talk().again("b").nul().blank().at(None)
    replayed(builder, *STRETCH)

    found = decode_lines(split_lines([builder.bytes()]))

    assert b"".join(item.raw for item in found) == builder.bytes()
    assert any(isinstance(record, Assistant) for record in read(builder))
