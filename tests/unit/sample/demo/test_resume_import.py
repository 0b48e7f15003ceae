"""The main story is the one of the guide: same prompts, times, steps and costs."""

from datetime import UTC, datetime

import pytest

from bough.sample.builder.session import SampleSession
from bough.sample.data.blocks import Json
from bough.sample.demo.costs import price_tokens
from bough.sample.demo.resume_import import TITLE, sessions
from bough.sample.demo.turns import SMALL_MODEL
from bough.sample.demo.world import DemoCalendar

NOW = datetime(2026, 11, 15, 16, 0, tzinfo=UTC)
OPUS = "claude-opus-4-6"

TURNS = [
    ("8a1f", "13:02", "The nightly import dies half way. Make it resumable.", 22, 0.84),
    ("51c3", "13:19", "Where do we lose the cursor today?", 14, 0.34),
    ("0e77", "13:31", "Write the plan first, no code yet", 3, 0.22),
    ("c2a9", "13:40", "Use a job table instead", 9, 0.24),
    ("7d10", "13:52", "Add the migration", 17, 0.39),
    ("b41f", "13:58", "Why is the lock held so long?", 12, 0.29),
    ("94be", "14:05", "Keep a checkpoint file next to the CSV", 31, 1.40),
    ("2f60", "14:33", "Now wire it to the command line, with @cli/main.py", 2, 0.09),
    ("66d8", "14:36", "Use new click options for it", 2, 0.05),
    ("e9a4", "14:38", "Use the existing flags, no new ones", 5, 0.31),
    ("13cc", "14:51", "What happens when the CSV changes between two runs?", 6, 0.31),
    ("5b02", "14:58", "<command-message>review</command-message>", 40, 1.02),
    ("d07e", "15:10", "Run the whole suite and fix what breaks", 4, 0.11),
]


@pytest.fixture(scope="module")
def builder() -> SampleSession:
    return sessions(DemoCalendar(NOW))[0]


@pytest.fixture(scope="module")
def fork() -> SampleSession:
    return sessions(DemoCalendar(NOW))[1]


def message(record: Json) -> Json:
    held = record.get("message")
    return held if isinstance(held, dict) else {}


def turn(builder: SampleSession, prompt: str) -> list[Json]:
    """Give the records from a prompt to the next one."""
    starts = {builder.uuid(short): short for short, *_ in TURNS}
    found: list[Json] = []
    inside = False
    for record in builder.records():
        if record.get("uuid") in starts:
            inside = starts[str(record["uuid"])] == prompt
        if inside:
            found.append(record)
    return found


def calls(records: list[Json]) -> list[Json]:
    return [
        block
        for record in records
        if record["type"] == "assistant"
        for block in message(record)["content"]  # type: ignore[attr-defined]
        if block["type"] == "tool_use"
    ]


def spent(model: str, records: list[Json]) -> float:
    last: dict[object, Json] = {}
    for record in records:
        usage = message(record).get("usage")
        if isinstance(usage, dict):
            last[message(record)["id"]] = usage
    return price_tokens(model, list(last.values()))


def test_it_has_the_id_the_title_and_the_place_of_the_guide(builder: SampleSession) -> None:
    titles = [record["aiTitle"] for record in builder.records() if record["type"] == "ai-title"]

    assert builder.session_id.startswith("3f9c21d0-")
    assert titles[-1] == TITLE == "Make the CSV import resumable"
    assert builder.facts.branch == "feat/resume"
    assert builder.facts.cwd.endswith("/orchard-shop/.claude/worktrees/resume-import")


@pytest.mark.parametrize(("prompt", "clock", "words", "steps", "dollars"), TURNS)
def test_each_turn_is_the_one_of_the_guide(
    builder: SampleSession, prompt: str, clock: str, words: str, steps: int, dollars: float
) -> None:
    records = turn(builder, prompt)

    first = records[0]
    own = [call for call in calls(records) if call["name"] != "Agent"]
    assert str(first["uuid"]).startswith(prompt)
    assert str(first["timestamp"])[11:16] == clock
    assert str(message(first)["content"]).split("\n")[0] == words
    assert len(own) == steps
    assert round(spent(OPUS, records), 2) == dollars


def test_two_ways_were_left_behind(builder: SampleSession) -> None:
    starts = {short: builder.record_of(short)["parentUuid"] for short, *_ in TURNS}

    assert starts["c2a9"] == starts["94be"]
    assert starts["66d8"] == starts["e9a4"]
    assert len(set(starts.values())) == len(TURNS) - 2


def test_two_agents_explored_at_the_price_of_the_guide(builder: SampleSession) -> None:
    drafts = list(builder.agent_files.values())

    assert [len(calls(draft.records())) for draft in drafts] == [18, 31]
    assert [round(spent(SMALL_MODEL, draft.records()), 2) for draft in drafts] == [0.17, 0.41]


def test_it_was_compacted_once_and_six_messages_were_kept(builder: SampleSession) -> None:
    (compaction,) = [
        each for each in builder.records() if each.get("subtype") == "compact_boundary"
    ]

    metadata = compaction["compactMetadata"]
    assert isinstance(metadata, dict)
    assert str(compaction["timestamp"])[11:16] == "14:31"
    assert (metadata["preTokens"], metadata["postTokens"]) == (168_000, 22_000)
    assert len(metadata["preservedMessages"]["uuids"]) == 6


def test_the_way_left_at_14_02_ends_then(builder: SampleSession) -> None:
    times = [str(each["timestamp"]) for each in turn(builder, "b41f") if "timestamp" in each]

    assert times[-1][11:16] == "14:02"


def test_the_last_call_still_runs(builder: SampleSession) -> None:
    assert calls(builder.records()[-1:])[0]["name"] == "Bash"


def test_the_fork_begins_after_the_question_about_changes(
    builder: SampleSession, fork: SampleSession
) -> None:
    copied = [record for record in fork.records() if "forkedFrom" in record]

    assert fork.session_id.startswith("7c2e91ab-")
    assert copied[-1]["uuid"] == builder.uuid("changed")
    (title,) = [each for each in fork.records() if each["type"] == "custom-title"]
    assert title["customTitle"] == "Checkpoint in object storage"
    own = [each for each in fork.records() if each["type"] == "user" and "forkedFrom" not in each]
    assert str(own[0]["timestamp"])[11:16] == "14:55"
