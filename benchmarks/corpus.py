"""The files that are measured: copies of the real corpus, with distinct ids.

The corpus is not part of the repository; it lies in `shared/` beside it. Copies are made
once, in the scratch folder, and kept for the next run.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.measure import BenchmarkError

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED = REPOSITORY.parent / "shared"
SCRATCH = Path(tempfile.gettempdir()) / "bough-bench"

_TEXT = re.compile(rb'"text":"((?:[^"\\]|\\.){20,2000})"')
_WORD = re.compile(r"[a-z]{4,}")
_DAY = re.compile(rb'(?<="timestamp":")20[0-9]{2}-[01][0-9]-[0-3][0-9](?=T)')
_SPREAD = 365


class Corpus(Struct, frozen=True):
    """A multiplied corpus: where it is and how big."""

    folder: str
    copies: int
    source_bytes: int
    files: int
    bytes: int
    longest_line: int

    @property
    def projects(self) -> Path:
        """Give the folder of projects; its parent plays the Claude folder."""
        return Path(self.folder) / "projects"

    def paths(self) -> list[Path]:
        """List every file."""
        return sorted(path for path in self.projects.rglob("*") if path.is_file())


def source_projects(shared: Path = SHARED) -> Path:
    """Find the real corpus, or say where it should be."""
    projects = shared / "corpus" / "projects"
    if not projects.is_dir():
        raise BenchmarkError(f"no corpus: {projects} is not there (--shared names another folder)")
    return projects


def sessions(projects: Path) -> list[Path]:
    """List the `.jsonl` files below a folder, agents included."""
    return sorted(projects.rglob("*.jsonl"))


def multiplied(
    copies: int, scratch: Path = SCRATCH, shared: Path = SHARED, *, spread: bool = False
) -> Corpus:
    """Give `copies` copies of the corpus, made now unless an earlier run has.

    Copies have the moments of what they are copies of. `spread` gives each session of each copy
    days of its own within a year, as sessions of many people have.
    """
    source = source_projects(shared)
    source_bytes = sum(path.stat().st_size for path in source.rglob("*") if path.is_file())
    name = f"corpus{copies}{'-spread' if spread else ''}"
    folder = scratch / name
    card = scratch / f"{name}.json"
    if card.exists() and folder.is_dir():
        known = msgspec.json.decode(card.read_bytes(), type=Corpus)
        if known.source_bytes == source_bytes and known.folder == str(folder):
            return known
    _multiply(source, folder, copies, shared / "bench" / "multiply.py")
    if spread:
        _spread_days(folder)
    made = _describe(folder, copies, source_bytes)
    card.write_bytes(msgspec.json.encode(made))
    return made


def queries(projects: Path, each: int = 10) -> list[str]:
    """Choose words to search for: common, middling and rare ones, and pairs of neighbours.

    The choice depends on the corpus alone, so every run asks the same.
    """
    words: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for text in _texts(projects):
        found = _WORD.findall(text)
        words.update(found)
        pairs.update(f'"{first} {second}"' for first, second in pairwise(found))
    ranked = _ranked(words)
    middle = len(ranked) // 2
    chosen = ranked[:each] + ranked[middle : middle + each] + ranked[-each:]
    return chosen + _ranked(pairs)[:each]


def _ranked(counts: Counter[str]) -> list[str]:
    """Order by frequency; equals by name, so that the order is always the same."""
    return sorted(counts, key=lambda key: (-counts[key], key))


def _texts(projects: Path) -> Iterator[str]:
    for path in sessions(projects):
        for found in _TEXT.finditer(path.read_bytes()):
            yield found[1].decode("utf-8", "replace").lower()


def _multiply(source: Path, folder: Path, copies: int, tool: Path) -> None:
    if not tool.is_file():
        raise BenchmarkError(f"cannot multiply the corpus: {tool} is not there")
    partial = folder.with_name(folder.name + ".partial")
    for old in (partial, folder):
        shutil.rmtree(old, ignore_errors=True)
    partial.mkdir(parents=True)
    subprocess.run(
        [sys.executable, tool, source, partial / "projects", str(copies)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    partial.rename(folder)


def _spread_days(folder: Path) -> None:
    """Move what each session says of its time back by some days, with its agents; in place."""
    for path in folder.rglob("*"):
        if path.suffix not in (".jsonl", ".json") or not path.is_file():
            continue
        project, session = path.relative_to(folder / "projects").parts[:2]
        key = f"{project}/{session.removesuffix('.jsonl')}"
        days = timedelta(zlib.crc32(key.encode()) % _SPREAD)
        path.write_bytes(_move_days(path.read_bytes(), days))


def _move_days(data: bytes, days: timedelta) -> bytes:
    moved: dict[bytes, bytes] = {}
    for written in set(_DAY.findall(data)):
        with suppress(ValueError):  # no day that there is
            moved[written] = f"{date.fromisoformat(written.decode()) - days}".encode()
    return _DAY.sub(lambda match: moved.get(match[0], match[0]), data)


def _describe(folder: Path, copies: int, source_bytes: int) -> Corpus:
    count = size = longest = 0
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        count += 1
        size += path.stat().st_size
        if path.suffix == ".jsonl":
            with path.open("rb") as lines:
                longest = max(longest, max(map(len, lines), default=0))
    return Corpus(str(folder), copies, source_bytes, count, size, longest)
