from bough.sample import SampleSession, session
from bough.timetravel.plans.content_digest import parse_session
from bough.timetravel.plans.turn_ends import explain_no_end, find_turn_end, list_turn_ends
from tests.unit.timetravel.making import long_talk, parallel


def ends_of(builder: SampleSession) -> list[str]:
    read = parse_session(builder.bytes(), builder.session_id)
    return [builder.name_of(point.uuid) for point in list_turn_ends(read)]


def why(builder: SampleSession, name: str) -> str | None:
    read = parse_session(builder.bytes(), builder.session_id)
    return explain_no_end(
        read.message_tree, read.message_tree.above[read.tree.number[builder.uuid(name)]]
    )


def test_a_turn_ends_with_the_last_answer_before_the_next_prompt() -> None:
    assert ends_of(long_talk(session())) == ["first", "second", "third", "fourth"]


def test_a_prompt_without_an_answer_ends_no_turn() -> None:
    builder = session().user("one").assistant("first", name="first").user("two", name="two")

    assert ends_of(builder) == ["first"]
    assert why(builder, "two") == "Claude has not answered it"


def test_a_call_that_waits_ends_no_turn() -> None:
    builder = session().user("one").tool("Bash", {}, None, name="call")

    assert ends_of(builder) == []
    assert why(builder, "call") == "a tool call is waiting for its result"


def test_an_answer_that_goes_on_ends_no_turn() -> None:
    builder = session().user("one").tool("Bash", {}, "x", name="call").assistant("done")

    assert why(builder, "call") == "Claude goes on after it"


def test_a_compaction_ends_no_turn() -> None:
    builder = session().user("one").assistant("first").compact(name="compaction")

    assert why(builder, "compaction") == "it is a compaction"


def test_one_of_several_calls_without_a_result_is_enough_to_wait() -> None:
    calls = parallel("a", "b")
    builder = session().user("one").tools(*calls, order=[1])

    assert ends_of(builder) == []


def test_an_interrupted_turn_ends_with_the_notice() -> None:
    builder = (
        session()
        .user("one")
        .assistant("part", name="part")
        .interrupt(name="notice")
        .user("two")
        .assistant("second", name="second")
    )

    assert ends_of(builder) == ["notice", "second"]


def test_each_of_two_answers_to_one_prompt_ends_a_turn() -> None:
    builder = session().user("one", name="one").assistant("a", name="a").at("one")
    builder.assistant("b", name="b")

    assert ends_of(builder) == ["a", "b"]


def test_a_point_knows_the_prompt_of_its_turn() -> None:
    builder = long_talk(session())
    read = parse_session(builder.bytes(), builder.session_id)

    second = list_turn_ends(read)[1]

    assert (second.text, second.prompt) == ("two", builder.uuid("two"))


def resumed(builder: SampleSession) -> SampleSession:
    """Let a client with hooks resume: it writes a pair before the next prompt."""
    return builder.meta("Continue from where you left off.").synthetic_answer(name="placeholder")


def hooked_talk() -> SampleSession:
    builder = session(version="2.1.150").user("one").assistant("first", name="first")
    builder.hook("Stop", "lint")
    resumed(builder).user("two", name="two").assistant("second", name="second")
    return builder.hook("Stop", "lint")


def test_a_turn_ends_with_the_last_real_answer_and_not_with_a_placeholder() -> None:
    builder = hooked_talk()

    assert ends_of(builder) == ["first", "second"]
    assert why(builder, "first") is None


def test_a_turn_ends_above_a_placeholder_after_which_nobody_spoke() -> None:
    builder = resumed(session(version="2.1.150").user("one").assistant("first", name="first"))

    assert ends_of(builder) == ["first"]


def test_a_prompt_with_a_placeholder_below_it_has_no_answer() -> None:
    builder = session().user("one").assistant("first", name="first").user("two", name="two")
    builder.synthetic_answer().user("three").assistant("third", name="third")

    assert ends_of(builder) == ["first", "third"]
    assert why(builder, "two") == "Claude has not answered it"


def test_a_turn_that_failed_ends_with_the_error_and_its_last_answer_is_a_point_too() -> None:
    builder = session().user("one", name="one").tool("Bash", {}, "x", name="call")
    builder.api_error(name="error").user("two").assistant("second")
    read = parse_session(builder.bytes(), builder.session_id)
    prompt = read.message_tree.above[read.tree.number[builder.uuid("one")]]

    assert why(builder, "call") is None
    assert (
        find_turn_end(read, prompt)
        == read.message_tree.above[read.tree.number[builder.uuid("error")]]
    )
