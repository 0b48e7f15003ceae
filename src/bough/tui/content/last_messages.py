"""A glimpse of a session: the last that was said, or what was said around a hit.

Read in workers, and only as much of a file as is shown: a list's cursor passes over many
sessions, and nobody waits for any of them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.errors import BoughError
from bough.model.conversation.branch_path import conversation_through
from bough.model.conversation.turns import Block, Turn
from bough.model.tools.call_row import view_of
from bough.model.tools.calls import ToolBlock
from bough.query.search.search import Hit
from bough.query.sessions.load_part import open_part, open_stretch

PROMPTS: Final = 3
_BEFORE: Final = 120_000
_BEHIND: Final = 80_000
_SHOWN: Final = ("text", "thinking", "summary", "output", "error")
_LONGEST: Final = 6_000
_AHEAD: Final = 300


class Said(Struct, frozen=True):
    """Something that was said, by whom and when; `here` is what was found."""

    kind: str
    timestamp: str | None
    text: str
    here: bool = False


class Glimpse(Struct, frozen=True):
    """What is seen of a session at a glance; `trouble` says why there is nothing."""

    key: str
    said: tuple[Said, ...] = ()
    trouble: str = ""


def last_words(path: str) -> Glimpse:
    """Read the last prompts of a session, and what Claude answered last."""
    try:
        turns = open_part(path).conversation().turns
    except (OSError, BoughError) as error:
        return Glimpse(path, trouble=_sentence(error))
    asked = [turn for turn in turns if turn.kind == "prompt"][-PROMPTS:]
    answers = [turn for turn in turns if turn.kind == "assistant" and turn.text.strip()][-1:]
    shown = sorted([*asked, *answers], key=lambda turn: turn.offset)
    return Glimpse(path, tuple(_said(turn) for turn in shown))


def around(hit: Hit) -> Glimpse:
    """Read what was said before a hit, in it, and after it."""
    key = hit_key(hit)
    try:
        start = max(0, hit.offset - _BEFORE)
        session = open_stretch(hit.path, start, hit.offset + _BEHIND)
        turns = conversation_through(session, hit.uuid).turns
    except (OSError, BoughError) as error:
        return Glimpse(key, trouble=_sentence(error))
    said = [one for turn in turns for one in _messages(turn, hit)]
    at = next((n for n, one in enumerate(said) if one.here), None)
    if at is None:
        return Glimpse(key, (_snippet(hit),))
    return Glimpse(key, tuple(said[max(0, at - 1) : at + 2]))


def hit_key(hit: Hit) -> str:
    """Name a hit."""
    return f"{hit.path}:{hit.offset}"


def _messages(turn: Turn, hit: Hit) -> Iterator[Said]:
    """Give the messages of a turn one by one; what was found stands in one of them."""
    holds = hit.uuid is not None and (hit.uuid == turn.uuid or hit.uuid in turn.uuids)
    found = _place_in(turn, hit) if holds else None
    if holds and found is None:
        yield _snippet(hit)
    for number, block in enumerate(turn.blocks):
        if number == found:
            yield _found(turn, block, hit)
        elif isinstance(block, ToolBlock):
            view = view_of(block)
            yield Said("tool_input", turn.timestamp, f"{view.name}  {view.summary}")
        elif block.text.strip() and block.type in _SHOWN:
            kind = block.type if block.type in ("thinking", "summary") else turn.kind
            yield Said(kind, turn.timestamp, block.text[:_LONGEST])


def _place_in(turn: Turn, hit: Hit) -> int | None:
    """Find the block of a turn that holds what was found."""
    words = _words(hit).casefold()
    of_tool = hit.kind in ("tool_input", "tool_result")
    for number, block in enumerate(turn.blocks):
        if isinstance(block, ToolBlock):
            if of_tool and block.name == hit.tool and words in str(block.input).casefold():
                return number
        elif not of_tool and words in block.text.casefold():
            return number
    return None


def _found(turn: Turn, block: Block, hit: Hit) -> Said:
    """Give the words of a block from a little before those that were found."""
    if isinstance(block, ToolBlock):
        return _snippet(hit)
    at = max(0, block.text.casefold().find(_words(hit).casefold()))
    start = max(0, at - _AHEAD)
    text = ("…" if start else "") + block.text[start : start + _LONGEST]
    kind = block.type if block.type in ("thinking", "summary") else turn.kind
    return Said(kind, hit.timestamp, text, here=True)


def _snippet(hit: Hit) -> Said:
    tool = f"{hit.tool}  " if hit.tool else ""
    return Said(hit.kind, hit.timestamp, f"{tool}{hit.snippet or ''}", here=True)


def _words(hit: Hit) -> str:
    return hit.snippet[slice(*hit.marks[0])] if hit.snippet and hit.marks else ""


def _said(turn: Turn) -> Said:
    return Said(turn.kind, turn.timestamp, turn.text[:_LONGEST])


def _sentence(error: OSError | BoughError) -> str:
    if isinstance(error, FileNotFoundError):
        return "The file is gone."
    if isinstance(error, OSError):
        name = Path(error.filename).name if error.filename else "the file"
        return f"Cannot read {name}: {error.strerror}."
    return error.message
