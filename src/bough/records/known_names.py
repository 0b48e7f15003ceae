"""The names the clients use inside records: subtypes, operations, types of blocks.

They are opaque words to us; a record with another one is kept and shown all the same. The
tables say which ones are known, so that docs/format.md can be held to them (a test does).
"""

SYSTEM_SUBTYPES = frozenset(
    {
        "api_error",
        "away_summary",
        "bridge_status",
        "compact_boundary",
        "informational",
        "local_command",
        "microcompact_boundary",
        "stop_hook_summary",
        "turn_duration",
    }
)
PROGRESS_TYPES = frozenset(
    {
        "agent_progress",
        "bash_progress",
        "hook_progress",
        "mcp_progress",
        "plan_mode",
        "query_update",
        "search_results_received",
        "waiting_for_task",
    }
)
ATTACHMENT_TYPES = frozenset(
    {
        "agent_listing_delta",
        "auto_mode",
        "command_permissions",
        "compact_file_reference",
        "companion_intro",
        "date",
        "date_change",
        "deferred_tools_delta",
        "directory",
        "edited_text_file",
        "environment",
        "file",
        "hook_additional_context",
        "hook_blocking_error",
        "hook_cancelled",
        "hook_stopped_continuation",
        "hook_non_blocking_error",
        "hook_success",
        "hook_system_message",
        "instructions",
        "invoked_skills",
        "mcp_instructions_delta",
        "model",
        "nested_memory",
        "opened_file_in_ide",
        "plan_mode",
        "plan_mode_exit",
        "plan_mode_reentry",
        "prompt_snapshot",
        "queued_command",
        "remote_session_change",
        "selected_lines_in_ide",
        "session_context",
        "skill_listing",
        "task_reminder",
        "todo_reminder",
        "total_tokens_reminder",
        "workflow_keyword_request",
    }
)
BLOCK_TYPES = frozenset(
    {
        "document",
        "image",
        "redacted_thinking",
        "server_tool_use",
        "text",
        "thinking",
        "tool_reference",
        "tool_result",
        "tool_use",
        "web_fetch_tool_result",
        "web_search_tool_result",
    }
)
QUEUE_OPERATIONS = frozenset({"dequeue", "enqueue", "popAll", "remove"})
