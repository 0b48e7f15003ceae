"""Damaged files, repaired as a copy and in place: the client sends everything again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, Words, rested, told

pytestmark = pytest.mark.client

TURNS = ("turn1 hello", "turn2 USE_BASH", "turn3 USE_BASH", "turn4 bye")


def is_prompt(line: bytes, text: str) -> bool:
    record = json.loads(line)
    return record.get("type") == "user" and record["message"].get("content") in (
        text,
        [{"type": "text", "text": text}],
    )


def at_prompt(lines: list[bytes], text: str) -> int:
    return next(at for at, line in enumerate(lines) if is_prompt(line, text))


def changed(line: bytes, **fields: object) -> bytes:
    record: dict[str, Any] = json.loads(line) | fields
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def torn(lines: list[bytes]) -> list[bytes]:
    return [*lines, b'{"parentUuid":"x","type":"user","message":{"role":"us']


def unended(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1].rstrip(b"\n")]


def dangling(lines: list[bytes]) -> list[bytes]:
    at = at_prompt(lines, TURNS[2])
    return [*lines[:at], changed(lines[at], parentUuid="nowhere"), *lines[at + 1 :]]


def circle(lines: list[bytes]) -> list[bytes]:
    at = at_prompt(lines, TURNS[2])
    below = json.loads(lines[at])["uuid"]
    first = at_prompt(lines, TURNS[0])
    return [*lines[:first], changed(lines[first], parentUuid=below), *lines[first + 1 :]]


def split(lines: list[bytes]) -> list[bytes]:
    at = at_prompt(lines, TURNS[2])
    half = len(lines[at]) // 2
    return [*lines[:at], lines[at][:half] + b"\n", lines[at][half:], *lines[at + 1 :]]


DAMAGES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a torn last line": torn,
    "no final newline": unended,
    "a parent that is nowhere": dangling,
    "parents in a circle": circle,
    "a record torn in two": split,
}


@pytest.fixture(scope="module")
def conversation(client: Client) -> Path:
    return client.talk(*TURNS)


@pytest.fixture(scope="module")
def everything(conversation: Path) -> list[Words]:
    return [*told(read_session(conversation)), ("text", "user", NEXT)]


def damaged(client: Client, conversation: Path, damage: str) -> Path:
    file = client.copy(conversation)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(DAMAGES[damage](lines)))
    rested(file)
    return file


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_repaired_copy_is_sent_whole(
    client: Client, conversation: Path, everything: list[Words], damage: str, verdict: Verdict
) -> None:
    file = damaged(client, conversation, damage)
    before = file.read_bytes()

    plan = travel.repair(file, environment=client.desk)
    travel.apply(plan, client.desk)

    assert client.resume(plan.result or "") == everything
    assert file.read_bytes() == before
    verdict(f"{damage}: repaired copy", "whole")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_session_repaired_in_place_is_sent_whole(
    client: Client, conversation: Path, everything: list[Words], damage: str, verdict: Verdict
) -> None:
    file = damaged(client, conversation, damage)

    plan = travel.repair(file, in_place=True, environment=client.desk)
    travel.apply(plan, client.desk)

    assert client.resume(file.stem) == everything
    verdict(f"{damage}: repaired in place", "whole")
