"""What clients from 2.1.200 to 2.1.325 write is read under names of its own."""

import msgspec
import pytest

from bough.line import Line
from bough.records.decode import attachment_of, decode, message_of
from bough.records.record import BadLine, Record
from bough.records.types import KINDS, Assistant, ThinkingMetadata, Todo, User, kind_of
from bough.sample import session


def read(**fields: object) -> Record:
    found = decode(Line(0, 1, msgspec.json.encode(fields) + b"\n"))
    assert not isinstance(found, BadLine), found.reason
    return found


@pytest.mark.parametrize(
    ("written", "name", "value"),
    [
        ({"type": "user", "repeatsCompactSummary": True}, "repeats_compact_summary", True),
        ({"type": "assistant", "thinkingDisplay": "short"}, "thinking_display", "short"),
        (
            {"type": "assistant", "failedResponseHadNoToolCall": True},
            "failed_response_had_no_tool_call",
            True,
        ),
        (
            {"type": "system", "pendingBackgroundAgentCount": 2},
            "pending_background_agent_count",
            2,
        ),
        ({"type": "user", "sessionKind": "bg"}, "session_kind", "bg"),
        ({"type": "queue-operation", "reason": "new"}, "reason", "new"),
        ({"type": "queue-operation", "commandUuid": "u"}, "command_uuid", "u"),
        ({"type": "queue-operation", "deliveryId": "d"}, "delivery_id", "d"),
        ({"type": "bridge-session", "bridgeSessionId": "cse_1"}, "bridge_session_id", "cse_1"),
        ({"type": "bridge-session", "lastSequenceNum": 4}, "last_sequence_num", 4),
        ({"type": "bridge-session", "ownerAccountUuid": "a"}, "owner_account_uuid", "a"),
        (
            {"type": "frame-link", "frameUrl": "https://example.org"},
            "frame_url",
            "https://example.org",
        ),
        ({"type": "frame-link", "artifactCount": 3}, "artifact_count", 3),
        ({"type": "artifact-autoreact-ledger", "accountUuid": "a"}, "account_uuid", "a"),
        ({"type": "artifact-comment-monitor", "v": 1}, "v", 1),
        ({"type": "cost-state", "totalCostUSD": 0.5}, "total_cost_usd", 0.5),
        ({"type": "cost-state", "totalAPIDuration": 7}, "total_api_duration", 7),
        (
            {"type": "cost-state", "totalAPIDurationWithoutRetries": 6},
            "total_api_duration_without_retries",
            6,
        ),
    ],
)
def test_a_field_is_read(written: dict[str, object], name: str, value: object) -> None:
    assert getattr(read(**written), name) == value


def test_a_queued_command_names_where_it_comes_from() -> None:
    held = {"type": "queued_command", "source_uuid": "u", "delivery_id": "d"}
    record = read(type="attachment", attachment=held, renderedBesideToolResult=True)

    found = attachment_of(record)  # type: ignore[arg-type]

    assert (found.source_uuid, found.delivery_id) == ("u", "d")


@pytest.mark.parametrize("kind", ["artifact-autoreact-ledger", "artifact-comment-monitor"])
def test_a_kind_has_a_type_of_its_own(kind: str) -> None:
    record = read(type=kind, v=1, artifacts={}, sessionId="s")

    assert kind_of(record) == kind
    assert type(record) is KINDS[kind]


def test_the_todos_beside_a_prompt_are_typed() -> None:
    todo = {"content": "Test", "status": "pending", "activeForm": "Testing", "priority": "high"}

    found = read(type="user", todos=[todo])

    assert isinstance(found, User)
    assert found.todos == [Todo("Test", "pending", "Testing", "high")]


def test_todos_of_a_wrong_shape_cost_nothing_else() -> None:
    found = read(type="user", uuid="u", todos=[{"content": 7, "status": "pending"}, "x"])

    assert isinstance(found, User)
    assert found.uuid == "u"
    assert found.todos == [Todo("", "pending")]


@pytest.mark.parametrize(
    ("version", "on"), [("2.0.60", False), ("2.1.20", True), ("2.1.200", None)]
)
def test_a_prompt_says_whether_thinking_was_on(version: str, on: bool | None) -> None:
    line = session("thinking", version=version).user("hi").lines()[0]
    found = decode(Line(0, 1, line))

    assert isinstance(found, User)
    assert (found.thinking_metadata.is_on if found.thinking_metadata else None) is on


def test_thinking_that_was_switched_off_is_off_whatever_its_level() -> None:
    assert ThinkingMetadata(level="high", disabled=True).is_on is False
    assert ThinkingMetadata(level="high").is_on is True
    assert ThinkingMetadata().is_on is None


def test_the_sequence_a_message_stopped_at_is_read() -> None:
    message = {"content": "x", "stop_reason": "stop_sequence", "stop_sequence": "END"}

    found = read(type="assistant", message=message)

    assert isinstance(found, Assistant)
    assert message_of(found).stop_sequence == "END"
