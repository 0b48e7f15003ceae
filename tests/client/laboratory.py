"""Real clients, offline: the lab that lies beside the project, and what it tells us.

The lab runs a client in an empty environment and a network of its own, against a server that
keeps every request. What a client sends after a resume is what Claude sees; these functions
put that and what bough reads from the same file into one form.
"""

import base64
import importlib
import json
import os
import re
import subprocess
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
from bough.sample.data.client_versions import is_between
from bough.timetravel.environment import TravelEnvironment
from tests.client.server import IMAGE
from tests.conftest import ROOT

FOLDER = ROOT.parent / "shared" / "lab"
VERSIONS = tuple(
    os.environ.get(
        "BOUGH_CLIENTS", "2.1.325 2.1.250 2.1.150 2.1.132 2.1.118 2.1.50 2.0.76 1.0.128 1.0.51"
    ).split()
)
SKIP = "--dangerously-skip-permissions"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q"
    "DwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
NEXT = "NEXT"

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)
_SESSION_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TASK = re.compile(r"<task-notification>\s*<task-id>(.*?)</task-id>")

Words = tuple[str, ...]
Block = tuple[str, str]
"""Who says it, and the whole block as JSON."""


def hangs_commands_on_one_caveat(version: str) -> bool:
    """Tell whether a client hangs all local commands on one caveat; nothing else is tried then."""
    return is_between(version, "1.0.35", "1.0.56")


def shows_titles(version: str) -> bool:
    """Tell whether a client shows the titles that a person gave in its picker."""
    return not is_between(version, "1.0.0", "2.0.41")


def loses_parallel_results(version: str) -> bool:
    """Tell whether a client sends, once resumed, only one of parallel calls and its result."""
    return is_between(version, "2.1.0", "2.1.89")


def lab() -> Any:
    """Import the lab, leaving no trace in its folder."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        return importlib.import_module("cclab")
    finally:
        sys.dont_write_bytecode = writes


def submit(tui: Any, log: Path, text: str) -> None:
    """Type a prompt at a terminal; a client that is busy may take the key behind it for a line."""
    before = log.stat().st_size
    tui.type(text, enter=False)
    for _ in range(4):
        tui.t("send-keys", "Enter")
        end = time.monotonic() + 8
        while log.stat().st_size == before and time.monotonic() < end:
            time.sleep(0.02)
        if log.stat().st_size != before:
            return


class Client:
    """One client with a Claude folder of its own, and a desk for bough."""

    def __init__(self, version: str, name: str, settings: dict[str, object] | None = None) -> None:
        self.version = version
        self.lab = lab().Lab(version, f"bough-{name}", settings=settings)
        self.desk = TravelEnvironment(Path(self.lab.dir) / "bough")
        self._serve_images()

    def _serve_images(self) -> None:
        """Put a server of ours in the place of the lab's, which has no images to read."""
        (Path(self.lab.scratch) / IMAGE).write_bytes(base64.b64decode(PIXEL))
        self._close_server()
        given = {"--port": self.lab.port, "--log": self.lab.log, "--scratch": self.lab.scratch}
        options = [str(part) for option in given.items() for part in option]
        self.lab.server = subprocess.Popen(
            [
                sys.executable,
                "-B",
                str(Path(__file__).with_name("server.py")),
                str(FOLDER),
                *options,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.lab.server.stdout.readline()

    def _close_server(self) -> None:
        output = self.lab.server.stdout
        self.lab.close()
        output.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self._close_server()

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

    def show(self, prompt: str, *more: str) -> list[Block]:
        """Say something with an image below it; give all that the client sent with it."""
        source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
        content = [{"type": "text", "text": prompt}, {"type": "image", "source": source}]
        shown = {"type": "user", "message": {"role": "user", "content": content}}
        stream = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        words = json.dumps(shown) + "\n"
        result = self.lab.claude("-p", *stream, *more, SKIP, stdin=words, timeout=180)
        assert result.main, f"the client sent nothing: {result.rc} {result.err[:300]}"
        return whole_request(result.main[0])

    def find_request(self, prompt: str) -> list[Block]:
        """Find all that the client sent with a prompt, the first time."""
        for request in self.lab.requests():
            if (request["body"] or {}).get("tools"):
                blocks = whole_request(request["body"])
                if any(prompt == json.loads(block).get("text") for _, block in blocks):
                    return blocks
        raise AssertionError(f"no request with {prompt!r}")

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


class Terminal:
    """A client at a terminal; each step waits until the client has written what comes of it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._tui = lab().Tui(client.lab, SKIP)
        self._mark = 0

    def __enter__(self) -> "Terminal":
        self._tui.wait(r"\u276f|>", 60)
        time.sleep(3)
        return self

    def __exit__(self, *_: object) -> None:
        self._tui.close()

    def say(self, words: str, *written: str) -> None:
        """Type a prompt or a command; wait until all that comes of it stands in the file."""
        self.begin(words)
        self.wait(*written)

    def begin(self, words: str) -> None:
        """Type something and send it."""
        self._mark = len(self._data())
        self._tui.type(words)

    def add(self, words: str) -> None:
        """Type something while Claude works; it is queued."""
        self._tui.type(words)

    def shell(self, command: str, *written: str) -> None:
        """Run a command in the client's own shell mode."""
        self._mark = len(self._data())
        self._tui.type("!", enter=False)
        self._tui.type(command)
        self.wait(*written)

    def interrupt(self, *written: str) -> None:
        """Stop Claude; leave nothing in the line that is typed into."""
        self._tui.keys("Escape")
        self.wait(*written)
        self._tui.keys("C-u", "C-u")

    def wait(self, *written: str) -> None:
        """Wait until these words were written, and nothing more for a while."""
        end, size, quiet = time.monotonic() + 90, -1, 0
        while time.monotonic() < end:
            data = self._data()[self._mark :]
            there = all(words.encode() in data for words in written)
            quiet = quiet + 1 if there and len(data) == size else 0
            size = len(data)
            if quiet > 5:
                return
            time.sleep(0.3)
        raise AssertionError(f"{written} was not written:\n{self._tui.screen()}")

    def wait_for_request(self, prompt: str) -> None:
        """Wait until Claude was asked."""
        end = time.monotonic() + 60
        while prompt not in self._client.lab.log.read_text() and time.monotonic() < end:
            time.sleep(0.2)
        time.sleep(3)

    def leave(self) -> None:
        """End the client with its own command."""
        self._tui.type("/exit")
        assert self._tui.wait("EXITED", 30), self._tui.screen()

    def _data(self) -> bytes:
        files = [*self._client.lab.project_dir().glob("*-*-*-*-*.jsonl")]
        return self._client.newest().read_bytes() if files else b""


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


def is_of_resume(block: Block) -> bool:
    """Tell whether a client wrote a block of its own accord when it resumed."""
    own = ("No response requested.", "Continue from where you left off.", "SessionStart:resume")
    return any(words in block[1] for words in own)


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
