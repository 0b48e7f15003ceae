"""Opens the history in the browser: the person's own, or a made-up one where there is none."""

import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bough.cli.main import run
from bough.config import claude_dirs
from bough.sample.demo import write_demo


def main(words: list[str]) -> int:
    """Run `bough web` until it is stopped; a made-up history goes when it goes."""
    if any(True for place in claude_dirs() for _ in place.glob("projects/*/*.jsonl")):
        return run(["web", *words])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with tempfile.TemporaryDirectory(prefix="bough-demo-") as folder:
        claude = write_demo(Path(folder), datetime.now(UTC).astimezone())
        index = Path(folder) / "index.sqlite"
        sys.stderr.write("There is no history of yours yet, so this one is made up.\n")
        return run(["--claude-dir", str(claude), "--index", str(index), "web", *words])


sys.exit(main(sys.argv[1:]))
