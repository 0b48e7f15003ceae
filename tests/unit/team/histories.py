"""Histories that are pushed, and what the database has of them afterwards."""

import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from bough.sample import SampleSession, session
from bough.store.postgres.frame_bytes import pack_bytes  # noqa: F401 - loads zstd once
from bough.team.push_plan import PushLevel, PushReport
from bough.team.push_run import TeamPush
from bough.team.session_groups import choose_sessions, list_pushable
from tests.unit.export.planted import Planted
from tests.unit.export.secrets.test_redact import PLACES

CWD = "/home/dev/orchard-shop"
_MOMENTS = {
    "file": ("pushed",),
    "stats_sum": ("pushed",),
    "machine": ("added",),
    "member": ("added",),
    "dialect": ("tried_at",),
}
_MADE_UP = {"unsummed": ("written_by",)}


@contextmanager
def machine(place: Path) -> Iterator[None]:
    """Be a machine of its own: with its own data folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(place / "data"))
        patch.setenv("XDG_CONFIG_HOME", str(place / "config"))
        yield


def write_plain(claude: Path, name: str = "plain", cwd: str = CWD) -> Path:
    """Write a session with an agent and a branch."""
    told = session(name, cwd=cwd)
    told.user("Import the orders", name="asked").assistant("Done.")
    told.tool("Bash", {"command": "make test"}, "12 passed")
    told.agent("Explore", "Look around", answer="Nothing there.")
    told.at("asked").user("Another way").assistant("Also done.")
    return write(told, claude)


def plant(secrets: list[Planted]) -> SampleSession:
    """Plant secrets into every kind of block in turn, and into the title."""
    told = session("planted", cwd=CWD).user("Begin").assistant("Yes.")
    for number, one in enumerate(secrets):
        list(PLACES.values())[number % len(PLACES)](told, one.text)
        if number % 9 == 0:
            told.user(f"Go on with {number}").assistant("Yes.")
    return told.user("The end").assistant("Done.")


def write(told: SampleSession, claude: Path) -> Path:
    (claude / "projects").mkdir(parents=True, exist_ok=True)
    return told.write(claude)


def push(
    url: str, claude: Path, level: PushLevel = "all", *projects: str, send: bool = True
) -> PushReport:
    """Push all projects of a Claude folder, or some."""
    folders = projects or [one.folder for one in list_pushable([claude])]
    chosen = choose_sessions([claude], folders)
    with closing(TeamPush(url)) as team:
        plan = team.plan(chosen, level)
        return team.send(chosen, plan) if send else plan.report


def dump(url: str, *, moments: bool = True) -> dict[str, list[str]]:
    """Read every table as text; without what differs from push to push."""
    found = {}
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "select table_name from information_schema.tables where table_schema = 'bough'"
            " and table_type = 'BASE TABLE'"
        ).fetchall()
        for (table,) in sorted(tables):
            columns = [
                name
                for (name,) in connection.execute(
                    "select column_name from information_schema.columns where table_schema = "
                    "'bough' and table_name = %s order by ordinal_position",
                    [table],
                ).fetchall()
                if moments or name not in {**_MOMENTS, **_MADE_UP}.get(table, ())
            ]
            names = ", ".join(f'"{name}"' for name in columns)
            with connection.cursor().copy(
                f"copy (select {names} from bough.{table}) to stdout"
            ) as rows:
                text = b"".join(bytes(row) for row in rows).decode()
            found[table] = sorted(text.splitlines())
    return found


def read_frames(url: str) -> dict[str, bytes]:
    """Read the bytes of every file and companion."""
    import sys  # noqa: PLC0415

    if sys.version_info >= (3, 14):
        from compression import zstd  # noqa: PLC0415
    else:
        from backports import zstd  # noqa: PLC0415
    found: dict[str, bytes] = {}
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select coalesce(f.path, c.path), r.data from bough.frame r "
            "left join bough.file f on f.id = r.file_id "
            'left join bough.companion c on c.id = r.file_id order by r.file_id, r."offset"'
        ).fetchall()
    for path, data in rows:
        local = re.sub(r"^//[^/]+", "", path)
        found[local] = found.get(local, b"") + zstd.decompress(data)
    return found


def touch_later(path: Path) -> None:
    """Let a file be younger than it was, whatever the clock says."""
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))
