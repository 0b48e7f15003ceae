"""Why the model stopped, and how it was served, where that is not the usual."""

from typing import Final

from bough.records.blocks import ApiMessage

USUAL_TIER: Final = "standard"
STOP_SEQUENCE: Final = "stop_sequence"
_USUAL: Final = frozenset({"end_turn", "tool_use"})
STOP_WORDS: Final = {
    "max_tokens": "Cut off: the limit of tokens was reached (max_tokens)",
    "model_context_window_exceeded": "Cut off: the context window was full "
    "(model_context_window_exceeded)",
    "pause_turn": "Paused by the API (pause_turn)",
    "refusal": "Refused to go on (refusal)",
}


def describe_stop(message: ApiMessage) -> str:
    """Say why a message stopped; nothing where it ended or called a tool, as most do."""
    reason = find_unusual_stop(message)
    if reason is None:
        return ""
    if reason == STOP_SEQUENCE:
        return f'Stopped at "{message.stop_sequence}"'
    return STOP_WORDS.get(reason, f"Stopped: {reason}")


def find_unusual_stop(message: ApiMessage) -> str | None:
    """Give the reason for which a message stopped; None where it is the usual one."""
    reason = message.stop_reason
    if reason is None or reason in _USUAL:
        return None
    # What the client writes itself names this reason and no sequence.
    return None if reason == STOP_SEQUENCE and not message.stop_sequence else reason


def find_service_tier(message: ApiMessage) -> str | None:
    """Give how a message was served; None where it does not say."""
    return message.usage.service_tier if message.usage is not None else None
