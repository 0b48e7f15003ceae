"""All words of a block, for finding some of them."""

import msgspec

from bough.model.conversation.showing import Block, Words


def block_text(block: Block) -> str:
    """Give all words of a block: of a call its name, what it was given and what came back."""
    if isinstance(block, Words):
        return block.text
    given = block.input
    text = given if isinstance(given, str) else "\n".join(_leaves(given))
    result = block.result.text if block.result is not None else ""
    return f"{block.name} {text}\n{result}"


def _leaves(value: object) -> list[str]:
    """List the words in a JSON value, however deep."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += reversed(list(one.values()))
        elif isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, str):
            found.append(one)
        elif one is not None:
            found.append(msgspec.json.encode(one).decode())
    return found
