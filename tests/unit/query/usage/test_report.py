import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bough.config import Settings
from bough.errors import Misuse, ProjectNotFound, SessionNotFound
from bough.query.usage.report import BY, REPORTS, UsageQuestion, report_usage, usage_document
from bough.query.usage.sources import FileUsageSource
from bough.query.usage.usage_rows import Json
from bough.sample import SampleSession, session
from tests.conftest import Home
from tests.sampled import scale_examples
from tests.unit.query.usage.usage_home import (
    HAIKU,
    LAB,
    NOW,
    OPUS,
    ask_files,
    ask_index,
    both,
    costs,
    spent,
)

MILLION = 1_000_000
pytestmark = pytest.mark.writes_home


def talk(
    seed: str, *, day: int = 13, cwd: str = "/home/dev/orchard", **facts: object
) -> SampleSession:
    start = datetime(2026, 11, day, 9, tzinfo=UTC)
    return session(seed, cwd=cwd, start=start, **facts)  # type: ignore[arg-type]


@pytest.fixture
def history(home: Home) -> Path:
    """Two projects, three days, two models and one without a price."""
    with home.writing() as claude:
        first = talk("one").user("hi").assistant("Hello", usage=spent(MILLION, model=OPUS))
        first.wait(hours=24).user("more").assistant("Yes", usage=spent(0, MILLION))
        first.write(claude)
        second = talk("two", day=15, cwd="/home/dev/lantern", model=HAIKU)
        second.user("hi").assistant("Hello", usage=spent(0, 0, MILLION, MILLION))
        second.user("now you").assistant("Who?", model=LAB, usage=spent(10, 20))
        second.write(claude)
    return home.path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


