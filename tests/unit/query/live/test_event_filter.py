"""Which events `bough watch` shows."""

import pytest

from bough.errors import Misuse
from bough.query.live.event_filter import choose_events
from bough.query.live.events import StreamEvent


def event(kind: str, depth: int = 0) -> StreamEvent:
    about = {"session": "s", "project": "-p", "uuid": None, "time": None, "text": ""}
    return StreamEvent(kind=kind, depth=depth, **about)  # type: ignore[arg-type]


KINDS = ("prompt", "thinking", "text", "tool", "result", "state", "error", "trouble", "compacted")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("depth", [0, 1])
def test_everything_is_shown_if_nobody_says_otherwise(kind: str, depth: int) -> None:
    assert choose_events(())(event(kind, depth))


def test_only_some_kinds() -> None:
    shown = choose_events(["thinking, text", "errors"])

    assert [kind for kind in KINDS if shown(event(kind))] == [
        "thinking",
        "text",
        "error",
        "trouble",
    ]


def test_only_leaves_agents_out_unless_they_are_asked_for() -> None:
    assert not choose_events(["thinking"])(event("thinking", 1))
    assert choose_events(["thinking"], agents=True)(event("thinking", 1))
    assert choose_events(["thinking,agents"])(event("thinking", 1))
    assert not choose_events(["thinking"], agents=True)(event("text", 1))


def test_tools_are_added_to_what_was_chosen_or_left_out() -> None:
    assert choose_events(["thinking"], tools=True)(event("tool"))
    assert not choose_events((), tools=False)(event("tool"))
    assert not choose_events(["tools"], tools=False)(event("result"))
    assert choose_events((), tools=True)(event("text"))


def test_agents_are_left_out() -> None:
    shown = choose_events((), agents=False)

    assert not shown(event("agent"))
    assert not shown(event("text", 1))
    assert shown(event("text"))


def test_an_agents_announcement_goes_with_its_words() -> None:
    assert choose_events((), tools=True)(event("agent"))
    assert choose_events(["thinking"], agents=True)(event("agent"))
    assert not choose_events(["thinking"])(event("agent"))


def test_titles_are_always_passed_on() -> None:
    assert choose_events(["thinking"])(event("title"))


def test_a_kind_nobody_knows_is_misuse() -> None:
    with pytest.raises(Misuse, match="nonsense"):
        choose_events(["thinking,nonsense"])
