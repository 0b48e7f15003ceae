"""What goes into an export: one set of choices for the command line, the web and the library.

Everything is in by default, because a document that leaves things out must say so and
nobody should have to guess. What was chosen is part of the document's facts, and what was
hidden is listed.

What a tool gave back is taken out only where a body would show it: how a call ended is told
from it, and that is said in any case.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.errors import Misuse
from bough.export.html.conversation_view import ConversationView
from bough.export.html.images import make_data_url
from bough.export.html.render_context import (
    PictureUrl,
    ReadOutput,
    RenderKeywords,
    RenderOptions,
)
from bough.model.conversation.content import ContentBlock
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.session import Session
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock
from bough.query.priced_outline import outline_with_prices
from bough.query.usage.time_settings import apply_time_settings

DEFAULT_BUDGET: Final = 100_000
"""How many tokens a conversation for a model may take where nobody says otherwise."""


_MOST_WHOLE: Final = 200_000
"""Branches are prepared whole, each from its start, as long as so much is gone through."""
_GROUPS_BEFORE: Final = 6
"""What goes on from a message that is shared, a thought or a day, begins in these."""

BYTES_PER_TOKEN: Final = 4
_BUDGET: Final = re.compile(r"([0-9][0-9,_]{0,14}(?:\.[0-9]{1,3})?) ?([kKmM]?)([bB]?)")
_TIMES: Final = {"": 1, "k": 1_000, "m": 1_000_000}


def parse_budget(text: str) -> int:
    """Read a budget: 50000, 50k, 1.5M tokens; or a size such as 200kB."""
    match = _BUDGET.fullmatch(text.strip())
    number = float(re.sub("[,_]", "", match[1])) * _TIMES[match[2].lower()] if match else 0
    if match is None or number < 1:
        raise Misuse(f"{text} is not a budget. One looks like 50000, 50k or 200kB.")
    return max(1, int(number / BYTES_PER_TOKEN if match[3] else number))


class ExportFormat(StrEnum):
    """The form of a document."""

    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"
    PRESENT = "present"

    @property
    def suffix(self) -> str:
        """Give how the name of such a file ends."""
        return "present.html" if self is ExportFormat.PRESENT else self.value


class ExportOptions(Struct, frozen=True):
    """What an export holds, and in which form.

    Args:
        to: The form of the document.
        tip: Any message of the branch to export; by default the active branch.
        all_branches: Also those that were left behind, each under its own heading.
        agents: The conversations of sub-agents, where they were started.
        thinking: What the model thought.
        tools: The calls of tools, one line each, with what they were given.
        results: What tools gave back.
        redact: Replace what looks like a secret.
        emails: Replace e-mail addresses too.
        for_llm: Write for a model to read on from, within `budget`.
        budget: The most tokens that may take.
    """

    to: ExportFormat = ExportFormat.MARKDOWN
    tip: str | None = None
    all_branches: bool = False
    agents: bool = True
    thinking: bool = True
    tools: bool = True
    results: bool = True
    redact: bool = True
    emails: bool = False
    for_llm: bool = False
    budget: int = DEFAULT_BUDGET

    @property
    def is_redacted(self) -> bool:
        """Tell whether anything is replaced at all."""
        return self.redact or self.emails


class SecretFinding(Struct, frozen=True):
    """What was hidden of one kind: in how many places, and each secret by its beginning."""

    kind: str
    count: int
    masked: tuple[str, ...]


_THOUGHTS: Final = frozenset({"thinking", "redacted_thinking"})


def build_view(
    session: Session,
    conversation: Conversation,
    include: ExportOptions,
    whole: ReadOutput | None = None,
    picture_url: PictureUrl = make_data_url,
) -> ConversationView:
    """Prepare a conversation to be written, without what is not wanted."""
    keywords = _make_render_keywords(include, whole, picture_url)
    return ConversationView(session, conversation.tip, **keywords)


def build_views(
    session: Session,
    conversations: Sequence[Conversation],
    include: ExportOptions,
    whole: ReadOutput | None = None,
    most_whole: int = _MOST_WHOLE,
) -> Iterator[ConversationView]:
    """Prepare several conversations of a session, of which each shows what none before it does.

    They share their beginnings, and may be thousands. To prepare one whole, all groups of the
    session are gone through; once these were more than `most_whole`, each of the others is
    prepared from a little before its own part.
    """
    outline = outline_with_prices(session)
    keywords = _make_render_keywords(include, whole, make_data_url)
    seen: set[int] = set()
    prepared = 0
    for number, conversation in enumerate(conversations):
        part = conversation.cut_shared(seen, _GROUPS_BEFORE)
        prepared += len(session.message_tree.groups)
        if number == 0 or prepared <= most_whole:
            yield ConversationView(session, conversation.tip, outline=outline, **keywords)
        else:
            yield ConversationView.of_part(session, part, outline, RenderOptions(**keywords))


def _make_render_keywords(
    include: ExportOptions, whole: ReadOutput | None, picture_url: PictureUrl
) -> RenderKeywords:
    found: RenderKeywords = {
        "revise": make_reviser(include),
        "strip_result": None if include.results else strip_result,
        "agents": include.agents,
        "read_output": whole,
        "picture_url": picture_url,
        "words": apply_time_settings(),
    }
    return found


def make_reviser(include: ExportOptions) -> Callable[[Message], Message] | None:
    """Give what takes out of a message what is not wanted; None where everything is."""
    if include.thinking and include.tools:
        return None

    def revised(message: Message) -> Message:
        blocks = [block for block in message.blocks if _is_wanted(block, include)]
        return message if len(blocks) == len(message.blocks) else replace(message, blocks=blocks)

    return revised


def strip_result(block: ToolBlock) -> ToolBlock:
    """Take what came back out of a call."""
    return replace(block, result=None)


def _is_wanted(block: ContentBlock, include: ExportOptions) -> bool:
    if isinstance(block, ToolBlock):
        # An agent's answer belongs to the conversation, as long as agents are wanted at all.
        return include.tools or (include.agents and is_agent(block))
    return include.thinking or block.type not in _THOUGHTS
