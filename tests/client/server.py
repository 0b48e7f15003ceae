"""The lab's server with two more replies.

`SHOW_IMAGE` lets Claude read an image, `ASK_MEMORY` lets it ask bough over MCP.
"""

import importlib
import sys
from typing import Any

WORD = "SHOW_IMAGE"
IMAGE = "a.png"
MEMORY = "ASK_MEMORY"
TOPIC = "marmalade"


def main() -> None:
    """Serve as the lab does; the first argument is the folder of the lab."""
    sys.path.insert(0, sys.argv.pop(1))
    server: Any = importlib.import_module("fake_api")
    plan_reply = server.plan_reply

    def plan(body: dict[str, Any], number: int) -> Any:
        text, is_result = server.last_typed(body)
        if MEMORY in text and not is_result:
            asked = server.tu("mcp__bough__search", {"query": TOPIC})
            return [server.txt(f"asking ({number})"), asked], "tool_use", 0
        if WORD not in text or is_result:
            return plan_reply(body, number)
        read = server.tu("Read", {"file_path": f"{server.ARGS.scratch}/{IMAGE}"})
        return [server.txt(f"looking ({number})"), read], "tool_use", 0

    server.plan_reply = plan
    server.main()


if __name__ == "__main__":
    main()
