import pytest

from bough.sample import SampleSession, session
from bough.terminal.reports.find_matches import describe_branch
from bough.timetravel.plans.content_digest import parse_session
from bough.timetravel.plans.find import MOST_TIPS, find_neighbourhood, find_text
from tests.unit.timetravel.making import long_talk


def branched() -> SampleSession:
    builder = long_talk(session()).at("first").user("needle here", name="other")
    return builder.assistant("found the needle", name="else")


def test_matches_come_in_file_order_with_what_they_are() -> None:
    builder = branched()

    found = find_text(parse_session(builder.bytes(), builder.session_id), "NEEDLE").matches

    assert [(match.kind, builder.name_of(match.uuid)) for match in found] == [
        ("prompt", "other"),
        ("answer", "else"),
    ]
    assert found[1].snippet.text == "found the needle"
    assert found[1].snippet.marks == ((10, 16),)


def test_a_match_knows_its_branch_and_whether_that_is_active() -> None:
    builder = branched()
    read = parse_session(builder.bytes(), builder.session_id)

    [shared] = find_text(read, "first").matches
    [left] = find_text(read, "fourth").matches

    assert shared.active
    assert {builder.name_of(tip) for tip in shared.tips} == {"fourth", "else"}
    assert not left.active
    assert [builder.name_of(tip) for tip in left.tips] == ["fourth"]


def test_a_match_shows_what_stands_around_it() -> None:
    builder = branched()

    [match] = find_text(parse_session(builder.bytes(), builder.session_id), "first").matches

    assert [near.text for near in match.above] == ["one"]
    assert [near.text for near in match.below] == ["two", "needle here"]
    assert (match.turn, match.end) == (builder.uuid("one"), builder.uuid("first"))


def test_calls_results_and_thoughts_are_found_too() -> None:
    builder = long_talk(session())
    read = parse_session(builder.bytes(), builder.session_id)

    assert [match.kind for match in find_text(read, "x.py").matches] == ["call"]
    assert [match.kind for match in find_text(read, "did b").matches] == ["result"]
    assert [match.kind for match in find_text(read, "hm").matches] == ["thinking"]


def test_what_agents_say_is_not_part_of_the_conversation() -> None:
    builder = session(version="2.0.14").user("one")
    builder.agent("Explore", "look", answer="needle", layout="inline").assistant("done")
    read = parse_session(builder.bytes(), builder.session_id)

    assert [match.kind for match in find_text(read, "needle").matches] == ["result"]


def test_special_characters_are_just_characters() -> None:
    read = parse_session(session().user("a.b (c)").bytes(), "s")

    assert len(find_text(read, "a.b (").matches) == 1
    assert find_text(read, "a?b").matches == []


def test_the_graph_near_a_point() -> None:
    builder = branched()

    near = find_neighbourhood(
        parse_session(builder.bytes(), builder.session_id), builder.uuid("first")
    )

    assert near.here.text == "first"
    assert [one.text for one in near.above] == ["one"]
    assert [one.kind for one in near.below] == ["prompt", "prompt"]


@pytest.mark.parametrize("shown", ["attachment", "nowhere"])
def test_a_queued_prompt_is_found_and_its_turn_is_the_one_it_joined(shown: str) -> None:
    builder = session().user("one", name="one").tool("Bash", {}, "x")
    builder.queued("and mind the tests", shown=shown).assistant("done", name="done")

    [match] = find_text(parse_session(builder.bytes(), "s"), "mind the tests").matches

    assert match.kind == "queued"
    assert match.uuid.startswith("@") == (shown == "nowhere")
    assert (match.turn, match.end) == (builder.uuid("one"), builder.uuid("done"))
    assert match.active


def test_what_is_found_stands_in_file_order() -> None:
    builder = session().user("needle one").queued("needle two", shown="nowhere")
    builder.assistant("needle three")

    found = find_text(parse_session(builder.bytes(), "s"), "needle").matches

    assert [match.kind for match in found] == ["prompt", "queued", "answer"]


def test_a_match_above_very_many_branches_lists_some_of_their_tips() -> None:
    builder = session().user("root", name="root")
    for number in range(MOST_TIPS + 20):
        builder.at("root").assistant(f"answer {number}")

    [match] = find_text(parse_session(builder.bytes(), builder.session_id), "root").matches

    assert len(match.tips) == MOST_TIPS
    assert describe_branch(match, 4) == f"active, and {MOST_TIPS - 1} or more"


def test_matches_beyond_those_that_are_wanted_are_counted() -> None:
    builder = session().user("plum 1").assistant("plum 2").user("plum 3")

    found = find_text(parse_session(builder.bytes(), "s"), "plum", most=2)

    assert [match.snippet.text for match in found.matches] == ["plum 1", "plum 2"]
    assert found.left_out == 1
