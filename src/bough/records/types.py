"""Every kind of record the clients write, as far as we know them.

One class per `type`; the fields are the ones we use, the rest stays in `raw`. Those of the
tree are here, the others in `bough.records.metadata`. A new kind gets a class and a heading
in docs/format.md (a test says so). What has no class is an `Unknown`.
"""

from typing import Any, ClassVar

from msgspec import Raw, Struct, field

from bough.records.known_names import (
    ATTACHMENT_TYPES,
    BLOCK_TYPES,
    PROGRESS_TYPES,
    QUEUE_OPERATIONS,
    SYSTEM_SUBTYPES,
)
from bough.records.metadata import (
    MARKS,
    AgentName,
    AiTitle,
    CustomTitle,
    FileHistoryDelta,
    FileHistorySnapshot,
    LastPrompt,
    PermissionMode,
    PrLink,
    QueueOperation,
    Summary,
    WorktreeState,
)
from bough.records.record import NO_JSON, Record, camel

__all__ = [
    "ATTACHMENT_TYPES",
    "BLOCK_TYPES",
    "KINDS",
    "PROGRESS_TYPES",
    "QUEUE_OPERATIONS",
    "SYSTEM_SUBTYPES",
    "AgentName",
    "AiTitle",
    "Assistant",
    "Attachment",
    "AttachmentData",
    "CompactMetadata",
    "CustomTitle",
    "FileHistoryDelta",
    "FileHistorySnapshot",
    "HookInfo",
    "LastPrompt",
    "PermissionMode",
    "PrLink",
    "PreservedMessages",
    "PreservedSegment",
    "Progress",
    "ProgressData",
    "QueueOperation",
    "Summary",
    "System",
    "ThinkingMetadata",
    "Todo",
    "Unknown",
    "User",
    "WorktreeState",
    "kind_of",
]


class Todo(Struct, gc=False, rename="camel"):
    """One item of a todo list; `priority` and `id` are of the first clients."""

    content: str = ""
    status: str | None = None
    active_form: str | None = None
    priority: str | None = None
    id: str | None = None


class ThinkingMetadata(Struct, gc=False, rename="camel"):
    """How much the model was to think: a level (1.0, 2.0) or a number of tokens (2.1)."""

    level: str | None = None
    disabled: bool | None = None
    max_thinking_tokens: float | None = None

    @property
    def is_on(self) -> bool | None:
        """Tell whether thinking was on; None where the record does not say."""
        if self.disabled:
            return False
        if self.max_thinking_tokens is not None:
            return self.max_thinking_tokens > 0
        return None if self.level is None else self.level != "none"


class User(Record, tag_field="type", tag="user"):
    """Something sent to the model: a prompt, a tool result, a command, injected text.

    `meaning` keeps what the model found it to be, which many ask.
    """

    kind: ClassVar[str] = "user"
    meaning: Any = None
    message_json: Raw = NO_JSON
    tool_use_result_json: Raw = NO_JSON
    is_compact_summary: bool = False
    is_visible_in_transcript_only: bool = False
    source_tool_assistant_uuid: str | None = None
    source_tool_use_id: str | None = None
    permission_mode: str | None = None
    prompt_id: str | None = None
    prompt_source: str | None = None
    tool_denial_kind: str | None = None
    plan_content: str | None = None
    origin_json: Raw = NO_JSON
    repeats_compact_summary: bool = False
    todos: list[Todo] | None = None
    thinking_metadata: ThinkingMetadata | None = None


class Assistant(Record, tag_field="type", tag="assistant"):
    """One line of the model's message, mostly one block."""

    kind: ClassVar[str] = "assistant"
    message_json: Raw = NO_JSON
    request_id: str | None = None
    is_api_error_message: bool = False
    error_json: Raw = NO_JSON
    api_error_status_json: Raw = NO_JSON
    thinking_duration_ms: float | None = None
    is_aborted_mid_stream: bool = False
    cost_usd: float | None = None
    thinking_display: str | None = None
    server_classifier_request_json: Raw = NO_JSON
    failed_response_had_no_tool_call: bool = False


class PreservedSegment(Struct, gc=False, rename="camel"):
    """The stretch a compaction kept."""

    head_uuid: str | None = None
    anchor_uuid: str | None = None
    tail_uuid: str | None = None


