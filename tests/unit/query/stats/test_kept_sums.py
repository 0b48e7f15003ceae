"""Sums of files against all rows: whatever was written, copied or deleted, a report is the same."""

import sqlite3
from datetime import UTC
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bough.query.index.handle import IndexHandle, open_index
from bough.query.stats.activity import activity_report
from bough.query.stats.stats_report import STATS_REPORTS, StatsQuestion, report_stats
from bough.query.stats.tools import TOOL_SUMS, tool_report
from bough.sample import SampleCall, session
from bough.store.sqlite import stats_sums
from bough.store.sqlite.store import SqliteStore
from bough.store.stats_protocol import StatsScope
from tests.changing_history import ACTS, CHANGES, START, History, act
from tests.counted import RowsOnly, compare_reports
from tests.indexed import indexed
from tests.sampled import scale_examples

ALL = StatsScope()


@pytest.mark.parametrize(("many", "at_once"), [(200, 256), (0, 2)], ids=["few files", "many files"])
@given(
    changes=st.lists(
        st.tuples(CHANGES, st.integers(0, 60), st.lists(ACTS, min_size=1, max_size=4)),
        min_size=2,
        max_size=6,
    ),
    data=st.data(),
)
@settings(
    max_examples=scale_examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_sums_and_the_rows_that_are_left_are_all_rows(
    many: int, at_once: int, changes: list[tuple[str, int, list[str]]], data: st.DataObject
) -> None:
    with (
        TemporaryDirectory() as folder,
        patch.multiple(stats_sums, _MANY=many, _AT_ONCE=at_once),
    ):
        history = History(Path(folder))
        for change in changes:
            history.change(*change)
            with open_index([history.claude], history.index) as handle:
                compare_reports(handle, ALL, ZoneInfo("Asia/Kathmandu"))
                compare_reports(handle, data.draw(scopes(handle, history)))


@st.composite
def scopes(draw: st.DrawFn, handle: IndexHandle, history: History) -> StatsScope:
    """Choose a stretch of time that begins or ends in some file, a project, a session."""
    moments = {
        str(record.get("timestamp", "")) for one in history.sessions for record in one.records()
    }
    moment = st.sampled_from(sorted(moments))
    since, until = sorted(draw(st.tuples(moment, moment)))
    projects = [one.id for one in handle.store.projects()]
    sessions = [one.id for one in handle.store.sessions()]
    return StatsScope(
        draw(st.none() | st.sampled_from(projects).map(lambda one: (one,))),
        draw(st.none() | st.none() | st.sampled_from(sessions)),
        draw(st.sampled_from((since, None))),
        draw(st.sampled_from((until, None))),
    )


def test_a_result_that_another_file_tells_belongs_to_the_call(tmp_path: Path) -> None:
    asked = session("asked", start=START).user("hi")
    call = asked.ask(SampleCall(tool="Read", given={"file_path": "/a.py"}))
    told = session("told", start=START).user("hi")
    with indexed(tmp_path, asked, told) as index:
        compare_reports(index, ALL)
    told.user_record(
        [{"type": "tool_result", "tool_use_id": call, "content": "", "is_error": True}]
    )

    with indexed(tmp_path, asked, told) as index:
        compare_reports(index, ALL)
        assert tool_report(index.store.behaviour(), ALL).totals.unfinished == 0


def test_only_the_sums_of_a_file_that_changed_are_made_anew(tmp_path: Path) -> None:
    sessions = [session(f"{number}", start=START).user("hi") for number in range(3)]
    for made in sessions:
        act(made, "tools")
    with indexed(tmp_path, *sessions) as index:
        tool_report(index.store.behaviour(), ALL)
    before = _sums_by_row(tmp_path)
    act(sessions[1], "tools")

    with indexed(tmp_path, *sessions) as index:
        tool_report(index.store.behaviour(), ALL)

    assert len(before) == 3
    assert len(before & _sums_by_row(tmp_path)) == 2


def test_making_the_sums_of_one_report_leaves_those_of_others(tmp_path: Path) -> None:
    sessions = [session(f"{number}", start=START).user("hi") for number in range(201)]
    call = sessions[0].ask(SampleCall(tool="Read", given={"file_path": "/a.py"}))
    told = {"type": "tool_result", "tool_use_id": call, "content": "", "is_error": False}
    sessions[1].user_record([told])

    with indexed(tmp_path, *sessions) as index:
        activity_report(index.store.behaviour(), ALL, UTC)
        before = _sums_by_row(tmp_path)
        tool_report(index.store.behaviour(), ALL)

    assert before
    assert before <= _sums_by_row(tmp_path)


def test_files_inside_a_stretch_are_sums_and_those_across_its_ends_rows(tmp_path: Path) -> None:
    sessions = [session(f"{number}", start=START).user("hi") for number in range(40)]
    for made in sessions:
        act(made, "tools")
    year = StatsScope(since="2025-06-01T00:00:00.000Z")

    with indexed(tmp_path, *sessions) as index:
        with index.store.behaviour().open_sums(TOOL_SUMS, year) as parts:
            assert parts is not None
            assert (len(parts.values), parts.rows) == (1, [])
        last = max(call.started or "" for call in index.store.behaviour().calls(ALL))
        with index.store.behaviour().open_sums(TOOL_SUMS, StatsScope(since=last)) as parts:
            assert parts is not None
            assert (parts.values, [len(part.files or ()) for part in parts.rows]) == ([], [40])


def test_an_index_that_can_only_be_read_is_counted_row_by_row(tmp_path: Path) -> None:
    made = session(start=START).user("hi")
    act(made, "tools")
    asked = StatsQuestion(scope=ALL, zone=UTC)
    with indexed(tmp_path, made) as index:
        rows = RowsOnly(index.store.connection, index.path)  # type: ignore[attr-defined]
        wanted = {report: report_stats(report, rows, asked) for report in STATS_REPORTS}

    store = SqliteStore(tmp_path / "index.sqlite", reading=True)
    found = {report: report_stats(report, store.behaviour(), asked) for report in STATS_REPORTS}
    store.close()

    assert found == wanted
    assert _sums_by_row(tmp_path) == set()


def test_sums_of_another_form_are_made_anew(tmp_path: Path) -> None:
    made = session(start=START).user("hi")
    act(made, "tools")
    with indexed(tmp_path, made) as index:
        compare_reports(index, ALL)
    connection = sqlite3.connect(tmp_path / "index.sqlite")
    with connection:
        connection.execute("update meta set value = 'older' where key = 'stats'")
        connection.execute("update stats_sum set value = x'ff'")
        connection.execute("update stats_bucket set value = x'ff'")
    connection.close()

    with indexed(tmp_path, made) as index:
        compare_reports(index, ALL)


def _sums_by_row(folder: Path) -> set[tuple[int, int, bytes]]:
    connection = sqlite3.connect(folder / "index.sqlite")
    found = connection.execute("select rowid, file_id, value from stats_sum").fetchall()
    connection.close()
    return set(found)
