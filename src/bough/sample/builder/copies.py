"""Sessions that begin as a copy of another: /branch, --fork-session, and resume in 1.0.

A copy keeps the uuids, so that lineage can be seen; what else changes depends on how it was made.
"""

from copy import deepcopy
from datetime import datetime
from typing import Self

import msgspec

from bough.sample.builder.base import DraftLine
from bough.sample.builder.metadata import MetadataSteps
from bough.sample.data.blocks import Json
from bough.sample.data.ids import uuid_of


class CopySteps(MetadataSteps):
    """Steps that begin another session."""

    def fork(
        self,
        at: str | int | None = None,
        title: str | None = None,
        *,
        seed: str | None = None,
        session_id: str | None = None,
    ) -> Self:
        """Branch off a new session, as /branch does: one line, each record naming its origin.

        The copy ends at the step given, or at the cursor. Steps keep their names.
        """
        copy = self._start_copy(seed or f"{self.facts.seed}/fork", session_id)
        parent: str | None = None
        for record in self.copy_records_to(at):
            origin = {"sessionId": self.session_id, "messageUuid": record["uuid"]}
            record |= {
                "parentUuid": parent,
                "sessionId": copy.session_id,
                "forkedFrom": origin,
            }
            parent = str(record["uuid"])
            copy.write_copy(record, self.name_of(parent))
        if title is not None:
            copy.title(title, sidecar=self.is_since("2.1.250")).agent_name(title)
        return copy

    def fork_session(self, *, seed: str | None = None) -> Self:
        """Branch off a new session, as --fork-session does: the same records, another id."""
        copy = self._start_copy(seed or f"{self.facts.seed}/fork-session", None)
        for record in self.copy_records_to(None):
            copy.write_copy(
                record | {"sessionId": copy.session_id}, self.name_of(str(record["uuid"]))
            )
        return copy

    def resume_in_new_file(
        self, *, seed: str | None = None, moment: datetime | None = None
    ) -> Self:
        """Continue in a new file, as clients of 1.0 did: everything copied and stamped anew."""
        copy = self._start_copy(seed or f"{self.facts.seed}/resumed", None)
        if moment is not None:
            copy.set_clock(moment)
        stamp = copy.stamp()
        for record in self.records():
            if "uuid" in record:
                changed = deepcopy(record) | {"sessionId": copy.session_id, "timestamp": stamp}
                copy.write_copy(changed, self.name_of(str(record["uuid"])))
        return copy

    def copy_records_to(self, where: str | int | None) -> list[Json]:
        """Give copies of the records on the way to a step, with all of each message on it."""
        nodes = {str(record["uuid"]): record for record in self.records() if "uuid" in record}
        path: set[str] = set()
        step = self.cursor if where is None else self.uuid(where)
        target = step
        while step is not None and step in nodes and step not in path:
            path.add(step)
            above = nodes[step].get("parentUuid") or nodes[step].get("logicalParentUuid")
            step = str(above) if above else None
        messages = {_message_id_of(nodes[uuid]) for uuid in path} - {None}
        calls = {call for uuid in path for call in _call_ids_of(nodes[uuid])}
        chosen = []
        for uuid, record in nodes.items():
            beside = _message_id_of(record) in messages or bool(_result_ids_of(record) & calls)
            if uuid in path or (beside and target in path):
                chosen.append(deepcopy(record))
                calls |= _call_ids_of(record)
            if uuid == target:
                break
        return chosen

    def _start_copy(self, seed: str, session_id: str | None) -> Self:
        facts = msgspec.structs.replace(
            self.facts, seed=seed, session_id=session_id or uuid_of(seed), start=self.now
        )
        return type(self)(facts)

    def write_copy(self, record: Json, name: str) -> None:
        """Write a copied record, under the name it has in the original."""
        self.entries.append(DraftLine(record))
        uuid = str(record["uuid"])
        self.adopt(uuid, None if name == uuid else name)


def _blocks_of(record: Json) -> list[Json]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []


def _message_id_of(record: Json) -> object:
    message = record.get("message")
    return message.get("id") if isinstance(message, dict) else None


def _call_ids_of(record: Json) -> set[object]:
    return {block["id"] for block in _blocks_of(record) if block.get("type") == "tool_use"}


def _result_ids_of(record: Json) -> set[object]:
    found = [block for block in _blocks_of(record) if block.get("type") == "tool_result"]
    return {block["tool_use_id"] for block in found}
