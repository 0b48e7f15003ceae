"""Reports that are kept in the index until a file changes.

A report takes every call, hook and prompt of a history into account, and is asked for again and
again: by a page that is opened, by a person who looks twice. What it depends on beside the files
is its name, its scope and the zone of its days.
"""

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from bough.query.index.kept_answers import load_or_make_answer
from bough.query.stats.activity import ActivityReport
from bough.query.stats.agents import AgentReport
from bough.query.stats.api_errors import ErrorReport
from bough.query.stats.compactions import CompactionReport
from bough.query.stats.files import FileReport
from bough.query.stats.hooks import HookReport
from bough.query.stats.models import ModelReport
from bough.query.stats.overview import StatsOverview
from bough.query.stats.stats_report import (
    StatsQuestion,
    StatsReport,
    check_report_name,
    limit_report,
    report_stats,
)
from bough.query.stats.tools import ToolReport
from bough.query.usage.time_zones import identify_zone

if TYPE_CHECKING:
    from bough.store.protocol import Store

_FORM: Final = 3
"""Raised when a report is counted differently, so that kept ones are not read."""
_SHAPES: Final[dict[str | None, type[StatsReport]]] = {
    None: StatsOverview,
    "tools": ToolReport,
    "hooks": HookReport,
    "errors": ErrorReport,
    "agents": AgentReport,
    "models": ModelReport,
    "compactions": CompactionReport,
    "files": FileReport,
    "activity": ActivityReport,
}

_pack = msgspec.msgpack.Encoder(order="deterministic").encode


def load_stats_report(report: str | None, store: "Store", asked: StatsQuestion) -> StatsReport:
    """Give a report from an index, without counting where nothing has changed."""
    check_report_name(report)
    found = load_or_make_answer(
        store,
        _cache_key(report, asked),
        lambda: report_stats(report, store.behaviour(), replace(asked, limit=None)),
        pack=_pack,
        unpack=msgspec.msgpack.Decoder(_SHAPES[report]).decode,
    )
    return limit_report(found, asked.limit)


def _cache_key(report: str | None, asked: StatsQuestion) -> bytes:
    """Name all that the answer depends on, beside the files."""
    return b"stats " + _pack((_FORM, report, asked.scope, identify_zone(asked.zone_name)))
