"""What the tests of time travel share: a history of their own, and a talk with the command."""

import os
import select
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from tests.cli.screens import PROGRAM, ROOT, SPEAKS, UNSET, piped

# Not compacted, nobody's turn: a session that can be travelled in any way.
PLAIN = "51d0"
# Compacted, with two branches left behind.
BUSHY = "3f9c"
# Damaged in several ways.
BROKEN = "e398"

_PATIENCE = 20.0


class Place:
    """A Claude folder that may be written to, and bough's own data beside it."""

    def __init__(self, folder: Path, demo: Path) -> None:
        self.claude = Path(shutil.copytree(demo, folder / "user" / ".claude"))
        self.data = folder / "data"
        self.environ = {
            "HOME": str(folder / "user"),
            "USERPROFILE": str(folder / "user"),
            "XDG_DATA_HOME": str(self.data),
            "LOCALAPPDATA": str(self.data),
            "CLAUDE_CONFIG_DIR": str(self.claude),
            "BOUGH_INDEX": str(folder / "index.sqlite"),
        }
        for path in self.claude.rglob("*.jsonl"):
            os.utime(path, (1_700_000_000, 1_700_000_000))  # so that no client may have it open

    def bough(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run the command into pipes."""
        return piped(*words, environ={**self.environ, **more})

    def json(self, *words: str) -> dict[str, object]:
        """Run the command for its one document, which must come well."""
        done = self.bough(*words, "--json")
        assert done.returncode == 0, done.stderr
        return msgspec.json.decode(done.stdout, type=dict[str, object])

    def jsons(self, *words: str) -> list[dict[str, object]]:
        """Run the command for its list."""
        done = self.bough(*words, "--json")
        assert done.returncode == 0, done.stderr
        return msgspec.json.decode(done.stdout, type=list[dict[str, object]])

    def file(self, session: str) -> Path:
        """Name the file of a session."""
        (path,) = self.claude.glob(f"projects/*/{session}*.jsonl")
        return path

    def bytes(self) -> dict[str, bytes]:
        """Read every file of the Claude folder."""
        return {
            path.relative_to(self.claude).as_posix(): path.read_bytes()
            for path in sorted(self.claude.rglob("*"))
            if path.is_file()
        }

    def tree(self, session: str) -> dict[str, object]:
        """Ask for the shape of a session."""
        return self.json("tree", session)

    def open_in_a_client(self, session: str) -> None:
        """Let a process that runs, ours, say that it has a session open."""
        folder = self.claude / "sessions"
        folder.mkdir(exist_ok=True)
        entry = {"pid": os.getpid(), "sessionId": self.file(session).stem, "version": "2.1.250"}
        (folder / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(entry))

    def client(self, folder: Path) -> str:
        """Put a client on PATH that only tells how it was started; give that PATH."""
        folder.mkdir()
        program = folder / "claude"
        program.write_text('#!/bin/sh\necho "claude $*" "in $PWD" "with $CLAUDE_CONFIG_DIR"\n')
        program.chmod(0o755)
        return f"{folder}{os.pathsep}{os.environ['PATH']}"

    def talk(
        self,
        *words: str,
        answers: Mapping[str, str | Callable[[], str]],
        columns: int = 100,
    ) -> tuple[int, str]:
        """Run the command on a terminal and answer each question as it comes."""
        import fcntl  # noqa: PLC0415 - not on Windows
        import pty  # noqa: PLC0415
        import struct  # noqa: PLC0415
        import termios  # noqa: PLC0415

        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        inherited = {k: v for k, v in os.environ.items() if k not in UNSET}
        running = subprocess.Popen(
            [*PROGRAM, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            # Only the terminal that controls a process turns Ctrl-C into an interrupt.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
            cwd=ROOT,
            env={**inherited, **SPEAKS, "TERM": "dumb", "BOUGH_PAGER": "", **self.environ},
        )
        os.close(theirs)
        waiting, shown, seen = list(answers.items()), "", 0
        while chunk := _read(ours, running):
            shown += chunk.decode().replace("\r\n", "\n")
            if waiting and (at := shown.find(waiting[0][0], seen)) >= 0:
                seen = at + len(waiting[0][0])
                answer = waiting.pop(0)[1]
                os.write(ours, (answer if isinstance(answer, str) else answer()).encode())
        os.close(ours)
        assert not waiting, shown
        return running.wait(60), shown


def _read(terminal: int, running: subprocess.Popen[bytes]) -> bytes:
    ready, _, _ = select.select([terminal], [], [], _PATIENCE)
    if not ready:
        running.kill()  # it waits for an answer that nobody has
        return b""
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says EIO where the program has ended
        return b""
