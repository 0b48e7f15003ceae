from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from bough.sample.data.attachments import ATTACHMENTS
from bough.sample.data.blocks import Json
from bough.sample.demo import sessions, write_demo

NOW = datetime(2026, 11, 15, 15, 30, tzinfo=timezone(timedelta(hours=1)))

OUTSIDE = [
    "ai-title",
    "agent-name",
    "agent-setting",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "cost-state",
    "custom-title",
    "file-history-delta",
    "file-history-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "summary",
    "tools-used",
    "worktree-state",
    "frame-link",
    "pulse",
]
QUEUE = [f"queue-operation/{word}" for word in ("enqueue", "dequeue", "remove", "popAll")]
SYSTEM = [
    f"system/{word}"
    for word in [
        "api_error",
        "away_summary",
        "bridge_status",
        "compact_boundary",
        "informational",
        "local_command",
        "microcompact_boundary",
        "stop_hook_summary",
        "turn_duration",
        "None",
    ]
]
PROGRESS = [
    f"progress/{word}"
    for word in [
        "agent_progress",
        "bash_progress",
        "hook_progress",
        "mcp_progress",
        "query_update",
        "search_results_received",
        "waiting_for_task",
    ]
]
ATTACHED = [f"attachment/{word}" for word in sorted(ATTACHMENTS)]
OPENINGS = {
    "a prompt with an image": ('"imagePasteIds":[1]',),
    "a prompt with a document": ('"type":"document"', '"media_type":"text/plain"'),
    "a prompt with a PDF": ('"media_type":"application/pdf"',),
    "a command of the client": ('"content":"<command-name>/model',),
    "a command of one's own": ('"content":"<command-message>review',),
    "what a command printed": ('"content":"<local-command-stdout>',),
    "a caveat of new clients": ('"content":"<local-command-caveat>',),
    "a caveat of old clients": ('"content":"Caveat: The messages below',),
    "a shell turn": ('"content":"<bash-input>',),
    "the output of a shell turn": ('"content":"<bash-stdout>',),
    "the instructions of a skill": ('"text":"Base directory for this skill', '"isMeta":true'),
    "instructions a call asked for": ('"sourceToolUseID"',),
    "a task notification": ('"content":"<task-notification>',),
    "a queued notification": ('"commandMode":"task-notification"',),
    "an interrupted answer": ('"text":"[Request interrupted by user]"',),
    "an interrupted tool": ('"text":"[Request interrupted by user for tool use]"',),
    "a refused tool": ('"toolDenialKind":"user-rejected"',),
    "a summary of what was said": ('"isCompactSummary":true',),
    "messages kept over a compaction": ('"preservedMessages"',),
    "the prompt of an implementation": ('"content":"Implement the following plan',),
    "a warm-up": ('"content":"Warmup"',),
    "a prompt from an editor": ("<ide_opened_file>",),
    "what a hook of 1.0 said": ("<session-start-hook>",),
    "thinking": ('"type":"thinking","thinking":"The',),
    "a signature alone": ('"type":"thinking","thinking":""',),
    "withheld thinking": ('"type":"redacted_thinking"',),
    "an API error": ('"isApiErrorMessage":true', '"model":"<synthetic>"'),
    "a failed tool": ('"is_error":true',),
    "a named tool": ('"type":"tool_reference"',),
    "an image in a result": ('"tool_use_id"', '"type":"image"'),
    "an output kept elsewhere": ("<persisted-output>",),
    "an agent in the background": ('"status":"async_launched"',),
    "a side record": ('"isSidechain":true',),
    "a copied record": ('"forkedFrom"',),
    "a run without a person": ('"entrypoint":"sdk-cli"',),
    "a cache kept for an hour": ('"ephemeral_1h_input_tokens":5200',),
    "a model without a price": ('"model":"claude-lab-9"',),
    "a path with a drive": ('"cwd":"C:\\\\',),
    "Japanese": ("翻訳",),
    "Russian": ("журавлей",),
}


@pytest.fixture(scope="module")
def claude_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("demo"), NOW)


@pytest.fixture(scope="module")
def lines(claude_dir: Path) -> list[str]:
    paths = sorted(claude_dir.rglob("*.jsonl"))
    return [line for path in paths for line in path.read_text("utf-8", "replace").split("\n")]


@pytest.fixture(scope="module")
def kinds(lines: list[str]) -> set[str]:
    return {kind_of(record) for record in decoded(lines)}


