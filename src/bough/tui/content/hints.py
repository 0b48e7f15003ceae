"""What the search screen says where it has no hits: how one searches, what to try instead."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from bough.tui.style.style import Line, Role, one_line
from bough.tui.widgets.items import Piece, blank, say, still

if TYPE_CHECKING:
    from bough.tui.content.asking import Found

_LATELY: Final = 12
_HINTS: Final = (
    ('words "exact words" check*', "all of them; case does not matter"),
    ("disk OR memory  -draft", "either; without"),
    ("tool:Bash is:error", "calls that failed"),
    ("project:shop after:yesterday", "in a project, from a moment on"),
    ("/time(out|d out)/", "a regular expression"),
)


def hint_pieces(searches: Sequence[str]) -> list[Piece]:
    """Say how one searches, and what was searched for lately."""
    pieces = [say("hint", "Type to search all sessions.", Role.HEADER)]
    for number, (query, about) in enumerate(_HINTS):
        line: Line = ((Role.PROMPT, f"  {query:<32}"), (Role.META, about))
        pieces.append(Piece(f"hint/{number}", still([line]), picked=False))
    if searches:
        pieces += [blank("lately."), say("lately", "Searched lately", Role.HEADER)]
    for number, query in enumerate(searches[:_LATELY]):
        draw = still([((Role.CLAUDE, one_line(query)),)])
        pieces.append(Piece(f"lately/{number}", draw, "query", query))
    return pieces


def instead_pieces(found: "Found") -> Iterator[Piece]:
    """Say what would find something; Enter on it searches for that."""
    tried = found.instead
    if tried is None:
        return
    number = f"{tried.total:,}{'' if tried.exact else '+'}"
    what, instead = one_line(tried.what), one_line(tried.instead or "")
    words = f'"{instead}" has {number}.' if instead else f"Without {what}: {number}."
    better = found.query.replace(tried.what, tried.instead or "").strip()
    yield Piece("instead", still([((Role.PROMPT, words),)]), "query", better)
