"""What the tests of time travel are made with: sessions on a shelf, and a quiet desk."""

import itertools
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bough.sample import SampleCall, SampleSession
from bough.timetravel.disk import Disk, DiskObserver
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.session_file import SessionFile, open_session
from tests.guard import Fingerprint, fingerprint

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
LONG_AGO = 1_700_000_000


def ids() -> Iterator[str]:
    """Give ids that look like new ones and are the same in every run."""
    return (f"{number:08d}-0000-4000-8000-000000000000" for number in itertools.count(1))


def desk_in(folder: Path, watch: DiskObserver | None = None) -> TravelEnvironment:
    """Make a desk at which it is always noon, and nobody waits."""
    made = ids()
    return TravelEnvironment(
        folder,
        disk=Disk(watch),
        clock=lambda: NOON,
        sleep=lambda _: None,
        new_uuid=lambda: next(made),
    )


class Shelf:
    """A Claude folder with sessions that nobody has touched for long."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "projects").mkdir(parents=True)

    def put(self, builder: SampleSession) -> Path:
        """Write a session."""
        return self.aged(builder.write(self.folder))

    def put_bytes(self, data: bytes, name: str = "s", project: str = "-p") -> Path:
        """Write a file as it is."""
        file = self.folder / "projects" / project / f"{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return self.aged(file)

    def aged(self, file: Path) -> Path:
        """Let a file look as if it was written long ago, and only its owner may read it."""
        os.utime(file, (LONG_AGO, LONG_AGO))
        file.chmod(0o600)
        return file

    def look(self) -> Fingerprint:
        """Describe all that is there, so that any change of a file shows."""
        found = fingerprint(self.folder)
        return {path: facts for path, facts in found.items() if not Path(path).is_dir()}


def opened(file: Path) -> SessionFile:
    """Read a session together with its state."""
    return open_session(file)


def parallel(*names: str) -> list[SampleCall]:
    """Give calls of one message."""
    return [
        SampleCall(tool="Bash", given={"command": name}, result=f"did {name}") for name in names
    ]


def long_talk(builder: SampleSession) -> SampleSession:
    """Tell a conversation with four turns, calls and notes in it."""
    return (
        builder.user("one", name="one")
        .assistant("first", name="first")
        .user("two", name="two")
        .thinking("hm", name="hm")
        .tools(*parallel("a", "b", "c"))
        .assistant("second", name="second")
        .turn_duration()
        .user("three", name="three")
        .tool("Edit", {"file_path": "/w/x.py", "old_string": "a", "new_string": "b"}, "ok")
        .assistant("third", name="third")
        .user("four", name="four")
        .assistant("fourth", name="fourth")
    )
