"""What the client says about the limits of a subscription, kept as it says it.

Nothing else tells how much of them is used, and only a status line is told. One line is added
where a number is another than before; the time of the file says when the last one was heard last.
The file and the one before it are bounded together.
"""

import json
import os

from bough import paths
from bough.status_line.client_status import ClientStatus

MOST_BYTES = 256_000
"""From this size on a new file is begun, and the one before takes the place of its elder."""
LIMITS = ("five_hour", "seven_day")
_LAST = 400


def find_log_path() -> str | None:
    """Name the file of limits, which need not exist."""
    data = paths.find_data_dir()
    return None if data is None else os.path.join(data, "limits.jsonl")  # noqa: PTH118


def log_limits(client: ClientStatus, now: float) -> None:
    """Add what the client says about limits, where it says something new."""
    path = find_log_path()
    found = {name: _read_limit(client, name) for name in LIMITS}
    limits = {name: limit for name, limit in found.items() if limit}
    if path is None or not limits:
        return
    try:
        _append(path, limits, now)
    except OSError:
        return  # a convenience; the line is shown without it


class KeptLimits(ClientStatus):
    """What the client said last, and when it was `heard_at`, in seconds."""

    heard_at = 0.0


def read_limits() -> KeptLimits | None:
    """Read what the client said last about limits; None where nothing sound is kept."""
    path = find_log_path()
    for place in (path, f"{path}.1") if path is not None else ():
        try:
            descriptor = os.open(place, os.O_RDONLY)
            try:
                state = os.fstat(descriptor)
                os.lseek(descriptor, max(0, state.st_size - _LAST), os.SEEK_SET)
                lines = os.read(descriptor, _LAST).splitlines()
            finally:
                os.close(descriptor)
            found = KeptLimits(json.loads(lines[-1]) if lines else None)
        except (OSError, ValueError, RecursionError):
            continue
        found.heard_at = max(found.number("at") or 0.0, state.st_mtime)
        return found
    return None


def _read_limit(client: ClientStatus, name: str) -> dict[str, float]:
    fields = ("used_percentage", "resets_at")
    numbers = {field: client.number("rate_limits", name, field) for field in fields}
    return {field: number for field, number in numbers.items() if number is not None}


def _append(path: str, limits: dict[str, dict[str, float]], now: float) -> None:
    new = json.dumps(limits)[1:]
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        os.lseek(descriptor, max(0, size - _LAST), os.SEEK_SET)
        last = os.read(descriptor, _LAST).splitlines()[-1:]
        if not last or not last[0].decode("ascii", "replace").endswith(new):
            os.write(descriptor, f'{{"at": {now:.0f}, {new}\n'.encode())
        os.utime(path, (now, now))
    finally:
        os.close(descriptor)
    if size > MOST_BYTES:
        os.replace(path, f"{path}.1")  # noqa: PTH105 - pathlib costs 4 ms