class PreservedMessages(Struct, gc=False, rename="camel"):
    """The messages a compaction kept."""

    anchor_uuid: str | None = None
    uuids: list[str] = []
    all_uuids: list[str] = []


class CompactMetadata(Struct, gc=False, rename="camel"):
    """What a compaction did."""

    trigger: str | None = None
    pre_tokens: float | None = None
    post_tokens: float | None = None
    duration_ms: float | None = None
    preserved_segment: PreservedSegment | None = None
    preserved_messages: PreservedMessages | None = None
    cumulative_dropped_tokens: float | None = None


class HookInfo(Struct, gc=False, rename="camel"):
    """One hook that ran when Claude stopped."""

    command: str = ""
    duration_ms: float | None = None


class System(Record, tag_field="type", tag="system"):
    """A line of the client's own; `subtype` says which."""

    kind: ClassVar[str] = "system"
    subtype: str | None = None
    content_json: Raw = NO_JSON
    level: str | None = None
    logical_parent_uuid: str | None = None
    compact_metadata: CompactMetadata | None = None
    microcompact_metadata_json: Raw = NO_JSON
    duration_ms: float | None = None
    message_count: float | None = None
    tool_use_id: str | None = None
    hook_count: float | None = None
    hook_infos: list[HookInfo] | None = None
    hook_errors_json: Raw = NO_JSON
    prevented_continuation: bool | None = None
    stop_reason: str | None = None
    has_output: bool | None = None
    error_json: Raw = NO_JSON
    cause_json: Raw = NO_JSON
    retry_in_ms: float | None = None
    retry_attempt: float | None = None
    max_retries: float | None = None
    url: str | None = None
    pending_background_agent_count: float | None = None
    command_run_json: Raw = NO_JSON


class ProgressData(Struct, gc=False, rename=camel):
    """What a progress record reports; `type` says which fields are there."""

    type: str = ""
    hook_event: str | None = None
    hook_name: str | None = None
    command: str | None = None
    output: str | None = None
    full_output: str | None = None
    elapsed_time_seconds: float | None = None
    elapsed_time_ms: float | None = None
    agent_id: str | None = None
    prompt: str | None = None
    message_json: Raw = NO_JSON
    status: str | None = None
    server_name: str | None = None
    tool_name: str | None = None
    query: str | None = None
    result_count: float | None = None
    task_description: str | None = None
    task_type: str | None = None


class Progress(Record, tag_field="type", tag="progress"):
    """A sign of life of a tool, a hook or an agent (2.1.9 to 2.1.81)."""

    kind: ClassVar[str] = "progress"
    data_json: Raw = NO_JSON
    tool_use_id: str | None = None
    parent_tool_use_id: str | None = None


class AttachmentData(Struct, gc=False, rename=camel):
    """What an attachment holds; `type` says which fields are there."""

    type: str = ""
    prompt_json: Raw = NO_JSON
    command_mode: str | None = None
    content_json: Raw = NO_JSON
    hook_name: str | None = None
    hook_event: str | None = None
    command: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    exit_code: float | None = None
    duration_ms: float | None = None
    tool_use_id: str | None = None
    blocking_error_json: Raw = NO_JSON
    filename: str | None = None
    display_path: str | None = None
    snippet: str | None = None
    path: str | None = None
    source_uuid: str | None = field(default=None, name="source_uuid")
    delivery_id: str | None = field(default=None, name="delivery_id")


class Attachment(Record, tag_field="type", tag="attachment"):
    """Something the client put beside a prompt (from 2.1.90); a link of the chain."""

    kind: ClassVar[str] = "attachment"
    attachment_json: Raw = NO_JSON
    rendered_beside_tool_result_json: Raw = NO_JSON


class Unknown(Record):
    """A record of a kind that has no class here."""

    type: str = ""


_NODES: tuple[type[Record], ...] = (User, Assistant, System, Progress, Attachment)
KINDS: dict[str, type[Record]] = {cls.kind: cls for cls in (*_NODES, *MARKS)}


def kind_of(record: Record) -> str:
    """Name the kind of a record as the client wrote it."""
    return record.type if type(record) is Unknown else record.kind
