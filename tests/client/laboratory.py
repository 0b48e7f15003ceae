"""Real clients, offline: the lab that lies beside the project, and what it tells us.

The lab runs a client in an empty environment and a network of its own, against a server that
keeps every request. What a client sends after a resume is what Claude sees; these functions
put that and what bough reads from the same file into one form.
"""

import importlib
import json
import os
import re
import sys
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bough.model.interpret.preserved_messages import list_preserved_uuids
from bough.model.session import Session
from bough.model.tree.message_tree import GroupKind
from bough.records.blocks import Document, Image, Text, ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.types import Assistant, System, User
from bough.timetravel.environment import TravelEnvironment
from tests.conftest import ROOT

FOLDER = ROOT.parent / "shared" / "lab"
VERSIONS = tuple(
    os.environ.get(
        "BOUGH_CLIENTS", "2.1.325 2.1.250 2.1.150 2.1.132 2.1.118 2.1.50 2.0.76 1.0.128"
    ).split()
)
SKIP = "--dangerously-skip-permissions"
NEXT = "NEXT"

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)
_SESSION_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TASK = re.compile(r"<task-notification>\s*<task-id>(.*?)</task-id>")

Words = tuple[str, ...]
Block = tuple[str, str]
"""Who says it, and the whole block as JSON."""


def lab() -> Any:
    """Import the lab, leaving no trace in its folder."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        return importlib.import_module("cclab")
    finally:
        sys.dont_write_bytecode = writes


class Client:
    """One client with a Claude folder of its own, and a desk for bough."""

    def __init__(self, version: str, name: str, settings: dict[str, object] | None = None) -> None:
        self.version = version
        self.lab = lab().Lab(version, f"bough-{name}", settings=settings)
        self.desk = TravelEnvironment(Path(self.lab.dir) / "bough")

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        output = self.lab.server.stdout
        self.lab.close()
        output.close()

    def talk(self, *prompts: str, more: Sequence[str] = ()) -> Path:
        """Lead a conversation, one process for each prompt; give the session's file."""
        for number, prompt in enumerate(prompts):
            again = ["--continue"] if number else []
            self.lab.claude("-p", prompt, *again, *more, SKIP)
        return self.newest()

    def say(self, prompt: str, *more: str, cwd: Path | None = None) -> list[Block]:
        """Say something in a process of its own; give all that the client sent with it."""
        result = self.lab.claude("-p", prompt, *more, SKIP, cwd=cwd, timeout=180)
        bodies = result.main
        assert bodies, f"the client sent nothing: {result.rc} {result.err[:300]} {result.out[:300]}"
        return whole_request(bodies[0])

    def newest(self) -> Path:
        """Give the session written to last."""
        files = self.lab.project_dir().glob("*-*-*-*-*.jsonl")
        found: Path = max(files, key=lambda file: file.stat().st_mtime)
        return found

    def copy(self, file: Path) -> Path:
        """Copy a session under an id of its own, with an old time: no client has it open."""
        new = str(uuid.uuid4())
        copy = file.with_name(f"{new}.jsonl")
        copy.write_bytes(file.read_bytes().replace(file.stem.encode(), new.encode()))
        return rested(copy)

    def resume(self, session: str, cwd: Path | None = None) -> list[Words]:
        """Resume a session with one more prompt; give what the client sent."""
        result = self.lab.claude("-p", NEXT, "--resume", session, SKIP, cwd=cwd, timeout=180)
        bodies = result.main
        assert bodies, f"the client sent nothing: {result.rc} {result.err[:300]} {result.out[:300]}"
        return sent(bodies[0])


def rested(file: Path) -> Path:
    """Let a file look an hour old: no client has it open, and none deletes it for its age."""
    an_hour_ago = time.time() - 3600
    os.utime(file, (an_hour_ago, an_hour_ago))
    return file


def sent(body: dict[str, Any]) -> list[Words]:
    """List what a request says, block by block, without the client's own reminders."""
    found: list[Words] = []
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if message["role"] != "system":
            found += [words for block in blocks if (words := _of_request(message["role"], block))]
    return _results_in_order(found)


def whole_request(body: dict[str, Any]) -> list[Block]:
    """List every block of a request as it was sent, the client's reminders too."""
    found: list[Block] = []
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            kept = {key: value for key, value in block.items() if key != "cache_control"}
            # Some results name files of the session by its id, which a copy has another of.
            text = _SESSION_ID.sub("SESSION", json.dumps(kept, sort_keys=True))
            found.append((message["role"], text))
    return found


def history_of(request: list[Block]) -> list[Block]:
    """Give what a request holds before its own prompt and the reminders that come with that.

    The pair that some clients put before the prompt of a resume is theirs and of this moment.
    """
    last = max((n for n, (role, _) in enumerate(request) if role == "assistant"), default=-1)
    if last > 0 and "No response requested." in request[last][1]:
        last -= 1 + ("Continue from where you left off." in request[last - 1][1])
    return request[: last + 1]


def _of_request(role: str, block: dict[str, Any]) -> Words:
    match block["type"]:
        case "text":
            return _of_text(role, block["text"])
        case "tool_use":
            return ("call", block["id"], block["name"])
        case "tool_result":
            return ("result", block["tool_use_id"])
        case "image":
            return ("image", block["source"]["data"])
        case "document":
            return ("document",)
        case _:
            return ()


def _of_text(role: str, text: str) -> Words:
    """Take the reminders off a text; newer clients wrap what a task reports into one."""
    if found := _TASK.search(text):
        return ("notice", found[1])
    words = _REMINDER.sub("", text).strip()
    return ("text", role, words) if words else ()


def told(session: Session) -> list[Words]:
    """List what bough says that Claude will see: all since the last compaction."""
    builder, tree = session.message_tree, session.tree
    conversation = session.conversation()
    groups = conversation.groups
    compactions = [
        at for at, group in enumerate(groups) if builder.groups[group].kind is GroupKind.COMPACTION
    ]
    since = groups[compactions[-1] :] if compactions else groups
    in_line = set(tree.walk_up(session.choice.node))
    found: list[Words] = []
    for group in since:
        own = builder.groups[group]
        numbers = sorted({*own.nodes, *(note for note in own.notes if note in in_line)})
        boundaries = [r for n in numbers if isinstance(r := tree.nodes[n], System)]
        for number in numbers:
            found += _of_record(tree.nodes[number])
        for boundary in boundaries:
            kept = [tree.number[u] for u in list_preserved_uuids(boundary) if u in tree.number]
            found += [w for n in sorted(set(kept)) for w in _of_record(tree.nodes[n])]
    return _results_in_order(found)


def _of_record(record: object) -> list[Words]:
    if not isinstance(record, User | Assistant):
        return []
    role = "assistant" if isinstance(record, Assistant) else "user"
    found: list[Words] = []
    for block in message_of(record).blocks:
        match block:
            case Text() if words := _of_text(role, block.text):
                found.append(words)
            case ToolUse():
                found.append(("call", block.id, block.name))
            case ToolResult():
                found.append(("result", block.tool_use_id))
            case Image() if block.source is not None:
                found.append(("image", block.source.data))
            case Document():
                found.append(("document",))
            case _:
                pass
    return found


def _results_in_order(words: list[Words]) -> list[Words]:
    """Put each run of results into the order of their calls; parallel ones come as they like."""
    order = {word[1]: at for at, word in enumerate(words) if word[0] == "call"}
    results = sorted((w for w in words if w[0] == "result"), key=lambda w: order.get(w[1], -1))
    waiting = iter(results)
    return [next(waiting) if word[0] == "result" else word for word in words]
