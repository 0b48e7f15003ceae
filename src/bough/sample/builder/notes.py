"""Records between the messages: attachments, hooks, progress and system notes.

They are links of the parent chain without being part of what was said. Hooks are stored in three
ways, by age of the client: as system notes, as progress, as attachments.
"""

from collections.abc import Mapping, Sequence
from typing import Self

from bough.sample.builder.base import SessionDraft
from bough.sample.data.attachments import ATTACHMENTS, HIDDEN_TYPES
from bough.sample.data.blocks import Json
from bough.sample.data.records import ABSENT


class NoteSteps(SessionDraft):
    """Steps that stand beside the conversation."""

    # attachments

    def attachment(
        self,
        kind: str,
        body: Mapping[str, object] | None = None,
        *,
        name: str | None = None,
        **fields: object,
    ) -> Self:
        """Write an attachment; without a body it has a believable one of its type."""
        held: Json = {"type": kind} | dict(ATTACHMENTS.get(kind, {}) if body is None else body)
        own: Json = {"attachment": held}
        if self.is_since("2.1.300") and kind not in HIDDEN_TYPES:
            # What the model was told, word for word: the newest clients keep it beside.
            text = f"<system-reminder>\n{kind.replace('_', ' ')}\n</system-reminder>"
            own |= {"rendered": [{"content": text}], "renderedRole": "system"}
        return self.node("attachment", name=name, **(own | fields))

    def queued_command(
        self, prompt: str, *, name: str | None = None, mode: str = "prompt", **fields: object
    ) -> Self:
        """Write a prompt that came while the model worked, as newer clients keep it."""
        body: Json = {"prompt": prompt, "commandMode": mode}
        return self.attachment("queued_command", body, name=name, **fields)

    # hooks

    def hook(
        self,
        event: str,
        command: str,
        *,
        tool: str = "",
        outcome: str = "success",
        words: str = "",
        **body: object,
    ) -> Self:
        """Write that a hook ran, as this client stores it.

        Outcomes: success, non_blocking_error, blocking_error, additional_context, system_message.
        Older clients tell the outcome only in words or not at all.
        """
        title = f"{event}:{tool}" if tool else event
        if self.is_since("2.1.82"):
            held: Json = {"hookName": title, "toolUseID": self.mint("toolu"), "hookEvent": event}
            held |= _make_hook_outcome(outcome, command, words)
            return self.attachment(f"hook_{outcome}", held | body)
        if self.is_since("2.1.9"):
            data: Json = {"hookEvent": event, "hookName": title, "command": command}
            return self.progress("hook_progress", data | body)
        failed = outcome != "success"
        ending = "failed with non-blocking status code 1" if failed else "completed successfully"
        return self.system(
            "informational",
            content=f"{title} [{command}] {ending}: {words}",
            level="warning" if failed else "info",
            toolUseID=self.mint("uuid"),
        )

    def stop_hooks(
        self, *commands: str, errors: Sequence[str] = (), prevented: bool = False, reason: str = ""
    ) -> Self:
        """Write the summary of the hooks that ran when the model stopped."""
        context: Json = {"hookAdditionalContext": []} if self.is_since("2.1.170") else {}
        return self.system(
            "stop_hook_summary",
            name=None,
            isMeta=ABSENT,
            hookCount=len(commands),
            hookInfos=[{"command": command, "durationMs": 412} for command in commands],
            hookErrors=list(errors),
            preventedContinuation=prevented,
            stopReason=reason,
            hasOutput=bool(errors),
            level="suggestion",
            toolUseID=self.mint("uuid"),
            **context,
        )

    # progress, 2.1.9 to 2.1.81

    def progress(
        self,
        kind: str,
        data: Mapping[str, object] | None = None,
        *,
        tool_id: str | None = None,
        **fields: object,
    ) -> Self:
        """Write that something is under way; it hangs on the call and moves the chain."""
        parent = tool_id or self.mint("toolu")
        held: Json = {"type": kind} | dict(data or {})
        own: Json = {"data": held, "toolUseID": parent, "parentToolUseID": parent}
        return self.node("progress", name=None, **(own | fields))

    def bash_progress(self, tool_id: str, *seen: str) -> Self:
        """Write the growing output of a shell command, one record for each second."""
        output = ""
        for second, line in enumerate(seen):
            output += line + "\n"
            data: Json = {
                "output": line,
                "fullOutput": output,
                "elapsedTimeSeconds": second + 2,
                "totalLines": second + 1,
                "timeoutMs": 120_000,
            }
            named = f"bash-progress-{second}"
            self.progress("bash_progress", data, tool_id=tool_id, toolUseID=named)
        return self

    def mcp_progress(self, tool_id: str, server: str, tool: str) -> Self:
        """Write that a tool of an MCP server began and ended."""
        about: Json = {"serverName": server, "toolName": tool}
        self.progress("mcp_progress", {"status": "started"} | about, tool_id=tool_id)
        done: Json = {"status": "completed", "elapsedTimeMs": 840}
        return self.progress("mcp_progress", done | about, tool_id=tool_id)

    # system notes

    def system(self, subtype: str | None, *, name: str | None = None, **fields: object) -> Self:
        """Write a note of the client."""
        kind: Json = {} if subtype is None else {"subtype": subtype}
        return self.node("system", name=name, **(kind | {"isMeta": False} | fields))

    def turn_duration(self, seconds: float = 12, *, name: str | None = None) -> Self:
        """Write how long the turn took."""
        fields: Json = {"durationMs": int(seconds * 1000)}
        if self.is_since("2.1.89"):
            fields["messageCount"] = len(self.nodes)
        return self.system("turn_duration", name=name, **fields)

    def retry(self, attempt: int = 1, status: int = 529, *, name: str | None = None) -> Self:
        """Write that a call of the API failed and is tried again."""
        kind = {"type": "overloaded_error", "message": "Overloaded"}
        return self.system(
            "api_error",
            name=name,
            isMeta=ABSENT,
            level="error",
            error={"status": status, "error": {"type": "error", "error": kind}},
            retryInMs=549.8727459961376 * 2 ** (attempt - 1),
            retryAttempt=attempt,
            maxRetries=10,
        )

    def away_summary(self, words: str, *, name: str | None = None) -> Self:
        """Write the recap shown to a person who comes back."""
        return self.system("away_summary", name=name, content=words)

    def local_command(self, words: str, *, name: str | None = None) -> Self:
        """Write the output of a command as a system record."""
        wrapped = f"<local-command-stdout>{words}</local-command-stdout>"
        return self.system("local_command", name=name, content=wrapped, level="info")

    def informational(self, words: str, level: str = "info", *, name: str | None = None) -> Self:
        """Write a note shown to the person."""
        return self.system("informational", name=name, content=words, level=level)

    def bridge_status(self, url: str = "https://example.com/code/session_01") -> Self:
        """Write that the session can be reached from elsewhere."""
        words = f"Remote control is active. Code in the app or at {url}"
        return self.system("bridge_status", content=words, url=url, upgradeNudge="")


def _make_hook_outcome(outcome: str, command: str, words: str) -> Json:
    """Give the fields of an attachment that tell how a hook ended."""
    ran: Json = {"command": command, "durationMs": 412}
    match outcome:
        case "success":
            return {"content": words, "stdout": words, "stderr": "", "exitCode": 0} | ran
        case "non_blocking_error":
            return {"stdout": "", "stderr": words, "exitCode": 1} | ran
        case "blocking_error":
            fields = {"blockingError": f"[{command}]: {words}\n", "command": command}
            return {"blockingError": fields}
        case "additional_context":
            return {"content": [words]}
        case _:
            return {"content": words}