class TestReports:
    def test_by_day(self, history: Path, index: Path) -> None:
        found = both(history, index, report="daily")

        assert found == {
            "rows": [
                row("2026-11-13", [OPUS], given=MILLION, cost=5.0),
                row("2026-11-14", [OPUS], out=MILLION, cost=25.0),
                row(
                    "2026-11-15",
                    [HAIKU, LAB],
                    given=10,
                    out=20,
                    writes=MILLION,
                    reads=MILLION,
                    cost=1.35,
                    unpriced=(LAB,),
                ),
            ],
            "totals": numbers(MILLION + 10, MILLION + 20, MILLION, MILLION, 31.35, (LAB,)),
            "unpriced_models": [LAB],
        }

    def test_by_week_with_its_first_day(self, history: Path, index: Path) -> None:
        assert costs(both(history, index, report="weekly")) == {"2026-11-09": 31.35}
        by_sunday = both(history, index, report="weekly", week_start="sunday")
        assert costs(by_sunday) == {"2026-11-08": 30.0, "2026-11-15": 1.35}

    def test_by_month(self, history: Path, index: Path) -> None:
        assert costs(both(history, index, report="monthly")) == {"2026-11": 31.35}

    def test_by_session_the_costliest_first(self, history: Path, index: Path) -> None:
        found = both(history, index, report="session")

        ids = [talk(seed).session_id for seed in ("one", "two")]
        assert list(costs(found).items()) == [(ids[0], 30.0), (ids[1], 1.35)]

    def test_by_project_under_its_folders_name(self, history: Path, index: Path) -> None:
        found = costs(both(history, index, report="project"))

        assert found == {"-home-dev-orchard": 30.0, "-home-dev-lantern": 1.35}
        labels = [r.label for r in ask_index(history, index, report="project").rows]
        assert labels == ["orchard", "lantern"]

    def test_by_model(self, history: Path, index: Path) -> None:
        found = costs(both(history, index, report="model"))

        assert found == {OPUS: 30.0, HAIKU: 1.35, LAB: None}

    def test_by_agent(self, home: Home, index: Path) -> None:
        with home.writing() as claude:
            builder = (
                talk("one")
                .user("Find it")
                .agent("Explore", "Find callers", agent_id="a0c4", work=a_million_out)
            )
            builder.write(claude)

        found = both(home.path, index, report="agent")

        rows = found["rows"]
        assert isinstance(rows, list)
        agent = next(r for r in rows if r["key"] == "a0c4")
        assert agent["cost_usd"] == pytest.approx(25, abs=0.1)
        assert (agent["session"], agent["type"]) == (builder.session_id, "Explore")
        assert {r["key"] for r in rows} == {"main", "a0c4"}

    def test_rows_are_broken_down_by_the_type_of_agent(self, home: Home, index: Path) -> None:
        with home.writing() as claude:
            builder = talk("one").user("Find it")
            builder.agent("Explore", "Find callers", agent_id="a0c4", work=a_million_out)
            builder.agent("Explore", "Find tests", agent_id="b1d5", work=a_million_out)
            builder.write(claude)

        found = both(home.path, index, report="daily", by="agent-type")

        rows = found["rows"]
        assert isinstance(rows, list)
        parts = {one["key"]: one["cost_usd"] for row in rows for one in row["by"]}
        assert parts["Explore"] == pytest.approx(50, abs=0.2)
        assert set(parts) == {"Explore", "main"}

    def test_agents_inside_a_sessions_file_are_one_row(self, home: Home, index: Path) -> None:
        with home.writing() as claude:
            builder = talk("one", version="1.0.80").user("Find it")
            builder.agent("Explore", "Find callers", answer="Four").write(claude)

        assert set(costs(both(home.path, index, report="agent"))) == {"main", "inline"}

    def test_blocks_last_five_hours_from_the_full_hour(self, history: Path, index: Path) -> None:
        found = both(history, index, report="blocks")

        rows = found["rows"]
        assert isinstance(rows, list)
        spans = [(r["start"], r["end"], r["gap"], r["cost_usd"]) for r in rows]
        assert spans == [
            ("2026-11-13T09:00:00.000Z", "2026-11-13T14:00:00.000Z", False, 5.0),
            ("2026-11-13T14:00:01.000Z", "2026-11-14T09:00:03.000Z", True, 0.0),
            ("2026-11-14T09:00:00.000Z", "2026-11-14T14:00:00.000Z", False, 25.0),
            ("2026-11-14T14:00:03.000Z", "2026-11-15T09:00:01.000Z", True, 0.0),
            ("2026-11-15T09:00:00.000Z", "2026-11-15T14:00:00.000Z", False, 1.35),
        ]
        assert found["totals"] == both(history, index)["totals"]

    def test_an_active_block_has_a_speed_and_an_end_in_sight(
        self, history: Path, index: Path
    ) -> None:
        now = datetime(2026, 11, 15, 10, tzinfo=UTC)

        answer = report_usage(UsageQuestion(report="blocks"), FileUsageSource([history]), now=now)

        about = answer.rows[-1].about
        assert about["active"]
        assert about["burn"] == {
            "tokens_per_minute": pytest.approx(2 * (MILLION + 15) * 30),
            "uncached_tokens_per_minute": pytest.approx(30 * 30),
            "cost_usd_per_hour": pytest.approx(1.35 * 1800),
        }
        assert about["projection"] == {
            "minutes_left": 240.0,
            "tokens": pytest.approx(2 * MILLION + 30 + 240 * 2 * (MILLION + 15) * 30),
            "cost_usd": pytest.approx(1.35 + 4 * 1.35 * 1800),
        }

    def test_a_block_that_is_asked_for_begins_where_it_always_does(self, history: Path) -> None:
        late = ask_files(history, report="blocks", since="2026-11-15 09:00:02")

        assert [r.key for r in late.rows] == ["2026-11-15T09:00:00.000Z"]
        assert late.total.calls == 2


