"""A Claude folder with two small sessions and everything that clients keep of one, archived."""

import os
import shutil
from pathlib import Path

import msgspec

from bough.archive.intake.take_in import ArchiveUpdate, take_in
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path
from bough.sample import session as sample_session

SESSION = "aaaaaaaa-0000-4000-8000-000000000001"
OTHER = "bbbbbbbb-0000-4000-8000-000000000002"
PASTE = "0123456789abcdef"
PROJECT = "-work-shop"
FOLDERS = ("projects", "file-history", "tasks", "todos", "plans", "paste-cache", "image-cache")
OLD = 1_700_000_000 * 10**9


class KeptHistory:
    """The folder, and what the client does to it."""

    def __init__(self, folder: Path) -> None:
        self.claude = folder / "claude"
        self.cwd = folder / "work"
        self.cwd.mkdir(parents=True)
        for session in (SESSION, OTHER):
            self._write_session(session)
        self.write(f"projects/{PROJECT}/{SESSION}/subagents/agent-a1.meta.json", b"{}")
        self.write(f"projects/{PROJECT}/{SESSION}/tool-results/t1.txt", b"a result\n")
        self.write(f"file-history/{SESSION}/0011223344556677@v1", b"\x00before\xff", mode=0o644)
        self.write(f"tasks/{SESSION}/1.json", b'{"id":"1"}')
        self.write(f"todos/{SESSION}-agent-{SESSION}.json", b"[]")
        self.write(f"image-cache/{SESSION}/1.png", b"\x89PNG")
        self.write("plans/a-quiet-plan.md", b"# A plan\n")
        self.write(f"paste-cache/{PASTE}.txt", b"pasted\n")
        self.write("history.jsonl", b"".join(map(self._make_prompt, (SESSION, OTHER))))

    def write(self, name: str, data: bytes, *, mode: int = 0o600) -> Path:
        """Write a file as a client did long ago."""
        file = self.claude / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.chmod(mode)
        os.utime(file, ns=(OLD, OLD))
        return file

    @property
    def transcript(self) -> Path:
        """Name the file of the session that everything belongs to."""
        return self.claude / "projects" / PROJECT / f"{SESSION}.jsonl"

    def archive(self) -> ArchiveUpdate:
        """Take in what is new."""
        return take_in(ArchiveFolder(archive_path()), [self.claude])

    def delete(self, *names: str) -> None:
        """Delete what the client deletes."""
        for name in names or FOLDERS:
            shutil.rmtree(self.claude / name, ignore_errors=True)

    def files(self, folder: Path | None = None, session: str = "") -> dict[str, bytes]:
        """Read what lies in the folders that the client cleans; `session` leaves others' out."""
        top = folder or self.claude
        other = {SESSION: OTHER, OTHER: SESSION}.get(session, "\0")
        return {
            path.relative_to(top).as_posix(): path.read_bytes()
            for name in FOLDERS
            for path in sorted((top / name).rglob("*"))
            if path.is_file() and other not in str(path.relative_to(top))
        }

    def _write_session(self, session: str) -> None:
        words = "It is in plans/a-quiet-plan.md"
        builder = sample_session(session, session_id=session, cwd=str(self.cwd))
        data = builder.user("Write a plan").assistant(words).bytes()
        self.write(f"projects/{PROJECT}/{session}.jsonl", data)

    def _make_prompt(self, session: str) -> bytes:
        prompt = {
            "display": f"Write a plan for {session[:8]} [Pasted text #1]",
            "pastedContents": {"1": {"id": 1, "type": "text", "contentHash": PASTE}},
            "timestamp": OLD // 10**6,
            "project": str(self.cwd),
            "sessionId": session,
        }
        return msgspec.json.encode(prompt) + b"\n"
