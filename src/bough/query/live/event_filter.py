"""Which events of a stream are shown, by the groups that people name."""

from collections.abc import Callable, Sequence
from typing import Final

from bough.errors import Misuse
from bough.query.live.events import StreamEvent

_GROUPS: Final = {
    "thinking": ("thinking",),
    "text": ("text",),
    "tools": ("tool", "result", "progress"),
    "prompts": ("prompt", "queued", "command", "output"),
    "states": ("state", "budget"),
    "errors": ("error", "retry", "interrupted", "hook", "bad_line", "trouble"),
}

EventFilter = Callable[[StreamEvent], bool]
"""Tells whether an event is shown."""


def choose_events(
    only: Sequence[str] = (), *, tools: bool | None = None, agents: bool | None = None
) -> EventFilter:
    """Choose which events are shown.

    Args:
        only: Names of groups, also several in one text with commas; none: everything.
        tools: With or without tool calls, whatever `only` says.
        agents: With or without what agents do.
    """
    groups = {name.strip() for words in only for name in words.split(",") if name.strip()}
    unknown = groups - _GROUPS.keys() - {"agents"}
    if unknown:
        raise Misuse(f"--only takes no {min(unknown)}. It takes {', '.join(_GROUPS)}.")
    all_agents = agents if agents is not None else not groups or "agents" in groups
    if tools is not None and groups:
        groups = groups | {"tools"} if tools else groups - {"tools"}
    kinds = {kind for name in groups & _GROUPS.keys() for kind in _GROUPS[name]}
    hidden = set(_GROUPS["tools"]) if tools is False else set()

    def is_shown(event: StreamEvent) -> bool:
        if (event.depth or event.kind == "agent") and not all_agents:
            return False
        if event.kind == "title":
            return True
        if event.kind == "agent":
            return not groups or "agents" in groups or agents is True
        return event.kind not in hidden and (not groups or event.kind in kinds)

    return is_shown
