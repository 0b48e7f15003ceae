"""The same answers as ccusage where it is right, and every difference traced to its lines.

ccusage counts a call once by (message.id, requestId). What it does otherwise, and why we do not:

- Lines without a requestId it takes for one call only when they share message.id and time, or are
  a sidechain's. But the lines of one message are written milliseconds apart, so most of them
  are counted again: here once for each block of the answer. One message is one call.
- A copy of an agent's line inside a progress record it takes for a line of the main conversation,
  so a copy made while the answer still streamed hides the agent's own, whole line. For us the
  larger of the two counts.
- Cache writes whose split by lifetime is all zero, as gateways write it, it takes for none. We
  take the larger of the two numbers.
- Models it has no price for (deepseek, glm, minimax) get the price of another source. We list
  them as unpriced, with their tokens.
"""

import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from benchmarks import peers
from benchmarks.corpus import SCRATCH
from bough.config import Settings
from bough.files.discover import discover_projects
from bough.model.usage.across_files import FileUsage, ReportedUsage, UsageEntry, count_once
from bough.model.usage.price_list import price_of
from bough.model.usage.tokens import MAIN
from bough.query.usage.calendar import Calendar
from bough.query.usage.file_scanner import list_transcripts, read_file_usage, read_usage_lines
from bough.query.usage.report import UsageQuestion, report_usage
from bough.query.usage.sources import FileUsageSource

pytestmark = pytest.mark.slow

Tokens = tuple[int, int, int, int]
Key = tuple[str, str]
"""A day and a model."""


class _Model(msgspec.Struct, rename="camel"):
    model_name: str
    input_tokens: int
    output_tokens: int
    cache_creation_tokens: int
    cache_read_tokens: int
    cost: float


class _Day(msgspec.Struct, rename="camel"):
    date: str
    model_breakdowns: list[_Model]


class _Report(msgspec.Struct):
    daily: list[_Day]


Numbers = dict[Key, tuple[Tokens, float]]


class Peer:
    """ccusage, as installed by the benchmarks."""

    def __init__(self, program: str, home: Path) -> None:
        self._program = program
        self._home = home

    def daily(self, claude_dir: Path) -> Numbers:
        """Ask for the report by day and model."""
        done = subprocess.run(
            [*peers.no_network(), self._program, "claude", "daily", "--offline", "--json"],
            env=peers.environment(self._home) | {"CLAUDE_CONFIG_DIR": str(claude_dir)},
            capture_output=True,
            check=True,
        )
        report = msgspec.json.decode(done.stdout, type=_Report)
        return {
            (day.date, one.model_name): (
                (
                    one.input_tokens,
                    one.output_tokens,
                    one.cache_creation_tokens,
                    one.cache_read_tokens,
                ),
                one.cost,
            )
            for day in report.daily
            for one in day.model_breakdowns
        }


@pytest.fixture(scope="module")
def ccusage(tmp_path_factory: pytest.TempPathFactory) -> Peer:
    if not (SCRATCH / "peers" / f"ccusage-{peers.CCUSAGE}" / "installed").exists():
        pytest.skip("needs the npm package ccusage; benchmarks/compare.py installs it")
    return Peer(
        peers.install("ccusage", SCRATCH).program, tmp_path_factory.mktemp("home of ccusage")
    )


def ours(claude_dir: Path) -> Numbers:
    answer = report_usage(
        UsageQuestion(by="model"),
        FileUsageSource([claude_dir]),
        now=datetime.now(UTC),
        settings=Settings(zone="UTC"),
    )
    return {
        (row.key, model): (
            (
                amount.input_tokens,
                amount.output_tokens,
                amount.cache_creation_tokens,
                amount.cache_read_tokens,
            ),
            amount.usd or 0.0,
        )
        for row in answer.rows
        for model, amount in row.by.items()
    }


def tokens(found: Numbers) -> dict[Key, Tokens]:
    return {key: counts for key, (counts, _) in found.items()}


def costs(found: Numbers) -> dict[Key, object]:
    """Costs of the models that have a published price; floats are summed in another order."""
    priced = {key: cost for key, (_, cost) in found.items() if price_of(key[1]) is not None}
    return {key: pytest.approx(cost, abs=1e-9) for key, cost in priced.items()}


