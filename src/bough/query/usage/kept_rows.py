"""Rows of reports that are long in the making, kept in the index between changes.

A report by session or by branch has a row for every session there is, and a writing changes few of
them. So the rows are kept with the number of the writing after which they were counted; later, the
sessions that were changed since are counted again, and all other rows are as they were. What a
session's rows hold depends on its own files and on the calls that are charged to it, and on nothing
else. Rows that hold several sessions are kept until any file changes.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from bough.model.usage.costs import UsageTotal
from bough.query.usage.usage_rows import Json, UsageRow, sort_rows, sum_amounts

if TYPE_CHECKING:
    from bough.store.protocol import Store

_FORM = 2
"""Raised when rows are counted differently, so that kept ones are not read."""
_KEPT_ANEW = 10
"""When more than one row in so many was counted again, rows are kept anew."""
_ALL_COUNTED = 2
"""When sessions have changed for more than one row in so many, all are counted."""

CountRows = Callable[[tuple[str, ...] | None], Sequence[UsageRow] | None]
"""Counts the rows of some sessions, of all for None; None where sums cannot tell."""


class KeptRow(Struct, frozen=True, array_like=True):
    """A row without what follows from the rest: its amount, and a path that is all its own."""

    key: str
    label: str | None
    models: dict[str, UsageTotal]
    by: dict[str, UsageTotal]
    about: Json
    has_path: bool
    path: UsageTotal | None


class KeptRows(Struct, frozen=True, array_like=True):
    """Rows in their order, and the last writing that they take into account."""

    writing: int
    rows: list[KeptRow]


_name = msgspec.msgpack.Encoder(order="deterministic").encode
# Models stand in the order of what they cost.
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(KeptRows).decode


def load_or_count_rows(
    store: "Store", words: object, facts: object, count: CountRows
) -> Sequence[UsageRow] | None:
    """Give the rows that were kept, brought up to date, or count all and keep them.

    `words` are those of the question, `facts` what they mean now and all else that rows depend on
    beside the files: of each question the newest rows are kept.
    """
    question, state = b"rows " + _name(words), _name((_FORM, facts))
    writing = store.last_writing()
    kept = _load_rows(store, question, state)
    changed = store.changed_sessions(kept.writing) if kept else frozenset()
    if kept is not None and not changed:
        return [_unpack_row(row) for row in kept.rows]
    if kept is None or len(changed) * _ALL_COUNTED > len(kept.rows):
        rows = count(None)
        if rows is not None:
            _save_rows(store, question, state, writing, rows)
        return rows
    counted = count(tuple(sorted(changed)))
    if counted is None:
        return None
    same = (_unpack_row(row) for row in kept.rows if _session_of(row) not in changed)
    new = (row for row in counted if _session_of(row) in changed)
    rows = sort_rows([*same, *new])
    if len(changed) * _KEPT_ANEW > len(rows):
        _save_rows(store, question, state, writing, rows)
    return rows


def load_or_make_rows(
    store: "Store", words: object, facts: object, make: Callable[[], Sequence[UsageRow]]
) -> Sequence[UsageRow]:
    """Give the rows that were kept, or make them and keep them until a file changes.

    For rows that hold more than one session: a change of any may be a change of each.
    """
    state = store.state()
    question, named = b"rows " + _name(words), _name((_FORM, facts, state))
    kept = _load_rows(store, question, named)
    if kept is not None:
        return [_unpack_row(row) for row in kept.rows]
    rows = make()
    if store.state() == state:
        _save_rows(store, question, named, 0, rows)
    return rows


def _session_of(row: UsageRow | KeptRow) -> object:
    """Name the session of a row; only rows of branches say it apart from their key."""
    return row.about.get("session", row.key)


def _load_rows(store: "Store", question: bytes, state: bytes) -> KeptRows | None:
    packed = store.load_answer(question, state)
    if packed is not None:
        with suppress(msgspec.MsgspecError):
            return _unpack(packed)
    return None


def _save_rows(
    store: "Store", question: bytes, state: bytes, writing: int, rows: Sequence[UsageRow]
) -> None:
    kept = KeptRows(writing, [_pack_row(row) for row in rows])
    with suppress(OverflowError):  # numbers that no client wrote; the next one counts again
        store.save_answer(question, state, _pack(kept))


def _pack_row(row: UsageRow) -> KeptRow:
    path = None if row.path == row.amount else row.path
    return KeptRow(row.key, row.label, row.models, row.by, row.about, row.path is not None, path)


def _unpack_row(row: KeptRow) -> UsageRow:
    amount = sum_amounts(row.models.values())
    path = (row.path or amount) if row.has_path else None
    return UsageRow(row.key, amount, row.models, row.by, row.about, row.label, path)
