"""Session files that bough itself removed or moved: an undone fork is nothing the client deleted.

The journal of time travel says so. Its writer stands above this stage, so only what is needed
here is read of it: which files its operations removed and made, in their order.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, field

from bough.config import journal_path


class _Step(Struct):
    do: str = ""
    path: str = ""
    target: str = ""


class _Begin(Struct, tag="begin"):
    number: int
    operation: str = ""
    steps: tuple[_Step, ...] = field(default=(), name="deeds")


class _End(Struct, tag="end"):
    number: int
    outcome: str = ""


_decode_event = msgspec.json.Decoder(_Begin | _End).decode


def list_removed_files(journal: Path | None = None) -> frozenset[str]:
    """List the files that the last operation on each removed."""
    removed: set[str] = set()
    for step in _read_steps(journal):
        (removed.add if step.do == "remove" else removed.discard)(step.path)
    return frozenset(removed)


def list_vacated_paths(journal: Path | None = None) -> frozenset[str]:
    """List the files and folders that the last operation on each removed, or moved elsewhere.

    A session that was brought back and taken away again is as gone as it was before: the client
    had deleted it.
    """
    vacated: set[str] = set()
    restored: set[str] = set()
    for operation, step in _read_operations(journal):
        if step.do == "create" and operation == "restore":
            restored.add(step.path)
        if step.do == "move" or (step.do == "remove" and step.path not in restored):
            vacated.add(step.path)
        else:
            vacated.discard(step.path)
        vacated.discard(step.target)
    return frozenset(vacated)


def _read_steps(journal: Path | None) -> Iterator[_Step]:
    return (step for _, step in _read_operations(journal))


def _read_operations(journal: Path | None) -> Iterator[tuple[str, _Step]]:
    """Read what was carried out, in its order: each step, and the operation it was part of."""
    try:
        data = (journal or journal_path()).read_bytes()
    except OSError:
        return
    begun: dict[int, _Begin] = {}
    for line in data.splitlines():
        try:
            event = _decode_event(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue  # torn by a stop; what it began never happened
        if isinstance(event, _Begin):
            begun[event.number] = event
        elif event.outcome == "done" and event.number in begun:
            done = begun[event.number]
            yield from ((done.operation, step) for step in done.steps)
