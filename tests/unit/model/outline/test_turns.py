"""What begins a turn: the same in the messages of a conversation and in the outline."""

import pytest

from bough.model.outline.branch_path import count_turns, path_to_tip
from bough.model.outline.session_outline import outline_of
from bough.model.outline.turns import Turn
from bough.sample import SampleSession, session
from bough.sample.data.blocks import image, text
from tests.unit.model.opened import opened

COMMAND = "<command-name>/cost</command-name>\n<command-args></command-args>"
TASK = '{"task_id":"a1","tool_use_id":"toolu_1","description":"Tests","task_type":"local_bash"}'


def turns(builder: SampleSession) -> list[str]:
    """List what began each turn of the active conversation, and check that all faces agree."""
    read = opened(builder)
    conversation = read.conversation()
    outline = outline_of(read)
    items = path_to_tip(outline, conversation.tip)
    named = [i.key for i in items if isinstance(i, Turn) and not i.is_continuation]
    assert [turn.key for turn in conversation.turns] == named
    assert conversation.turn_count == len(named) == count_turns(items)
    assert conversation.message_count == len(conversation.messages)
    return [turn.kind for turn in conversation.turns]


@pytest.mark.parametrize(
    ("builder", "kinds"),
    [
        (session().user("a").assistant("b"), ["prompt"]),
        (session().user("a").assistant("b").queued_command("c").assistant("d"), 2),
        (session().user("a").assistant("b").shell("ls", "out").assistant("c"), 2),
        (
            session().user("a").assistant("b").system("local_command", content=COMMAND),
            ["prompt", "command"],
        ),
        (session().user("a").queue("enqueue", "and b").assistant("c"), ["prompt", "queued"]),
        (session().user([image()]).assistant("a"), ["prompt"]),
    ],
    ids=["prompt", "queued", "shell", "local command", "only queued", "image"],
)
def test_what_a_person_sends_begins_a_turn(builder: SampleSession, kinds: list[str] | int) -> None:
    found = turns(builder)

    assert found == kinds if isinstance(kinds, list) else len(found) == kinds


@pytest.mark.parametrize(
    "builder",
    [
        session().user("a").assistant("b").compact().assistant("goes on"),
        session().user("a").assistant("b").interrupt(),
        session().user("a").assistant("b").api_error(),
        session().user("a").assistant("b").user("  ").assistant("c"),
        session().user("a").assistant("b").user([text(" ")]).assistant("c"),
        session().user("a").assistant("b").queue("enqueue", TASK).assistant("c"),
    ],
    ids=["compaction", "interrupt", "error", "blank", "blank block", "task"],
)
def test_nothing_else_does(builder: SampleSession) -> None:
    assert turns(builder) == ["prompt"]


def test_what_goes_on_after_a_compaction_stands_apart_and_belongs_to_the_turn_before() -> None:
    builder = session().user("a", name="A").assistant("b").compact().tool("Bash", {}, "x")
    read = opened(builder.assistant("c"))

    first, second = [i for i in outline_of(read).branches[0].items if isinstance(i, Turn)]
    (turn,) = read.conversation().turns

    assert (first.kind, second.kind, second.is_continuation) == ("prompt", "continued", True)
    assert second.label.startswith("continued")
    assert (second.steps, second.cost.calls > 0) == (1, True)
    assert {message.turn for message in turn.messages} == {builder.uuid("A")}


def test_a_prompt_of_an_image_is_named_by_what_it_is() -> None:
    (found,) = outline_of(opened(session().user([image()]).assistant("a"))).branches[0].items

    assert isinstance(found, Turn)
    assert found.label == "Image, PNG"


def test_a_call_belongs_to_the_turn_that_made_it_though_something_was_sent_meanwhile() -> None:
    builder = session().user("a").tool("Bash", {}, None, name="call").queue("enqueue", "hurry")
    read = opened(builder.assistant("b"))

    first, *_ = [i for i in outline_of(read).branches[0].items if isinstance(i, Turn)]

    assert first.steps == 1


def test_a_turn_of_a_line_without_a_uuid_is_named_by_its_place() -> None:
    read = opened(session().user("a").queue("enqueue", "and b").assistant("c"))

    _, queued = read.conversation().turns

    assert (queued.uuid, queued.key) == (None, f"@{queued.messages[0].offset}")
    assert [message.turn for message in queued.messages] == [queued.key] * len(queued.messages)