@pytest.fixture(scope="module")
def with_requests(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus without the lines that report usage under no request."""
    source = shared / "corpus" / "projects"
    folder = tmp_path_factory.mktemp("with requests")
    for path in sorted(source.rglob("*.jsonl")):
        data = path.read_bytes()
        for line in sorted(_without_request(path), key=lambda line: -line.offset):
            end = data.find(b"\n", line.offset) + 1 or len(data)
            data = data[: line.offset] + data[end:]
        copy = folder / "projects" / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)
    return folder


def _without_request(path: Path) -> Iterable[ReportedUsage]:
    return [line for line in read_usage_lines(str(path), agent=False) if line.request_id is None]


def test_calls_with_a_request_have_the_same_tokens_and_cost_every_day(
    ccusage: Peer, with_requests: Path
) -> None:
    theirs, mine = ccusage.daily(with_requests), ours(with_requests)

    assert len(mine) > 80
    assert tokens(mine) == tokens(theirs)
    assert costs(mine) == {key: theirs[key][1] for key in costs(theirs)}


def test_every_other_difference_is_a_line_without_a_request_counted_again(
    ccusage: Peer, shared: Path
) -> None:
    corpus = shared / "corpus"
    theirs, mine = tokens(ccusage.daily(corpus)), tokens(ours(corpus))
    books, _ = read_file_usage(list_transcripts(list(discover_projects(corpus))), every_line=True)
    counted = _places(count_once(books))

    # Each difference is listed with the lines that make it: theirs that are not ours, and
    # ours that are not theirs (where the larger of two lines stands at another place).
    again = _days(entry for entry in _counted_by_ccusage(books) if _place(entry) not in counted)
    kept = _places(_counted_by_ccusage(books))
    instead = _days(entry for entry in count_once(books) if _place(entry) not in kept)

    # Of a line whose cache writes are split into zeros, they count the rest.
    unsplit = _days(map(_writes_beside_split, _counted_by_ccusage(books)))

    differing = {key for key in theirs if theirs[key] != mine[key]}
    assert differing == again.keys() | instead.keys() | unsplit.keys()
    for key in differing:
        less = [*instead.get(key, ()), *unsplit.get(key, ())]
        extra = [*again.get(key, ()), *map(_negative, less)]
        assert theirs[key] == tuple(map(sum, zip(mine[key], *extra, strict=True))), key
    for builder, line in _counted_by_ccusage(books):
        if (builder.path, line.offset) not in counted:
            assert line.request_id is None, f"{builder.path} at byte {line.offset}"


def test_only_guessed_prices_differ(ccusage: Peer, shared: Path) -> None:
    theirs, mine = ccusage.daily(shared / "corpus"), ours(shared / "corpus")

    guessed = {model for (_, model), (_, cost) in theirs.items() if cost and not price_of(model)}

    assert {name.split("-")[0].lower().split("/")[0] for name in guessed} <= {
        "deepseek",
        "glm",
        "minimax",
    }
    assert {model for _, model in mine if price_of(model) is None} >= guessed
    same = {key: cost for key, cost in costs(mine).items() if theirs[key][0] == mine[key][0]}
    assert same == {key: theirs[key][1] for key in same}


def test_an_agents_whole_line_beats_the_partial_copy_that_ccusage_prefers(
    ccusage: Peer, tmp_path: Path
) -> None:
    folder = tmp_path / "projects" / "-home-dev-orchard"
    common = {
        "timestamp": "2026-02-05T09:00:00.000Z",
        "sessionId": "3f9c21d0-0000-4000-8000-000000000000",
        "version": "2.1.50",
        "requestId": "req_1",
    }
    whole, partial = _message(2_000), _message(3)
    copy = common | {
        "type": "progress",
        "isSidechain": False,
        "data": {
            "type": "agent_progress",
            "agentId": "a0c4",
            "message": common | {"type": "assistant", "message": partial},
        },
    }
    own = common | {"type": "assistant", "isSidechain": True, "message": whole}
    session = common["sessionId"]
    agent = folder / session / "subagents" / "agent-a0c4.jsonl"
    agent.parent.mkdir(parents=True)
    (folder / f"{session}.jsonl").write_bytes(msgspec.json.encode(copy) + b"\n")
    agent.write_bytes(msgspec.json.encode(own) + b"\n")

    (mine,), (theirs,) = ours(tmp_path).values(), ccusage.daily(tmp_path).values()

    assert mine[0][1] == 2_000
    assert theirs[0][1] == 3


def _message(out: int) -> dict[str, object]:
    counts = {
        "input_tokens": 5,
        "output_tokens": out,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }
    return {"id": "msg_1", "model": "claude-opus-4-6", "type": "message", "usage": counts}


def _counted_by_ccusage(books: Iterable[FileUsage]) -> list[UsageEntry]:
    """Choose the lines that ccusage counts, by its rule as it was measured."""
    best: dict[object, UsageEntry] = {}
    for builder in sorted(books, key=lambda builder: builder.path):
        for line in builder.lines:
            key: object = (line.message_id, line.request_id)
            if line.request_id is None:
                key = (line.message_id, line.timestamp if line.rank == MAIN else "sidechain")
            if key not in best or _weight(line) > _weight(best[key][1]):
                best[key] = (builder, line)
    return list(best.values())


def _writes_beside_split(entry: UsageEntry) -> UsageEntry:
    """Give of a line only the cache writes that a split of zeros does not explain."""
    usage, line = entry
    with Path(usage.path).open("rb") as file:
        file.seek(line.offset)
        raw = file.readline()
    zeros = b'"ephemeral_1h_input_tokens":0' in raw and b'"ephemeral_5m_input_tokens":0' in raw
    writes = line.cache_creation_tokens if zeros else 0
    model, time = line.model, line.timestamp
    return usage, ReportedUsage(line.offset, None, None, model, time, cache_creation_tokens=writes)


def _weight(line: ReportedUsage) -> tuple[int, int, bool]:
    return line.rank, line.total, line.speed is not None


def _place(entry: UsageEntry) -> tuple[str, int]:
    return entry[0].path, entry[1].offset


def _places(entries: Iterable[UsageEntry]) -> set[tuple[str, int]]:
    return {_place(entry) for entry in entries}


def _days(entries: Iterable[UsageEntry]) -> dict[Key, list[Tokens]]:
    calendar = Calendar(UTC)
    found: dict[Key, list[Tokens]] = {}
    for _, line in entries:
        counts = (
            line.input_tokens,
            line.output_tokens,
            line.cache_creation_tokens,
            line.cache_read_tokens,
        )
        if any(counts):
            found.setdefault((calendar.day(line.timestamp), line.model), []).append(counts)
    return found


def _negative(counts: Tokens) -> Tokens:
    given, out, writes, reads = counts
    return -given, -out, -writes, -reads
