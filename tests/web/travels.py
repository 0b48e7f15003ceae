"""A made-up history that the tests of time travel change, and what bough keeps about it."""

import os
import time
from pathlib import Path

from bough.sample import session

PROMPTS = ("Count the orders", "Sort them by day", "Draw them")


def write_history(folder: Path) -> Path:
    """Write sessions that no client has open; give the Claude folder."""
    claude = folder / ".claude"
    plain = session("plain").user(PROMPTS[0]).assistant("There are twelve.")
    plain.user(PROMPTS[1]).tool("Bash", {"command": "ls"}, "orders.csv").assistant("Sorted.")
    plain.user(PROMPTS[2]).assistant("Drawn.").title("Orders of the week")
    plain.write(claude)
    compacted = session("compacted").user("Read it all").assistant("Read.").compact()
    compacted.user("Go on").assistant("Went on.").title("A compacted one").write(claude)
    torn = session("torn").user("Begin").assistant("Begun.").title("A torn one")
    torn.user("More").assistant("More.").user("Even more").tear_line().write(claude)
    rest(*claude.glob("projects/*/*.jsonl"))
    return claude


def rest(*files: Path) -> None:
    """Let files look an hour old: no client has them open."""
    then = time.time() - 3_600
    for file in files:
        os.utime(file, (then, then))


def find_file(claude: Path, name: str) -> Path:
    """Find the file of a session of this history by its name."""
    return next(claude.glob(f"projects/*/{session(name).session_id}.jsonl"))


def list_files(claude: Path) -> dict[str, bytes]:
    """Give every file of the Claude folder with its bytes."""
    found = (path for path in claude.rglob("*") if path.is_file())
    return {str(path.relative_to(claude)): path.read_bytes() for path in found}
