"""What is mutated: sessions of our own builders and, where they are, real files.

A source is all the files of a session by their place in the project's folder; the session's own
file comes first and stands under the name of its id.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bough.sample import SampleSession, session
from bough.sample.demo import sessions as make_demo_sessions

NOON: Final = datetime(2026, 6, 1, 12, tzinfo=UTC)
_LARGEST_REAL: Final = 60_000

Source = dict[str, bytes]


def list_sources(real: Path | None = None) -> list[Source]:
    """List the sessions to mutate: made-up ones, then real ones that are not large."""
    made = [_make_everything(), _make_branches(), _make_short(), *make_demo_sessions(NOON)]
    return [_to_source(one) for one in made] + _read_real(real)


def _to_source(builder: SampleSession) -> Source:
    return {
        place.replace(builder.session_id, "{id}"): data for place, data in builder.files().items()
    }


def _read_real(folder: Path | None) -> list[Source]:
    if folder is None or not folder.is_dir():
        return []
    files = sorted(folder.rglob("*.jsonl"))
    return [{"{id}.jsonl": f.read_bytes()} for f in files if f.stat().st_size <= _LARGEST_REAL]


def _make_everything() -> SampleSession:
    """Write one record of nearly every kind there is."""
    return (
        session("everything")
        .mode()
        .permission_mode("default")
        .user("Look at the orchard", name="one")
        .snapshot("one", "a.py")
        .thinking("where to begin")
        .tool("Bash", {"command": "ls"}, "a.py")
        .tool("Edit", {"file_path": "/a.py", "old_string": "a", "new_string": "b"}, "edited")
        .tool("Read", {"file_path": "/a.py"}, "     1\tb", name="read")
        .tool("Grep", {"pattern": "x"}, "nothing", is_error=True)
        .big_result("Bash", {"command": "find /"}, "line\n" * 2_000)
        .hook("PreToolUse", "check.sh", tool="Bash")
        .assistant("It is a **tree**.", name="answer")
        .agent("Explore", "count the branches", answer="There are seven.")
        .progress("hook_progress", {"hookName": "x"})
        .command("/model")
        .skill_body("do it well", "skill")
        .shell("git status", "clean")
        .retry()
        .api_error("Overloaded")
        .queue("enqueue", "later")
        .attachment("queued_command")
        .compact()
        .user("Go on", name="two")
        .redacted_thinking()
        .assistant("Done.")
        .turn_duration()
        .title("The orchard", sidecar=True)
        .ai_title("An orchard")
        .summary("Trees")
        .pr_link(7)
        .worktree_state("fix", "/w/fix", "/w")
        .cost_state()
        .unknown()
        .last_prompt("Go on", leaf=-1)
    )


def _make_branches() -> SampleSession:
    builder = session("branches").user("root", name="root").assistant("yes", name="yes")
    for number in range(6):
        builder.at("yes").user(f"try {number}", name=f"try {number}").assistant(f"tried {number}")
    return builder.at("try 3").assistant("again")


def _make_short() -> SampleSession:
    return session("short").user("hello").assistant("hi")
