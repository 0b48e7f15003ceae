"""The lab's server with two more replies.

`SHOW_IMAGE` lets Claude read an image, `ASK_MEMORY` lets it ask bough over MCP.
"""

import importlib
import json
import sys
import time
from typing import Any

WORD = "SHOW_IMAGE"
IMAGE = "a.png"
MEMORY = "ASK_MEMORY"
TOPIC = "marmalade"
SEARCH = "mcp__bough__search"


WAIT = "WaitForMcpServers"
MISSING = "No such tool available"
MOST_CALLS = 10
PAUSE = 3.0


def plan_memory(server: Any, body: dict[str, Any]) -> Any:
    """Ask bough; where the client says that servers are still starting, wait for them."""
    blocks = [block for message in body.get("messages", []) for block in server.blocks(message)]
    if not any(block.get("text") == MEMORY for block in blocks) or not body.get("tools"):
        return None
    called = [block["name"] for block in blocks if block.get("type") == "tool_use"]
    if SEARCH in called:
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if MISSING not in json.dumps(results[-1:]) or called.count(SEARCH) >= MOST_CALLS:
            return None
        time.sleep(PAUSE)  # some clients offer what a server has only once it has started
    if WAIT not in called and server.tool(body, WAIT):
        return server.tu(WAIT, {})
    return server.tu(SEARCH, {"query": TOPIC})


def main() -> None:
    """Serve as the lab does; the first argument is the folder of the lab."""
    sys.path.insert(0, sys.argv.pop(1))
    server: Any = importlib.import_module("fake_api")
    plan_reply = server.plan_reply

    def plan(body: dict[str, Any], number: int) -> Any:
        text, is_result = server.last_typed(body)
        if (asked := plan_memory(server, body)) is not None:
            return [server.txt(f"asking ({number})"), asked], "tool_use", 0
        if WORD not in text or is_result:
            return plan_reply(body, number)
        read = server.tu("Read", {"file_path": f"{server.ARGS.scratch}/{IMAGE}"})
        return [server.txt(f"looking ({number})"), read], "tool_use", 0

    server.plan_reply = plan
    server.main()


if __name__ == "__main__":
    main()
