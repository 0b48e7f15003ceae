import pytest

from bough.model.outline.session_outline import outline_of
from bough.model.outline.turns import Turn
from bough.sample import SampleSession, session
from bough.timetravel.errors import (
    AmbiguousPoint,
    InsideAgent,
    NoFinishedTurn,
    NotATurnEnd,
    PointNotFound,
)
from bough.timetravel.plans.content_digest import parse_session
from bough.timetravel.plans.find_point import PointSpec, find_point
from bough.timetravel.plans.turn_ends import describe_point
from tests.unit.timetravel.making import long_talk


def meant(builder: SampleSession, aim: PointSpec | str) -> str:
    read = parse_session(builder.bytes(), builder.session_id)
    return builder.name_of(describe_point(read, find_point(read, aim)).uuid)


@pytest.fixture
def builder() -> SampleSession:
    return long_talk(session())


def test_a_prompt_stands_for_its_whole_turn(builder: SampleSession) -> None:
    assert meant(builder, builder.uuid("two")) == "second"


def test_the_start_of_an_id_is_enough(builder: SampleSession) -> None:
    assert meant(builder, builder.uuid("third")[:9]) == "third"


def test_ids_may_be_written_in_capitals(builder: SampleSession) -> None:
    assert meant(builder, builder.uuid("third")[:13].upper()) == "third"


def test_a_start_that_fits_two_records_is_ambiguous() -> None:
    builder = session()
    for number in range(60):
        builder.user(f"p {number}").assistant(f"a {number}")
    first = [uuid[:3] for uuid in builder.nodes]
    twice = next(start for start in first if first.count(start) > 1)

    with pytest.raises(AmbiguousPoint, match="fits"):
        meant(builder, twice)


def test_a_point_inside_a_turn_is_refused_and_the_end_offered(builder: SampleSession) -> None:
    with pytest.raises(NotATurnEnd, match="Claude goes on after it") as refusal:
        meant(builder, builder.uuid("hm"))

    assert refusal.value.nearest == builder.uuid("second")
    assert f"The turn ends at {builder.uuid('second')[:8]}; use that?" in refusal.value.message


def test_the_nearest_end_is_taken_on_request(builder: SampleSession) -> None:
    assert meant(builder, PointSpec(builder.uuid("hm"), nearest=True)) == "second"


def test_a_turn_that_never_ended_gives_the_end_before_it() -> None:
    builder = session().user("one").assistant("first", name="first").user("two", name="two")

    with pytest.raises(NotATurnEnd, match="has not answered") as refusal:
        meant(builder, builder.uuid("two"))

    assert refusal.value.nearest == builder.uuid("first")


def test_a_first_turn_without_end_offers_nothing() -> None:
    builder = session().user("one", name="one")

    with pytest.raises(NotATurnEnd, match="No turn ended before it") as refusal:
        meant(builder, builder.uuid("one"))

    assert refusal.value.nearest is None


def test_before_a_turn_is_the_end_of_the_one_above(builder: SampleSession) -> None:
    assert meant(builder, PointSpec(builder.uuid("three"), before=True)) == "second"
    assert meant(builder, PointSpec("third", before=True)) == "second"


def test_one_turn_is_counted_as_one() -> None:
    with pytest.raises(NotATurnEnd, match=r"the conversation has only 1 turn\."):
        meant(session().user("one").assistant("first"), "-1")


def test_before_the_first_turn_is_nothing(builder: SampleSession) -> None:
    with pytest.raises(NotATurnEnd):
        meant(builder, PointSpec("one", before=True))


@pytest.mark.parametrize(("back", "name"), [("-0", "fourth"), ("-1", "third"), ("-3", "first")])
def test_turns_are_counted_back_from_the_active_tip(
    builder: SampleSession, back: str, name: str
) -> None:
    assert meant(builder, back) == name


def test_more_turns_back_than_there_are_is_refused(builder: SampleSession) -> None:
    with pytest.raises(NotATurnEnd, match="only 4 turns"):
        meant(builder, "-4")


