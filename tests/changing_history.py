"""A history that changes step by step, as Hypothesis chooses: for comparing ways to count it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import strategies as st

from bough.sample import ABSENT, SampleSession, session

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
PLACES = ("/home/dev/orchard", "/home/dev/harbour")
VERSIONS = ("1.0.100", "2.1.40", "2.1.250")


def act(made: SampleSession, what: str) -> None:
    """Let something happen in a session."""
    made.wait(seconds=7)
    match what:
        case "prompt":
            made.user("go on").assistant("yes")
        case "tools":
            made.tool("Read", {"file_path": "/a.py"}, "text", seconds=0.25)
            made.tool("Edit", {"file_path": "/b.py"}, "no", is_error=True)
        case "open call":
            made.tool("Bash", {"command": "sleep"}, None)
        case "hooks":
            made.hook("PostToolUse", "lint.sh", tool="Edit").stop_hooks("end.sh", "end.sh")
            made.stop_feedback("not yet")
        case "agent":
            made.agent("Explore", "find it", answer="four")
        case "trouble":
            made.retry().api_error().interrupt().user("again")
        case "compaction":
            made.compact().assistant("so far")
        case "undated":
            made.user("when?", timestamp=ABSENT)
        case _:
            made.wait(hours=9 * 24)


ACTS = st.sampled_from(
    (
        *("prompt", "tools", "open call", "hooks", "agent"),
        *("trouble", "compaction", "undated", "break"),
    )
)
CHANGES = st.sampled_from(("append", "append", "new", "fork", "fork session", "resume", "delete"))


class History:
    """Sessions on a disk that change one after the other."""

    def __init__(self, folder: Path) -> None:
        self.claude = folder / "claude"
        self.index = folder / "index.sqlite"
        self.sessions: list[SampleSession] = []
        (self.claude / "projects").mkdir(parents=True)

    def change(self, kind: str, chosen: int, acts: list[str]) -> None:
        """Write, copy or delete one session."""
        number = len(self.sessions)
        if kind == "new" or not self.sessions:
            made = session(
                f"session {number}",
                cwd=PLACES[number % 2],
                version=VERSIONS[chosen % len(VERSIONS)],
                start=START + timedelta(days=chosen % 40),
            )
            self.sessions.append(made.user("hi"))
        else:
            made = self.sessions[chosen % number]
            moment = made.now + timedelta(days=3)
            if kind == "fork":
                self.sessions.append(made.fork(seed=f"fork {number}"))
            elif kind == "fork session":
                self.sessions.append(made.fork_session(seed=f"copy {number}"))
            elif kind == "resume":
                copy = made.resume_in_new_file(seed=f"resumed {number}", moment=moment)
                self.sessions.append(copy)
            elif kind == "delete":
                self.path_of(made).unlink(missing_ok=True)
                return
        written = made if kind == "append" else self.sessions[-1]
        for what in acts:
            act(written, what)
        written.write(self.claude)

    def path_of(self, made: SampleSession) -> Path:
        """Name a session's own file."""
        return self.claude / "projects" / made.project / f"{made.session_id}.jsonl"
