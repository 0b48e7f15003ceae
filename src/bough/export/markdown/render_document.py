"""A session as one Markdown document: its head, its conversation, the branches left behind."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from bough.export.document_options import ExportOptions
from bough.export.header import Fact, title_of
from bough.export.html.conversation_view import ConversationView
from bough.export.markdown.conversation import MarkdownWriter
from bough.export.markdown.fences import escape_inline
from bough.export.pieces import PieceContent
from bough.model.outline.branch_names import name_tips
from bough.model.outline.session_outline import Branch


def write_document(
    main: ConversationView,
    others: Iterable[ConversationView],
    facts: Sequence[Fact],
    include: ExportOptions,
) -> str:
    """Write a session; of other conversations than the main one, what is theirs alone."""
    title = title_of(main.session)
    parts = [
        f"# {escape_inline(title)}",
        "\n".join(f"- {fact.name}: {escape_inline(fact.text)}" for fact in facts),
    ]
    names: dict[str, str] = {}
    for number, (view, slots) in enumerate(split_own_contents(main, others)):
        if number:
            names = names or name_tips(main.session)
            words = escape_inline(names[view.conversation.tip or ""])
            parts += ["---", f"# Branch left behind: {words}"]
        writer = MarkdownWriter(view, include)
        parts += [text for slot in slots if (text := "\n\n".join(writer.piece(slot)))]
    return "\n\n".join(parts) + "\n"


def split_own_contents(
    main: ConversationView, others: Iterable[ConversationView]
) -> Iterator[tuple[ConversationView, list[PieceContent]]]:
    """Give for each conversation what was in none before it."""
    seen: set[str] = set()
    for number, view in enumerate(chain([main], others)):
        slots = view.contents
        if number:
            slots = [slot for slot in slots if not _is_already_written(slot, seen)]
        yield view, slots
        seen.update(uuid for message in view.messages for uuid in message.uuids)
        seen.update(slot.info.key for slot in view.contents)


def _is_already_written(slot: PieceContent, seen: set[str]) -> bool:
    if isinstance(slot.item, Branch) or slot.message is None:
        return isinstance(slot.item, Branch) or slot.info.key in seen
    uuids = slot.message.uuids
    return all(uuid in seen for uuid in uuids) if uuids else slot.info.key in seen
