"""A session that waits no more: denied, interrupted, ended or killed, with real processes.

What a client does is played by a process that sleeps, its note, its transcript and the events of
its hooks; tests/client plays it with real ones.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from bough.library import Stream, status, watch
from bough.model.live.status import SessionState
from bough.sample import SampleSession, session
from tests.conftest import Home

pytestmark = [
    pytest.mark.writes_home,
    pytest.mark.skipif(os.name != "posix", reason="needs signals"),
]
HOOK = "from bough.hook_program import main; main()"
ASKS = "run make ship?"
LATE = 3.0
"""One second is promised; the machine that runs this may be busy."""


class PlayedClient:
    """A process that waits for permission, as a client of some version does."""

    def __init__(self, home: Home, version: str) -> None:
        self._home = home
        self._version = version
        self.process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        builder = self._continue("ask", timedelta(minutes=2)).user("Ship it")
        self.file = builder.tool("Bash", {"command": "make ship"}, None).write(home.path)
        self._note = home.path / "sessions" / f"{self.process.pid}.json"
        self._keeps_note = version >= "2.1.150"
        self.say("waiting")
        request = {
            "session_id": self.file.stem,
            "tool_name": "Bash",
            "tool_input": {"command": "make ship"},
        }
        subprocess.run(
            [sys.executable, "-c", HOOK, "PermissionRequest", str(self.process.pid)],
            input=json.dumps(request).encode(),
            check=True,
        )

    def say(self, state: str) -> None:
        """Note what it does, where clients of this version do."""
        if self._keeps_note:
            now = time.time() * 1_000
            note = {"pid": self.process.pid, "sessionId": self.file.stem, "status": state}
            note |= {"version": self._version, "updatedAt": now, "statusUpdatedAt": now}
            self._note.parent.mkdir(exist_ok=True)
            self._note.write_text(json.dumps(note))

    def interrupt(self) -> None:
        """Write what a denial and Esc leave."""
        with self.file.open("ab") as file:
            file.write(self._continue("end", timedelta()).interrupt().bytes())
        self.say("idle")

    def leave(self) -> None:
        """End, as after Ctrl-C, and take the note away."""
        self._note.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)

    def _continue(self, seed: str, ago: timedelta) -> SampleSession:
        now = datetime.now(UTC) - ago
        return session(
            seed, session_id="one", cwd="/home/dev/shop", version=self._version, start=now
        )


@pytest.fixture(params=["2.1.325", "2.0.76"])
def played(request: pytest.FixtureRequest, home: Home) -> Iterator[PlayedClient]:
    found = PlayedClient(home, request.param)
    yield found
    found.kill()


def list_waiting(stream: Stream) -> list[str | None]:
    return [row.asks for row in stream.sessions() if row.state is SessionState.WAITING]


ENDS: dict[str, Callable[[PlayedClient], None]] = {
    "denied or Esc": PlayedClient.interrupt,
    "Ctrl-C": PlayedClient.leave,
    "kill -9": PlayedClient.kill,
}


@pytest.mark.parametrize("how", ENDS)
def test_nobody_waits_a_second_after_the_end(home: Home, played: PlayedClient, how: str) -> None:
    with watch(claude_dir=home.path, no_index=True) as stream:
        stream.past()
        _follow(stream, lambda: bool(list_waiting(stream)))
        waited = list_waiting(stream)
        ENDS[how](played)
        begun = time.monotonic()
        _follow(stream, lambda: not list_waiting(stream))
        took = time.monotonic() - begun
    told = [row.state for row in status(home.path)]

    assert waited == [ASKS]
    assert took < LATE
    assert told == [SessionState.INTERRUPTED]


def _follow(stream: Stream, is_done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not is_done():
        assert time.monotonic() < deadline
        stream.next(0.1)
