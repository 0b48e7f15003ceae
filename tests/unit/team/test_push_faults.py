"""However a push ends, the next one goes on: no row twice, none missing, as after a clean one."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from bough.errors import IndexTrouble
from bough.sample.demo import write_demo
from tests.team_server import TeamServer
from tests.unit.team.dropping_proxy import dropping_proxy
from tests.unit.team.histories import dump, machine, push

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
_TIMES = 600
"""Seconds after which a push that does not end is a failure."""


@pytest.fixture
def url(team_server: TeamServer) -> Iterator[str]:
    with team_server.database() as made:
        yield made


def make_machines(place: Path, count: int) -> list[Path]:
    """Make machines, each with a history of its own."""
    return [write_demo(place / f"m{number}", NOW) for number in range(count)]


def environment(claude: Path) -> dict[str, str]:
    return os.environ | {
        "XDG_DATA_HOME": str(claude.parent / "data"),
        "XDG_CONFIG_HOME": str(claude.parent / "config"),
    }


def start(url: str, claude: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "tests.unit.team.pusher", url, str(claude)],
        env=environment(claude),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def push_here(url: str, claude: Path, *projects: str) -> None:
    with machine(claude.parent):
        push(url, claude, "all", *projects)


def check_killed_pushers(
    team_server: TeamServer, url: str, place: Path, count: int, kills: int
) -> None:
    chance = random.Random(5)
    machines = make_machines(place, count)
    for claude in machines:  # names of machines are given in the order in which they come
        push_here(url, claude, "no project")
    left = dict.fromkeys(machines, kills)
    running = {claude: start(url, claude) for claude in machines}
    ends = dict.fromkeys(machines, 0.0)
    for claude, process in running.items():
        assert process.stdout is not None
        process.stdout.readline()
        ends[claude] = time.monotonic() + chance.uniform(0, 1.5)
    until = time.monotonic() + _TIMES
    while running:
        assert time.monotonic() < until
        for claude, process in list(running.items()):
            if process.poll() is not None:
                _, complaint = process.communicate()
                assert process.returncode in (0, -9), complaint
                del running[claude]
                if process.returncode == -9:
                    running[claude] = start(url, claude)
                    ends[claude] = time.monotonic() + chance.uniform(0.5, 3)
            elif left[claude] and time.monotonic() > ends[claude]:
                left[claude] -= 1
                process.kill()
        time.sleep(0.02)
    with team_server.database() as clean:
        for claude in machines:
            push_here(clean, claude)
        assert dump(url, moments=False) == dump(clean, moments=False)


@pytest.mark.slow
def test_pushers_that_are_killed_leave_what_one_clean_push_leaves(
    team_server: TeamServer, url: str, tmp_path: Path
) -> None:
    check_killed_pushers(team_server, url, tmp_path, 2, 2)


@pytest.mark.whole
def test_eight_pushers_that_are_killed_leave_what_one_clean_push_leaves(
    team_server: TeamServer, url: str, tmp_path: Path
) -> None:
    check_killed_pushers(team_server, url, tmp_path, 8, 6)


@pytest.mark.slow
def test_a_network_that_breaks_off_costs_nothing_but_time(
    team_server: TeamServer, url: str, tmp_path: Path
) -> None:
    parts = conninfo_to_dict(url)
    claude = write_demo(tmp_path / "m", NOW)
    said: list[str] = []
    with machine(tmp_path), dropping_proxy(f"{parts['host']}/.s.PGSQL.5432") as proxy:
        through = f"postgresql://{parts['user']}@127.0.0.1:{proxy.port}/{parts['dbname']}"
        for size in (1_000, 40_000, 200_000, 500_000, 900_000, 1_500_000, 1 << 30):
            proxy.left = size
            try:
                push(through, claude)
            except IndexTrouble as error:
                said.append(error.message)
        with team_server.database() as clean:
            push(clean, claude)
            assert dump(url, moments=False) == dump(clean, moments=False)
    assert len(said) >= 3
    assert all(message.endswith(".") for message in said)