def decoded(lines: list[str]) -> Iterator[Json]:
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=Json)
        except msgspec.DecodeError:
            continue


def kind_of(record: Json) -> str:
    inner = record.get("attachment") or record.get("data")
    match record["type"]:
        case "system":
            return f"system/{record.get('subtype')}"
        case "queue-operation":
            return f"queue-operation/{record['operation']}"
        case kind if isinstance(inner, dict):
            return f"{kind}/{inner['type']}"
        case kind:
            return str(kind)


@pytest.mark.parametrize(
    "kind", ["user", "assistant", *OUTSIDE, *QUEUE, *SYSTEM, *PROGRESS, *ATTACHED]
)
def test_every_kind_of_record_is_there(kind: str, kinds: set[str]) -> None:
    assert kind in kinds


@pytest.mark.parametrize("what", OPENINGS)
def test_everything_that_can_happen_happens(what: str, lines: list[str]) -> None:
    assert any(all(piece in line for piece in OPENINGS[what]) for line in lines)


def test_the_same_moment_gives_the_same_files() -> None:
    first, second = sessions(NOW), sessions(NOW)

    assert [builder.files() for builder in first] == [builder.files() for builder in second]


def test_two_moments_of_one_zone_differ_only_in_time() -> None:
    one, two = sessions(NOW), sessions(NOW + timedelta(days=1))

    assert [builder.session_id for builder in one] == [builder.session_id for builder in two]
    assert [builder.nodes for builder in one] == [builder.nodes for builder in two]


def test_there_are_some_thirty_sessions_and_no_two_have_one_id() -> None:
    ids = [builder.session_id for builder in sessions(NOW)]

    assert 25 <= len(ids) <= 40
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("clock", ["00:01", "09:00", "15:12", "23:59"])
def test_nothing_happens_in_the_future(clock: str) -> None:
    now = datetime.combine(NOW.date(), time.fromisoformat(clock), tzinfo=UTC)

    latest = max(
        str(record.get("timestamp", ""))
        for builder in sessions(now)
        for draft in (builder, *builder.agent_files.values())
        for record in draft.records()
    )

    assert latest <= f"{now:%Y-%m-%dT%H:%M}:60"


def test_the_projects_are_those_of_the_guide(claude_dir: Path) -> None:
    folders = {folder.name for folder in (claude_dir / "projects").iterdir()}

    assert folders >= {
        "-home-dev-code-orchard-shop",
        "-home-dev-code-orchard-shop--claude-worktrees-resume-import",
        "-home-dev-code-orchard-shop--claude-worktrees-fix-tax",
        "-home-dev-code-paper-lantern",
        "C--Users-dev-source-tide-table",
        "c--Users-dev-source-tide-table",
    }


def test_agents_lie_in_all_three_layouts_and_in_a_workflow(claude_dir: Path) -> None:
    projects = claude_dir / "projects"

    assert list(projects.glob("*/agent-*.jsonl"))
    assert list(projects.glob("*/*/subagents/agent-*.jsonl"))
    assert list(projects.glob("*/*/subagents/workflows/*/agent-*.jsonl"))
    assert list(projects.glob("*/*/subagents/workflows/*/journal.jsonl"))


def test_one_session_was_deleted_and_left_its_folder(claude_dir: Path) -> None:
    (folder,) = (claude_dir / "projects").glob("*/0c44f1b2-*")

    assert folder.is_dir()
    assert not folder.with_suffix(".jsonl").exists()


def test_only_one_file_is_damaged_and_it_ends_in_a_torn_line(claude_dir: Path) -> None:
    damaged = {
        path.name: path.read_bytes()
        for path in (claude_dir / "projects").rglob("*.jsonl")
        if len(list(decoded(path.read_text("utf-8", "replace").splitlines())))
        < len(path.read_text("utf-8", "replace").splitlines())
    }

    assert len(damaged) == 1
    assert not next(iter(damaged.values())).endswith(b"\n")


def test_files_are_as_old_as_their_last_record(claude_dir: Path) -> None:
    (builder,) = (claude_dir / "projects").glob("*/3f9c21d0-*.jsonl")

    changed = datetime.fromtimestamp(builder.stat().st_mtime, tz=NOW.tzinfo)
    assert f"{changed:%Y-%m-%d %H:%M}" == "2026-11-15 15:10"
