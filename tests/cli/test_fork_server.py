"""A command that is a fork says what it says in an interpreter that was started for it."""

from pathlib import Path

import pytest

from bough.cli.main import COMMANDS
from tests.cli.fork_server import HAS_FORKS
from tests.cli.screens import piped, run_alone
from tests.sampled import mark_rest_whole

pytestmark = pytest.mark.skipif(not HAS_FORKS, reason="commands are forks on Linux only")

ASKED = (
    ("sessions",),
    ("sessions", "--json"),
    ("show", "3f9c"),
    ("tree", "3f9c"),
    ("usage", "daily", "--zone", "Asia/Tokyo"),
    ("stats", "tools"),
    ("archive", "status", "--json"),
    ("fork", "51d0", "--dry-run"),
    ("conversations",),
    ("doctor", "e398"),
    ("show", "nosuch"),
    ("nonsense",),
    ("sql", "select * from nosuch"),
)
NAMES = [name for names in COMMANDS.values() for name in names]
# One of each kind of what is imported: lists, a server, a protocol, a database, a change, a guide.
SOME_NAMES = ("sessions", "web", "mcp", "team", "fork", "docs")
ENVIRON = {"TZ": "America/Los_Angeles", "COLUMNS": "60", "NO_COLOR": "1"}


@pytest.mark.slow
@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_a_fork_answers_as_a_new_interpreter_does(demo: Path, words: tuple[str, ...]) -> None:
    piped("index", claude=demo)
    forked = piped(*words, claude=demo, environ=ENVIRON)

    alone = run_alone("--claude-dir", str(demo), *words, environ=ENVIRON)

    assert (forked.stdout, forked.stderr) == (alone.stdout, alone.stderr)
    assert forked.returncode == alone.returncode


@pytest.mark.slow
@pytest.mark.parametrize("name", mark_rest_whole(NAMES, SOME_NAMES))
def test_every_command_is_loaded_by_an_interpreter_of_its_own(name: str) -> None:
    alone = run_alone(name, "--help")

    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout == piped(name, "--help").stdout


def test_nothing_of_one_fork_is_left_to_the_next(demo: Path) -> None:
    other = piped("sessions", claude=demo, environ={"TZ": "Asia/Tokyo"})

    usual = piped("sessions", claude=demo)

    assert other.stdout != usual.stdout
    assert usual.stdout == piped("sessions", claude=demo).stdout
