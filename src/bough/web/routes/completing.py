"""What could stand where the cursor is in a query, as every face completes it."""

from bough.query.search import completing
from bough.web.state import House
from bough.web.wire.search import CompleteAnswer, CompleteQuery, Completion


def complete(house: House, query: CompleteQuery) -> CompleteAnswer:
    """List what could stand at the cursor; nothing here asks the index, it comes with every key."""
    found = completing.complete(query.q, query.at, house.lists().vocabulary)
    items = [Completion(_finished(item.text), item.about) for item in found.items]
    return CompleteAnswer(found.start, found.end, items)


def _finished(text: str) -> str:
    """Let a space follow a value; after the name of a field comes its value."""
    return text if text.endswith(":") else f"{text} "
