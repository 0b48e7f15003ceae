"""Records outside the tree: titles, pointers, queues, backups, the client's own accounts.

None has a uuid. Most are written again and again, and the last one counts. Kinds whose
fields nothing needs have a class all the same: they are known, and what they hold is in
`raw`.
"""

from typing import ClassVar

from msgspec import Raw

from bough.records.record import NO_JSON, Count, Record


class Summary(Record, tag_field="type", tag="summary"):
    """A title for a leaf, often of another session (to 2.1.29)."""

    kind: ClassVar[str] = "summary"
    summary: str | None = None
    leaf_uuid: str | None = None


class LastPrompt(Record, tag_field="type", tag="last-prompt"):
    """The newest prompt; from 2.1.120 its leaf points at the tip."""

    kind: ClassVar[str] = "last-prompt"
    last_prompt: str | None = None
    leaf_uuid: str | None = None
    explicit: bool | None = None


class AiTitle(Record, tag_field="type", tag="ai-title"):
    """A title the model gave."""

    kind: ClassVar[str] = "ai-title"
    ai_title: str | None = None


class CustomTitle(Record, tag_field="type", tag="custom-title"):
    """A title a person gave; empty clears it."""

    kind: ClassVar[str] = "custom-title"
    custom_title: str | None = None


class QueueOperation(Record, tag_field="type", tag="queue-operation"):
    """A prompt put into, or taken out of, the queue."""

    kind: ClassVar[str] = "queue-operation"
    operation: str | None = None
    content_json: Raw = NO_JSON
    reason: str | None = None
    command_uuid: str | None = None
    delivery_id: str | None = None


class FileHistorySnapshot(Record, tag_field="type", tag="file-history-snapshot"):
    """Which backups of files belong to a message."""

    kind: ClassVar[str] = "file-history-snapshot"
    message_id: str | None = None
    is_snapshot_update: bool | None = None
    snapshot_json: Raw = NO_JSON


class FileHistoryDelta(Record, tag_field="type", tag="file-history-delta"):
    """One more backup for a snapshot (from 2.1.220)."""

    kind: ClassVar[str] = "file-history-delta"
    message_id: str | None = None
    snapshot_message_id: str | None = None
    tracking_path: str | None = None
    backup_json: Raw = NO_JSON


class PrLink(Record, tag_field="type", tag="pr-link"):
    """A pull request that came out of the session."""

    kind: ClassVar[str] = "pr-link"
    pr_number: Count | None = None
    pr_url: str | None = None
    pr_repository: str | None = None


class AgentName(Record, tag_field="type", tag="agent-name"):
    """The name of the agent a session runs as."""

    kind: ClassVar[str] = "agent-name"
    agent_name: str | None = None


class PermissionMode(Record, tag_field="type", tag="permission-mode"):
    """How freely tools may run."""

    kind: ClassVar[str] = "permission-mode"
    permission_mode: str | None = None


class WorktreeState(Record, tag_field="type", tag="worktree-state"):
    """The worktree a session works in."""

    kind: ClassVar[str] = "worktree-state"
    worktree_session_json: Raw = NO_JSON


class Mode(Record, tag_field="type", tag="mode"):
    """The client's mode."""

    kind: ClassVar[str] = "mode"


class AgentColor(Record, tag_field="type", tag="agent-color"):
    """The colour of an agent."""

    kind: ClassVar[str] = "agent-color"


class AgentSetting(Record, tag_field="type", tag="agent-setting"):
    """A setting of an agent."""

    kind: ClassVar[str] = "agent-setting"


class Tag(Record, tag_field="type", tag="tag"):
    """A tag a person gave."""

    kind: ClassVar[str] = "tag"


class AttributionSnapshot(Record, tag_field="type", tag="attribution-snapshot"):
    """Who wrote which lines."""

    kind: ClassVar[str] = "attribution-snapshot"


class ContentReplacement(Record, tag_field="type", tag="content-replacement"):
    """Content the client replaced."""

    kind: ClassVar[str] = "content-replacement"


