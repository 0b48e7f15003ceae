"""A permission dialog of a real client: what is asked is known at once, and so is its end.

Hooks tell what is asked. A denial, Esc, Ctrl-C and kill -9 send no event: the transcript, the
client's own note or its process shows them. No face may say that a session waits after that.
"""

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bough.library import Stream, apply, install_hooks, status, watch
from bough.model.live.status import SessionState
from bough.model.tree.active_tip import parse_version
from tests.client.conftest import Verdict
from tests.client.laboratory import VERSIONS, Client, lab, submit

pytestmark = pytest.mark.client

ASKED = "run echo oops >&2; exit 3?"
FIRST = (2, 0, 76)
"""The first client that says what it asks, of those that are tried."""
PATIENCE = 30.0
PROMISED = 1.0


class Dialog:
    """A client at a terminal that is asked for a command, and somebody who follows it."""

    def __init__(self, client: Client, stream: Stream) -> None:
        self._client = client
        self._stream = stream
        self._tui: Any = lab().Tui(client.lab, "--permission-mode", "default")
        self.delay = 0.0

    def open(self) -> None:
        """Let Claude ask for a command; wait until the stream says that the session waits."""
        assert self._tui.wait(r"\u276f|>", 60), self._tui.screen()
        time.sleep(3)
        submit(self._tui, self._client.lab.log, "USE_FAIL")
        end = time.monotonic() + PATIENCE
        while not self._list_waiting() and time.monotonic() < end:
            self._stream.next(0.05)
        seen = time.time()
        assert self._list_waiting() == [ASKED], self._tui.screen()
        events = Path(self._client.lab.home) / ".local" / "share" / "bough" / "hook-events"
        told = max(int(one.name.partition("-")[0]) for one in events.glob("*.json"))
        self.delay = seen - told / 1e9
        assert self._tui.wait("Do you want", PATIENCE), self._tui.screen()
        time.sleep(1)  # keys of a moment ago are not meant for it, newer clients think

    def end(self, how: str) -> float:
        """End it; give how long after the client's own sign somebody was still said to wait."""
        before = self._list_signs()
        match how:
            case "denied":
                choice = re.search(r"(\d)\. (?:No|Type here)", self._tui.screen())
                assert choice, self._tui.screen()
                self._tui.t("send-keys", choice[1])
                if not self._tui.wait("Do you want", 0.5, gone=True):
                    self._tui.t("send-keys", "Enter")  # newer ones only go to the line
            case "kill -9":
                os.kill(self._find_process(), signal.SIGKILL)
            case "Ctrl-C":
                self._tui.t("send-keys", "C-c")
                if not self._tui.wait("Do you want", 1.5, gone=True):
                    # 2.1.325 takes no notice of the key there, and of the signal it does.
                    assert self._list_waiting()
                    os.kill(self._find_process(), signal.SIGINT)
            case _:
                self._tui.t("send-keys", "Escape")
        signed = time.monotonic()
        end = signed + PATIENCE
        while self._list_waiting() and time.monotonic() < end:
            self._stream.next(0.05)
            if self._list_signs() == before and how != "kill -9":
                signed = time.monotonic()
        assert self._list_waiting() == [], self._tui.screen()
        return time.monotonic() - signed

    def list_told(self) -> list[str]:
        """List what one look at the files says, by the states of sessions."""
        rows = status(self._client.lab.cfg)
        return [row.title for row in rows if row.state is SessionState.WAITING]

    def close(self) -> None:
        self._tui.close()

    def _list_waiting(self) -> list[str | None]:
        rows = self._stream.sessions()
        return [row.asks for row in rows if row.state is SessionState.WAITING]

    def _list_signs(self) -> list[tuple[str, int, int]]:
        """List what the client writes by which an end can be known."""
        files = [*self._client.lab.project_dir().glob("*.jsonl")]
        files += Path(self._client.lab.cfg, "sessions").glob("*.json")
        return [(one.name, (at := one.stat()).st_size, at.st_mtime_ns) for one in files]

    def _find_process(self) -> int:
        """Find the client below the shell of the terminal."""
        found: int = self._tui.pid()
        children = Path(f"/proc/{found}/task/{found}/children").read_text().split()
        return int(children[0]) if children else found


@pytest.fixture(
    scope="module", params=[v for v in VERSIONS if (parse_version(v) or FIRST) >= FIRST]
)
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    """Offer a client of each version that says what it asks."""
    with Client(request.param, "dialog") as client:
        yield client


@pytest.mark.parametrize("how", ["denied", "Esc", "Ctrl-C", "kill -9"])
def test_a_dialog_is_known_at_once_and_nobody_waits_when_it_is_over(
    client: Client, verdict: Verdict, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(Path(client.lab.home) / ".local" / "share"))
    monkeypatch.setenv("PATH", os.defpath)
    settings = Path(client.lab.cfg) / "settings.json"
    settings.unlink(missing_ok=True)
    if not any(client.lab.project_dir().glob("*.jsonl")):
        client.lab.claude("-p", "hello")  # so that its version is seen
    apply(install_hooks(client.lab.cfg))
    with watch(claude_dir=client.lab.cfg, no_index=True) as stream:
        stream.past()
        dialog = Dialog(client, stream)
        try:
            dialog.open()
            assert dialog.list_told()
            late = dialog.end(how)
            told = dialog.list_told()
        finally:
            dialog.close()

    assert told == []
    assert late < PROMISED
    verdict(f"a dialog is known after it opens, in ms ({how})", f"{dialog.delay * 1000:.0f}")
    verdict(f"nobody waits after the end of a dialog, in ms ({how})", f"{late * 1000:.0f}")
