"""Titles: what the client's own picker would call a session.

In the order of clients from 2.1.250: the title a person gave, the one the model gave, a
summary of this very session, the last prompt, the first prompt.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from bough.model.prompts import Said, command_of, said, typed_text
from bough.model.tree import Tree
from bough.records.record import Record
from bough.records.types import AiTitle, CustomTitle, LastPrompt, Summary, User

LONGEST = 200
_API_ERROR = re.compile(r"API Error: \d+ \{")
_NOT_A_TITLE = re.compile(r"^(\[.*\]|Warmup)$", re.DOTALL)


class Title(Struct, frozen=True):
    """A title and which kind of record gave it."""

    text: str
    source: str


def title_of(
    records: Sequence[Record],
    tree: Tree,
    *,
    sidecar: str | None = None,
    elsewhere: Callable[[], Mapping[str, str]] = dict,
) -> Title | None:
    """Find the title of a session; None where nothing was ever said.

    `sidecar` is the text of custom-title.json; `elsewhere` gives the summaries that other
    files of the project have for leaves, asked for only where nothing better is known.
    """
    candidates: tuple[tuple[str, Callable[[], str | None]], ...] = (
        ("custom-title", lambda: sidecar or _last(records, CustomTitle, "custom_title")),
        ("ai-title", lambda: _last(records, AiTitle, "ai_title")),
        ("summary", lambda: _summary(records, tree, {})),
        ("summary", lambda: _summary((), tree, elsewhere())),
        ("last-prompt", lambda: _last(records, LastPrompt, "last_prompt")),
        ("first-prompt", lambda: first_prompt(tree.nodes)),
        ("command", lambda: _first_command(tree.nodes)),
    )
    for source, find in candidates:
        if (text := find()) and (line := one_line(text)):
            return Title(line, source)
    return None


def one_line(text: str) -> str:
    """Put a text on one line of bounded length."""
    line = " ".join(text[: LONGEST * 4].split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def first_prompt(nodes: Sequence[Record]) -> str | None:
    """Find the first thing a person typed."""
    for record in nodes:
        if isinstance(record, User) and not record.is_sidechain and said(record) is Said.PROMPT:
            text = typed_text(record).strip()
            if text and not _NOT_A_TITLE.match(text):
                return text
    return None


def _first_command(nodes: Sequence[Record]) -> str | None:
    for record in nodes:
        if isinstance(record, User) and not record.is_sidechain and said(record) is Said.COMMAND:
            command = command_of(typed_text(record))
            return command.text if command else None
    return None


def _last(records: Sequence[Record], kind: type[Record], name: str) -> str | None:
    for record in reversed(records):
        if isinstance(record, kind) and (text := getattr(record, name)) is not None:
            return str(text)
    return None


def _summary(records: Sequence[Record], tree: Tree, elsewhere: Mapping[str, str]) -> str | None:
    """Find a summary whose leaf is in this session; old files carry titles of others."""
    own = {r.leaf_uuid: r.summary for r in records if isinstance(r, Summary) and r.summary}
    for leaf, text in reversed(list({**elsewhere, **own}.items())):
        if leaf in tree.number and text and not _API_ERROR.match(text):
            return text
    return None
