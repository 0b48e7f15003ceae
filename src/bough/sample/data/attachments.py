"""A believable body for every type of attachment, so that a test can name a type and no more."""

from bough.sample.data.blocks import Json

_HOOK: Json = {
    "hookName": "PostToolUse:Edit",
    "toolUseID": "toolu_01HookHookHookHookHook12",
    "hookEvent": "PostToolUse",
}
_HOOK_RUN: Json = {
    "stdout": "",
    "stderr": "",
    "exitCode": 0,
    "command": "make lint",
    "durationMs": 412,
}
_PLAN_FILE = "/home/dev/.claude/plans/quiet-mending-ladder.md"
_ADDED_TOOLS: Json = {"addedNames": ["WebSearch"], "addedLines": ["WebSearch"], "removedNames": []}

ATTACHMENTS: dict[str, Json] = {
    "agent_listing_delta": {
        "addedTypes": ["Explore"],
        "addedLines": ["- Explore: looks through the code and answers one question."],
        "removedTypes": [],
        "isInitial": True,
        "showConcurrencyNote": False,
    },
    "auto_mode": {},
    "command_permissions": {"allowedTools": ["Bash(git status:*)"]},
    "compact_file_reference": {
        "filename": "/home/dev/code/orchard-shop/src/import/reader.py",
        "displayPath": "src/import/reader.py",
    },
    "date": {"date": "2026-01-05"},
    "date_change": {"newDate": "2026-01-06"},
    "deferred_tools_delta": _ADDED_TOOLS,
    "directory": {
        "path": "/home/dev/code/orchard-shop/docs",
        "content": "import.md\nindex.md",
        "displayPath": "docs",
    },
    "edited_text_file": {
        "filename": "/home/dev/code/orchard-shop/README.md",
        "snippet": "1\t# orchard-shop",
    },
    "environment": {
        "snapshot": {
            "workingDirectory": "/home/dev/code/orchard-shop",
            "isWorktree": False,
            "isGitRepo": True,
            "platform": "linux",
            "shell": "bash",
        }
    },
    "file": {
        "filename": "/home/dev/code/orchard-shop/cli/main.py",
        "content": {
            "type": "text",
            "file": {
                "filePath": "/home/dev/code/orchard-shop/cli/main.py",
                "content": "import click\n",
                "numLines": 1,
                "startLine": 1,
                "totalLines": 1,
            },
        },
        "displayPath": "cli/main.py",
    },
    "hook_additional_context": _HOOK | {"content": ["The branch is protected."]},
    "hook_blocking_error": _HOOK
    | {
        "blockingError": {
            "blockingError": "[guard.py]: writes outside src are not allowed\n",
            "command": "guard.py",
        }
    },
    "hook_non_blocking_error": _HOOK | _HOOK_RUN | {"exitCode": 1, "stderr": "lint: 2 warnings"},
    "hook_success": _HOOK | {"content": ""} | _HOOK_RUN,
    "hook_system_message": _HOOK | {"content": "Lint passed."},
    "invoked_skills": {
        "skills": [{"name": "review", "path": "projectSettings:review", "content": "# Review"}]
    },
    "mcp_instructions_delta": {
        "addedNames": ["tickets"],
        "addedBlocks": ["## tickets\nReads the team's tickets."],
        "removedNames": [],
    },
    "model": {
        "identity": {"modelId": "claude-opus-4-6", "marketingName": "Opus 4.6"},
        "text": "You are powered by the model named Opus 4.6.",
    },
    "nested_memory": {
        "path": "/home/dev/code/orchard-shop/src/CLAUDE.md",
        "content": {
            "path": "/home/dev/code/orchard-shop/src/CLAUDE.md",
            "type": "Project",
            "content": "Tests live beside the code.\n",
        },
        "displayPath": "src/CLAUDE.md",
    },
    "opened_file_in_ide": {"filename": "/home/dev/code/orchard-shop/src/import/reader.py"},
    "plan_mode": {
        "reminderType": "full",
        "isSubAgent": False,
        "planFilePath": _PLAN_FILE,
        "planExists": False,
    },
    "plan_mode_exit": {"planFilePath": _PLAN_FILE, "planExists": True},
    "prompt_snapshot": {"systemPrompt": [], "contextRendering": "inline"},
    "queued_command": {"prompt": "Also run the linter.", "commandMode": "prompt"},
    "remote_session_change": {"url": None, "managedCommit": False, "managedPr": False},
    "selected_lines_in_ide": {
        "filename": "/home/dev/code/orchard-shop/src/import/reader.py",
        "lineStart": 12,
        "lineEnd": 14,
        "content": "offset += len(line)",
    },
    "session_context": {"context": {}},
    "skill_listing": {
        "content": "- review: reads a change as a colleague would.",
        "skillCount": 1,
        "isInitial": True,
        "names": ["review"],
    },
    "task_reminder": {"content": [], "itemCount": 0},
    "todo_reminder": {"content": [], "itemCount": 0},
    "total_tokens_reminder": {"text": "62000 of 200000 tokens are used."},
    "workflow_keyword_request": {"keyword": "workflow"},
}
"""The types of attachments seen, each with what one of them holds."""

HIDDEN_TYPES = frozenset({"prompt_snapshot", "session_context", "hook_non_blocking_error"})
"""The types of which the model is told nothing."""
