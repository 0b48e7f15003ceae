"""The lab's server with one more reply: `SHOW_IMAGE` lets Claude read an image."""

import importlib
import sys
from typing import Any

WORD = "SHOW_IMAGE"
IMAGE = "a.png"


def main() -> None:
    """Serve as the lab does; the first argument is the folder of the lab."""
    sys.path.insert(0, sys.argv.pop(1))
    server: Any = importlib.import_module("fake_api")
    plan_reply = server.plan_reply

    def plan(body: dict[str, Any], number: int) -> Any:
        text, is_result = server.last_typed(body)
        if WORD not in text or is_result:
            return plan_reply(body, number)
        read = server.tu("Read", {"file_path": f"{server.ARGS.scratch}/{IMAGE}"})
        return [server.txt(f"looking ({number})"), read], "tool_use", 0

    server.plan_reply = plan
    server.main()


if __name__ == "__main__":
    main()
