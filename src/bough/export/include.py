"""What goes into an export: one set of choices for the command line, the web and the library.

Everything is in by default, because a document that leaves things out must say so and
nobody should have to guess. What was chosen is part of the document's facts.
"""

from enum import StrEnum
from typing import Final

from msgspec import Struct

WHOLE_BUDGET: Final = 100_000
"""How many tokens a conversation for a model may take where nobody says otherwise."""


class To(StrEnum):
    """The form of a document."""

    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"


class Include(Struct, frozen=True):
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

    to: To = To.MARKDOWN
    tip: str | None = None
    all_branches: bool = False
    agents: bool = True
    thinking: bool = True
    tools: bool = True
    results: bool = True
    redact: bool = False
    emails: bool = False
    for_llm: bool = False
    budget: int = WHOLE_BUDGET

    @property
    def hides(self) -> bool:
        """Tell whether anything is replaced at all."""
        return self.redact or self.emails
