"""Opens the history in the browser: the person's own, or a made-up one where there is none."""

import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bough.config import claude_dirs
from bough.sample.demo import write_demo


def main(words: list[str]) -> int:
    """Run `bough web` until it is stopped."""
    if any(True for place in claude_dirs() for _ in place.glob("projects/*/*.jsonl")):
        return _served(words)
    with tempfile.TemporaryDirectory(prefix="bough-demo-") as folder:
        claude = write_demo(Path(folder), datetime.now(UTC).astimezone())
        index = Path(folder) / "index.sqlite"
        sys.stderr.write("There is no history of yours yet, so this one is made up.\n")
        return _served(["--claude-dir", str(claude), "--index", str(index), *words])


def _served(words: list[str]) -> int:
    command = [sys.executable, "-m", "bough", "web", *words]
    try:
        return subprocess.run(command, check=False).returncode  # noqa: S603 - ours
    except KeyboardInterrupt:
        return 130


sys.exit(main(sys.argv[1:]))
