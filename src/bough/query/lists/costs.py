"""What each session or project cost, for lists.

A list is asked for all day long and its costs take every call of the history into account, so
the answer is kept in the index until a file changes.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bough.config import Settings
from bough.model.usage.amounts import Amount

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle
    from bough.query.usage.report import Counted
    from bough.query.usage.sources import Source

_FORM = 1
"""Raised when costs are counted differently, so that kept answers are not read."""

_pack = msgspec.msgpack.Encoder(order="deterministic").encode
_unpack = msgspec.msgpack.Decoder(dict[str, Amount]).decode


def costs(
    report: str,
    source: "Source",
    *,
    now: datetime,
    settings: Settings,
    counted: "Counted | None" = None,
) -> Mapping[str, Amount]:
    """Give what each session or project cost, by the key of its row in that report."""
    from bough.query.usage.report import Question, usage  # noqa: PLC0415 - a kept answer needs none of it

    question = Question(report=report)
    answer = usage(question, source, now=now, settings=settings, counted=counted)
    return {row.key: row.amount for row in answer.rows}


def indexed_costs(
    report: str,
    handle: "IndexHandle",
    *,
    now: datetime,
    settings: Settings,
    counted: "Counted | None" = None,
) -> Mapping[str, Amount]:
    """Give the costs from an index, without counting where nothing has changed."""
    question = _question(report, handle, settings)
    state = handle.store.state()
    kept = handle.store.recall(question, state)
    if kept is not None:
        with suppress(msgspec.MsgspecError):
            return _unpack(kept)
    from bough.query.usage.sources import IndexSource  # noqa: PLC0415 - a kept answer needs it not

    found = costs(report, IndexSource(handle), now=now, settings=settings, counted=counted)
    with suppress(OverflowError):  # numbers that no client wrote; the next one counts again
        handle.store.remember(question, state, _pack(found))
    return found


def _question(report: str, handle: "IndexHandle", settings: Settings) -> bytes:
    """Name all that the answer depends on, beside the files."""
    from bough.model.usage.published_prices import PUBLISHED  # noqa: PLC0415

    roots = [f"{folder}{os.sep}" for folder in handle.folders]
    return b"costs " + _pack((_FORM, report, roots, settings.prices, PUBLISHED))
