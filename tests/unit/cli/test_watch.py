"""Which events `bough watch` shows."""

import pytest

from bough.cli.commands.watch import chosen
from bough.errors import Misuse
from bough.query.live.events import Event


def event(kind: str, depth: int = 0) -> Event:
    return Event(kind=kind, session="s", project="-p", uuid=None, time=None, text="", depth=depth)


KINDS = ("prompt", "thinking", "text", "tool", "result", "state", "error", "trouble", "compacted")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("depth", [0, 1])
def test_everything_is_shown_if_nobody_says_otherwise(kind: str, depth: int) -> None:
    assert chosen(())(event(kind, depth))


def test_only_some_kinds() -> None:
    shown = chosen(["thinking, text", "errors"])

    assert [kind for kind in KINDS if shown(event(kind))] == [
        "thinking",
        "text",
        "error",
        "trouble",
    ]


def test_only_leaves_agents_out_unless_they_are_asked_for() -> None:
    assert not chosen(["thinking"])(event("thinking", 1))
    assert chosen(["thinking"], agents=True)(event("thinking", 1))
    assert chosen(["thinking,agents"])(event("thinking", 1))
    assert not chosen(["thinking"], agents=True)(event("text", 1))


def test_tools_are_added_to_what_was_chosen_or_left_out() -> None:
    assert chosen(["thinking"], tools=True)(event("tool"))
    assert not chosen((), tools=False)(event("tool"))
    assert not chosen(["tools"], tools=False)(event("result"))
    assert chosen((), tools=True)(event("text"))


def test_agents_are_left_out() -> None:
    shown = chosen((), agents=False)

    assert not shown(event("agent"))
    assert not shown(event("text", 1))
    assert shown(event("text"))


def test_an_agents_announcement_goes_with_its_words() -> None:
    assert chosen((), tools=True)(event("agent"))
    assert chosen(["thinking"], agents=True)(event("agent"))
    assert not chosen(["thinking"])(event("agent"))


def test_titles_are_always_passed_on() -> None:
    assert chosen(["thinking"])(event("title"))


def test_a_kind_nobody_knows_is_misuse() -> None:
    with pytest.raises(Misuse, match="nonsense"):
        chosen(["thinking,nonsense"])