def test_turns_back_follow_the_active_branch() -> None:
    builder = long_talk(session()).at("first").user("other").assistant("else", name="else")

    assert meant(builder, "-0") == "else"
    assert meant(builder, "-1") == "first"


def test_words_in_one_turn_mean_that_turn(builder: SampleSession) -> None:
    assert meant(builder, "did b") == "second"
    assert meant(builder, "THIRD") == "third"


def test_words_in_several_turns_are_ambiguous() -> None:
    builder = session().user("fix it", name="a").assistant("x").user("fix that", name="b")
    builder.assistant("y")

    with pytest.raises(AmbiguousPoint, match='"fix" fits 2 turns') as refusal:
        meant(builder, "fix")

    assert refusal.value.matches == (builder.uuid("a"), builder.uuid("b"))
    assert "fix it" in refusal.value.shown[0]


def test_a_prompt_of_just_these_words_comes_first() -> None:
    builder = session().user("go", name="a").assistant("x", name="x").user("go on").assistant("y")

    assert meant(builder, "go") == "x"


def test_words_that_are_nowhere_are_not_found(builder: SampleSession) -> None:
    with pytest.raises(PointNotFound, match="Nothing in session"):
        meant(builder, "zebra")


def test_a_point_in_an_agents_conversation_is_refused() -> None:
    builder = session(version="2.0.14").user("one").agent("Explore", "look", layout="inline")
    builder.assistant("done")
    inside = next(r["uuid"] for r in builder.records() if r.get("isSidechain"))

    with pytest.raises(InsideAgent, match="agent's own conversation"):
        meant(builder, str(inside))


def test_a_session_without_talk_has_no_points() -> None:
    with pytest.raises(NoFinishedTurn):
        meant(session().title("empty"), "-1")


# -- queued prompts -----------------------------------------------------------------------------


def with_queued(shown: str) -> SampleSession:
    """Tell three turns; while Claude works on the second, another prompt is queued."""
    builder = session().user("one").assistant("first", name="first")
    builder.user("two", name="two").tool("Bash", {}, "x")
    builder.queued("and mind the tests", shown=shown, name="queued")
    builder.assistant("second", name="second")
    return builder.user("three").assistant("third", name="third")


def key_of_queued(builder: SampleSession) -> str:
    """Name a queued prompt as the tree does."""
    read = parse_session(builder.bytes(), builder.session_id)
    turns = [item for item in outline_of(read).branches[0].items if isinstance(item, Turn)]
    return next(turn.key for turn in turns if turn.kind == "queued")


@pytest.mark.parametrize("shown", ["attachment", "nowhere"])
def test_a_queued_prompt_stands_for_the_turn_it_joined(shown: str) -> None:
    builder = with_queued(shown)

    assert meant(builder, key_of_queued(builder)) == "second"
    assert meant(builder, "mind the tests") == "second"
    assert meant(builder, PointSpec("mind the tests", before=True)) == "first"


@pytest.mark.parametrize("shown", ["attachment", "nowhere"])
@pytest.mark.parametrize(
    ("back", "name"), [("-0", "third"), ("-1", "second"), ("-2", "second"), ("-3", "first")]
)
def test_turns_back_count_queued_prompts_as_the_tree_does(shown: str, back: str, name: str) -> None:
    assert meant(with_queued(shown), back) == name


def test_the_number_of_turns_in_a_refusal_counts_queued_prompts() -> None:
    with pytest.raises(NotATurnEnd, match="only 4 turns"):
        meant(with_queued("attachment"), "-4")


def test_a_queued_prompt_that_claude_never_read_is_refused() -> None:
    builder = session().user("one").assistant("first", name="first")
    builder.queued("too late", name="queued")

    for at in ("too late", builder.uuid("queued")):
        with pytest.raises(NotATurnEnd, match="has not answered") as refusal:
            meant(builder, at)
        assert refusal.value.nearest == builder.uuid("first")


def test_words_of_a_queued_prompt_and_of_another_turn_are_ambiguous() -> None:
    builder = with_queued("attachment").user("and mind the tests, again").assistant("fourth")

    with pytest.raises(AmbiguousPoint, match="fits 2 turns"):
        meant(builder, "mind the tests")
