"""Why the model stopped, and how it was served, where that is not the usual."""

from typing import Final

from bough.records.blocks import ApiMessage

USUAL_TIER: Final = "standard"
_USUAL: Final = frozenset({"end_turn", "tool_use"})
_WORDS: Final = {
    "max_tokens": "Cut off: the limit of tokens was reached (max_tokens)",
    "model_context_window_exceeded": "Cut off: the context window was full "
    "(model_context_window_exceeded)",
    "pause_turn": "Paused by the API (pause_turn)",
    "refusal": "Refused to go on (refusal)",
}


def describe_stop(message: ApiMessage) -> str:
    """Say why a message stopped; nothing where it ended or called a tool, as most do."""
    reason = message.stop_reason
    if reason is None or reason in _USUAL:
        return ""
    if reason == "stop_sequence":
        # What the client writes itself names the reason and no sequence.
        return f'Stopped at "{message.stop_sequence}"' if message.stop_sequence else ""
    return _WORDS.get(reason, f"Stopped: {reason}")


def find_service_tier(message: ApiMessage) -> str | None:
    """Give how a message was served; None where it does not say."""
    return message.usage.service_tier if message.usage is not None else None
