"""What fills the model's window."""

from hypothesis import given
from hypothesis import strategies as st

from bough.line import Line
from bough.model.conversation.context_window import estimate_context_shares
from bough.model.conversation.messages import Message
from bough.model.session import Session
from bough.records.decode import decode_lines
from bough.records.record import BadLine
from bough.sample import session


def messages_of(data: bytes) -> list[Message]:
    lines = data.splitlines(keepends=True)
    found = decode_lines(Line(n, n, line) for n, line in enumerate(lines))
    own = [item for item in found if not isinstance(item, BadLine)]
    return Session("s", own).conversation().messages


MESSAGES = messages_of(
    session("filled")
    .user("p" * 400)
    .assistant("a" * 800)
    .tool("Bash", {"command": "c" * 400}, "r" * 8_000)
    .assistant("done")
    .bytes()
)


def test_the_largest_part_comes_first_and_the_rest_is_set_up() -> None:
    found = {one.name: one.tokens for one in estimate_context_shares(MESSAGES, 20_000)}

    assert next(iter(found)) == "Tool results"
    assert found["Tool results"] == 2_000
    assert found["You"] == 100
    assert list(found)[-1] == "Not in the records"
    assert sum(found.values()) == 20_000


@given(st.integers(0, 10_000_000))
def test_the_parts_are_never_more_than_the_whole(tokens: int) -> None:
    assert sum(one.tokens for one in estimate_context_shares(MESSAGES, tokens)) <= tokens


def test_only_what_came_after_the_last_compaction_counts() -> None:
    draft = session("compaction").user("x" * 40_000).assistant("y").compact().user("z" * 400)
    messages = messages_of(draft.assistant("w").bytes())

    found = {one.name: one.tokens for one in estimate_context_shares(messages, 1_000)}

    assert found["You"] < 200
