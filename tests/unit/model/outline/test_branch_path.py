"""Branches in words: which tip is active, and why."""

from bough.model.outline.branch_path import describe_active_tip
from bough.model.outline.session_outline import outline_of
from bough.sample import SampleCall, SampleSession, session
from tests.unit.model.opened import opened


def active_tip_of(builder: SampleSession, *, is_open: bool = False) -> str:
    read = opened(builder, is_open=is_open)
    return describe_active_tip(read, outline_of(read))


def talk() -> SampleSession:
    return session(version="2.1.325").user("one", name="one").assistant("a", name="a")


def test_a_tip_that_a_last_prompt_names_is_said_to_be_named() -> None:
    assert "named by last-prompt" in active_tip_of(talk().last_prompt("one", "a"))


def test_without_a_last_prompt_the_tip_is_the_last_line() -> None:
    """A short interactive session has none before its client exits."""
    assert "the last line of the file (rule of clients from 2.1.120)" in active_tip_of(talk())


def test_a_last_prompt_that_names_nothing_here_names_no_tip() -> None:
    zero = "00000000-0000-0000-0000-000000000000"

    assert "the last line" in active_tip_of(talk().mark("last-prompt", leafUuid=zero))


def test_while_a_client_has_the_session_open_the_tip_is_its_own_line() -> None:
    builder = talk().user("two").assistant("b", name="b").last_prompt("two", "b")
    builder.at("a").user("three", name="three").assistant("c", name="c")

    words = active_tip_of(builder, is_open=True)

    tip, turn = builder.uuid("c")[:8], builder.uuid("three")[:8]
    assert words == (
        f"Active tip {tip}, in turn {turn}: the last line of the file "
        "(a client has the session open)"
    )


def test_a_pointer_beside_the_call_that_claude_went_on_from_names_no_tip() -> None:
    calls = [SampleCall(tool="Read", given={}, result=str(number)) for number in range(2)]
    builder = session(version="2.1.250").user("one", name="one").tools(*calls)
    _, _, second, result, _ = builder.nodes
    builder.last_prompt("one", leaf=second).at(result).assistant("a", name="a")

    words = active_tip_of(builder)

    assert words.startswith(f"Active tip {builder.uuid('a')[:8]}, in turn ")
    assert "the last line of the file (rule of clients from 2.1.120)" in words
