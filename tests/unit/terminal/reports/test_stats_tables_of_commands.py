"""Reports as a person sees them, at a fixed moment and on sheets of several kinds."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from bough.query.stats.activity import ActivityReport, ActivityTotals, DayRow, HourRow
from bough.query.stats.agents import AgentReport, AgentRow, AgentTotals
from bough.query.stats.api_errors import ErrorDay, ErrorReport, ErrorRow, ErrorTotals
from bough.query.stats.compactions import CompactionReport, CompactionRow, CompactionTotals
from bough.query.stats.files import FileReport, FileRow, FileTotals
from bough.query.stats.hooks import HookReport, HookRow, HookTotals
from bough.query.stats.models import ModelReport, ModelRow, ModelTotals
from bough.query.stats.overview import StatsOverview
from bough.query.stats.tools import ToolReport, ToolRow, ToolTotals
from bough.terminal.canvas import Canvas
from bough.terminal.reports.stats_charts import show_activity, show_errors, show_overview
from bough.terminal.reports.stats_tables import RenderedReport, show_table
from bough.terminal.style import ASCII, text_of
from bough.terminal.text import width

NOW = datetime(2026, 11, 15, 15, 30, tzinfo=UTC)
LAST = "2025-11-14T14:41:00.000Z"
PIPE = Canvas(NOW)
NARROW = Canvas(NOW, columns=80)
PLAIN = Canvas(NOW, ASCII)

TOOLS = ToolReport(
    [
        ToolRow("Bash", 1580, 170, 2, 19, 1900.0, 101_000.0, 0, 1561, 1_700_000, 103, LAST),
        ToolRow("mcp__playwright__browser_click", 10, 0, 0, 0, 21.0, 35.0, 10, 0, 320, 1, LAST),
    ],
    ToolTotals(1590, 170, 2, 19, 1_700_320, 103),
)
HOOKS = HookReport(
    [
        HookRow("Stop", "scripts/lint.sh", 412, 3, 0, 0, 400.0, 2100.0, 412, 60, LAST),
        HookRow("PreToolUse", "guard.py", 1209, 0, 17, 1000, None, None, 0, 64, LAST),
    ],
    HookTotals(1621, 3, 17, 1000),
)
ERRORS = ErrorReport(
    [
        ErrorRow(
            *("error", "rate_limit", 6, 2, LAST, LAST, "You've hit your limit"),
            ["3f9c21d0-0000", "a80b77e1-0000", "51d0c9aa-0000"],
            [ErrorDay("2025-11-12", 2), ErrorDay("2025-11-14", 4)],
        )
    ],
    ErrorTotals(6, 0, 0),
)
AGENTS = AgentReport(
    [AgentRow("Explore", 20, 1, 380, 1_040_000, 51_000.0, 112_000.0, 20, 13, LAST)],
    AgentTotals(20, 1, 380, 1_040_000),
)
MODELS = ModelReport(
    [ModelRow("claude-opus-4-6", 1237, 33, 24, LAST, LAST)], ModelTotals(1237, 33, 24)
)
COMPACTIONS = CompactionReport(
    [CompactionRow("auto", 9, 167_000, None, 174_000, 6, LAST)], CompactionTotals(9, 6, 2)
)
FILES = FileReport(
    [FileRow("/home/dev/code/orchard-shop/cli/main.py", 8, 49, 2, 1, 1, LAST)],
    FileTotals(1, 1, 8, 49, 2, 1),
)
ACTIVITY = ActivityReport(
    "local",
    [DayRow("2025-11-13", 4, 40, 2), DayRow("2025-11-14", 0, 0, 0), DayRow("2025-11-15", 1, 3, 1)],
    [HourRow(1, 9, 4, 40), HourRow(7, 23, 1, 3)],
    ActivityTotals(5, 43, 3, 2),
)
OVERVIEW = StatsOverview(
    ACTIVITY.totals,
    TOOLS.totals,
    HOOKS.totals,
    ERRORS.totals,
    AGENTS.totals,
    COMPACTIONS.totals,
    FILES.totals,
    TOOLS.rows,
    MODELS.rows,
    ACTIVITY.days,
)
EVERY: dict[str, Callable[[Canvas], RenderedReport]] = {
    "tools": lambda sheet: show_table(TOOLS, sheet),
    "hooks": lambda sheet: show_table(HOOKS, sheet),
    "errors": lambda sheet: show_errors(ERRORS, sheet),
    "agents": lambda sheet: show_table(AGENTS, sheet),
    "models": lambda sheet: show_table(MODELS, sheet),
    "compactions": lambda sheet: show_table(COMPACTIONS, sheet),
    "files": lambda sheet: show_table(FILES, sheet),
    "activity": lambda sheet: show_activity(ACTIVITY, sheet),
    "overview": lambda sheet: show_overview(OVERVIEW, sheet),
}


def texts(report: RenderedReport) -> list[str]:
    return [text_of(line) for line in report.lines]


def test_hooks_look_as_the_design_has_them() -> None:
    shown = EVERY["hooks"](PIPE)

    assert (texts(shown), shown.talk) == (
        [
            "EVENT       COMMAND           RUNS  FAILED  BLOCKED    P50    P95        LAST",
            "Stop        scripts/lint.sh    412       3        -  0.4 s  2.1 s  2025-11-14",
            "PreToolUse  guard.py         1,209       -       17      -      -  2025-11-14",
        ],
        ["How 1,000 runs ended, no record tells."],
    )


def test_the_overview_names_models_as_people_do() -> None:
    assert any(line.endswith("  opus-4-6 1,237") for line in texts(EVERY["overview"](PIPE)))


def test_tools_have_bars_and_say_where_durations_come_from() -> None:
    shown = EVERY["tools"](PIPE)

    first, second = texts(shown)[1:]
    assert first.split() == [
        *("Bash", "1,580", "████████", "170", "2", "1.9", "s", "1", "min", "41", "s"),
        *("1.7", "MB", "2025-11-14"),
    ]
    assert "▏" in second
    assert "10 of 1,571 were measured by the client" in shown.talk[0]
    assert shown.talk[1] == "19 calls got no result."


def test_errors_show_their_course_and_where_to_look() -> None:
    shown = EVERY["errors"](PIPE)

    assert texts(shown)[1].startswith("could not answer  rate limit")
    assert "▄─█" in texts(shown)[1]
    assert texts(shown)[1].endswith("3f9c21d0, a80b77e1")


def test_the_week_is_a_heat_map() -> None:
    lines = texts(EVERY["activity"](PIPE))

    assert lines[0].split() == ["0", "3", "6", "9", "12", "15", "18", "21"]
    assert lines[1] == "Mon  " + " " * 18 + "██" + " " * 28 + "      44"
    assert lines[7] == "Sun  " + " " * 46 + "░░" + "       4"
    assert lines[11].split() == ["Fri", "14", "Nov", "2025", "-", "-", "-"]


def test_the_overview_has_a_line_for_each_report_that_has_something() -> None:
    lines = texts(EVERY["overview"](PIPE))

    assert [line.split("  ")[0] for line in lines[1:10] if not line.startswith(" ")] == [
        *("prompts", "answers", "tool calls", "hook runs", "agents"),
        *("errors", "compactions", "files"),
    ]
    assert lines[-2:] == ["█─▁", "2025-11-13 to 2025-11-15, prompts and answers"]


@pytest.mark.parametrize("name", EVERY)
def test_every_report_fits_eighty_columns(name: str) -> None:
    shown = EVERY[name](NARROW)

    assert shown.lines
    assert all(width(line) <= 80 for line in texts(shown)), texts(shown)


def test_bars_and_sizes_stay_at_eighty_columns() -> None:
    lines = texts(EVERY["tools"](NARROW))

    assert lines[0].split()[-1] == "OUTPUT"
    assert "████████" in lines[1]


@pytest.mark.parametrize("name", EVERY)
def test_without_unicode_every_report_is_plain(name: str) -> None:
    assert all(line.isascii() for line in texts(EVERY[name](PLAIN)))


def test_what_did_not_happen_has_no_lines() -> None:
    empty = HookReport([], HookTotals(0, 0, 0, 0))

    assert show_table(empty, PIPE) == RenderedReport([], [])
    assert show_activity(
        ActivityReport("local", [], [], ActivityTotals(0, 0, 0, 0)), PIPE
    ) == RenderedReport([], [])
