"""Mutated sessions through the API of a real `bough web`."""

import os
import re
import time
from collections.abc import Iterator
from html import unescape
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import msgspec

from tests.mutations.tally import Tally
from tests.web.serving import Served

_PATIENCE: Final = 120.0
_SERVER_FAILED: Final = 500
_FOLD: Final = re.compile(r'data-body="([^"]+)"')
_LISTS: Final = (
    "/api/about",
    "/api/projects",
    "/api/sessions?limit=500",
    "/api/sessions?sort=cost",
    "/api/sessions?sort=turns&filter=tree",
    "/api/sessions?sort=title&since=7d",
    "/api/search?q=tree",
    "/api/search?q=tree&sort=newest&limit=200",
    "/api/search?q=%2Fo.%2Bd%2F",
    "/api/search?q=is%3Aerror%20OR%20script",
    "/api/complete?q=tool%3A&at=5",
    "/api/complete?q=project%3A&at=8",
    "/api/live",
)


def run_requests(claude_dir: Path, folder: Path, sessions: list[str], tally: Tally) -> None:
    """Serve a history; ask for its lists, and for everything about each session."""
    with Served(claude_dir, folder, patience=600) as server:
        for path in _LISTS:
            _ask(server, path, tally)
        for session in sessions:
            _ask_for_session(server, session, tally)
        if "Traceback" in server.said.decode("utf-8", "replace"):
            tally.add("bough web", 0, f"it complained: {server.said[-2000:].decode()}")


def _ask_for_session(server: Served, session: str, tally: Tally) -> None:
    own = f"/api/sessions/{quote(session)}"
    _ask(server, own, tally)
    answer = _ask(server, f"{own}/conversation", tally)
    whole = _ask(server, f"{own}/conversation?whole=true", tally)
    pieces = _ask(server, f"{own}/pieces?from=0&count=80", tally)
    for scope in ("branch", "all"):
        _ask(server, f"{own}/find?q=tree&scope={scope}", tally)
    _ask(server, f"{own}/markdown", tally)
    _ask(server, f"{own}/export/preview?to=md", tally)
    for revision in _fields(answer, "revision"):
        _ask(server, f"{own}/changes?since={quote(str(revision))}", tally)
    for uuid in _fields(whole, "tip"):
        _ask(server, f"{own}/raw?uuid={quote(str(uuid))}", tally)
    for key in map(unescape, _FOLD.findall(str(pieces))[:3]):
        _ask(server, f"{own}/body?key={quote(key)}", tally)


def _fields(answer: Any, name: str) -> Iterator[object]:
    if isinstance(answer, dict) and answer.get(name):
        yield answer[name]


def _ask(server: Served, path: str, tally: Tally) -> Any:
    """Ask once; what is refused with a sentence is fine, a failure of the server is not."""
    began = _read_processor_seconds(server.pid)
    problem, answer = None, None
    try:
        with urlopen(server.address + path, timeout=_PATIENCE) as reply:
            answer = msgspec.json.decode(reply.read())
    except HTTPError as refusal:
        said = refusal.read()[-300:]
        if refusal.code >= _SERVER_FAILED:
            problem = f"status {refusal.code}: {said!r}"
    except (OSError, HTTPException, msgspec.MsgspecError) as error:
        problem = f"{type(error).__name__}: {error}"
    tally.add(f"GET {path}", _read_processor_seconds(server.pid) - began, problem)
    return answer


def _read_processor_seconds(pid: int) -> float:
    """Read what a process had of the processor; where Linux is not, the time on the wall."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return time.monotonic()
    fields = line.rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / int(os.sysconf("SC_CLK_TCK"))
