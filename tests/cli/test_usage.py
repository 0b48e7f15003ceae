"""`bough usage` as people run it."""

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.query.index.handle import open_index
from bough.query.usage.report import REPORTS
from bough.sample import session
from bough.store.sqlite.store import SqliteStore
from tests.cli.screens import piped, run_now
from tests.conftest import Home
from tests.unit.query.usage.usage_home import spent

MILLION = 1_000_000
pytestmark = pytest.mark.writes_home


@pytest.fixture
def history(home: Home) -> Path:
    with home.writing() as claude:
        start = datetime(2025, 11, 13, 9, tzinfo=UTC)
        builder = session("one", cwd="/home/dev/orchard", start=start).user("hi")
        builder.assistant("Hello", usage=spent(MILLION))
        builder.wait(hours=48).user("more")
        builder.assistant("Yes", model="claude-lab-9", usage=spent(0, 12_000))
        builder.write(claude)
    return home.path


def usage(*words: str) -> subprocess.CompletedProcess[str]:
    return run_now("usage", *words, "--zone", "UTC")


def test_without_words_it_counts_by_day(history: Path) -> None:
    done = usage()

    assert done.returncode == 0
    assert done.stdout == (
        "DAY            IN    OUT  CACHE W  CACHE R      COST  MODELS\n"
        "2025-11-13  1.00M      -        -        -     $5.00  opus-4-6\n"
        "2025-11-15      -  12.0k        -        -  no price  lab-9\n"
        "TOTAL       1.00M  12.0k        -        -  $5.00 +?\n"
    )
    assert done.stderr == (
        "1 model has no price: claude-lab-9 (1 call, 12k out). See bough usage --explain SESSION.\n"
    )


def test_days_without_use_are_shown_from_a_given_one_on(history: Path) -> None:
    done = usage("daily", "--since", "2025-11-01")

    assert done.stdout.splitlines()[2].split() == ["2025-11-14", "-", "-", "-", "-", "-"]


@pytest.mark.parametrize("report", REPORTS)
def test_json_is_the_same_from_files_and_from_the_index(
    history: Path, report: str, tmp_path: Path
) -> None:
    index = tmp_path / "index.sqlite"
    with_index = ("--index", str(index))

    without = usage(report, "--json", "--no-index", *with_index)
    nothing_made = not index.exists()
    with open_index([history], index):
        pass
    indexed = usage(report, "--json", *with_index)

    assert (without.returncode, without.stderr) == (0, "")
    assert nothing_made
    assert json.loads(without.stdout) == json.loads(indexed.stdout)
    assert json.loads(without.stdout)["totals"] == {
        "input_tokens": MILLION,
        "output_tokens": 12_000,
        "cache_creation_tokens": 0,
        "cache_read_tokens": 0,
        "cost_usd": 5.0,
        "unpriced_models": ["claude-lab-9"],
    }
    assert json.loads(without.stdout)["unpriced_models"] == ["claude-lab-9"]


def test_rows_have_the_keys_that_were_promised(history: Path) -> None:
    (first, *_) = json.loads(usage("--json").stdout)["rows"]

    assert list(first) == [
        "key",
        "models",
        "input_tokens",
        "output_tokens",
        "cache_creation_tokens",
        "cache_read_tokens",
        "cost_usd",
        "unpriced_models",
    ]


def test_a_session_is_explained(history: Path) -> None:
    done = usage("--explain", "latest")

    assert done.returncode == 0
    assert "claude-lab-9: no price." in done.stdout
    assert ".jsonl:2" in done.stdout


def test_an_explanation_in_json(history: Path) -> None:
    found = json.loads(usage("--explain", "latest", "--json").stdout)

    assert list(found) == ["session", "title", "totals", "calls", "prices"]
    assert [line["why"] for call in found["calls"] for line in call["lines"]] == [None, None]


def test_your_prices_and_your_zone_come_from_the_settings(history: Path) -> None:
    settings = history.parent / ".config" / "bough" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        'zone = "Pacific/Kiritimati"\nweek_start = "sunday"\n'
        '[prices."claude-lab-9"]\ninput = 1\noutput = 1000\n',
        encoding="utf-8",
    )

    done = run_now("usage", "weekly", "--json")

    found = json.loads(done.stdout)
    assert done.stderr == ""
    assert {row["key"]: row["cost_usd"] for row in found["rows"]} == {
        "2025-11-09": 17.0,
    }
    assert found["unpriced_models"] == []


def test_a_price_that_makes_no_sense_is_said_and_left_out(history: Path) -> None:
    settings = history.parent / ".config" / "bough" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[prices."claude-lab-9"]\ninput = "much"\n', encoding="utf-8")

    done = usage("--json")

    assert done.returncode == 0
    assert done.stderr == "The price of claude-lab-9 wants a number for input.\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("hourly",), 2, "hourly"),
        (("--since", "soon"), 2, "not soon"),
        (("--week-start", "someday"), 2, "No weekday is called someday"),
        (("--by", "colour"), 2, "colour"),
        (("--session", "zz"), 1, "No session begins with zz"),
        (("--project", "nowhere"), 1, "No project is called nowhere"),
        (("--explain", "zz"), 1, "No session begins with zz"),
    ],
)
def test_misuse_and_misses_are_one_sentence(
    history: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    done = usage(*words)

    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_unknown_zone_is_misuse(history: Path) -> None:
    done = run_now("usage", "--zone", "Nowhere")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "No time zone is called Nowhere. Names look like Europe/Prague.\n"


def test_while_another_bough_writes_the_index_the_files_are_read(
    history: Path, tmp_path: Path
) -> None:
    index = tmp_path / "index.sqlite"
    with open_index([history], index):
        pass
    whole = usage("--json", "--index", str(index)).stdout
    (path,) = history.glob("projects/*/*.jsonl")
    os.utime(path, (0, 0))
    writer = SqliteStore(index)

    with writer.writing():
        done = usage("--json", "--index", str(index))
    writer.close()

    assert (done.returncode, done.stdout) == (0, whole)
    assert done.stderr.startswith("Another bough is writing the index. ")


def test_a_damaged_index_is_named(history: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    piped("index", "--index", str(index))
    index.write_bytes(b"this was an index once" * 400)

    done = usage("--index", str(index))

    assert (done.returncode, done.stdout) == (3, "")
    assert "is damaged" in done.stderr


def test_nothing_spent_is_said(home: Home) -> None:
    done = usage()

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Nothing was used there.\n")