class TestQuestions:
    def test_a_stretch_of_time(self, history: Path, index: Path) -> None:
        found = both(history, index, since="2026-11-14", until="2026-11-14")

        assert costs(found) == {"2026-11-14": 25.0}

    def test_days_begin_in_the_zone_that_is_asked_for(self, history: Path, index: Path) -> None:
        found = both(history, index, zone="Pacific/Kiritimati", since="2026-11-14")

        assert list(costs(found)) == ["2026-11-14", "2026-11-15"]
        assert list(costs(both(history, index, zone="Pacific/Honolulu"))) == [
            "2026-11-12",
            "2026-11-13",
            "2026-11-14",
        ]

    @pytest.mark.parametrize("wanted", ["lantern", "/home/dev/lantern", "-home-dev-lantern"])
    def test_one_project(self, history: Path, index: Path, wanted: str) -> None:
        assert costs(both(history, index, project=wanted)) == {"2026-11-15": 1.35}

    def test_one_session(self, history: Path, index: Path) -> None:
        prefix = talk("one").session_id[:8]

        assert both(history, index, session=prefix)["totals"] == numbers(
            MILLION, MILLION, cost=30.0
        )

    def test_the_latest_session(self, history: Path, index: Path) -> None:
        assert costs(both(history, index, session="latest")) == {"2026-11-15": 1.35}

    def test_a_session_by_its_file(self, history: Path, index: Path) -> None:
        (path,) = history.glob("projects/-home-dev-lantern/*.jsonl")

        assert costs(both(history, index, session=str(path))) == {"2026-11-15": 1.35}

    @pytest.mark.parametrize("by", [one for one in BY if one not in ("machine", "member")])
    def test_rows_broken_down(self, history: Path, index: Path, by: str) -> None:
        plain = both(history, index)
        found = both(history, index, by=by)

        rows = found["rows"]
        assert isinstance(rows, list)
        for one in rows:
            parts = one.pop("by")
            for name in ("input_tokens", "output_tokens", "cost_usd"):
                assert sum(part[name] or 0 for part in parts) == pytest.approx(one[name])
        assert found == plain

    @pytest.mark.parametrize(
        "words",
        [
            {"report": "hourly"},
            {"by": "branch"},
            {"report": "blocks", "by": "model"},
            {"report": "branch", "by": "model"},
            {"since": "soon"},
            {"zone": "Nowhere"},
            {"week_start": "someday"},
        ],
    )
    def test_what_makes_no_sense_is_misuse(self, history: Path, words: dict[str, str]) -> None:
        with pytest.raises(Misuse):
            ask_files(history, **words)

    def test_who_is_not_there_is_named(self, history: Path) -> None:
        with pytest.raises(ProjectNotFound, match="Nearest: lantern"):
            ask_files(history, project="lantren")
        with pytest.raises(SessionNotFound):
            ask_files(history, session="zz")
        with pytest.raises(SessionNotFound):
            ask_files(history, session="")

    def test_nothing_at_all_is_an_answer(self, home: Home, index: Path) -> None:
        for report in REPORTS:
            limits: dict[str, list[str]] = {"limits": []} if report == "blocks" else {}
            assert both(home.path, index, report=report) == {
                "rows": [],
                "totals": numbers(),
                "unpriced_models": [],
                **limits,
            }


class TestPrices:
    def test_your_own_come_before_the_published(self, history: Path) -> None:
        chosen = Settings(zone="UTC", prices={LAB: {"input": 1e6, "output": 0}})

        answer = report_usage(UsageQuestion(), FileUsageSource([history]), now=NOW, settings=chosen)

        assert costs(usage_document(answer))["2026-11-15"] == 1.35 + 10
        assert answer.unpriced == {}

    def test_one_that_makes_no_sense_is_named(self, history: Path) -> None:
        chosen = Settings(prices={LAB: {"input": "much"}})

        answer = report_usage(UsageQuestion(), FileUsageSource([history]), now=NOW, settings=chosen)

        assert "The price of claude-lab-9 wants a number for input." in answer.notes
        assert list(answer.unpriced) == [LAB]

    def test_what_has_no_price_is_listed_with_its_calls(self, history: Path) -> None:
        (amount,) = ask_files(history).unpriced.values()

        assert (amount.calls, amount.input_tokens, amount.output_tokens) == (1, 10, 20)


