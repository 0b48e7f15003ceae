"""Budgets: every answer fits into the number of tokens that was asked for.

A token is taken for four bytes of UTF-8, as for `bough export --for-llm`: close for English
and code, on the safe side for most other scripts. Where an answer does not fit, its quotes are
shortened first, all alike; then whole items go, the last first, and a cursor says where to go
on. Nothing is cut inside a word, a fence or the JSON around it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from bough import library
from bough.mcp.quote_fences import NOTE, Fence, Quote

LEAST_BUDGET: Final = 200
_LIMITS: Final = (None, 8_000, 4_000, 2_000, 1_000, 500, 250, 120)
_SHORTEST: Final = 60

Fields = dict[str, Any]


class Draft(msgspec.Struct):
    """An answer before it is fitted: what is said of all, and the items, the best first.

    `describe_rest` is asked what to add where only so many items are shown. `quoted_sessions`
    are those of which lines are quoted that nobody read as a whole.
    """

    head: Fields
    name: str
    items: Sequence[Fields]
    describe_rest: Callable[[int], Fields] = lambda _: {}
    quoted_sessions: Sequence[str] = ()


def fit_draft(draft: Draft, fence: Fence, budget: int) -> str:
    """Write an answer within a budget of tokens: one constant line, then one JSON object."""
    room = max(budget, LEAST_BUDGET)
    whole = len(draft.items)
    for most in _LIMITS:
        text = _write_draft(draft, whole, fence, most)
        if library.estimate_tokens(text) <= room:
            return text
    # So many items as fit: the sizes grow with their number.
    low, high = 0, whole - 1
    while low < high:
        middle = (low + high + 1) // 2
        if library.estimate_tokens(_write_draft(draft, middle, fence, _SHORTEST)) <= room:
            low = middle
        else:
            high = middle - 1
    text = _write_draft(draft, max(low, 0), fence, _SHORTEST)
    if library.estimate_tokens(text) <= room:
        return text
    bare = Draft({}, draft.name, [], draft.describe_rest)
    return _write_draft(bare, 0, fence, _SHORTEST, left_out=whole)


def list_quotes(draft: Draft) -> Iterator[str]:
    """List the texts that a draft quotes."""
    values: list[Any] = [draft.head, draft.items]
    while values:
        value = values.pop()
        if isinstance(value, Quote):
            yield value.text
        elif isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list | tuple):
            values += value


def _write_draft(
    draft: Draft, count: int, fence: Fence, most: int | None, *, left_out: int | None = None
) -> str:
    document: Fields = {**draft.head, draft.name: draft.items[:count]}
    gone = len(draft.items) - count if left_out is None else left_out
    if gone:
        document |= {"left_out": gone, **draft.describe_rest(count)}
    made = _enclose_quotes(document, fence, most)
    return f"{NOTE}\n{msgspec.json.encode(made).decode()}"


def _enclose_quotes(value: Any, fence: Fence, most: int | None) -> Any:
    match value:
        case Quote():
            return fence.enclose(value, most)
        case dict():
            return {
                key: _enclose_quotes(inner, fence, most)
                for key, inner in value.items()
                if inner is not None and inner != []
            }
        case list() | tuple():
            return [_enclose_quotes(inner, fence, most) for inner in value]
        case _:
            return value