class SpeculationAccept(Record, tag_field="type", tag="speculation-accept"):
    """A speculated answer that was taken."""

    kind: ClassVar[str] = "speculation-accept"


class Relocated(Record, tag_field="type", tag="relocated"):
    """The session moved."""

    kind: ClassVar[str] = "relocated"


class IsolationLatch(Record, tag_field="type", tag="isolation-latch"):
    """The session is isolated."""

    kind: ClassVar[str] = "isolation-latch"


class BridgeSession(Record, tag_field="type", tag="bridge-session"):
    """The session is bridged to another client; the owners are ids of an account."""

    kind: ClassVar[str] = "bridge-session"
    bridge_session_id: str | None = None
    last_sequence_num: Count | None = None
    owner_account_uuid: str | None = None
    owner_organization_uuid: str | None = None


class FrameLink(Record, tag_field="type", tag="frame-link"):
    """A page that the session published."""

    kind: ClassVar[str] = "frame-link"
    path: str | None = None
    frame_url: str | None = None
    title: str | None = None
    artifact_count: Count | None = None


class ArtifactAutoreactLedger(Record, tag_field="type", tag="artifact-autoreact-ledger"):
    """Which published pages Claude has reacted to; `account_uuid` is an id of an account."""

    kind: ClassVar[str] = "artifact-autoreact-ledger"
    v: Count | None = None
    artifacts_json: Raw = NO_JSON
    account_uuid: str | None = None


class ArtifactCommentMonitor(Record, tag_field="type", tag="artifact-comment-monitor"):
    """Which published pages are watched for comments."""

    kind: ClassVar[str] = "artifact-comment-monitor"
    v: Count | None = None
    artifacts_json: Raw = NO_JSON


class ToolsUsed(Record, tag_field="type", tag="tools-used"):
    """Which tools ran."""

    kind: ClassVar[str] = "tools-used"
    tools_json: Raw = NO_JSON


class CostState(Record, tag_field="type", tag="cost-state"):
    """What the client thinks it cost so far; the last one counts, and none is added to another."""

    kind: ClassVar[str] = "cost-state"
    total_cost_usd: float | None = None
    total_api_duration: float | None = None
    total_api_duration_without_retries: float | None = None
    total_tool_duration: float | None = None
    total_duration: float | None = None
    total_lines_added: float | None = None
    total_lines_removed: float | None = None
    start_time: float | None = None
    model_usage_json: Raw = NO_JSON
    has_unknown_model_cost: bool = False


class AtisLatch(Record, tag_field="type", tag="atis-latch"):
    """A switch of the client's own."""

    kind: ClassVar[str] = "atis-latch"


class ApiRequest(Record, tag_field="type", tag="api-request"):
    """A copy of what was sent (2.1.325)."""

    kind: ClassVar[str] = "api-request"


class ApiRequestShape(Record, tag_field="type", tag="api-request-shape"):
    """The shape of what was sent."""

    kind: ClassVar[str] = "api-request-shape"


class ApiRequestBlob(Record, tag_field="type", tag="api-request-blob"):
    """A part of what was sent."""

    kind: ClassVar[str] = "api-request-blob"


MARKS: tuple[type[Record], ...] = (
    Summary,
    LastPrompt,
    AiTitle,
    CustomTitle,
    QueueOperation,
    FileHistorySnapshot,
    FileHistoryDelta,
    PrLink,
    AgentName,
    PermissionMode,
    WorktreeState,
    Mode,
    AgentColor,
    AgentSetting,
    Tag,
    AttributionSnapshot,
    ContentReplacement,
    SpeculationAccept,
    Relocated,
    IsolationLatch,
    BridgeSession,
    FrameLink,
    ArtifactAutoreactLedger,
    ArtifactCommentMonitor,
    ToolsUsed,
    CostState,
    AtisLatch,
    ApiRequest,
    ApiRequestShape,
    ApiRequestBlob,
)
