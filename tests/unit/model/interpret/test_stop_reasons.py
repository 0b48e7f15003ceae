"""Why the model stopped is said where it is not the usual, in the message itself."""

import pytest

from bough.model.conversation.content import TextBlock
from bough.sample import session
from bough.sample.builder.session import SampleSession
from tests.unit.model.opened import opened


def notes(builder: SampleSession) -> list[str]:
    return [
        block.text
        for message in opened(builder).conversation().messages
        for block in message.blocks
        if isinstance(block, TextBlock) and block.type == "note"
    ]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("max_tokens", ["Cut off: the limit of tokens was reached (max_tokens)"]),
        ("refusal", ["Refused to go on (refusal)"]),
        ("odd_reason", ["Stopped: odd_reason"]),
        ("end_turn", []),
        ("tool_use", []),
        (None, []),
    ],
)
def test_only_an_unusual_reason_is_said(reason: str | None, words: list[str]) -> None:
    assert notes(session().user("Go").assistant("So far", stop_reason=reason)) == words


def test_a_stop_sequence_is_named_and_an_empty_one_is_not() -> None:
    stopped = session().user("Go").assistant("a", stop_reason="stop_sequence", stop_sequence="END")
    empty = session().user("Go").assistant("a", stop_reason="stop_sequence", stop_sequence="")

    assert notes(stopped) == ['Stopped at "END"']
    assert notes(empty) == []


def test_a_service_tier_is_said_when_it_changes() -> None:
    usage = {"input_tokens": 1, "output_tokens": 1}
    builder = session().user("Go").assistant("a", usage=usage | {"service_tier": "priority"})
    builder.user("On").assistant("b", usage=usage | {"service_tier": "priority"})
    builder.user("On").assistant("c", usage=usage | {"service_tier": "standard"})

    assert notes(builder) == ["Service tier: priority", "Service tier: standard"]
