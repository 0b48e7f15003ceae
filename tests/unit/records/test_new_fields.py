"""What clients from 2.1.200 to 2.1.325 write is read under names of its own."""

import msgspec
import pytest

from bough.line import Line
from bough.records.decode import attachment_of, decode
from bough.records.record import BadLine, Record
from bough.records.types import KINDS, kind_of


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
