"""One message, many lines (rule 4), and compaction (rule 5): one story, in the right order."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from bough.line import Line
from bough.model.tree.branches import find_branch_points, find_tips
from bough.model.tree.build import NONE, GroupKind, MessageTree, build_message_tree
from bough.model.tree.nodes import build_tree
from bough.records.decode import decode_lines
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, Progress, System, User
from bough.sample import SampleCall, SampleSession, session
from tests.unit.model.readings import ends, story_of, way_to, ways

Json = dict[str, object]
LS = SampleCall(tool="Bash", given={"command": "ls"}, result="a.py")


def groups(builder: MessageTree) -> list[tuple[str, int]]:
    """Tell the groups: what each is, and of how many nodes."""
    return [(group.kind.name, len(group.nodes)) for group in builder.groups]


def asked() -> SampleSession:
    return session().user("p1", name="p1").assistant("a1", name="a1")


# -- one message, many lines ----------------------------------------------------------------------


def test_lines_that_share_a_message_id_are_one_answer() -> None:
    builder = session().user("p1").thinking("hm").assistant("text")

    assert groups(story_of(builder)) == [("PROMPT", 1), ("ANSWER", 2)]


def test_lines_of_a_message_that_others_stand_between_are_one_answer() -> None:
    builder = session().user("p1").thinking("hm").queue("enqueue", "x").attachment("date")
    builder.continue_message("text").snapshot().continue_message("more text")

    assert groups(story_of(builder)) == [("PROMPT", 1), ("ANSWER", 3)]


def test_results_belong_to_the_message_that_called() -> None:
    builder = session().user("p1").assistant("I look.").tools(LS, LS, LS)

    assert groups(story_of(builder)) == [("PROMPT", 1), ("ANSWER", 7)]


def test_a_result_is_joined_by_its_id_wherever_it_hangs() -> None:
    builder = session().user("p1", name="p1")
    call = builder.ask(LS)
    builder.reply(call, LS, under="p1")

    assert groups(story_of(builder)) == [("PROMPT", 1), ("ANSWER", 2)]


def test_a_result_before_its_call_is_joined_too() -> None:
    builder = session().user("p1").tools(LS)
    builder.entries.append(builder.entries.pop(1))

    assert groups(story_of(builder)) == [("PROMPT", 1), ("ANSWER", 2)]


def test_a_result_without_a_call_is_a_note_not_a_prompt() -> None:
    builder = asked().user_record(
        [{"type": "tool_result", "tool_use_id": "gone", "content": "x"}], name="r"
    )

    session_builder = story_of(builder)

    assert groups(session_builder) == [("PROMPT", 1), ("ANSWER", 1)]
    assert session_builder.groups[1].notes == [2]


def test_answers_with_other_message_ids_are_other_answers() -> None:
    builder = session().user("p1").tools(LS).assistant("a1").assistant("a2")

    assert groups(story_of(builder)) == [("PROMPT", 1), ("ANSWER", 2), ("ANSWER", 1), ("ANSWER", 1)]


def test_an_answer_without_a_message_id_stands_alone() -> None:
    builder = session().user("p1")
    for words in ("a", "b"):
        builder.node("assistant", message={"role": "assistant", "content": words})

    assert groups(story_of(builder)) == [("PROMPT", 1), ("ANSWER", 1), ("ANSWER", 1)]


def test_a_message_id_that_a_server_repeats_does_not_reach_across_a_prompt() -> None:
    builder = session()
    for turn in range(3):
        builder.user(f"p{turn}", name=f"p{turn}").assistant(f"a{turn}", name=f"a{turn}", id="msg")

    assert ways(builder) == []
    assert way_to(builder, "a2") == ["p0", "a0", "p1", "a1", "p2", "a2"]


def test_of_calls_with_one_id_a_result_answers_the_nearest_above() -> None:
    builder = session()
    for turn in range(3):
        builder.user(f"p{turn}")
        call: Json = {"type": "tool_use", "id": "call_0", "name": "Bash", "input": {}}
        builder.assistant(call, name=f"a{turn}")
        builder.user_record(
            [{"type": "tool_result", "tool_use_id": "call_0", "content": str(turn)}]
        )

    assert groups(story_of(builder)) == [("PROMPT", 1), ("ANSWER", 2)] * 3
    assert ways(builder) == []


def test_of_calls_with_one_id_a_late_result_still_answers_the_one_above() -> None:
    call: Json = {"type": "tool_use", "id": "call_0", "name": "Bash", "input": {}}
    builder = session().user("p1").assistant(call, name="a1").user("p2").assistant(call, name="a2")
    builder.at("a1").user_record([{"type": "tool_result", "tool_use_id": "call_0", "content": "x"}])

    assert groups(story_of(builder)) == [
        *[("PROMPT", 1), ("ANSWER", 2)],
        ("PROMPT", 1),
        ("ANSWER", 1),
    ]


def test_of_calls_with_one_id_a_stray_result_answers_the_last_before_it() -> None:
    call: Json = {"type": "tool_use", "id": "call_0", "name": "Bash", "input": {}}
    builder = session().user("p1").assistant(call).user("p2").assistant(call).at(None)
    builder.user_record([{"type": "tool_result", "tool_use_id": "call_0", "content": "x"}])

    assert groups(story_of(builder))[-1] == ("ANSWER", 2)


def test_made_up_answers_are_told_from_real_ones() -> None:
    builder = story_of(session().user("p1").api_error())

    assert [group.kind for group in builder.groups] == [GroupKind.PROMPT, GroupKind.SYNTHETIC]


def test_a_sidechain_is_a_story_of_its_own() -> None:
    builder = asked().user("x1", isSidechain=True).assistant("x2", isSidechain=True)

    assert len(story_of(builder).groups) == 2
    assert len(story_of(builder, sidechain=True).groups) == 4


def test_the_last_line_of_an_answer_is_the_models_not_a_result() -> None:
    builder = session().user("p1").assistant("I look.").tools(LS, LS)

    session_builder = story_of(builder)

    assert isinstance(session_builder.tree.nodes[session_builder.last_line(1)], Assistant)
    assert session_builder.last_line(1) == 3


# -- compaction -----------------------------------------------------------------------------------


def test_a_boundary_and_its_summary_are_one_seam() -> None:
    builder = asked().compact().user("p2")

    assert groups(story_of(builder)) == [
        ("PROMPT", 1),
        ("ANSWER", 1),
        ("COMPACTION", 2),
        ("PROMPT", 1),
    ]


def test_two_compactions_in_a_row_are_two_seams() -> None:
    builder = asked().compact(name="one").compact(name="two").user("p2", name="p2")
    builder.reparent("two.boundary", "one")

    assert way_to(builder, "p2") == ["p1", "a1", "one", "two", "p2"]


def test_two_summaries_in_a_row_are_two_seams() -> None:
    builder = (
        session(version="1.0.51").user("p1", name="p1").compact(name="one").compact(name="two")
    )
    builder.reparent("two", "one").user("p2", name="p2")

    assert way_to(builder, "p2") == ["p1", "one", "two", "p2"]


def test_a_seam_follows_its_logical_parent() -> None:
    builder = asked().user("p2", name="p2").assistant("a2").at("a1").user("p3", name="p3")
    builder.at("p2").compact(name="compaction").user("p4", name="p4")

    assert way_to(builder, "p4")[:3] == ["p1", "a1", "p2"]


def test_a_seam_whose_logical_parent_is_gone_follows_what_it_kept() -> None:
    builder = asked().user("p2", name="p2").assistant("a2", name="a2").at("a1")
    builder.user("p3", name="p3").at("a2").compact(name="compaction", keep=["p2", "a2"])
    builder.amend("compaction.boundary", logicalParentUuid="gone").user("p4", name="p4")

    assert way_to(builder, "p4") == ["p1", "a1", "p2", "a2", "compaction", "p4"]


def test_a_seam_that_names_nothing_follows_what_was_written_last() -> None:
    builder = (
        asked().compact(name="compaction").amend("compaction.boundary", logicalParentUuid="gone")
    )
    builder.user("p2", name="p2")

    assert way_to(builder, "p2") == ["p1", "a1", "compaction", "p2"]


def test_a_summary_of_old_clients_without_any_link_follows_what_was_written_last() -> None:
    builder = session(version="1.0.51").user("p1", name="p1").assistant("a1", name="a1")
    builder.compact(name="compaction").user("p2", name="p2")

    assert way_to(builder, "p2") == ["p1", "a1", "compaction", "p2"]


def test_a_prompt_on_a_message_that_was_kept_follows_the_seam() -> None:
    """Kept messages stand before the boundary; what is said next hangs on the last of them."""
    builder = asked().compact(name="compaction", keep=["p1", "a1"]).at("a1").user("p2", name="p2")
    builder.assistant("a2", name="a2")

    assert ways(builder) == []
    assert way_to(builder, "a2") == ["p1", "a1", "compaction", "p2", "a2"]


def test_a_prompt_on_a_message_that_was_kept_parts_right_behind_the_compaction() -> None:
    """Clients send the summary, what was kept and the prompt; not what had gone on before."""
    builder = asked().compact(name="compaction", keep=["a1"]).user("p2", name="p2")
    builder.assistant("a2", name="a2").at("a1").user("p3", name="p3").assistant("a3", name="a3")

    assert ways(builder) == [("compaction", "edit", ["p2", "p3"])]
    assert way_to(builder, "a3") == ["p1", "a1", "compaction", "p3", "a3"]


def test_a_prompt_on_a_message_kept_twice_follows_the_later_compaction() -> None:
    builder = asked().compact(name="one", keep=["a1"]).compact(name="two", keep=["a1"])
    builder.at("a1").user("p2", name="p2")

    assert way_to(builder, "p2") == ["p1", "a1", "one", "two", "p2"]


@pytest.mark.parametrize("parent", [None, "a1"])
def test_a_prompt_hung_before_a_compaction_that_was_gone_on_from_leaves_before_it(
    parent: str | None,
) -> None:
    builder = asked().compact(name="compaction").user("p2", name="p2").assistant("a2", name="a2")
    builder.reparent("compaction.boundary", parent)
    builder.at("a1").user("p3", name="p3").assistant("a3", name="a3").user("p4", name="p4")

    assert ways(builder) == [("a1", "edit", ["p2", "p3"])]
    assert ends(builder) == ["a2", "p4"]
    assert way_to(builder, "a2") == ["p1", "a1", "compaction", "p2", "a2"]
    assert way_to(builder, "p4") == ["p1", "a1", "p3", "a3", "p4"]


def test_prompts_hung_before_a_compaction_all_leave_at_one_point() -> None:
    builder = asked().compact(name="compaction").user("p2", name="p2")
    builder.at("a1").user("p3", name="p3").at("a1").user("p4", name="p4")

    assert ways(builder) == [("a1", "edit", ["p2", "p3", "p4"])]


def test_a_prompt_hung_before_a_compaction_that_nobody_went_on_from_passes_it_by() -> None:
    builder = asked().compact(name="compaction").at("a1").user("p2", name="p2")

    assert ways(builder) == []
    assert way_to(builder, "p2") == ["p1", "a1", "p2"]
    assert story_of(builder).trailing_compactions == {1: [2]}


def test_an_answer_behind_a_compaction_and_a_prompt_before_it_part() -> None:
    builder = asked().compact(name="compaction").assistant("a2", name="a2")
    builder.at("a1").user("p3", name="p3")

    assert ways(builder) == [("a1", "edit", ["a2", "p3"])]


def test_a_boundary_with_a_parent_is_one_story() -> None:
    """Files made by `/branch` give the boundary a parent."""
    builder = (
        asked()
        .compact(name="compaction")
        .reparent("compaction.boundary", "a1")
        .user("p2", name="p2")
    )

    assert way_to(builder, "p2") == ["p1", "a1", "compaction", "p2"]


def test_compact_said_as_a_prompt_stands_before_its_seam() -> None:
    builder = (
        asked().command("/compact", stdout=None, name="compact").at("a1").compact(name="compaction")
    )
    builder.user("p2", name="p2")

    assert ways(builder) == []
    assert way_to(builder, "p2") == ["p1", "a1", "compact", "compaction", "p2"]


def test_a_seam_on_a_late_hook_follows_the_answer() -> None:
    builder = session(version="2.1.79").user("p1", name="p1").assistant("a1", name="a1")
    builder.at("p1").hook("Stop", "lint").compact(name="compaction").user("p2", name="p2")

    assert ends(builder) == ["p2"]
    assert way_to(builder, "p2") == ["p1", "a1", "compaction", "p2"]


def test_a_seam_after_which_nobody_spoke_is_remembered_where_it_stands() -> None:
    builder = asked().user("p2").assistant("a2", name="a2").at("a1").compact(name="compaction")

    session_builder = story_of(builder)

    assert session_builder.trailing_compactions == {1: [4]}
    assert ends(builder) == ["a2"]


def test_a_seam_that_talk_follows_is_not_dead() -> None:
    assert story_of(asked().compact().compact().user("p2")).trailing_compactions == {}


def test_a_file_of_nothing_but_seams_has_them_all() -> None:
    builder = story_of(session().compact().compact())

    assert groups(builder) == [("COMPACTION", 2), ("COMPACTION", 2)]
    assert find_tips(builder) == []


# -- several roots --------------------------------------------------------------------------------


def test_several_roots_are_one_story_in_file_order() -> None:
    builder = asked().at(None).user("p2", name="p2").assistant("a2", name="a2")
    builder.at(None).user("p3", name="p3")

    assert ways(builder) == []
    assert way_to(builder, "p3") == ["p1", "a1", "p2", "a2", "p3"]


def test_an_orphan_goes_on_where_the_file_stood() -> None:
    builder = asked().at_missing().user("p2", name="p2").at_missing().assistant("a2", name="a2")

    assert way_to(builder, "a2") == ["p1", "a1", "p2", "a2"]


def test_a_circle_of_prompts_is_told_once() -> None:
    builder = asked().user("p2", name="p2").reparent("p1", "p2")

    assert way_to(builder, "p2") == ["p1", "a1", "p2"]


def test_children_that_stand_before_their_parents_follow_them() -> None:
    builder = asked().user("p2", name="p2").assistant("a2", name="a2")
    builder.entries.reverse()

    assert way_to(builder, "a2") == ["p1", "a1", "p2", "a2"]


def test_a_message_and_a_prompt_that_hang_on_each_other_do_not_loop() -> None:
    builder = session().user("p1", name="p1").assistant("x", name="x", id="msg")
    builder.continue_message("y", name="y", id="msg").reparent("x", "y").reparent(
        "y", "p1"
    ).reparent("p1", "x")

    session_builder = story_of(builder)

    assert sorted(
        len(session_builder.path(group)) for group in range(len(session_builder.groups))
    ) == [1, 2]


# -- notes ----------------------------------------------------------------------------------------


def note_owner(builder: SampleSession, name: str) -> str:
    session_builder = story_of(builder)
    number = session_builder.tree.number[builder.uuid(name)]
    (owner,) = [group for group in session_builder.groups if number in group.notes]
    return builder.name_of(session_builder.tree.uuid(owner.first))


def test_what_stands_before_an_answer_goes_with_it() -> None:
    builder = session().user("p1").attachment("date", name="n").assistant("a1", name="a1")

    assert note_owner(builder, "n") == "a1"


def test_what_trails_behind_an_answer_goes_with_it() -> None:
    builder = asked().turn_duration(name="n")

    assert note_owner(builder, "n") == "a1"


def test_what_leads_to_two_ways_goes_with_what_it_hangs_on() -> None:
    builder = asked().turn_duration(name="n").user("p2").at("n").user("p3")

    assert note_owner(builder, "n") == "a1"


def test_what_hangs_on_nothing_goes_with_what_was_written_last() -> None:
    builder = asked().at(None).informational("alone", name="n").at("a1").user("p2")

    assert note_owner(builder, "n") == "a1"


def test_what_begins_the_file_goes_with_the_first_prompt() -> None:
    builder = session().hook("SessionStart", "greet").name_step("n").user("p1", name="p1")

    assert note_owner(builder, "n") == "p1"


# -- laws -----------------------------------------------------------------------------------------

KINDS: tuple[Callable[[str, int], Json], ...] = (
    lambda text, ref: {"type": "user", "message": {"content": text}},
    lambda text, ref: {"type": "user", "message": {"content": text}},
    lambda text, ref: {"type": "assistant", "message": {"id": f"m{ref}", "content": text}},
    lambda text, ref: {"type": "assistant", "message": {"id": text, "content": [use(ref)]}},
    lambda text, ref: {"type": "assistant", "message": {"model": "<synthetic>", "content": text}},
    lambda text, ref: {"type": "user", "message": {"content": [result(ref)]}},
    lambda text, ref: {"type": "user", "isCompactSummary": True, "message": {"content": text}},
    lambda text, ref: {
        "type": "system",
        "subtype": "compact_boundary",
        "content": text,
        "logicalParentUuid": str(ref),
    },
    lambda text, ref: {"type": "attachment", "attachment": {"type": "date", "n": text}},
    lambda text, ref: {"type": "of-tomorrow"},
)


def use(number: int) -> Json:
    return {"type": "tool_use", "id": f"t{number % 3}", "name": "Bash", "input": {}}


def result(number: int) -> Json:
    return {"type": "tool_result", "tool_use_id": f"t{number % 3}", "content": "x"}


@st.composite
def some_stories(draw: st.DrawFn) -> MessageTree:
    """Make any file at all: circles, orphans, compactions anywhere, ids used again."""
    count = draw(st.integers(1, 16))
    lines = []
    for number in range(count):
        told = draw(st.sampled_from(KINDS))(str(number), draw(st.integers(0, count - 1)))
        parent = draw(st.none() | st.integers(0, count).map(str))
        place = {"uuid": str(number), "parentUuid": parent, "timestamp": f"{number:03}"}
        lines.append(msgspec.json.encode(told | place))
    found = decode_lines(Line(at, at, raw) for at, raw in enumerate(lines))
    return build_message_tree(build_tree(item for item in found if isinstance(item, Record)))


@given(some_stories())
def test_every_node_is_in_one_knot_once(builder: MessageTree) -> None:
    placed = [number for group in builder.groups for number in [*group.nodes, *group.notes]]

    if builder.groups:
        assert sorted(placed) == list(range(len(builder.tree.nodes)))


@given(some_stories())
def test_no_way_goes_in_circles_and_parents_know_their_children(builder: MessageTree) -> None:
    for number, group in enumerate(builder.groups):
        way = builder.path(number)
        assert len(set(way)) == len(way)
        if group.parent != NONE:
            assert number in builder.groups[group.parent].children


@given(some_stories())
def test_every_knot_is_on_the_way_to_a_tip(builder: MessageTree) -> None:
    ways_to_tips = [builder.path(tip) for tip in find_tips(builder)]

    shown = {group for way in ways_to_tips for group in way}
    shown |= {
        compaction for group in shown for compaction in builder.trailing_compactions.get(group, ())
    }
    if ways_to_tips:
        assert shown == set(range(len(builder.groups)))


@given(some_stories())
def test_only_a_prompt_said_later_parts_from_an_answer(builder: MessageTree) -> None:
    for group in builder.groups:
        kinds = [builder.groups[child].kind for child in group.children]
        spoken = [kind for kind in kinds if kind is not GroupKind.COMPACTION]
        if GroupKind.PROMPT in spoken:
            prompts = spoken[spoken.index(GroupKind.PROMPT) :]
            assert set(prompts) == {GroupKind.PROMPT}
        elif len(spoken) > 1:
            assert set(spoken) == {GroupKind.ANSWER}
            assert group.kind is GroupKind.PROMPT


# -- large stories --------------------------------------------------------------------------------

MANY = 50_000


def prompt(number: int, parent: str | None) -> User:
    said = Raw(b'{"content":"%d"}' % number)
    return User(uuid=f"p{number}", parent_uuid=parent, message_json=said)


def answer(number: int, parent: str | None, message: int) -> Assistant:
    said = Raw(b'{"id":"m%d","content":"%d"}' % (message, number))
    return Assistant(uuid=f"a{number}", parent_uuid=parent, message_json=said)


def note(number: int, parent: str) -> Attachment:
    return Attachment(uuid=f"n{number}", parent_uuid=parent)


def progress(number: int, parent: str) -> Progress:
    return Progress(uuid=f"x{number}", parent_uuid=parent)


def caveat(parent: str) -> User:
    said = Raw(b'{"content":"Caveat: The messages below were generated by the user"}')
    return User(uuid="c", parent_uuid=parent, is_meta=True, message_json=said)


def command(number: int, parent: str) -> User:
    said = Raw(b'{"content":"<command-name>/mcp</command-name>"}')
    return User(uuid=f"p{number}", parent_uuid=parent, message_json=said)


def placeholder(number: int, parent: str) -> Assistant:
    said = Raw(b'{"model":"<synthetic>","content":"No response requested."}')
    return Assistant(uuid=f"r{number}", parent_uuid=parent, message_json=said)


def compaction(number: int, logical: str) -> System:
    return System(uuid=f"s{number}", subtype="compact_boundary", logical_parent_uuid=logical)


def siblings() -> list[Record]:
    return [answer(0, None, 0), *(prompt(n, "a0") for n in range(1, MANY))]


def retries() -> list[Record]:
    return [prompt(0, None), *(answer(n, "p0", n) for n in range(1, MANY))]


def in_turns() -> list[Record]:
    turns = (prompt(n, "x0") if n % 2 else answer(n, "a0", n) for n in range(1, MANY))
    return [answer(0, None, 0), progress(0, "a0"), *turns]


def late_prompts() -> list[Record]:
    third = MANY // 3
    line = [answer(n, f"a{n - 1}" if n else None, n) for n in range(third)]
    hooks = [progress(n, f"a{n}") for n in range(third - 1)]
    return [*line, *hooks, *(prompt(n, f"x{n}") for n in range(third - 1))]


def comb() -> list[Record]:
    half = MANY // 2
    line = [answer(n, f"a{n - 1}" if n else None, n) for n in range(half)]
    return [*line, *(prompt(n, f"a{n}") for n in range(half - 1))]


def commands_on_one_caveat() -> list[Record]:
    return [answer(0, None, 0), caveat("a0"), *(command(n, "c") for n in range(1, MANY))]


def resumes() -> list[Record]:
    third = MANY // 3
    pairs = [placeholder(n, "a0") for n in range(third)]
    return [answer(0, None, 0), *pairs, *(prompt(n, f"r{n}") for n in range(third))]


def compactions() -> list[Record]:
    return [
        answer(0, None, 0),
        compaction(0, "a0"),
        *(compaction(n, f"s{n - 1}") for n in range(1, MANY)),
    ]


def one_message() -> list[Record]:
    half = MANY // 2
    notes = [note(n, f"n{n - 1}" if n else "a0") for n in range(half)]
    return [answer(0, None, 0), *notes, *(answer(n, f"n{half - 1}", 0) for n in range(1, half))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("write", "points", "ways_out"),
    [
        (siblings, 1, MANY - 1),
        (retries, 1, MANY - 1),
        (in_turns, 0, 1),
        (late_prompts, 0, 1),
        (comb, MANY // 2 - 1, MANY // 2),
        (commands_on_one_caveat, 0, 1),
        (resumes, 1, MANY // 3),
        (compactions, 0, 1),
        (one_message, 0, 1),
    ],
)
def test_large_and_odd_files_are_joined_in_one_go(
    write: Callable[[], list[Record]], points: int, ways_out: int
) -> None:
    """None of these ends before the night if anything is looked for instead of remembered."""
    builder = build_message_tree(build_tree(write()))

    assert len(find_branch_points(builder)) == points
    assert len(find_tips(builder)) == ways_out