class TestCopies:
    def test_a_resume_that_copied_everything_costs_nothing_twice(
        self, home: Home, index: Path
    ) -> None:
        with home.writing() as claude:
            old = talk("one", version="1.0.40").user("hi").assistant("Hello", usage=spent(MILLION))
            old.write(claude)
            new = old.resume_in_new_file(seed="again", moment=datetime(2026, 11, 15, 9, tzinfo=UTC))
            new.user("more").assistant("Yes", usage=spent(0, MILLION)).write(claude)

        assert costs(both(home.path, index)) == {"2026-11-13": 5.0, "2026-11-15": 25.0}
        by_session = costs(both(home.path, index, report="session"))
        assert by_session == {old.session_id: 5.0, new.session_id: 25.0}

    def test_a_fork_pays_only_for_what_it_adds(self, home: Home, index: Path) -> None:
        with home.writing() as claude:
            origin = talk("one").user("hi").assistant("Hello", usage=spent(MILLION))
            fork = origin.fork(seed="a fork").user("on").assistant("Yes", usage=spent(0, MILLION))
            origin.write(claude)
            fork.write(claude)

        found = costs(both(home.path, index, report="session"))

        assert found == {origin.session_id: 5.0, fork.session_id: 25.0}


class TestDeleted:
    def test_what_was_spent_in_a_deleted_session_stays(self, history: Path, index: Path) -> None:
        before = usage_document(ask_index(history, index))
        for path in history.glob("projects/-home-dev-lantern/*.jsonl"):
            path.unlink()

        assert usage_document(ask_index(history, index)) == before

    def test_what_exists_alone_can_be_asked_for(self, history: Path, index: Path) -> None:
        ask_index(history, index)
        for path in history.glob("projects/-home-dev-lantern/*.jsonl"):
            path.unlink()

        existing = usage_document(ask_index(history, index, existing=True))

        assert costs(existing) == {"2026-11-13": 5.0, "2026-11-14": 25.0}
        assert existing == usage_document(ask_files(history))

    def test_a_call_that_lives_on_in_a_copy_counts_there(self, home: Home, index: Path) -> None:
        with home.writing() as claude:
            origin = talk("one").user("hi").assistant("Hello", usage=spent(MILLION))
            path = origin.write(claude)
            fork = origin.fork_session(seed="a fork")
            fork.write(claude)
        ask_index(home.path, index)
        path.unlink()

        found = usage_document(ask_index(home.path, index, report="session"))

        assert costs(found) == {fork.session_id: 5.0}

    def test_a_call_that_lives_on_in_a_fork_is_still_its_origins(
        self, home: Home, index: Path
    ) -> None:
        with home.writing() as claude:
            origin = talk("one").user("hi").assistant("Hello", usage=spent(MILLION))
            path = origin.write(claude)
            fork = origin.fork(seed="a fork")
            fork.write(claude)
        ask_index(home.path, index)
        path.unlink()

        found = usage_document(ask_index(home.path, index, report="session"))

        assert costs(found) == {origin.session_id: 5.0}


def test_folders_that_were_not_asked_about_do_not_count(home: Home, tmp_path: Path) -> None:
    other, index = tmp_path / "other", tmp_path / "index.sqlite"
    with home.writing() as claude:
        talk("one").user("hi").assistant("Hello", usage=spent(MILLION)).write(claude)
    talk("two").user("hi").assistant("Hello", usage=spent(0, MILLION)).write(other)
    ask_index(other, index)

    assert costs(usage_document(ask_index(home.path, index))) == {"2026-11-13": 5.0}


