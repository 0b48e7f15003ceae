"""Titles: what the client's own picker would call a session.

In the order of clients from 2.1.250: the title a person gave, the one the model gave, a
summary of this very session, the last prompt, the first prompt.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from bough.model.interpret.user_records import (
    UserRecordKind,
    classify_user_record,
    extract_typed_text,
    parse_slash_command,
)
from bough.model.text.formats import is_title, to_one_line
from bough.model.tree.nodes import Tree
from bough.records.record import Record
from bough.records.types import AiTitle, CustomTitle, LastPrompt, Summary, User

_NOT_A_TITLE = re.compile(r"\[.*\]$|Warmup$|This session is being continued from", re.DOTALL)


class Title(Struct, frozen=True):
    """A title and which kind of record gave it."""

    text: str
    source: str


def find_title(
    records: Sequence[Record],
    tree: Tree,
    *,
    sidecar: str | None = None,
    elsewhere: Callable[[], Mapping[str, str]] = dict,
    sidechain: bool = False,
) -> Title | None:
    """Find the title of a session; None where nothing was ever said.

    `sidecar` is the text of custom-title.json, empty where it was cleared; `elsewhere` gives
    the summaries that other files of the project have for leaves, asked for only where
    nothing better is known. `sidechain` says that the file is an agent's.
    """
    # Where both are, the clients from 2.1.250 on show the record's title.
    recorded = _find_last_text(records, CustomTitle, "custom_title")
    custom = sidecar if recorded is None else recorded
    candidates: tuple[tuple[str, Callable[[], str | None]], ...] = (
        ("custom-title", lambda: custom),
        ("ai-title", lambda: _find_last_text(records, AiTitle, "ai_title")),
        ("summary", lambda: _find_summary(_collect_summaries(records), tree)),
        ("summary", lambda: _find_summary(elsewhere(), tree)),
        ("last-prompt", lambda: _find_last_text(records, LastPrompt, "last_prompt")),
        ("first-prompt", lambda: find_first_prompt(tree.nodes, sidechain=sidechain)),
        ("command", lambda: _find_first_command(tree.nodes)),
    )
    for source, find in candidates:
        if (text := find()) and (line := to_one_line(text)):
            return Title(line, source)
    return None


def find_first_prompt(nodes: Sequence[Record], *, sidechain: bool = False) -> str | None:
    """Find the first thing a person typed, or that an agent was told."""
    for record in nodes:
        if not isinstance(record, User) or record.is_sidechain is not sidechain:
            continue
        if classify_user_record(record) is UserRecordKind.PROMPT:
            text = extract_typed_text(record).strip()
            if text and not _NOT_A_TITLE.match(text):
                return text
    return None


def find_excerpts(nodes: Sequence[Record]) -> tuple[str, str]:
    """Give the first and the last prompt of a session, each on one line; empty where none is."""
    first = find_first_prompt(nodes) or ""
    last = find_first_prompt(nodes[::-1]) or "" if first else ""
    return to_one_line(first), to_one_line(last)


def _find_first_command(nodes: Sequence[Record]) -> str | None:
    for record in nodes:
        if (
            isinstance(record, User)
            and not record.is_sidechain
            and classify_user_record(record) is UserRecordKind.COMMAND
        ):
            command = parse_slash_command(extract_typed_text(record))
            if command:
                return command.text
    return None


def _find_last_text(records: Sequence[Record], kind: type[Record], name: str) -> str | None:
    for record in reversed(records):
        if type(record) is kind and (text := getattr(record, name)) is not None:
            return str(text)
    return None


def _collect_summaries(records: Sequence[Record]) -> dict[str, str]:
    found: dict[str, str] = {}
    for record in records:
        if type(record) is Summary and record.leaf_uuid and record.summary:
            found.pop(record.leaf_uuid, None)  # so that the last one written comes last
            found[record.leaf_uuid] = record.summary
    return found


def _find_summary(summaries: Mapping[str, str], tree: Tree) -> str | None:
    """Find a summary whose leaf is in this session; old files carry titles of others."""
    for leaf, text in reversed(list(summaries.items())):
        if leaf in tree.number and is_title(text):
            return text
    return None
