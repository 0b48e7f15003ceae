"""Opens the history in the browser: the person's own, or a made-up one where there is none.

Ctrl-C is how it is meant to end, so that is no failure: make would print an error for it.
"""

import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path


def main(words: list[str]) -> int:
    """Run `bough web` until it is stopped; a made-up history goes when it goes."""
    # Imported here, where Ctrl-C is already expected.
    from bough.cli.main import run  # noqa: PLC0415
    from bough.config import claude_dirs  # noqa: PLC0415
    from bough.sample.demo import write_demo  # noqa: PLC0415

    if any(True for place in claude_dirs() for _ in place.glob("projects/*/*.jsonl")):
        return run(["web", *words])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with tempfile.TemporaryDirectory(prefix="bough-demo-") as folder:
        claude = write_demo(Path(folder), datetime.now(UTC).astimezone())
        index = Path(folder) / "index.sqlite"
        sys.stderr.write("There is no history of yours yet, so this one is made up.\n")
        return run(["--claude-dir", str(claude), "--index", str(index), "web", *words])


def _run_until_interrupted(words: list[str]) -> int:
    try:
        code = main(words)
    except KeyboardInterrupt:
        return 0
    return 0 if code == 128 + signal.SIGINT else code


sys.exit(_run_until_interrupted(sys.argv[1:]))
