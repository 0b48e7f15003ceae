"""The file of results: one section per benchmark, each with machine, versions and date.

A benchmark replaces its own section and leaves the others, so the file can hold runs of
different days; each section says which day and which machine it speaks of.
"""

import os
import platform
import re
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from benchmarks.measure import Series

FILE = Path(__file__).with_name("results.md")
_TITLE = "# What was measured\n\nWritten by the programs in this folder; do not edit.\n"
_BUSY = 0.5
# Later, the load would be our own.
_LOAD_AT_START = os.getloadavg()[0]


class Machine(Struct, frozen=True):
    """What the numbers were measured on."""

    processor: str
    cores: int
    memory: int
    system: str


def machine() -> Machine:
    """Describe this machine, without its name."""
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        system=f"{platform.system()} {platform.release().split('-')[0]} {platform.machine()}",
    )


def is_busy() -> bool:
    """Tell whether others used the machine when we began."""
    return _LOAD_AT_START >= _BUSY


def section(
    title: str, facts: Sequence[str], versions: Mapping[str, str], tables: Sequence[str]
) -> str:
    """Compose a section: what it was measured on and with, then the tables."""
    found = machine()
    known = {"Python": platform.python_version(), "SQLite": sqlite3.sqlite_version, **versions}
    note = "" if not is_busy() else " (others used the machine: the numbers are rough)"
    hardware = f"{found.processor}, {found.cores} cores, {found.memory / 2**30:.0f} GiB"
    lines = [
        f"- Date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"- Machine: {hardware}, {found.system}",
        f"- Load before the first run: {_LOAD_AT_START:.2f}{note}",
        f"- Versions: {', '.join(f'{name} {version}' for name, version in known.items())}",
        *(f"- {fact}" for fact in facts),
    ]
    return "\n\n".join([f"## {title}", "\n".join(lines), *tables]) + "\n"


def write(path: Path, title: str, text: str) -> None:
    """Put a section into the file, in the place of the one with the same title."""
    old = path.read_text("utf-8") if path.exists() else _TITLE
    parts = re.split(r"(?m)^(?=## )", old)
    for index, part in enumerate(parts):
        if part.startswith(f"## {title}\n"):
            parts[index] = text
            break
    else:
        parts.append(text)
    path.write_text("\n".join(part.rstrip("\n") + "\n" for part in parts), "utf-8")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def seconds(value: float) -> str:
    """Write a time in the unit a person would use."""
    if value < 0.001:
        return f"{value * 1e6:.0f} µs"
    if value < 1:
        return f"{value * 1e3:.0f} ms" if value >= 0.01 else f"{value * 1e3:.1f} ms"
    return f"{value:.2f} s" if value < 100 else f"{value:.0f} s"


def megabytes(value: float) -> str:
    """Write an amount of memory."""
    return f"{value / 1e6:.0f} MB"


def cost(series: Series | None) -> str:
    """Write what a side cost: median, spread, CPU and memory; nothing where nothing ran."""
    if series is None:
        return ""
    low, high = map(seconds, series.spread)
    rest = f"CPU {seconds(series.cpu)}, {megabytes(series.peak)}"
    return f"{seconds(series.wall)} ({low} to {high}), {rest}"


def say(text: str) -> None:
    """Tell the person who waits what is going on."""
    print(text, file=sys.stderr, flush=True)


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or "unknown processor"
    found = re.search(r"(?m)^model name\s*:\s*(.+)$", text)
    return found[1] if found else platform.machine()
