"""Tests with real clients; `make test-client` runs them, nothing else does.

They need root (for a network namespace), npm (for the clients) and the lab beside the
project. What came out is printed as the table of docs/time-travel.md.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.client.laboratory import FOLDER, VERSIONS, Client, hangs_commands_on_one_caveat

if os.environ.get("CCLAB_ISOLATED") != "1" or not FOLDER.is_dir():
    collect_ignore_glob = ["test_*.py"]

_VERDICTS: dict[str, dict[str, str]] = {}

Verdict = Callable[[str, str], None]


@pytest.fixture(scope="module", params=[v for v in VERSIONS if not hangs_commands_on_one_caveat(v)])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    """Offer a client of each version, with a Claude folder of its own."""
    with Client(request.param, request.module.__name__.rpartition("test_")[2]) as client:
        yield client


@pytest.fixture
def verdict(client: Client) -> Verdict:
    """Note how a check came out, for the table."""

    def note(check: str, outcome: str) -> None:
        _VERDICTS.setdefault(check, {})[client.version] = outcome

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _VERDICTS:
        return
    rows = [f"| | {' | '.join(VERSIONS)} |", f"|---|{'---|' * len(VERSIONS)}"]
    for check, by_version in _VERDICTS.items():
        rows.append(f"| {check} | {' | '.join(by_version.get(v, '-') for v in VERSIONS)} |")
    table = "\n".join(rows)
    terminalreporter.write_line(table)
    if place := os.environ.get("BOUGH_CLIENT_TABLE"):
        Path(place).write_text(table + "\n", encoding="utf-8")
