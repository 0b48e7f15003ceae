"""`bough stats` as people run it."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from bough.cli.commands.stats import REPORTS
from bough.sample import SampleSession, session
from tests.cli.screens import run_now
from tests.conftest import Home

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


@pytest.fixture
def busy(home: Home) -> SampleSession:
    """Write a session in which a bit of everything happened, and one a month later."""
    made = session("busy", start=START, cwd="/home/dev/orchard").user("go").retry()
    made.tool("Read", {"file_path": "/a.py"}, "x").hook("Stop", "lint.sh", words="\x1b[31mred")
    made.agent("Explore", "look").compact().user("more").interrupt().api_error()
    later = session("later", start=START + timedelta(days=30), cwd="/home/dev/lantern").user("hi")
    later.tool("Bash", {"command": "ls"}, "x")
    with home.writing():
        made.write(home)
        later.write(home)
    return made


def document(*words: str) -> dict[str, object]:
    done = run_now("stats", *words, "--json")
    assert done.returncode == 0
    assert done.stderr == "" or "--limit" in words
    return msgspec.json.decode(done.stdout, type=dict[str, object])


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("report", REPORTS)
def test_every_report_has_something_to_show_and_json_to_give(report: str) -> None:
    done = run_now("stats", report)

    assert done.returncode == 0
    assert len(done.stdout.splitlines()) >= 2
    assert "\x1b" not in done.stdout
    assert document(report)["totals"]


@pytest.mark.usefixtures("busy")
def test_without_a_report_there_is_an_overview() -> None:
    done = run_now("stats")

    assert done.returncode == 0
    assert done.stdout.startswith("WHAT")
    assert "bough stats tools, hooks" in done.stderr
    tools = document()["tools"]
    assert (_number(tools, "calls"), _number(tools, "sessions")) == (3, 2)


@pytest.mark.parametrize(
    ("words", "tools"),
    [
        ((), {"Agent", "Bash", "Read"}),
        (("--project", "lantern"), {"Bash"}),
        (("--project", "-home-dev-lantern"), {"Bash"}),
        (("--session", "latest"), {"Bash"}),
        (("--since", "2026-02-01"), {"Bash"}),
        (("--until", "2026-01-05"), {"Agent", "Read"}),
        (("--until", "2026-01-04"), set()),
        (("--limit", "1"), {"Agent"}),
    ],
)
@pytest.mark.usefixtures("busy")
def test_questions_can_be_narrowed(words: tuple[str, ...], tools: set[str]) -> None:
    rows = msgspec.convert(document("tools", *words)["rows"], list[dict[str, object]])

    assert {row["tool"] for row in rows} == tools


def test_a_session_is_named_by_the_beginning_of_its_id(busy: SampleSession) -> None:
    totals = document("tools", "--session", busy.session_id[:8])["totals"]

    assert _number(totals, "calls") == 2


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("nonsense",), 2, "See bough stats --help."),
        (("--since", "soon"), 2, "--since takes a time"),
        (("--zone", "Mars/North"), 2, "No time zone is called Mars/North."),
        (("--project", "orchid"), 1, "Nearest: orchard."),
        (("--session", "zzzz"), 1, "No session begins with zzzz."),
        (("--limit", "0"), 2, "See bough stats --help."),
    ],
)
def test_what_makes_no_sense_is_said(words: tuple[str, ...], code: int, said: str) -> None:
    done = run_now("stats", *words)

    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_an_empty_history_has_nothing_to_count(home: Home) -> None:
    done = run_now("stats", "hooks")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Nothing of that kind happened there.\n"


@pytest.mark.usefixtures("busy")
def test_activity_is_counted_in_the_zone_that_was_named() -> None:
    there = document("activity", "--zone", "Pacific/Auckland")

    days = msgspec.convert(there["days"], list[dict[str, object]])
    assert there["zone"] == "Pacific/Auckland"
    assert days[0]["day"] == "2026-01-05"
    assert {hour["hour"] for hour in msgspec.convert(there["hours"], list[dict[str, int]])} == {22}


def _number(value: object, name: str) -> object:
    return msgspec.convert(value, dict[str, object])[name]
