"""Two branches side by side, as `bough diff` compares them."""

from itertools import zip_longest
from typing import Final

from bough.library import (
    BranchComparison,
    ComparedBranch,
    ComparedTurn,
    FileChange,
    FileDifference,
    Session,
    compare,
    compare_files,
    render_hunks,
    render_prose_pair,
    render_text_pair,
)
from bough.model.outline.branch_names import name_branches
from bough.model.text.formats import to_one_line
from bough.model.tools.call_summary import shorten_path
from bough.web.open_sessions.open_session import ConversationRef, OpenSession
from bough.web.routes.conversation import find_open_session, find_title
from bough.web.state import AppState
from bough.web.wire.comparison import (
    CompareAnswer,
    ComparedFile,
    ComparedPair,
    ComparedSide,
    ComparedText,
    CompareFilesAnswer,
    CompareQuery,
    SplitPoint,
)

_WORDS: Final = 300
_MOST_DIFFS: Final = 200
"""So many files are shown with their diffs; of more only the names."""


def compare_sides(state: AppState, session: str, query: CompareQuery) -> CompareAnswer:
    """Compare two branches: where they part, what each said and cost."""
    one, other = find_compared_sessions(state, session, query)
    seen = compare_open_sessions(one, other, query)
    point = seen.parting
    return CompareAnswer(
        a=_describe_side(state, one, seen.a),
        b=_describe_side(state, other or one, seen.b),
        shared=seen.shared,
        parting=SplitPoint(point.uuid, to_one_line(point.text, _WORDS), point.timestamp)
        if point is not None
        else None,
        pairs=[_write_pair(a, b) for a, b in zip_longest(seen.a.turns, seen.b.turns)],
    )


def compare_side_files(state: AppState, session: str, query: CompareQuery) -> CompareFilesAnswer:
    """Tell how two branches left each file that one of them wrote to."""
    one, other = find_compared_sessions(state, session, query)
    second = other.session if other is not None else None
    seen = compare_open_sessions(one, other, query)
    found = {file.path: file for file in compare_files(one.session, query.a, query.b, other=second)}
    by_a = {change.path: change for change in seen.a.files}
    by_b = {change.path: change for change in seen.b.files}
    # A write that failed is counted as one, and left nothing to compare.
    differences = (
        found.get(path)
        or FileDifference(path=path, by_a=path in by_a, by_b=path in by_b, differs=None)
        for path in sorted({*found, *by_a, *by_b})
    )
    return CompareFilesAnswer(
        [
            _write_file(one.session, difference, by_a, by_b, with_diff=number < _MOST_DIFFS)
            for number, difference in enumerate(differences)
        ]
    )


def find_compared_sessions(
    state: AppState, session: str, query: CompareQuery
) -> tuple[OpenSession, OpenSession | None]:
    """Open the session, and the other one where two are compared."""
    one = find_open_session(state, session)
    other = find_open_session(state, query.other) if query.other else None
    return one, None if other is one else other


def compare_open_sessions(
    one: OpenSession, other: OpenSession | None, query: CompareQuery
) -> BranchComparison:
    """Compare two branches of open sessions."""
    second = other.session if other is not None else None
    return compare(one.session, query.a, query.b, other=second)


def _describe_side(
    state: AppState, open_session: OpenSession, side: ComparedBranch
) -> ComparedSide:
    tokens = side.usage.tokens
    content = open_session.view(ConversationRef()).content
    return ComparedSide(
        session=open_session.address,
        title=find_title(state, open_session, content),
        tip=side.tip,
        name=_name_side(open_session.session, side),
        active=side.active,
        turns=len(side.turns),
        files=len(side.files),
        calls=side.usage.calls,
        input_tokens=tokens.input_tokens,
        output_tokens=tokens.output_tokens,
        cache_read_tokens=tokens.cache_read_tokens,
        cache_write_tokens=tokens.cache_creation_tokens,
        cost_usd=side.cost.usd,
        unpriced_models=list(side.cost.unpriced_models),
        duration_seconds=side.seconds,
    )


def _name_side(session: Session, side: ComparedBranch) -> str:
    """Name a side as lists name its branch; one that ends before its branch by its first turn."""
    names = zip(session.conversations, name_branches(session), strict=True)
    known = next((name for one, name in names if one.tip == side.tip), "")
    return to_one_line(known or (side.turns[0].prompt if side.turns else ""), _WORDS)


def _write_pair(a: ComparedTurn | None, b: ComparedTurn | None) -> ComparedPair:
    prompts = render_text_pair(a.prompt if a else "", b.prompt if b else "")
    answers = render_prose_pair(a.answer if a else "", b.answer if b else "")
    same = a is not None and b is not None and (a.prompt, a.answer) == (b.prompt, b.answer)
    return ComparedPair(
        _write_turn(a, prompts[0], answers[0], changed=not same) if a is not None else None,
        _write_turn(b, prompts[1], answers[1], changed=not same) if b is not None else None,
    )


def _write_turn(turn: ComparedTurn, prompt: str, answer: str, *, changed: bool) -> ComparedText:
    return ComparedText(turn.uuid, turn.timestamp, prompt, answer, turn.steps, turn.failed, changed)


def _write_file(
    session: Session,
    found: FileDifference,
    by_a: dict[str, FileChange],
    by_b: dict[str, FileChange],
    *,
    with_diff: bool,
) -> ComparedFile:
    path = found.path
    a, b = (by.get(path, FileChange(path, 0, 0, 0)) for by in (by_a, by_b))
    hunks = (found.hunks, found.a, found.b) if with_diff else ((), (), ())
    html, html_a, html_b = (render_hunks(path, one) for one in hunks)
    return ComparedFile(
        path=shorten_path(path, cwd=session.cwd),
        by="both" if path in by_a and path in by_b else "a" if path in by_a else "b",
        differs=found.differs,
        added_a=a.added,
        removed_a=a.removed,
        added_b=b.added,
        removed_b=b.removed,
        html=html,
        html_a=html_a,
        html_b=html_b,
    )
