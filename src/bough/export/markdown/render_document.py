"""A session as one Markdown document: its head, its conversation, the branches left behind."""

from collections.abc import Iterator, Sequence

from bough.export.document_options import Include
from bough.export.header import Fact, title_of
from bough.export.html.conversation_view import Telling
from bough.export.markdown.conversation import Writer
from bough.export.markdown.fences import inline
from bough.export.pieces import Slot
from bough.model.conversation.outline import Branch


def markdown_report(tellings: Sequence[Telling], facts: Sequence[Fact], include: Include) -> str:
    """Write a session; of further conversations than the first, what is theirs alone."""
    title = title_of(tellings[0].session)
    parts = [
        f"# {inline(title)}",
        "\n".join(f"- {fact.name}: {inline(fact.text)}" for fact in facts),
    ]
    for number, (telling, slots) in enumerate(own_slots(tellings)):
        if number:
            words = inline(telling.conversation.title or title)
            parts += ["---", f"# Branch left behind: {words}"]
        writer = Writer(telling, include)
        parts += [text for slot in slots if (text := "\n\n".join(writer.piece(slot)))]
    return "\n\n".join(parts) + "\n"


def own_slots(tellings: Sequence[Telling]) -> Iterator[tuple[Telling, list[Slot]]]:
    """Give for each conversation what was in none before it."""
    seen: set[str] = set()
    for number, telling in enumerate(tellings):
        slots = telling.slots
        if number:
            slots = [slot for slot in slots if not _is_told(slot, seen)]
        yield telling, slots
        seen.update(uuid for turn in telling.turns for uuid in turn.uuids)
        seen.update(slot.piece.key for slot in telling.slots)


def _is_told(slot: Slot, seen: set[str]) -> bool:
    if isinstance(slot.item, Branch) or slot.turn is None:
        return isinstance(slot.item, Branch) or slot.piece.key in seen
    uuids = slot.turn.uuids
    return all(uuid in seen for uuid in uuids) if uuids else slot.piece.key in seen
