"""Where a conversation is cut short and goes on from a summary.

Three ways, by age: up to 1.0.108 a summary without any link back; then a boundary that names
the last record before it; lately also the messages that were kept.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from bough.sample.builder.messages import MessageSteps
from bough.sample.builder.notes import NoteSteps

if TYPE_CHECKING:
    from bough.sample.data.blocks import Json

OPENING = (
    "This session is being continued from a previous conversation that ran out of context. The "
    "conversation is summarized below:\n"
)


class CompactionSteps(MessageSteps, NoteSteps):
    """Steps that make the model forget."""

    def compact(
        self,
        summary: str = "Summary:\nWhat was done so far.",
        *,
        keep: int | Sequence[str] = 0,
        trigger: str = "auto",
        name: str | None = None,
        **metadata: object,
    ) -> Self:
        """Compact the conversation at the cursor; the summary bears the name.

        `keep` says how many of the last nodes, or which, stay known word for word. Metadata goes
        into the boundary: preTokens, postTokens and the like.
        """
        if not self.is_since("1.0.109"):
            self.cursor = None
            return self._write_summary(summary, name)
        before = str(self.cursor)
        boundary_name = None if name is None else f"{name}.boundary"
        about: Json = {"trigger": trigger, "preTokens": 168_000}
        if self.is_since("2.1.112"):
            about |= {"postTokens": 22_000, "durationMs": 48_000}
        self.node(
            "system",
            name=boundary_name,
            parentUuid=None,
            logicalParentUuid=before,
            subtype="compact_boundary",
            content="Conversation compacted",
            isMeta=False,
            level="info",
            compactMetadata=about | metadata,
        )
        boundary = self.records()[-1]
        self._write_summary(summary, name)
        kept = self._list_kept_uuids(keep)
        if kept:
            anchor = str(self.cursor)
            boundary["compactMetadata"] = (
                about
                | {
                    "cumulativeDroppedTokens": 146_000,
                    "preservedSegment": {
                        "headUuid": kept[0],
                        "anchorUuid": anchor,
                        "tailUuid": kept[-1],
                    },
                    "preservedMessages": {"anchorUuid": anchor, "uuids": kept, "allUuids": kept},
                }
                | metadata
            )
        return self

    def microcompact(self, *tool_ids: str, saved: int = 31_000, name: str | None = None) -> Self:
        """Write that old tool results were cleared from what the model sees."""
        about: Json = {
            "trigger": "auto",
            "preTokens": 98_000,
            "tokensSaved": saved,
            "compactedToolIds": list(tool_ids),
            "clearedAttachmentUUIDs": [],
        }
        return self.system(
            "microcompact_boundary",
            name=name,
            content="Context microcompacted",
            level="info",
            microcompactMetadata=about,
        )

    def _write_summary(self, words: str, name: str | None) -> Self:
        fields: Json = {"isCompactSummary": True}
        if self.is_since("1.0.109"):
            fields["isVisibleInTranscriptOnly"] = True
        return self.user_record(OPENING + words, name=name, **fields)

    def _list_kept_uuids(self, keep: int | Sequence[str]) -> list[str]:
        """Give the uuids that stay known; boundary and summary, just written, are none of them."""
        if not isinstance(keep, int):
            return [self.uuid(step) for step in keep]
        return self.nodes[-2 - keep : -2] if keep else []
