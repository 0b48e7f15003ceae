"""Who waits is known to the status line at once while any bough runs; costs are counted rarely."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bough.hook_program import keep_event
from bough.query.live import status_numbers
from bough.query.live.stream import open_stream
from bough.sample import session
from bough.status_line.number_cache import read_numbers
from tests.conftest import Home


def test_who_was_answered_waits_in_no_status_line(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(status_numbers, "_FIRST", 0.0)
    builder = session("s", cwd="/home/dev/shop", session_id="one", version="2.0.76").user("Ship it")
    builder.tool("Bash", {"command": "make ship"}, None)
    with home.writing():
        builder.write(home.path)

    def count_waiting() -> int | None:
        found = read_numbers(str(home.path), time.time())
        return None if found is None else found.count_waiting()

    with open_stream([str(home.path)]) as stream:

        def is_counted(wanted: int) -> Callable[[], bool]:
            return lambda: stream.next(0.05) is not None and count_waiting() == wanted

        stream.past()
        _wait(is_counted(0))
        given = {"session_id": "one", "tool_name": "Bash", "tool_input": {"command": "make ship"}}
        keep_event("PermissionRequest", json.dumps(given).encode(), time.time_ns())
        _wait(is_counted(1))
        keep_event("UserPromptSubmit", json.dumps(given).encode(), time.time_ns())
        _wait(is_counted(0))


def _wait(is_done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20  # numbers are counted again after thirty
    while not is_done():
        assert time.monotonic() < deadline
