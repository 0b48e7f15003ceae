"""Pretend to be many clients at once: write to sessions as they do, and note every write().

    python benchmarks/livewriter.py CLAUDE_DIR NOTES --seconds 20 --rate 200

Clients open, append whole lines with one write() and close. Some of ours write bursts of 50
lines, some tear lines into pieces or single bytes, some write lines of 2 MB. NOTES gets one
line per record: the session, the uuid and the time just before the write() that ended it,
by the clock that all processes of a machine share.
"""

import argparse
import os
import random
import time
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

_BIG = 2_000_000
_BURST = 50
_WORDS = "the offset was saved before the newline was counted so the second run began too late "


class Writer:
    """One client with one session."""

    def __init__(self, folder: Path, number: int) -> None:
        self.session = str(uuid.UUID(int=number + 1))
        self._path = folder / f"{self.session}.jsonl"
        self._cwd = f"/home/dev/{folder.name}"
        self._parent: str | None = None
        self._count = 0

    def record(self, size: int = 0) -> tuple[str, bytes]:
        """Make the next line: prompts, thinking, words, calls and results in turn."""
        identity = str(uuid.uuid4())
        kind = self._count % 5
        self._count += 1
        call = f"toolu_{self._count - kind:08d}_{self.session[-4:]}"
        words = _WORDS * (1 + size // len(_WORDS))
        text = f"mark-{identity} {words}"
        blocks: dict[int, dict[str, object]] = {
            1: {"type": "thinking", "thinking": text, "signature": "c2ln"},
            2: {
                "type": "tool_use",
                "id": call,
                "name": "Bash",
                "input": {"command": f"call-{identity} {words}"},
            },
            3: {
                "type": "tool_result",
                "tool_use_id": call,
                "content": f"Exit code 1\n{text}",
                "is_error": True,
            },
            4: {"type": "text", "text": text},
        }
        message: dict[str, object] = {"role": "user", "content": text}
        if kind:
            message["content"] = [blocks[kind]]
        answer = kind in (1, 2, 4)
        if answer:
            message |= {
                "role": "assistant",
                "id": f"msg_{self._count - kind:08d}_{self.session[-4:]}",
                "model": "claude-opus-5",
                "stop_reason": "end_turn" if kind == 4 else "tool_use",
                "usage": {
                    "input_tokens": 9,
                    "cache_read_input_tokens": 40_000,
                    "output_tokens": 80,
                },
            }
        line = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "cwd": self._cwd,
            "sessionId": self.session,
            "version": "2.1.325",
            "type": "assistant" if answer else "user",
            "message": message,
            "uuid": identity,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
        }
        self._parent = identity
        return identity, msgspec.json.encode(line) + b"\n"

    def append(self, pieces: Sequence[bytes], pause: float = 0.0) -> int:
        """Append pieces, each with a write() of its own; give when the last one began."""
        began = 0
        for number, piece in enumerate(pieces):
            if number and pause:
                time.sleep(pause)
            file = os.open(self._path, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
            began = time.monotonic_ns()
            left = memoryview(piece)
            while left:
                left = left[os.write(file, left) :]
            os.close(file)
        return began


def writers(claude_dir: Path, sessions: int) -> list[Writer]:
    """Make the clients, four to a project."""
    made = []
    for number in range(sessions):
        folder = claude_dir / "projects" / f"-home-dev-live-{number // 4}"
        folder.mkdir(parents=True, exist_ok=True)
        made.append(Writer(folder, number))
    return made


def write_some(writer: Writer, dice: random.Random) -> Iterator[tuple[str, str, int]]:
    """Write one record, or a burst of them, in one of the ways they are written."""
    path = dice.random()
    if path < 0.02:
        lines = [writer.record() for _ in range(_BURST)]
        began = writer.append([b"".join(line for _, line in lines)])
        yield from ((writer.session, identity, began) for identity, _ in lines)
        return
    identity, line = writer.record(_BIG if path < 0.025 else dice.choice((0, 400, 2_000)))
    if path < 0.03:
        pieces = [line[at : at + 1] for at in range(len(line))] if len(line) < 3_000 else [line]
        began = writer.append(pieces)
    elif path < 0.23:
        cuts = sorted(dice.randrange(1, len(line)) for _ in range(dice.randrange(1, 5)))
        pieces = [line[a:b] for a, b in zip((0, *cuts), (*cuts, len(line)), strict=True)]
        began = writer.append([piece for piece in pieces if piece], dice.choice((0.0, 0.002)))
    else:
        began = writer.append([line])
    yield writer.session, identity, began


def main(arguments: Sequence[str] | None = None) -> int:
    """Write for a while, then leave the notes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("claude_dir", type=Path)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rate", type=float, default=200.0, help="records a second, in all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    dice = random.Random(options.seed)
    clients = writers(options.claude_dir, options.sessions)
    written = 0
    start = time.monotonic()
    with options.notes.open("w", encoding="ascii") as notes:
        while (passed := time.monotonic() - start) < options.seconds:
            if written > passed * options.rate:
                time.sleep(0.001)
                continue
            for session, identity, began in write_some(dice.choice(clients), dice):
                notes.write(f"{session} {identity} {began}\n")
                written += 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
