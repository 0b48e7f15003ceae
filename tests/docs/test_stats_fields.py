"""The page about statistics names every field of every report, and no other."""

import re
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import fields

from bough.cli.commands.stats import REPORTS, stats
from bough.query.stats.activity import ActivityTotals, DayRow, HourRow
from bough.query.stats.agents import AgentRow, AgentTotals
from bough.query.stats.api_errors import ErrorRow, ErrorTotals
from bough.query.stats.compactions import CompactionRow, CompactionTotals
from bough.query.stats.files import FileRow, FileTotals
from bough.query.stats.hooks import HookRow, HookTotals
from bough.query.stats.models import ModelRow, ModelTotals
from bough.query.stats.overview import StatsOverview
from bough.query.stats.tools import ToolRow, ToolTotals

PAGE = (Path(__file__).parents[2] / "docs" / "stats.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
REPORTED: dict[str, tuple[tuple[type[Struct], ...], type[Struct]]] = {
    "tools": ((ToolRow,), ToolTotals),
    "hooks": ((HookRow,), HookTotals),
    "errors": ((ErrorRow,), ErrorTotals),
    "agents": ((AgentRow,), AgentTotals),
    "models": ((ModelRow,), ModelTotals),
    "compactions": ((CompactionRow,), CompactionTotals),
    "files": ((FileRow,), FileTotals),
    "activity": ((DayRow, HourRow), ActivityTotals),
}


def names(*structs: type[Struct]) -> list[str]:
    return [field.encode_name for struct in structs for field in fields(struct)]


def test_every_report_has_a_section() -> None:
    assert list(SECTIONS) == [*REPORTS, "overview"]
    assert set(REPORTED) == set(REPORTS)


@pytest.mark.parametrize("report", REPORTED)
def test_every_field_is_named_in_its_order(report: str) -> None:
    rows, totals = REPORTED[report]
    section = SECTIONS[report]

    summed = re.search(r"^`totals`: ([^.]*)\.", section, re.MULTILINE)

    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == names(*rows)
    assert summed is not None
    assert re.findall(r"`(\w+)`", summed[1]) == names(totals)


def test_the_overview_is_named_field_by_field() -> None:
    assert re.findall(r"^\| `(\w+)` \|", SECTIONS["overview"], re.MULTILINE) == names(StatsOverview)


def test_every_option_is_named() -> None:
    options = {name for param in stats.params for name in param.opts if name.startswith("--")}

    named = {
        name for row in re.findall(r"^\| `--.*$", PAGE, re.MULTILINE) for name in _options(row)
    }
    assert options | {"--json"} == named


def _options(row: str) -> list[str]:
    return re.findall(r"`(--[a-z-]+)", row)
