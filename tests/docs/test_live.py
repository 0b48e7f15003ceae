"""docs/live.md names every event, field, state and option there is."""

import re
from pathlib import Path

import msgspec
import pytest

from bough.cli.commands.status import status
from bough.cli.commands.watch import watch
from bough.ingest.live.changes import Change
from bough.model.live.record_events import RecordEventKind
from bough.model.live.status import SessionState
from bough.query.live.events import _OF_FILES, StreamEvent
from bough.query.live.running_sessions import LiveSession


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "live.md").read_text(encoding="utf-8")


def named(page: str) -> set[str]:
    return set(re.findall(r"`([a-z_]+)`", page))


def test_every_kind_of_event_is_described(page: str) -> None:
    own = {"agent", "state", "title", "trouble"}
    kinds = (
        {kind.value for kind in RecordEventKind} | {kind for kind, _ in _OF_FILES.values()} | own
    )

    assert kinds <= named(page)


@pytest.mark.parametrize("struct", [StreamEvent, LiveSession])
def test_every_field_is_described(page: str, struct: type[msgspec.Struct]) -> None:
    assert set(struct.__struct_fields__) - {"kept"} <= named(page) | {"kept"}


def test_every_state_is_described(page: str) -> None:
    assert {state.value for state in SessionState} <= named(page)


@pytest.mark.parametrize("command", [watch, status])
def test_every_option_is_described(page: str, command: object) -> None:
    options = [
        name
        for param in command.params  # type: ignore[attr-defined]
        for name in (*param.opts, *param.secondary_opts)
        if name.startswith("--") and name != "--all"
    ]

    assert [name for name in options if f"`{name}" not in page] == []


def test_the_recording_is_a_cast(root: Path) -> None:
    lines = (root / "docs" / "live.cast").read_text(encoding="utf-8").splitlines()
    header = msgspec.json.decode(lines[0])

    assert header["version"] == 2
    events = [msgspec.json.decode(line, type=tuple[float, str, str]) for line in lines[1:]]
    assert [at for at, _, _ in events] == sorted(at for at, _, _ in events)
    assert "waits for you" in "".join(text for _, _, text in events)


def test_changes_are_a_closed_union() -> None:
    tags = [change.__struct_config__.tag for change in Change.__args__]

    assert len(tags) == len(set(tags))