calls = st.tuples(
    st.sampled_from([OPUS, HAIKU, LAB, "claude-sonnet-4-5-20250929"]),
    st.integers(0, 300_000),
    st.integers(0, 300_000),
    st.sampled_from([None, "standard", "fast"]),
    st.sampled_from(["answer", "agent", "rewind", "wait", "fork", "same"]),
)


@pytest.mark.slow
@settings(
    max_examples=scale_examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.lists(calls, max_size=5), min_size=1, max_size=3),
    st.sampled_from(["UTC", "Asia/Kolkata", "Pacific/Honolulu"]),
)
def test_every_report_sums_to_what_the_files_hold(
    tmp_path: Path, stories: list[list[tuple[str, int, int, str | None, str]]], zone: str
) -> None:
    with TemporaryDirectory(dir=tmp_path) as folder:
        home, index = Path(folder) / "claude", Path(folder) / "index.sqlite"
        for number, steps in enumerate(stories):
            for builder in told(f"s{number}", steps):
                builder.write(home)

        totals = [both(home, index, report=name, zone=zone)["totals"] for name in REPORTS]

        assert totals == totals[:1] * len(REPORTS)
        assert isinstance(totals[0], dict)
        del totals[0]["cost_usd"], totals[0]["unpriced_models"]
        assert totals[0] == largest_of_each_message(home)


def largest_of_each_message(home: Path) -> Json:
    """Sum up what files hold, the plain way: here every message is one call."""
    found: dict[str, tuple[int, ...]] = {}
    for path in home.rglob("*.jsonl"):
        for line in path.read_bytes().splitlines():
            message = json.loads(line).get("message", {})
            if "usage" in message:
                counts = message["usage"]
                names = ("input_tokens", "output_tokens", *CACHES)
                line_counts = tuple(counts.get(name, 0) for name in names)
                known = found.get(message["id"], line_counts)
                found[message["id"]] = max(known, line_counts, key=sum)
    sums = [sum(column) for column in zip(*found.values(), strict=True)] or [0] * 4
    total = numbers(*sums)
    del total["cost_usd"], total["unpriced_models"]
    return total


CACHES = ("cache_creation_input_tokens", "cache_read_input_tokens")


def told(seed: str, steps: list[tuple[str, int, int, str | None, str]]) -> list[SampleSession]:
    """A session made of such steps, and the forks of it."""
    builder = talk(seed).user("hi", name="start")
    found = [builder]
    for model, given_, out, speed, how in steps:
        counts = spent(given_, out, speed=speed)
        match how:
            case "agent":
                builder.agent("Explore", "Look", answer="Seen")
            case "rewind":
                builder.at("start").user("another way")
            case "wait":
                builder.set_clock(builder.now + timedelta(hours=20))
            case "fork":
                found.append(builder.fork(seed=f"{seed} fork {len(found)}").user("on"))
                found[-1].assistant("Good", model=model, usage=counts)
            case "same":
                builder.assistant("One", "two", "three", model=model, usage=counts)
            case _:
                builder.user("go on").assistant("Yes", model=model, usage=counts)
    return found


def a_million_out(agent: object) -> None:
    agent.assistant("Found", usage=spent(0, MILLION))  # type: ignore[attr-defined]


def numbers(
    given: int = 0,
    out: int = 0,
    writes: int = 0,
    reads: int = 0,
    cost: float = 0.0,
    unpriced: tuple[str, ...] = (),
) -> Json:
    return {
        "input_tokens": given,
        "output_tokens": out,
        "cache_creation_tokens": writes,
        "cache_read_tokens": reads,
        "cost_usd": cost,
        "unpriced_models": list(unpriced),
    }


def row(
    key: str,
    models: list[str],
    *,
    given: int = 0,
    out: int = 0,
    writes: int = 0,
    reads: int = 0,
    cost: float = 0.0,
    unpriced: tuple[str, ...] = (),
) -> Json:
    return {"key": key, "models": models, **numbers(given, out, writes, reads, cost, unpriced)}
