"""The reports: what is counted, what is left out, and how it is added up."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import AmbiguousSession, ProjectNotFound, SessionNotFound
from bough.query.index.handle import IndexHandle
from bough.query.stats.activity import (
    PROMPT_SUMS,
    ActivityTotals,
    DayRow,
    HourRow,
    activity_report,
    build_activity_report,
)
from bough.query.stats.agents import agent_report
from bough.query.stats.api_errors import error_report
from bough.query.stats.compactions import compaction_report
from bough.query.stats.files import file_report
from bough.query.stats.hooks import hook_report, merge_runs
from bough.query.stats.models import model_report
from bough.query.stats.overview import build_stats_overview
from bough.query.stats.percentiles import Percentiles, find_percentiles, milliseconds_between
from bough.query.stats.stats_scope import find_stats_scope
from bough.query.stats.tools import tool_report
from bough.query.usage.calendar import Calendar, DateRange
from bough.sample import SampleSession, session
from bough.store.stats_protocol import IndexedHookRun, IndexedPrompt, StatsScope
from tests.indexed import indexed

ALL = StatsScope()
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)  # a Monday


# durations


def test_a_percentile_is_one_of_the_values() -> None:
    assert find_percentiles([5, 1, 4, 2, 3]) == Percentiles(3, 5)
    assert find_percentiles([7]) == Percentiles(7, 7)
    assert find_percentiles([]) == Percentiles(None, None)


@given(st.lists(st.floats(min_value=0, max_value=1e9), min_size=1))
def test_half_of_the_values_and_nineteen_in_twenty_are_no_larger(values: list[float]) -> None:
    found = find_percentiles(values)

    assert found.p50_ms is not None
    assert found.p95_ms is not None
    assert sum(value <= found.p50_ms + 0.001 for value in values) >= 0.50 * len(values)
    assert sum(value <= found.p95_ms + 0.001 for value in values) >= 0.95 * len(values)


@pytest.mark.parametrize(
    ("started", "ended", "passed"),
    [
        ("2026-01-05T09:00:00.000Z", "2026-01-05T09:00:01.500Z", 1500),
        ("2026-01-05T09:00:01.000Z", "2026-01-05T09:00:00.000Z", None),
        ("yesterday", "2026-01-05T09:00:00.000Z", None),
        ("2026-01-05T09:00:00", "2026-01-05T09:00:00.000Z", None),
        (None, "2026-01-05T09:00:00.000Z", None),
    ],
)
def test_time_passes_only_between_two_times(
    started: str | None, ended: str, passed: float | None
) -> None:
    assert milliseconds_between(started, ended) == passed


# tools


def test_tools_are_counted_by_how_they_ended(tmp_path: Path) -> None:
    made = session().user("go")
    made.tool("Bash", {"command": "ls"}, "a", seconds=2)
    made.tool("Bash", {"command": "no"}, "Exit code 1", is_error=True, seconds=4)
    made.tool("Bash", {"command": "rm"}, "The user doesn't want to proceed", is_error=True)
    made.tool("Bash", {"command": "sleep"}, None)
    made.tool("Glob", {"pattern": "*"}, "x", structured={"filenames": ["x"], "durationMs": 31})

    with indexed(tmp_path, made) as index:
        report = tool_report(index.store.behaviour(), ALL)

    bash, glob = report.rows
    assert (bash.calls, bash.failed, bash.refused, bash.unfinished) == (4, 1, 1, 1)
    assert (bash.measured, bash.estimated) == (0, 2)
    assert bash.p50_ms is not None
    assert 2000 <= bash.p50_ms < 4000
    assert (glob.p50_ms, glob.measured, glob.estimated) == (31, 1, 0)
    assert (report.totals.calls, report.totals.refused, report.totals.sessions) == (5, 1, 1)
    assert report.totals.output_bytes == bash.output_bytes + glob.output_bytes > 0


# hooks


def hook(told: str, call: str | None = "toolu_1", **given: object) -> IndexedHookRun:
    fields = {"file": 1, "session": "s", "event": "Stop", "command": "lint.sh", "outcome": "ok"}
    fields |= {"duration_ms": None, "timestamp": "2026-01-05T09:00:00.000Z"} | given
    return IndexedHookRun(source=told, call=call, **fields)  # type: ignore[arg-type]


def test_one_run_told_by_three_records_is_one_run() -> None:
    told = [
        hook("progress", outcome="unknown"),
        hook("attachment", outcome="failed", duration_ms=12.0),
        hook("summary", outcome="unknown", duration_ms=12.0),
    ]

    (run,) = merge_runs(told)

    assert (run.outcome, run.duration_ms) == ("failed", 12)


def test_a_command_hooked_in_twice_runs_twice() -> None:
    told = [hook("progress"), hook("progress"), hook("summary"), hook("summary")]

    assert len(merge_runs(told)) == 2


def test_a_fork_repeats_no_run() -> None:
    assert len(merge_runs([hook("progress"), hook("progress", file=2, session="fork")])) == 1


def test_runs_without_an_id_are_told_apart_by_their_time() -> None:
    told = [
        hook("notice", None),
        hook("notice", None, timestamp="2026-01-05T09:00:07.000Z"),
        hook("notice", None, file=2),
    ]

    assert len(merge_runs(told)) == 2


def test_feedback_counts_only_where_no_summary_tells_it_better() -> None:
    feedback = hook("feedback", None, outcome="blocked")

    assert len(merge_runs([feedback, hook("summary", outcome="blocked")])) == 1
    assert [run.outcome for run in merge_runs([feedback])] == ["blocked"]


def test_added_context_beside_a_named_run_is_no_other_run() -> None:
    named = hook("attachment", event="PostToolUse", command="lint.sh")
    added = hook("attachment", event="PostToolUse", command="PostToolUse:Edit")

    assert [run.command for run in merge_runs([named, added])] == ["lint.sh"]
    assert [run.command for run in merge_runs([added])] == ["PostToolUse:Edit"]


def test_a_client_that_writes_both_progress_and_summary_is_counted_once(tmp_path: Path) -> None:
    made = session(version="2.1.50").user("go").assistant("done")
    made.stop_hooks("lint.sh", "test.sh")
    summary = made.records()[-1]["toolUseID"]
    for command in ("lint.sh", "test.sh"):
        data = {"hookEvent": "Stop", "hookName": "Stop", "command": command}
        made.progress("hook_progress", data, tool_id=str(summary))

    with indexed(tmp_path, made) as index:
        report = hook_report(index.store.behaviour(), ALL)

    assert [(row.event, row.command, row.runs, row.unknown) for row in report.rows] == [
        ("Stop", "lint.sh", 1, 0),
        ("Stop", "test.sh", 1, 0),
    ]
    assert (report.rows[0].p50_ms, report.totals.runs) == (412, 2)


def test_a_call_that_a_hook_forbade_is_a_blocked_run_and_a_refused_call(tmp_path: Path) -> None:
    text = "PreToolUse:Write hook error: [guard.py]: not there\n"
    made = session().user("go").tool("Write", {"file_path": "/x"}, text, is_error=True)

    with indexed(tmp_path, made) as index:
        hooks = hook_report(index.store.behaviour(), ALL)
        tools = tool_report(index.store.behaviour(), ALL)

    assert [(row.command, row.blocked) for row in hooks.rows] == [("guard.py", 1)]
    assert (tools.totals.refused, tools.totals.failed) == (1, 0)


def test_old_clients_tell_of_a_stop_hook_only_in_what_claude_was_told(tmp_path: Path) -> None:
    made = session(version="1.0.100").user("go").assistant("done").stop_feedback("[lint.sh]: 3")

    with indexed(tmp_path, made) as index:
        report = hook_report(index.store.behaviour(), ALL)

    assert [(row.event, row.command, row.blocked) for row in report.rows] == [
        ("Stop", "lint.sh", 1)
    ]


def test_hooks_outside_the_stretch_are_left_out(tmp_path: Path) -> None:
    made = session(start=START).user("go").hook("Stop", "early.sh").wait(hours=1)
    made.hook("Stop", "late.sh")

    with indexed(tmp_path, made) as index:
        report = hook_report(index.store.behaviour(), StatsScope(since="2026-01-05T09:30:00.000Z"))

    assert [row.command for row in report.rows] == ["late.sh"]


# errors


def test_errors_come_by_kind_and_reason_with_days_and_sessions(tmp_path: Path) -> None:
    one = session("one", start=START).user("a").retry().retry(2).api_error("x", error="rate_limit")
    two = session("two", start=START + timedelta(days=2)).user("a").retry().interrupt()

    with indexed(tmp_path, one, two) as index:
        report = error_report(index.store.behaviour(), ALL, Calendar(UTC))

    assert [(row.kind, row.reason, row.count) for row in report.rows] == [
        ("error", "rate_limit", 1),
        ("retry", "overloaded", 3),
        ("interrupted", "answer", 1),
    ]
    retry = report.rows[1]
    assert [(day.day, day.count) for day in retry.days] == [("2026-01-05", 2), ("2026-01-07", 1)]
    assert retry.recent_sessions == [two.session_id, one.session_id]
    totals = report.totals
    assert (totals.errors, totals.retries, totals.interruptions) == (1, 3, 1)


# agents


def test_a_run_is_known_by_its_call_and_its_file_together(tmp_path: Path) -> None:
    def work(agent: object) -> object:
        return agent.tool("Grep", {"pattern": "x"}, "", seconds=3)  # type: ignore[attr-defined]

    made = session().user("look").agent("Explore", "look", work=work).agent("Plan", "plan")

    with indexed(tmp_path, made) as index:
        report = agent_report(index.store.behaviour(), ALL)

    assert [(row.type, row.runs, row.steps) for row in report.rows] == [
        ("Explore", 1, 1),
        ("Plan", 1, 0),
    ]
    assert report.rows[0].p50_ms is not None
    assert report.rows[0].tokens > 0
    assert report.totals.failed == 0


def test_agents_of_the_client_itself_go_by_what_they_do(tmp_path: Path) -> None:
    made = session(version="2.1.50").user("a").assistant("b")
    made.side_agent("acompact", "Your task is to create a summary", "Summary")
    made.side_agent("aprompt_suggestion", "[SUGGESTION MODE", "next")

    with indexed(tmp_path, made, session("old", version="2.0.70").user("a").warmup()) as index:
        report = agent_report(index.store.behaviour(), ALL)

    assert {row.type for row in report.rows} == {"compact", "prompt_suggestion", "warmup"}


def test_a_failed_agent_and_a_killed_one_are_failed(tmp_path: Path) -> None:
    notice = (
        "<task-notification><task-id>a1</task-id><tool-use-id>{}</tool-use-id>"
        "<status>killed</status></task-notification>"
    )
    made = session().user("look").tool("Agent", {"subagent_type": "Explore"}, "no", is_error=True)
    made.agent("Plan", "plan", background=True)
    call = next(
        block["id"]
        for record in reversed(made.records())
        if record["type"] == "assistant"
        for block in record["message"]["content"]  # type: ignore[index]
    )
    made.user_record(notice.format(call))

    with indexed(tmp_path, made) as index:
        report = agent_report(index.store.behaviour(), ALL)

    assert [(row.type, row.failed) for row in report.rows] == [("Explore", 1), ("Plan", 1)]


def test_a_shell_in_the_background_is_no_agent(tmp_path: Path) -> None:
    made = session().user("go").tool("Bash", {"command": "sleep", "run_in_background": True}, "")
    made.user_record(
        "<task-notification><task-id>b1</task-id><tool-use-id>toolu_shell</tool-use-id>"
        "<status>failed</status></task-notification>"
    )

    with indexed(tmp_path, made) as index:
        assert agent_report(index.store.behaviour(), ALL).rows == []


# models, compactions, files


def test_an_answer_of_many_lines_is_one(tmp_path: Path) -> None:
    made = session(model="claude-opus-4-6").user("a").thinking("hm").continue_message("text")
    made.agent("Explore", "look", model="claude-haiku-4-5")

    with indexed(tmp_path, made) as index:
        report = model_report(index.store.behaviour(), ALL)

    by_model = {row.model: (row.answers, row.agent_answers) for row in report.rows}
    assert by_model["claude-haiku-4-5"] == (1, 1)
    assert by_model["claude-opus-4-6"][1] == 0
    assert report.totals.answers == sum(row.answers for row in report.rows)


def test_compactions_have_medians_by_trigger(tmp_path: Path) -> None:
    made = session().user("a").assistant("b")
    for tokens in (100, 300, 200):
        made.compact(preTokens=tokens, postTokens=10)
    made.compact(trigger="manual", preTokens=50, postTokens=7)

    with indexed(tmp_path, made) as index:
        report = compaction_report(index.store.behaviour(), ALL)

    auto, manual = report.rows
    assert (auto.trigger, auto.count, auto.tokens_before, auto.largest_before) == (
        "auto",
        3,
        200,
        300,
    )
    assert (manual.tokens_before, manual.tokens_after) == (50, 7)
    assert report.totals.most_in_a_session == 4


def test_files_are_counted_by_what_happened_to_them(tmp_path: Path) -> None:
    edit = {"file_path": "/a.py", "old_string": "x", "new_string": "y"}
    made = session().user("a").tool("Read", {"file_path": "/a.py"}, "x")
    made.tool("Edit", edit, "ok").tool("Edit", edit, "not found", is_error=True)
    made.tool("Write", {"file_path": "/b.py", "content": ""}, "ok")
    made.tool("Read", {"file_path": "/c.py"}, "x").tool("Bash", {"command": "cat /d.py"}, "x")

    with indexed(tmp_path, made) as index:
        report = file_report(index.store.behaviour(), ALL)

    counts = {row.path: (row.reads, row.edits, row.writes, row.failed) for row in report.rows}
    assert counts == {"/a.py": (1, 1, 0, 1), "/b.py": (0, 0, 1, 0), "/c.py": (1, 0, 0, 0)}
    assert (report.totals.files, report.totals.changed) == (3, 2)


# activity


def test_days_and_hours_are_those_of_the_zone(tmp_path: Path) -> None:
    late = datetime(2026, 1, 4, 23, 30, tzinfo=UTC)
    made = session(start=late).user("a").wait(hours=72).user("b")

    with indexed(tmp_path, made) as index:
        report = activity_report(
            index.store.behaviour(), ALL, ZoneInfo("Europe/Prague"), "Europe/Prague"
        )

    assert report.days == [
        DayRow("2026-01-05", 1, 0, 1),
        DayRow("2026-01-06", 0, 0, 0),
        DayRow("2026-01-07", 0, 0, 0),
        DayRow("2026-01-08", 1, 0, 1),
    ]
    assert report.hours == [HourRow(1, 0, 1, 0), HourRow(4, 0, 1, 0)]
    assert (report.zone, report.totals.active_days) == ("Europe/Prague", 2)


def test_a_session_of_which_only_an_agent_is_left_is_none_of_the_sessions(tmp_path: Path) -> None:
    kept = session().user("look").assistant("seen")
    gone = session("gone").user("look").agent("Explore", "look")
    gone.write(tmp_path / "claude").unlink()
    empty = session("empty").user("look").agent("Explore", "look")
    empty.write(tmp_path / "claude").write_bytes(b"")

    with indexed(tmp_path, kept) as index:
        totals = activity_report(index.store.behaviour(), ALL, UTC).totals

    assert (totals.sessions, totals.answers) == (1, 3)


def test_times_that_are_none_are_no_activity() -> None:
    said = [
        IndexedPrompt(1, "s", None),
        IndexedPrompt(1, "s", "yesterday"),
        IndexedPrompt(1, "s", "2026-01-05T09:00:00.000Z"),
    ]

    report = build_activity_report(PROMPT_SUMS.count_items(said), {}, UTC, listed=frozenset(("s",)))

    assert report.totals == ActivityTotals(1, 0, 1, 1)


@given(st.lists(st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1))))  # noqa: DTZ001
def test_days_and_hours_add_up_to_the_same(moments: list[datetime]) -> None:
    said = [IndexedPrompt(1, "s", f"{moment.isoformat()}Z") for moment in moments]

    zone = ZoneInfo("Asia/Kathmandu")
    report = build_activity_report(PROMPT_SUMS.count_items(said), {}, zone, listed=frozenset())

    assert sum(day.prompts for day in report.days) == len(moments)
    assert sum(hour.prompts for hour in report.hours) == len(moments)


def test_the_overview_has_the_totals_of_the_reports(tmp_path: Path) -> None:
    made = _everything()

    with indexed(tmp_path, made) as index:
        behaviour = index.store.behaviour()
        summed = build_stats_overview(behaviour, ALL, UTC)

        assert summed.tools == tool_report(behaviour, ALL).totals
        assert summed.hooks == hook_report(behaviour, ALL).totals
        assert summed.errors == error_report(behaviour, ALL, Calendar(UTC)).totals
        assert summed.agents == agent_report(behaviour, ALL).totals
        assert summed.compactions == compaction_report(behaviour, ALL).totals
        assert summed.files == file_report(behaviour, ALL).totals
        assert summed.activity == activity_report(behaviour, ALL, UTC).totals
        assert summed.top_models == model_report(behaviour, ALL).rows


# scope


def test_a_session_is_found_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    one, two = session("one").user("a"), session("two").user("b")

    with indexed(tmp_path, one, two) as index:
        assert find_stats_scope(index, session=one.session_id[:8]).session == one.session_id
        assert find_stats_scope(index, session=two.session_id).session == two.session_id
        with pytest.raises(SessionNotFound):
            find_stats_scope(index, session="zzzz")


def test_an_id_that_fits_two_sessions_is_refused(tmp_path: Path) -> None:
    one = session("one", session_id="aaaa1111").user("a")
    two = session("two", session_id="aaaa2222").user("b")

    with indexed(tmp_path, one, two) as index, pytest.raises(AmbiguousSession):
        find_stats_scope(index, session="aaaa")


def test_the_latest_session_is_the_one_that_spoke_last(tmp_path: Path) -> None:
    one = session("one", start=START).user("a").assistant("b")
    two = session("two", start=START + timedelta(days=1)).user("a").assistant("b")

    with indexed(tmp_path, two, one) as index:
        assert find_stats_scope(index, session="latest").session == two.session_id


@pytest.mark.parametrize(
    "wanted", ["orchard", "Orchard", "/home/dev/orchard", "/home/dev/orchard/", "-home-dev-orchard"]
)
def test_a_project_is_found_by_name_path_or_folder(tmp_path: Path, wanted: str) -> None:
    made = session("one", cwd="/home/dev/orchard").user("a")

    with indexed(tmp_path, made, session("two", cwd="/home/dev/other").user("a")) as index:
        (number,) = find_stats_scope(index, project=wanted).projects or ()
        found = next(p.name for p in index.store.projects() if p.id == number)

    assert found == "orchard"


def test_a_project_that_is_not_there_is_said(tmp_path: Path) -> None:
    with indexed(tmp_path, session().user("a")) as index, pytest.raises(ProjectNotFound):
        find_stats_scope(index, project="orchid")


def test_other_claude_folders_in_the_same_index_are_not_asked_about(tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "projects").mkdir(parents=True)
    with indexed(tmp_path, session("one").user("a")) as index:
        assert find_stats_scope(index).projects is None
        elsewhere = IndexHandle(index.store, index.path, (other,), None, index.report)

        assert find_stats_scope(elsewhere).projects == ()


def test_a_stretch_of_time_goes_into_the_scope(tmp_path: Path) -> None:
    with indexed(tmp_path, session().user("a")) as index:
        scope = find_stats_scope(index, date_range=DateRange("2026-01-01T00:00:00.000Z", None))

    assert scope.contains("2026-01-02T00:00:00.000Z")
    assert not scope.contains("2025-12-31T00:00:00.000Z")
    assert not scope.contains(None)


def _everything() -> SampleSession:
    made = session(start=START).user("go").retry().tool("Read", {"file_path": "/a"}, "x")
    made.hook("Stop", "lint.sh").agent("Explore", "look").compact().user("b").interrupt()
    return made.api_error()
