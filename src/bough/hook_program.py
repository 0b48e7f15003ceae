"""`bough-hook EVENT`: the program that a client runs at its hooks, where a person wants that.

It keeps what happened, for whoever follows sessions: one small file per event, written whole under
another name first. It never blocks, never prints (what a hook prints may enter the
conversation) and always ends well. Of what a tool is given it keeps the one field that is
shown, and no more than 400 characters of it. The standard library alone, as the status line.
"""

import json
import os
import re
import sys
import time

from bough import paths
from bough.client_input import HOOK_SECONDS, read_stdin

FOLDER = "hook-events"
"""Where the files lie, in the folder of bough's own data."""
_LONGEST = 400
_MOST_TASKS = 50
_KEPT_SECONDS = 7 * 86_400
_SHOWN = (
    "command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description",
    "prompt", "skill", "plan",
)  # fmt: skip
"""The field of a tool's input that is shown: the first of these that it has."""
_SESSION = re.compile(rb'"session_id"\s*:\s*"([0-9A-Za-z-]{1,64})"')
_TOOL = re.compile(rb'"tool_name"\s*:\s*"([0-9A-Za-z_-]{1,80})"')


def main() -> None:
    """Keep one event and end."""
    try:
        name, client = (*sys.argv[1:3], "", "")[:2]
        keep_event(name, read_stdin(HOOK_SECONDS), time.time_ns(), client)
    except BaseException:  # noqa: BLE001 - the top of a face, and nobody may be troubled
        os._exit(0)
    os._exit(0)


def keep_event(name: str, data: bytes, now_ns: int, client: str = "") -> None:
    """Write what happened to a file of its own.

    `client` is the process of the client, as the shell names it that runs us.

    Raises:
        OSError: It cannot be written.
    """
    folder = find_events_folder()
    note = make_note(name, data, now_ns)
    if folder is None or not note["session"]:
        return
    note |= describe_process(client)
    os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 - pathlib costs 4 ms
    own = f"{now_ns}-{os.getpid()}-{os.urandom(4).hex()}"
    beside = os.path.join(folder, f".{own}.tmp")  # noqa: PTH118
    try:
        _write_file(beside, json.dumps(note).encode())
        os.rename(beside, os.path.join(folder, f"{own}.json"))  # noqa: PTH104, PTH118
    except OSError:
        _remove(beside)  # the disk is full: nothing of it is left there
        raise
    if name == "SessionStart":
        _remove_old(folder, now_ns)


def find_events_folder() -> str | None:
    """Name the folder of events, which need not exist."""
    data = paths.find_data_dir()
    return None if data is None else os.path.join(data, FOLDER)  # noqa: PTH118


def make_note(name: str, data: bytes, now_ns: int) -> dict[str, object]:
    """Choose what is kept of an event."""
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        found = _read_beginning(data)
    event = found if isinstance(found, dict) else {}
    given = event.get("tool_input")
    return {
        "event": name[:40],
        "at": now_ns // 1_000_000,
        "session": _text(event.get("session_id"), 64),
        "tool": _text(event.get("tool_name"), 80),
        "about": _describe(given if isinstance(given, dict) else {}),
        "kind": _text(event.get("notification_type") or event.get("error"), 80),
        "tasks": _count_tasks(event.get("background_tasks")),
    }


def describe_process(pid: str) -> dict[str, object]:
    """Write down a process so that it is known again: ids are used twice, and in containers."""
    if not (pid.isascii() and pid.isdigit() and 0 < int(pid) < 1 << 31):
        return {}
    found: dict[str, object] = {"client": int(pid)}
    try:
        found["domain"] = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - it is no path
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
        try:
            fields = os.read(descriptor, 4_096).rpartition(b")")[2].split()
        finally:
            os.close(descriptor)
        found["begun"] = fields[19].decode() if len(fields) > 19 else ""
    except OSError:
        return found  # no Linux, or it is gone
    return found


def _describe(given: dict[str, object]) -> str:
    for name in _SHOWN:
        if isinstance(given.get(name), str) and given[name]:
            return _text(given[name], _LONGEST)
    questions = given.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else None
    return _text(first.get("question"), _LONGEST) if isinstance(first, dict) else ""


def _count_tasks(tasks: object) -> int:
    """Count what works on in the background when a turn is over."""
    found = tasks[:_MOST_TASKS] if isinstance(tasks, list) else []
    return sum(isinstance(one, dict) and one.get("status") == "running" for one in found)


def _text(value: object, longest: int) -> str:
    return " ".join(value[: longest * 4].split())[:longest] if isinstance(value, str) else ""


def _read_beginning(data: bytes) -> dict[str, object]:
    """Read the few names from a document that is too long to be read whole."""
    found = {"session_id": _SESSION.search(data), "tool_name": _TOOL.search(data)}
    return {name: match[1].decode() for name, match in found.items() if match}


def _remove_old(folder: str, now_ns: int) -> None:
    """Remove what nobody needs any more; the name of a file says when it was written."""
    oldest = now_ns - _KEPT_SECONDS * 1_000_000_000
    for name in os.listdir(folder):  # noqa: PTH208 - pathlib costs 4 ms
        written = name.lstrip(".").partition("-")[0]
        if written.isdecimal() and int(written) < oldest:
            _remove(os.path.join(folder, name))  # noqa: PTH118


def _write_file(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - pathlib costs 4 ms
    except OSError:
        return  # somebody else was faster
