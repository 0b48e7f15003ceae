"""The fluent builder: `session().user("hi").assistant("…").tool("Bash", …).write(home)`.

Each step writes the records a real client would write for it, and gives the builder back. The
steps live in modules of their own, each a mixin of the draft with one kind of them: messages, tool
calls, injected messages, notes, metadata, compaction, damage, agents, copies. They are mixins and
not parts, because a fluent builder gives itself back after every step, whatever kind comes next. A
mixin is built on another only where its steps are made of those.
"""

from os import PathLike
from pathlib import Path
from typing import Unpack

from bough.sample.builder.agents import AgentSteps
from bough.sample.builder.copies import CopySteps
from bough.sample.data.ids import uuid_of
from bough.sample.data.records import SampleFacts, SampleOptions


class SampleSession(AgentSteps, CopySteps):
    """A main session file and its companions."""

    def files(self) -> dict[str, bytes]:
        """Give everything the session consists of, by place in the project's folder."""
        agents = {place: draft.bytes() for place, draft in self.agent_files.items()}
        return {f"{self.session_id}.jsonl": self.bytes()} | agents | self.companions

    def write(self, claude_dir: str | PathLike[str]) -> Path:
        """Write the session and its companions below a client's folder; give the file's path."""
        folder = self.write_companions(claude_dir)
        path = folder / f"{self.session_id}.jsonl"
        path.write_bytes(self.bytes())
        return path

    def write_companions(self, claude_dir: str | PathLike[str]) -> Path:
        """Write all but the session's own file; what a client leaves when it deletes a session."""
        folder = Path(claude_dir) / "projects" / self.project
        folder.mkdir(parents=True, exist_ok=True)
        for place, content in self.files().items():
            if place != f"{self.session_id}.jsonl":
                path = folder / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        return folder


def session(seed: str = "session", **facts: Unpack[SampleOptions]) -> SampleSession:
    """Begin a session; the seed makes its ids, so two sessions need two seeds."""
    words: SampleOptions = {"session_id": uuid_of(seed), **facts}
    return SampleSession(SampleFacts(seed=seed, **words))
