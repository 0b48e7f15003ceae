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
from bough.model.usage.amounts import UsageTotal
from bough.model.usage.published_prices import PUBLISHED

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle
    from bough.query.usage.report import CountedCalls
    from bough.query.usage.sources import UsageSource

_FORM = 1
"""Raised when costs are counted differently, so that kept answers are not read."""

_pack = msgspec.msgpack.Encoder(order="deterministic").encode
_unpack = msgspec.msgpack.Decoder(dict[str, UsageTotal]).decode


def sum_costs(
    report: str,
    source: "UsageSource",
    *,
    now: datetime,
    settings: Settings,
    counted: "CountedCalls | None" = None,
) -> Mapping[str, UsageTotal]:
    """Give what each session or project cost, by the key of its row in that report."""
    from bough.query.usage.report import UsageQuestion, report_usage  # noqa: PLC0415 - 90 ms; a kept answer needs none of it

    question = UsageQuestion(report=report)
    answer = report_usage(question, source, now=now, settings=settings, counted=counted)
    return {row.key: row.amount for row in answer.rows}


def load_indexed_costs(
    report: str,
    handle: "IndexHandle",
    *,
    now: datetime,
    settings: Settings,
    counted: "CountedCalls | None" = None,
) -> Mapping[str, UsageTotal]:
    """Give the costs from an index, without counting where nothing has changed."""
    question = _cache_key(report, handle, settings)
    state = handle.store.state()
    kept = handle.store.load_answer(question, state)
    if kept is not None:
        with suppress(msgspec.MsgspecError):
            return _unpack(kept)
    from bough.query.usage.sources import IndexUsageSource  # noqa: PLC0415 - 80 ms; a kept answer needs none of it

    found = sum_costs(report, IndexUsageSource(handle), now=now, settings=settings, counted=counted)
    with suppress(OverflowError):  # numbers that no client wrote; the next one counts again
        handle.store.save_answer(question, state, _pack(found))
    return found


def _cache_key(report: str, handle: "IndexHandle", settings: Settings) -> bytes:
    """Name all that the answer depends on, beside the files."""
    roots = [f"{folder}{os.sep}" for folder in handle.folders]
    return b"costs " + _pack((_FORM, report, roots, settings.prices, PUBLISHED))
