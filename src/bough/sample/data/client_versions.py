"""Which fields a client of a given version writes.

The same step looks different in 1.0.51 and in 2.1.325. Everything that depends on the version
is asked here, so that a builder reads as what happened and not as a table of versions.
"""

from datetime import datetime
from functools import cache

from bough.sample.data.blocks import Json

Version = tuple[int, ...]


@cache
def parse_version(version: str) -> Version:
    """Split a version into numbers; what is not a number counts as zero."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))


def is_since(version: str, first: str) -> bool:
    """Say whether a version is the one given or later."""
    return parse_version(version) >= parse_version(first)


def is_between(version: str, first: str, last: str) -> bool:
    """Say whether a version lies in a closed range."""
    return parse_version(first) <= parse_version(version) <= parse_version(last)


def format_timestamp(moment: datetime) -> str:
    """Write a moment as the client does: UTC, milliseconds, Z."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def typed_prompt_fields(version: str, permission_mode: str, turn: int) -> Json:
    """Give the fields only a typed prompt has."""
    fields: Json = {}
    if is_between(version, "1.0.120", "2.0.63"):
        fields["thinkingMetadata"] = {"level": "none", "disabled": False, "triggers": []}
    if is_between(version, "2.0.64", "2.1.45"):
        fields["thinkingMetadata"] = {"maxThinkingTokens": 31999}
    if is_between(version, "2.0.64", "2.1.62"):
        fields["todos"] = []
    if is_since(version, "2.1.15"):
        fields["permissionMode"] = permission_mode
    if is_since(version, "2.1.161"):
        fields |= {"origin": {"kind": "human"}, "promptSource": "typed"}
    if is_since(version, "2.1.300"):
        fields["turnOrigin"] = "human"
        fields["turnPosition"] = {"promptIndex": turn, "turnIndex": turn}
    return fields


def stop_reason(version: str, block: Json, *, last: bool) -> str | None:
    """Give the stop reason of one line of a message; old clients left it empty."""
    if not is_since(version, "2.1.50") or not last:
        return None
    return "tool_use" if block["type"] == "tool_use" else "end_turn"


def answer_fields(version: str, block_index: int, request: str, model: str) -> Json:
    """Give the fields of an assistant record beside its message."""
    fields: Json = {}
    if is_since(version, "2.1.217"):
        fields["effort"] = "medium"
    if is_since(version, "2.1.300"):
        fields |= {
            "apiBlockIndex": block_index,
            "requestRef": request,
            "requestedModel": model,
            "promptCacheRequested": "5m",
            "perTurnEffort": "medium",
            "madeBy": "model",
        }
    return fields


def message_extras(version: str) -> Json:
    """Give the message's own fields that came with time."""
    fields: Json = {}
    if is_since(version, "2.1.81"):
        fields["stop_details"] = None
    if is_since(version, "2.1.121"):
        fields["diagnostics"] = None
    return fields


def complete_usage(version: str, counts: Json) -> Json:
    """Complete token counts with the fields the version adds to them."""
    written = counts.get("cache_creation_input_tokens", 0)
    fields = {
        "input_tokens": 4,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    } | counts
    if is_since(version, "1.0.84"):
        fields["cache_creation"] = {
            "ephemeral_5m_input_tokens": written,
            "ephemeral_1h_input_tokens": 0,
        } | _as_object(counts.get("cache_creation"))
    fields.setdefault("output_tokens", 1)
    fields.pop("service_tier", None)
    fields["service_tier"] = counts.get("service_tier", "standard")
    if is_since(version, "2.1.100"):
        fields["server_tool_use"] = {"web_search_requests": 0, "web_fetch_requests": 0}
    if is_since(version, "2.1.104"):
        # The same tokens once more; whoever adds them counts twice.
        fields["iterations"] = [{"type": "message"} | counts]
    if is_since(version, "2.1.17"):
        fields["inference_geo"] = "not_available"
    if is_since(version, "2.1.41"):
        fields.setdefault("speed", "standard")
    return fields


def _as_object(value: object) -> Json:
    return value if isinstance(value, dict) else {}
