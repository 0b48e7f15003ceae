"""Every kind of record the clients write, as far as we know them.

One class per `type`; the fields are the ones we use, the rest stays in `raw`. A new kind
gets a class here, a row in the tables below and a heading in docs/format.md (a test says
so). What has no class is an `Unknown`.
"""

from typing import Any, ClassVar

from msgspec import Raw, Struct

from bough.records.record import NO_JSON, Record, camel


class User(Record, tag_field="type", tag="user"):
    """Something sent to the model: a prompt, a tool result, a command, injected text."""

    kind: ClassVar[str] = "user"
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


class Attachment(Record, tag_field="type", tag="attachment"):
    """Something the client put beside a prompt (from 2.1.90); a link of the chain."""

    kind: ClassVar[str] = "attachment"
    attachment_json: Raw = NO_JSON


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
    pr_number: int | None = None
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


def _plain(tag: str, doc: str) -> type[Record]:
    """Make the class of a kind whose fields nothing needs yet."""
    name = "".join(word.title() for word in tag.split("-"))
    members = {"__doc__": doc, "__module__": __name__, "kind": tag}
    members["__annotations__"] = {"kind": ClassVar[str]}
    return type(Record)(name, (Record,), members, tag_field="type", tag=tag)


PLAIN_KINDS = {
    tag: _plain(tag, doc)
    for tag, doc in {
        "mode": "The client's mode.",
        "agent-color": "The colour of an agent.",
        "agent-setting": "A setting of an agent.",
        "tag": "A tag a person gave.",
        "attribution-snapshot": "Who wrote which lines.",
        "content-replacement": "Content the client replaced.",
        "speculation-accept": "A speculated answer that was taken.",
        "relocated": "The session moved.",
        "isolation-latch": "The session is isolated.",
        "bridge-session": "The session is bridged to another client.",
        "frame-link": "A link to a frame.",
        "tools-used": "Which tools ran.",
        "cost-state": "What the client thinks it cost.",
        "atis-latch": "A switch of the client's own.",
        "api-request": "A copy of what was sent (2.1.325).",
        "api-request-shape": "The shape of what was sent.",
        "api-request-blob": "A part of what was sent.",
    }.items()
}


class Unknown(Record):
    """A record of a kind that has no class here."""

    type: str = ""


_TYPED: tuple[type[Record], ...] = (
    User,
    Assistant,
    System,
    Progress,
    Attachment,
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
)
KINDS: dict[str, type[Record]] = {cls.kind: cls for cls in _TYPED} | PLAIN_KINDS


def kind_of(record: Record) -> str:
    """Name the kind of a record as the client wrote it."""
    return record.type if isinstance(record, Unknown) else record.kind


SYSTEM_SUBTYPES = frozenset(
    "stop_hook_summary turn_duration local_command compact_boundary api_error away_summary "
    "bridge_status microcompact_boundary informational".split()
)
PROGRESS_TYPES = frozenset(
    "bash_progress hook_progress agent_progress mcp_progress query_update "
    "search_results_received waiting_for_task plan_mode".split()
)
ATTACHMENT_TYPES = frozenset(
    "task_reminder queued_command skill_listing hook_additional_context deferred_tools_delta "
    "command_permissions todo_reminder agent_listing_delta mcp_instructions_delta hook_success "
    "hook_non_blocking_error hook_blocking_error hook_system_message hook_cancelled file "
    "edited_text_file date_change date compact_file_reference plan_mode plan_mode_exit "
    "plan_mode_reentry opened_file_in_ide invoked_skills selected_lines_in_ide auto_mode "
    "workflow_keyword_request nested_memory directory environment model session_context "
    "remote_session_change prompt_snapshot total_tokens_reminder companion_intro".split()
)
BLOCK_TYPES = frozenset(
    "text thinking redacted_thinking tool_use server_tool_use tool_result "
    "web_search_tool_result web_fetch_tool_result tool_reference image document".split()
)
QUEUE_OPERATIONS = frozenset("enqueue dequeue remove popAll".split())

AnyJson = Any
