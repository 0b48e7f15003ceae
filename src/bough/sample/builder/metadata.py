"""Records outside the tree: titles, pointers, queues, file backups, the client's own accounts.

None of them has a parent. Most are written again and again; the last one counts.
"""

from typing import Self

from bough.sample.builder.messages import MessageSteps
from bough.sample.builder.notes import NoteSteps
from bough.sample.data.blocks import Json
from bough.sample.data.ids import hex_of
from bough.sample.data.records import ABSENT

EMPTY_UUID = "00000000-0000-0000-0000-000000000000"
"""The leaf a client names right after a rewind."""


class MetadataSteps(MessageSteps, NoteSteps):
    """Lines that say something about the session and belong to no conversation."""

    # titles and pointers

    def title(self, words: str, *, sidecar: bool = False) -> Self:
        """Give the session a name, as /rename does; newer clients keep a file beside it too."""
        if sidecar:
            place = f"{self.session_id}/custom-title.json"
            self.companions[place] = self.encode_json({"customTitle": words})
        return self.mark("custom-title", customTitle=words)

    def ai_title(self, words: str) -> Self:
        """Give the session the title a model thought of."""
        return self.mark("ai-title", aiTitle=words)

    def summary(self, words: str, leaf: str | int | None = None) -> Self:
        """Write a summary, which is a title; the leaf may be a step here or a uuid elsewhere."""
        return self.mark(
            "summary", summary=words, leafUuid=self.resolve_step(leaf), sessionId=ABSENT
        )

    def last_prompt(
        self, words: str | None = None, leaf: str | int | None = None, **fields: object
    ) -> Self:
        """Write the pointer to the tip; without a leaf only the words, as up to 2.1.119."""
        own: Json = {} if words is None else {"lastPrompt": words}
        if leaf is not None:
            own["leafUuid"] = self.resolve_step(leaf)
        return self.mark("last-prompt", **(own | fields))

    def rewind_pointer(self) -> Self:
        """Write the pointer a client leaves after a rewind: it names nothing."""
        return self.last_prompt(leaf=EMPTY_UUID, explicit=True)

    def agent_name(self, words: str) -> Self:
        """Name the agent of the session, as /branch and /rename do beside the title."""
        return self.mark("agent-name", agentName=words)

    def agent_setting(self, words: str) -> Self:
        """Say which agent definition the session runs with."""
        return self.mark("agent-setting", agentSetting=words)

    def mode(self, mode: str = "normal") -> Self:
        """Write the mode of the session."""
        return self.mark("mode", mode=mode)

    def permission_mode(self, mode: str | None = None) -> Self:
        """Write what the model may do without asking."""
        return self.mark("permission-mode", permissionMode=mode or self.facts.permission_mode)

    def pr_link(self, number: int, repository: str = "orchard/orchard-shop") -> Self:
        """Link a pull request."""
        return self.mark(
            "pr-link",
            prNumber=number,
            prUrl=f"https://example.com/{repository}/pull/{number}",
            prRepository=repository,
            timestamp=self.stamp(),
        )

    def worktree_state(self, name: str, path: str, original: str) -> Self:
        """Say in which worktree the session works."""
        state: Json = {"worktreeName": name, "worktreePath": path, "originalCwd": original}
        return self.mark("worktree-state", worktreeSession=state)

    # prompts that wait

    def queue(self, operation: str, content: str | None = None) -> Self:
        """Write an operation on the queue of prompts: enqueue, dequeue, remove, popAll."""
        fields: Json = {} if content is None else {"content": content}
        return self.mark("queue-operation", operation=operation, timestamp=self.stamp(), **fields)

    def queued(
        self, prompt: str, *, shown: str = "attachment", name: str | None = None, **fields: object
    ) -> Self:
        """Write a prompt typed while the model worked, and where it went from the queue.

        Shown as an `attachment`, as a later `prompt`, or `nowhere` else than in the queue.
        """
        self.queue("enqueue", prompt)
        if shown == "attachment":
            return self.queue("remove").queued_command(prompt, name=name, mode="prompt", **fields)
        if shown == "prompt":
            return self.queue("dequeue").user(prompt, name=name, **fields)
        return self.queue("popAll", prompt)

    # backups of files

    def snapshot(self, message: str | None = None, *files: str, update: bool = False) -> Self:
        """Write which backups belong to a message.

        The client writes the snapshot of a prompt before the prompt itself, so the message may
        be the name of the next step, or its uuid; without one it is the next step, unnamed.
        """
        is_written = self.has_step(message) or (
            message is not None and len(message) == len(EMPTY_UUID)
        )
        owner = self.resolve_step(message) if is_written else self.next_uuid(message)
        backups = {path: self._make_backup(path) for path in files}
        moment = self.stamp()
        return self.mark(
            "file-history-snapshot",
            messageId=owner,
            snapshot={"messageId": owner, "trackedFileBackups": backups, "timestamp": moment},
            isSnapshotUpdate=update,
            sessionId=ABSENT,
        )

    def delta(self, message: str | int, snapshot: str | int, path: str) -> Self:
        """Write that one more file was backed up."""
        return self.mark(
            "file-history-delta",
            messageId=self.resolve_step(message),
            snapshotMessageId=self.resolve_step(snapshot),
            trackingPath=path,
            backup=self._make_backup(path) | {"realParentDir": self.facts.cwd},
            timestamp=self.stamp(),
            sessionId=ABSENT,
        )

    def _make_backup(self, path: str) -> Json:
        return {
            "backupFileName": f"{hex_of(16, path)}@v1",
            "version": 1,
            "backupTime": self.stamp(),
        }

    # the client's own accounts

    def api_request(self, words: str = "what was sent") -> Self:
        """Write the three records a new client keeps of what it sent."""
        shape, blob = hex_of(64, self.facts.seed, "shape"), hex_of(64, self.facts.seed, words)
        moment, version = self.stamp(), self.facts.version
        system = [{"type": "text", "text": "You are a coding assistant."}]
        self.mark(
            "api-request-shape",
            shapeHash=shape,
            timestamp=moment,
            version=version,
            shape={"system": system, "tools": []},
        )
        message = {"role": "user", "content": [{"type": "text", "text": words}]}
        self.mark("api-request-blob", hash=blob, message=message)
        return self.mark(
            "api-request",
            id=self.mint("uuid"),
            timestamp=moment,
            version=version,
            querySource="repl_main_thread",
            shapeHash=shape,
            params={"model": self.facts.model, "max_tokens": 32_000},
            keep=0,
            tail=[blob],
            cacheControl=[],
            requestDigest=hex_of(64, self.facts.seed, "digest"),
        )

    def cost_state(self, dollars: float = 0.42) -> Self:
        """Write what the client believes the session cost."""
        spent: Json = {"inputTokens": 210, "outputTokens": 1_800, "costUSD": dollars}
        return self.mark(
            "cost-state",
            totalCostUSD=dollars,
            totalAPIDuration=8_000,
            totalAPIDurationWithoutRetries=7_900,
            totalToolDuration=2_100,
            totalLinesAdded=12,
            totalLinesRemoved=3,
            totalDuration=60_000,
            startTime=int(self.facts.start.timestamp() * 1000),
            modelUsage={self.facts.model: spent},
            hasUnknownModelCost=False,
        )

    def tools_used(self, *tools: str) -> Self:
        """Write which tools the session has used."""
        return self.mark("tools-used", tools=list(tools))

    def atis_latch(self) -> Self:
        """Write the latch that newer clients write at every start."""
        return self.mark("atis-latch", atis="")

    def unknown(self, kind: str = "frame-link", /, **fields: object) -> Self:
        """Write a record of a kind nobody knows yet."""
        return self.mark(kind, **fields)
