"""Exit 0 where there is a Claude folder with at least one session in it."""

import sys

from bough.config import claude_dirs

sys.exit(not any(True for place in claude_dirs() for _ in place.glob("projects/*/*.jsonl")))
