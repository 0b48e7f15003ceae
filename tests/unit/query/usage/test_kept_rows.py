"""Rows that are kept and brought up to date are those that counting every line gives."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bough.config import Settings
from bough.model.usage.across_files import count_once
from bough.model.usage.costs import NO_USAGE
from bough.query.index.handle import open_index
from bough.query.usage.kept_rows import load_or_count_rows, load_or_make_rows
from bough.query.usage.report import UsageQuestion, UsageTable, report_usage, usage_document
from bough.query.usage.sources import IndexUsageSource
from bough.query.usage.usage_rows import UsageRow
from bough.sample import session
from tests.changing_history import ACTS, CHANGES, History
from tests.conftest import Home
from tests.sampled import scale_examples
from tests.unit.query.usage.usage_home import HAIKU, NOW, OPUS, ask_index, spent

AT_FIRST = 12
"""So many sessions that a change of one is a change of few."""


def count_lines(source: IndexUsageSource, question: UsageQuestion) -> UsageTable:
    """Answer from all lines, with nothing that was added up or kept before."""
    usages = [one for one in source.usages() if not (question.existing and one.deleted)]
    calls = count_once(usages)
    return report_usage(question, source, now=NOW, settings=Settings(zone="UTC"), calls=calls)


@given(
    changes=st.lists(
        st.tuples(CHANGES, st.integers(0, 60), st.lists(ACTS, min_size=1, max_size=3)),
        min_size=2,
        max_size=7,
    ),
)
# The file of an agent outlives that of its session.
@example(changes=[("new", 1, ["agent"]), ("delete", 12, ["prompt"])])
@settings(
    max_examples=scale_examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_kept_rows_are_those_of_all_lines(changes: list[tuple[str, int, list[str]]]) -> None:
    with TemporaryDirectory() as folder:
        history = History(Path(folder))
        for number in range(AT_FIRST):
            history.change("new", number, ["prompt"])
        for change in (("append", 0, ["agent"]), *changes):
            history.change(*change)
            with open_index([history.claude], history.index) as handle:
                source = IndexUsageSource(handle)
                for report in ("session", "branch"):
                    for existing in (False, True):
                        question = UsageQuestion(report=report, existing=existing)
                        kept = report_usage(
                            question, source, now=NOW, settings=Settings(zone="UTC")
                        )
                        counted = count_lines(source, question)
                        assert usage_document(kept) == usage_document(counted)
                        assert kept.rows == counted.rows or existing


@pytest.mark.parametrize(("report", "by"), [("project", None), ("daily", "project")])
def test_rows_of_several_sessions_are_kept_until_any_of_them_changes(
    tmp_path: Path, report: str, by: str | None
) -> None:
    history = History(tmp_path)
    question = UsageQuestion(report=report, by=by)
    for change in (("new", 0, ["prompt"]), ("new", 1, ["agent"]), ("append", 0, ["prompt"])):
        history.change(*change)
        with open_index([history.claude], history.index) as handle:
            source = IndexUsageSource(handle)
            made, kept = (
                report_usage(question, source, now=NOW, settings=Settings(zone="UTC"))
                for _ in range(2)
            )
            assert kept == made
            assert usage_document(kept) == usage_document(count_lines(source, question))


def test_rows_of_several_sessions_are_made_once(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.change("new", 0, ["prompt"])
    made: list[str] = []

    def load(facts: str) -> None:
        with open_index([history.claude], history.index) as handle:

            def make() -> list[UsageRow]:
                made.append(facts)
                return [UsageRow("orchard", NO_USAGE, {})]

            rows = load_or_make_rows(handle.store, "words", facts, make)
            assert [row.key for row in rows] == ["orchard"]

    for facts in ("today", "today", "tomorrow", "tomorrow"):
        load(facts)
    history.change("append", 0, ["prompt"])
    load("tomorrow")

    assert made == ["today", "tomorrow", "tomorrow"]


@pytest.mark.writes_home
def test_the_days_of_rows_that_were_kept_are_those_of_the_zone_asked_for(
    home: Home, tmp_path: Path
) -> None:
    session("late").user("hi").assistant("Hello", timestamp="2026-11-14T23:30:00.000Z").write(
        home.path
    )

    def days(zone: str) -> list[str]:
        with open_index([home.path], tmp_path / "index.sqlite") as handle:
            question = UsageQuestion(report="daily", by="project", zone=zone)
            table = report_usage(question, IndexUsageSource(handle), now=NOW)
            return [row.key for row in table.rows]

    assert [days("UTC"), days("Asia/Tokyo")] == [["2026-11-14"], ["2026-11-15"]]


@pytest.mark.writes_home
def test_only_sessions_that_changed_are_counted_again(home: Home, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    made = [session(f"session {number}").user("hi").assistant("Hello") for number in range(12)]
    for one in made:
        one.write(home.path)
    asked: list[tuple[str, ...] | None] = []

    def load() -> set[str]:
        with open_index([home.path], index) as handle:

            def count(sessions: tuple[str, ...] | None) -> list[object]:
                asked.append(sessions)
                table = report_usage(
                    UsageQuestion(report="session"), IndexUsageSource(handle), now=NOW
                )
                return list(table.rows)

            rows = load_or_count_rows(handle.store, "words", "facts", count)  # type: ignore[arg-type]
            return {row.key for row in rows or ()}

    first = load()
    made[3].user("more").assistant("Yes").write(home.path)
    second = load()
    third = load()

    assert asked == [None, (made[3].session_id,), (made[3].session_id,)]
    assert first == second == third == {one.session_id for one in made}


@pytest.mark.writes_home
def test_a_session_that_is_forgotten_has_no_row(home: Home, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    made = [session(f"session {number}").user("hi").assistant("Hello") for number in range(5)]
    for one in made:
        one.write(home.path)
    ask_index(home.path, index, report="session")
    with open_index([home.path], index) as handle:
        file = next(one for one in handle.store.sessions() if one.id == made[2].session_id)
        with handle.store.writing() as writer:
            writer.forget(file.file)

        source = IndexUsageSource(handle)
        found = report_usage(UsageQuestion(report="session"), source, now=NOW)

    assert {row.key for row in found.rows} == {one.session_id for one in made} - {
        made[2].session_id
    }


@pytest.mark.writes_home
def test_models_stay_in_the_order_of_their_cost(home: Home, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    made = session("one").user("hi").assistant("Cheap", model=HAIKU, usage=spent(10, 10))
    made.assistant("Dear", model=OPUS, usage=spent(5_000, 5_000)).write(home.path)

    rows = [ask_index(home.path, index, report="session").rows for _ in range(2)]

    assert [list(one[0].models) for one in rows] == [[OPUS, HAIKU]] * 2
