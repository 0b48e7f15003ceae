"""Hits as rows, grouped by session, what was found set off in them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bough.query.search.search import Hit
from bough.tui.style.style import (
    HIT_ROLES,
    Line,
    Role,
    Sheet,
    Span,
    by_session,
    clean,
    elsewhere,
    hit_note,
    one_line,
    pad,
    who,
    width,
)
from bough.tui.widgets.cells import cells
from bough.tui.widgets.items import Piece

_SPEAKER: Final = 8


def hit_pieces(hits: Sequence[Hit], sheet: Sheet) -> Iterator[Piece]:
    """Set each session's name above its hits; what forks took along is set once."""
    number = 0
    others = elsewhere(hits)
    for group in by_session([hit for hit in hits if id(hit) in others]):
        yield Piece(f"s/{number}", partial(_heading, group), "session", picked=False)
        for hit in group:
            yield Piece(f"h/{number}", partial(_hit_line, hit, sheet, others[id(hit)]), "hit", hit)
            number += 1


def words_found(hit: Hit) -> str:
    """Give the first words of a hit that were found."""
    return hit.snippet[slice(*hit.marks[0])] if hit.snippet and hit.marks else ""


def _heading(hits: Sequence[Hit], columns: int) -> list[Line]:
    first = hits[0]
    left: list[Span] = [(Role.META, f"{first.session[:8]}  "), (Role.PROMPT, one_line(first.title))]
    number = f"{len(hits)} hits" if len(hits) > 1 else "1 hit"
    right: list[Span] = [(Role.META, f"{one_line(first.project_name)}  {number}")]
    return [cells(left, right, columns)]


def _hit_line(hit: Hit, sheet: Sheet, others: int, columns: int) -> list[Line]:
    speaker = pad(one_line(who(hit, sheet)), _SPEAKER)
    lead: list[Span] = [
        (Role.META, f"  {sheet.time(hit.timestamp):>9}  "),
        (HIT_ROLES.get(hit.kind, Role.META), f"{speaker}  "),
    ]
    right = hit_note(hit, others, short=True)
    room = columns - sum(width(text) for _, text in lead) - (width(right) + 2 if right else 0)
    return [cells([*lead, *_marked(hit, room)], [(Role.META, right)] if right else [], columns)]


def _marked(hit: Hit, room: int) -> list[Span]:
    """Set off what was found; where that stands too far right, the text begins later."""
    if hit.snippet is None:
        return [(Role.META, "the file has changed since it was read")]
    spans: list[Span] = []
    place = 0
    if hit.marks and hit.marks[0][1] > room - 2:
        place = max(0, hit.marks[0][0] - max(0, room // 3))
        spans.append((Role.CLAUDE, "…"))
    for start, end in hit.marks:
        spans += [(Role.CLAUDE, hit.snippet[place:start]), (Role.MATCH, hit.snippet[start:end])]
        place = end
    spans.append((Role.CLAUDE, hit.snippet[place:]))
    return [(role, clean(text).replace("\n", " ")) for role, text in spans if text]
