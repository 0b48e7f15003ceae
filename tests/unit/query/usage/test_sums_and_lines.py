"""Reports from sums are those from the lines: on real files, in any zone, for any question."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.config import Settings
from bough.query.index.handle import IndexHandle, open_index
from bough.query.usage.report import REPORTS, UsageQuestion, report_usage, usage_document
from bough.query.usage.sources import FileUsageSource, IndexUsageSource
from bough.sample import session
from tests.conftest import Home
from tests.sampled import mark_rest_whole
from tests.unit.query.usage.usage_home import NOW, both, spent

pytestmark = pytest.mark.slow
ZONES = ("UTC", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe")
SOME_ZONES = ("Australia/Lord_Howe",)


@pytest.fixture(scope="module")
def index(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexHandle]:
    place = tmp_path_factory.mktemp("sums") / "index.sqlite"
    with open_index([shared / "corpus"], place) as handle:
        yield handle


@pytest.fixture(scope="module")
def files(shared: Path) -> FileUsageSource:
    return FileUsageSource([shared / "corpus"])


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("zone", mark_rest_whole(ZONES, SOME_ZONES))
@pytest.mark.parametrize(
    "words",
    [
        {},
        {"since": "2026-03-01"},
        {"since": "2026-02-01T10:07", "until": "2026-04-10T23:59"},
        {"existing": True},
    ],
)
def test_real_files_and_their_sums_give_the_same_report(
    index: IndexHandle, files: FileUsageSource, report: str, zone: str, words: dict[str, object]
) -> None:
    question = UsageQuestion(report=report, zone=zone, **words)  # type: ignore[arg-type]

    found = [
        usage_document(report_usage(question, source, now=NOW, settings=Settings()))
        for source in (files, IndexUsageSource(index))
    ]

    assert found[0] == found[1]


@pytest.mark.writes_home
@pytest.mark.parametrize("report", REPORTS)
def test_a_limit_of_yours_is_asked_of_the_calls(home: Home, tmp_path: Path, report: str) -> None:
    builder = session("one", model="claude-opus-4-6").user("hi")
    builder.assistant("Hello", usage=spent(150_000, 2_000)).user("more")
    builder.assistant("Yes", usage=spent(40_000, 2_000)).write(home.path)
    dear: dict[str, dict[str, object]] = {
        "claude-opus-4-6": {"above_100k": {"input": 50.0, "output": 90.0}}
    }
    question = UsageQuestion(report=report)

    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        totals = [
            report_usage(question, source, now=NOW, settings=Settings(zone="UTC", prices=dear))
            for source in (FileUsageSource([home.path]), IndexUsageSource(handle))
        ]

    assert usage_document(totals[0]) == usage_document(totals[1])
    assert (
        totals[0].total
        != report_usage(
            question, FileUsageSource([home.path]), now=NOW, settings=Settings(zone="UTC")
        ).total
    )


@pytest.mark.writes_home
def test_another_claude_folder_in_the_index_changes_no_report(home: Home, tmp_path: Path) -> None:
    told = session("one").user("hi").assistant("Hello")
    told.write(home.path)
    told.fork(seed="elsewhere").user("on").assistant("Yes").write(tmp_path / "other")
    index = tmp_path / "index.sqlite"
    with open_index([home.path, tmp_path / "other"], index):
        pass

    assert both(home.path, index)["rows"]


@pytest.mark.writes_home
@pytest.mark.parametrize("report", REPORTS)
def test_some_projects_are_asked_about_by_their_folders(
    home: Home, tmp_path: Path, report: str
) -> None:
    for name in ("orchard", "harbour", "kitchen"):
        made = session(name, cwd=f"/home/dev/{name}").user("hi").assistant("Hello")
        made.agent("Explore", "Find callers", answer="Four").write(home.path)
    folders = ("-home-dev-orchard", "-home-dev-kitchen")

    found = both(home.path, tmp_path / "index.sqlite", report=report, within=folders)
    whole = both(home.path, tmp_path / "index.sqlite", report=report)

    assert found["rows"]
    assert found["totals"] != whole["totals"]
