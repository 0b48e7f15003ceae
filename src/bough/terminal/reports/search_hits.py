"""Hits of a search in lines: grouped by session, the words that were found set off."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bough.model.interpret.kept_places import KeptPlace
from bough.model.text.formats import base_name_of, format_count, format_duration, format_plural
from bough.query.search.search import Hit, SearchPage, describe_session_hits
from bough.terminal.canvas import Canvas
from bough.terminal.list_cells import NOTHING_GONE, format_kept_sign
from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import clean, fit, one_line, pad, width

_SHORT_SESSION: Final = 8
_SHORT_UUID: Final = 4
_BETWEEN: Final = "  "
_WIDEST: Final = 160
"""Excerpts are no longer; what stands at the right is to be near them."""
_LEAST: Final = 12
_ENOUGH: Final = 24
"""An excerpt of fewer columns tells little: what stands beside it gives way."""
_AMPLE: Final = 40
"""So wide is an excerpt beside notes in full words; else they are short."""
_LEAST_TITLE: Final = 16
_LONGEST_NAME: Final = 80
"""What is shown of a project's or a tool's name: rows are as wide as the longest."""
HIT_ROLES: Final = {
    "prompt": Role.PROMPT,
    "text": Role.CLAUDE,
    "thinking": Role.THINKING,
    "tool_input": Role.TOOL,
    "tool_result": Role.TOOL,
    "note": Role.META,
}


def render_hits(
    page: SearchPage,
    canvas: Canvas,
    in_sessions: Mapping[str, int],
    kept: Mapping[tuple[str, str], KeptPlace] = NOTHING_GONE,
) -> Iterator[StyledLine]:
    """Set a page of hits, each session under its title, in the order of its best hit.

    A message that forks took along is set once, where it was found first. `in_sessions` counts
    the hits of each session on all pages: where there are more than here, its title says so.
    `kept` tells by project and session where the words are whose file was deleted.
    """
    shown = Counter(hit.session for hit in page.hits)
    others = count_other_sessions(page.hits)
    first = [hit for hit in page.hits if id(hit) in others]
    times = {hit.timestamp: canvas.time(hit.timestamp) for hit in first}
    whos = [_fit_speaker(hit, canvas) for hit in first]
    columns = (max(map(width, times.values()), default=0), max(map(width, whos), default=0))
    notes = _choose_notes(first, others, canvas, sum(columns))
    for hits in group_by_session(first):
        session = hits[0].session
        here, total = shown[session], in_sessions.get(session)
        count = describe_session_hits(here, total) if total is not None and total > here else ""
        place = kept.get((hits[0].project, session), KeptPlace.FILE)
        yield _render_heading(hits[0], canvas, count, format_kept_sign(place, canvas.glyphs))
        length = _find_short_length(hits)
        for hit in hits:
            yield _render_hit(hit, canvas, columns, length, notes[id(hit)])


def describe_page(page: SearchPage, seconds: float) -> str:
    """Say how much was found and shown, and how to go on."""
    shown = len(page.hits)
    more = "" if page.exact else " or more"
    where = f" in {format_plural(page.sessions, 'session')}" if page.sessions is not None else ""
    took = format_duration(seconds)
    if shown == page.total and page.next is None:
        return f"{format_plural(shown, 'hit')}{where}, {took}."
    text = f"{format_count(shown)} of {format_count(page.total)}{more} hits{where} shown, {took}."
    return f"{text} Next: --after-cursor {page.next}" if page.next else text


def name_speaker(hit: Hit, canvas: Canvas) -> str:
    """Name who speaks, in the words people use."""
    match hit.kind:
        case "prompt":
            return "Brief" if hit.agent else "You"
        case "text":
            return "Claude"
        case "thinking":
            return "Thought"
        case "tool_input":
            return hit.tool or "Tool"
        case "tool_result":
            return f"{hit.tool or 'Tool'} {canvas.glyphs.failed if hit.failed else ''}".strip()
        case _:
            return "Note"


def count_other_sessions(hits: Sequence[Hit]) -> dict[int, int]:
    """Count for each hit that is no copy, by its id, the other sessions that have it too.

    A fork takes the records along as they are, so one message is found in every one.
    """
    first: dict[tuple[str, str, str | None], Hit] = {}
    sessions: dict[int, set[str]] = {}
    for hit in hits:
        same = first.setdefault((hit.uuid, hit.kind, hit.snippet), hit) if hit.uuid else hit
        if hit.session == same.session:
            sessions[id(hit)] = set()
        else:
            sessions[id(same)].add(hit.session)
    return {hit: len(others) for hit, others in sessions.items()}


def group_by_session(hits: Sequence[Hit]) -> list[list[Hit]]:
    """Group hits by session, in the order of the best of each."""
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        groups.setdefault((hit.project, hit.session), []).append(hit)
    return list(groups.values())


def _choose_notes(
    hits: Sequence[Hit], others: Mapping[int, int], canvas: Canvas, used: int
) -> dict[int, str]:
    """Write what places each hit, by its id: short or not at all where words had no room."""
    long = {id(hit): describe_hit(hit, others[id(hit)]) for hit in hits}
    if canvas.columns is None:
        return long
    blanks = len(_BETWEEN) * 5 + _SHORT_UUID
    short = {id(hit): describe_hit(hit, others[id(hit)], short=True) for hit in hits}
    for notes, enough in ((long, _AMPLE), (short, _ENOUGH)):
        if canvas.columns - used - blanks - max(map(width, notes.values()), default=0) >= enough:
            return notes
    return dict.fromkeys(long, "")


def _render_heading(hit: Hit, canvas: Canvas, count: str, sign: str) -> StyledLine:
    repository = f"{base_name_of(hit.worktree_of)}/" if hit.worktree_of else ""
    left = [(Role.META, hit.session[:_SHORT_SESSION] + _BETWEEN), (Role.CLAUDE, hit.title)]
    project = fit(one_line(repository + hit.project_name), _LONGEST_NAME, canvas.glyphs.ellipsis)
    words = [word for word in (sign, project, count) if word]
    room = canvas.columns and min(canvas.columns, _WIDEST)
    # Where the title had no room, the project goes first, then the count.
    while room is not None and words and _room_for_title(words, room) < _LEAST_TITLE:
        words.remove(project if project in words else words[-1])
    right = [(Role.META, _BETWEEN.join(words))] if words else []
    return canvas.compose_line(left, right, whole=room)


def _room_for_title(words: Sequence[str], columns: int) -> int:
    """Count the columns that a heading leaves for its title."""
    beside = sum(width(word) + len(_BETWEEN) for word in words)
    return columns - _SHORT_SESSION - len(_BETWEEN) - beside


def _fit_speaker(hit: Hit, canvas: Canvas) -> str:
    name = one_line(name_speaker(hit, canvas))
    return fit(name, _LONGEST_NAME, canvas.glyphs.ellipsis)


def _find_short_length(hits: Sequence[Hit]) -> int:
    """Find how many characters tell the hits of a session apart."""
    uuids = {hit.uuid for hit in hits if hit.uuid}
    longest = max(map(len, uuids), default=_SHORT_UUID)
    lengths = range(_SHORT_UUID, longest)
    return next((n for n in lengths if len({uuid[:n] for uuid in uuids}) == len(uuids)), longest)


def _render_hit(
    hit: Hit, canvas: Canvas, columns: tuple[int, int], length: int, note: str
) -> StyledLine:
    time, speaker = columns
    head = _BETWEEN.join(
        ["", pad(canvas.time(hit.timestamp), time), pad((hit.uuid or "-")[:length], length), ""]
    )
    name = pad(_fit_speaker(hit, canvas), speaker) + _BETWEEN
    tail = width(note) + len(_BETWEEN) if note else 0
    room = None
    if canvas.columns is not None:
        room = max(_LEAST, min(canvas.columns, _WIDEST) - width(head) - width(name) - tail)
    words = _render_excerpt(hit, canvas, room)
    used = sum(width(text) for _, text in words)
    blank = " " * max(len(_BETWEEN), (room or 0) - used + len(_BETWEEN)) if note else ""
    spans = [(Role.META, head), (HIT_ROLES[hit.kind], name), *words, (Role.META, blank + note)]
    # Not `make_line`: a blank before a match is not set off with it.
    *before, (role, last) = [span for span in spans if span[1]]
    return (*before, (role, last.rstrip(" ")))


def describe_hit(hit: Hit, others: int, *, short: bool = False) -> str:
    """Say what a reader must know to place a hit: whose words, on which branch, where else."""
    parts = []
    if hit.agent:
        parts.append(f"agent {one_line(hit.agent_type or hit.agent)}")
    if hit.branch is not None and not hit.active:
        parts.append("left behind" if short else "left-behind branch")
    if others:
        more = format_plural(others, "session") if short else format_plural(others, "other session")
        parts.append(f"+{more}" if short else f"also in {more}")
    return ", ".join(parts)


def _render_excerpt(hit: Hit, canvas: Canvas, room: int | None) -> list[Span]:
    """Set the excerpt, its matches marked; where it is too long, around the first of them."""
    if hit.snippet is None:
        return [(Role.META, "the file has changed since it was read")]
    if not hit.snippet:
        return [(Role.META, "an image")]
    ellipsis = canvas.glyphs.ellipsis
    spans = split_at_marks(hit.snippet, hit.marks)
    if room is None:
        return spans
    first = next((at for at, (role, _) in enumerate(spans) if role is Role.MATCH), 0)
    before = "".join(text for _, text in spans[:first])
    whole = sum(width(text) for _, text in spans)
    # A third of the room is for what comes before a match, or what the match leaves of it.
    ahead = min(room // 3, max(room - width(spans[first][1]) - 1, 1))
    if whole > room and width(before) > ahead:
        tail = before.removeprefix(ellipsis)
        spans = [(Role.CLAUDE, ellipsis + tail[len(tail) - ahead + 1 :]), *spans[first:]]
    return _fit_spans(spans, room, ellipsis)


def split_at_marks(text: str, marks: Sequence[tuple[int, int]]) -> list[Span]:
    """Cut a text at its marks; each piece is cleaned by itself, so that none moves a mark."""
    spans: list[Span] = []
    place = 0
    for start, end in marks:
        spans += [(Role.CLAUDE, clean(text[place:start])), (Role.MATCH, clean(text[start:end]))]
        place = end
    spans.append((Role.CLAUDE, clean(text[place:])))
    return [(role, piece.replace("\n", " ")) for role, piece in spans if piece]


def _fit_spans(spans: Sequence[Span], room: int, ellipsis: str) -> list[Span]:
    """Keep what fits; what is cut ends with an ellipsis."""
    kept: list[Span] = []
    for at, (role, text) in enumerate(spans):
        rest = sum(width(more) for _, more in spans[at + 1 :])
        if width(text) + min(rest, width(ellipsis)) <= room:
            kept.append((role, text))
            room -= width(text)
            continue
        kept.append((role, fit(text + (ellipsis if rest else ""), room, ellipsis)))
        break
    return kept
