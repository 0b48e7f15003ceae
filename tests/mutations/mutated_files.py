"""Writing mutated sessions into a Claude folder, the same ones for the same seed."""

import re
from collections.abc import Sequence
from hashlib import md5
from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID

from tests.mutations.mutators import MUTATORS
from tests.mutations.sources import Source

_UUID: Final = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OWN_FILE: Final = "{id}.jsonl"


def write_mutations(
    claude_dir: Path, numbers: Sequence[int], sources: Sequence[Source], seed: int
) -> list[Path]:
    """Write one mutated session for each number; give their own files."""
    return [_write_mutation(claude_dir, number, sources, seed) for number in numbers]


def _write_mutation(claude_dir: Path, number: int, sources: Sequence[Source], seed: int) -> Path:
    random = Random(f"{seed}/{number}")
    source = random.choice(sources)
    own = str(UUID(bytes=md5(f"{seed}/{number}".encode()).digest()))
    # Sessions that share uuids are forks of one another; most are not.
    shares = random.random() < 0.2
    folder = claude_dir / "projects" / f"-mutated-{number % 7}"
    # Most often it is the session's own file; else one that lies beside it.
    spoilt = _OWN_FILE if random.random() < 0.8 else random.choice(list(source))
    for place, content in source.items():
        data = content if shares else _renew_uuids(content, f"{seed}/{number}")
        if place == spoilt:
            for _ in range(random.choice((1, 1, 2, 3))):
                data = random.choice(MUTATORS)(random, data)
        path = folder / place.replace("{id}", own)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder / f"{own}.jsonl"


def _renew_uuids(data: bytes, salt: str) -> bytes:
    """Give every record another uuid; those that were alike stay alike."""

    def renew(match: re.Match[bytes]) -> bytes:
        return str(UUID(bytes=md5(salt.encode() + match[0]).digest())).encode()

    return _UUID.sub(renew, data)
