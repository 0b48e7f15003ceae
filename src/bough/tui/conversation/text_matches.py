"""Words found in a conversation: on this branch, inside its agents, on the other branches.

A hit knows what has to be open for it to be seen. Hits on this branch come first, as they
are read; then those of other branches in the order of the file, from a given place around,
so that going from hit to hit passes all of them, whichever branch is shown meanwhile.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.library import list_searchable_texts
from bough.model.conversation.content import ContentBlock, collect_block_text
from bough.model.conversation.messages import Message
from bough.model.conversation.steps import StepRun, group_rows, split_into_parts
from bough.model.outline.agent_summaries import describe_agent
from bough.model.session import Agent
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock
from bough.terminal.conversation.markdown import render_markdown
from bough.terminal.style import UNICODE, text_of
from bough.tui.conversation.view import ConversationContent, name_hidden_fold, name_run_fold

_WORD: Final = re.compile(r"\w+")


class FindMatch(Struct, frozen=True):
    """Where some words stand: the piece, and what has to be open for it to be there.

    On another branch there is no piece yet: `uuid` names the record, `node` its number.
    """

    key: str
    opens: tuple[str, ...] = ()
    uuid: str | None = None
    node: int = -1

    @property
    def is_on_other_branch(self) -> bool:
        """Tell whether it is on another branch."""
        return self.uuid is not None


def find_matches(
    content: ConversationContent, words: str, *, everywhere: bool = False, after: int = -1
) -> list[FindMatch]:
    """Find all places where some words stand.

    Args:
        content: The conversation that is shown.
        words: What is looked for, whatever its case.
        everywhere: Whether to look on the other branches too.
        after: The node behind which the hits of other branches begin.
    """
    wanted = words.casefold()
    if not wanted:
        return []
    spots = list(_search_messages(content, content.conversation.messages, wanted))
    return spots + list(_search_other_branches(content, wanted, after)) if everywhere else spots


def find_matches_in_message(
    content: ConversationContent, words: str, message: Message
) -> list[FindMatch]:
    """Find the places in one message, and in the agents that it started."""
    return list(_search_messages(content, [message], words.casefold())) if words else []


def _search_messages(
    content: ConversationContent, messages: Iterable[Message], wanted: str
) -> Iterator[FindMatch]:
    for message in messages:
        if message.kind == "assistant":
            yield from _search_answer(content, message, wanted)
        elif any(_has_words(block, wanted) for block in message.blocks):
            own = content.item_key_of(message)
            yield FindMatch(own, (own,))


def _search_answer(
    content: ConversationContent, message: Message, wanted: str
) -> Iterator[FindMatch]:
    key = content.key_of(message)
    for part in split_into_parts(message.blocks):
        if isinstance(part, StepRun):
            yield from _search_run(content, part, key, wanted)
            continue
        own, block = f"{key}:{part.number}", part.block
        agent = isinstance(block, ToolBlock) and is_agent(block)
        inner = (
            content.find_agent_content(block) if agent and isinstance(block, ToolBlock) else None
        )
        if inner is not None:
            yield from _search_agent(inner, own, wanted)
        elif _has_words(block, wanted, said=True):
            yield FindMatch(own, (own,))


def _has_words(block: ContentBlock, wanted: str, *, said: bool = False) -> bool:
    """Tell whether a block has the words; what Claude `said` also without marks of Markdown."""
    text = collect_block_text(block).casefold()
    if wanted in text:
        return True
    if not said or block.type != "text" or not all(part in text for part in _WORD.findall(wanted)):
        return False
    # Looked at only where each word is there: it takes a hundred times as long.
    lines = render_markdown(text, UNICODE, None)
    return wanted in "\n".join([text_of(line) for line in lines])


def _search_run(
    content: ConversationContent, run: StepRun, key: str, wanted: str
) -> Iterator[FindMatch]:
    """Find the words in a block of steps, in rows that it does not show too."""
    placed = [(n, b) for row in run.rows for n, b in ((row.number, row.block), *row.notes)]
    numbers = [n for n, block in placed if _has_words(block, wanted, said=True)]
    if not numbers:
        return
    # Made only where something was found: it looks at every result of the block.
    views = {step.number: content.facts.view_call(step.block) for step in run.steps}
    above = {
        number: (name_hidden_fold(key, group.rows),)
        for group in group_rows(run, views)
        if group.is_hidden
        for row in group.rows
        for number in (row.number, *(place for place, _ in row.notes))
    }
    for number in numbers:
        own = f"{key}:{number}"
        yield FindMatch(own, (own, name_run_fold(key, run), *above.get(number, ())))


def _search_agent(inner: ConversationContent, own: str, wanted: str) -> Iterator[FindMatch]:
    """Find the words in an agent's row, then in its own conversation, brief and answer too."""
    if isinstance(inner.session, Agent) and wanted in describe_agent(inner.session).casefold():
        yield FindMatch(own)
    for spot in _search_messages(inner, inner.conversation.messages, wanted):
        yield replace(spot, opens=(own, *spot.opens))


def _search_other_branches(
    content: ConversationContent, wanted: str, after: int
) -> Iterable[FindMatch]:
    session = content.session
    here = {record.uuid for record in content.conversation.nodes}
    found: dict[int, FindMatch] = {}
    for one in list_searchable_texts(session):
        uuid = one.record.uuid
        if uuid is None or uuid in here or wanted not in one.text.casefold():
            continue
        node = session.tree.number[uuid]
        found.setdefault(node, FindMatch("", uuid=uuid, node=node))
    return (found[node] for node in sorted(found, key=lambda node: (node <= after, node)))


def count_matches(spots: Sequence[FindMatch]) -> tuple[int, int]:
    """Count the hits on this branch, and those on others."""
    others = sum(spot.is_on_other_branch for spot in spots)
    return len(spots) - others, others
