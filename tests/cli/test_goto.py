"""`bough goto` and `bough branch`: continue a session at an earlier point of it."""

import os

import pytest

from bough.query.sessions.load_session import read_session
from tests.cli.travelled import BUSHY, PLAIN, Place

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
ASKED = "Continue there from now on? (y/N) "


def test_in_a_pipe_it_needs_a_yes(place: Place) -> None:
    before = place.bytes()

    done = place.bough("goto", PLAIN, "--at", "-2")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "bough goto changes existing files, and there is no terminal to ask on. "
        "Give --yes to do it, or --dry-run to see it.\n"
    )
    assert place.bytes() == before


def test_the_next_resume_continues_there(place: Place) -> None:
    file = place.file(PLAIN)
    before = file.read_bytes()

    done = place.json("goto", PLAIN, "--at", "-2", "--yes")

    assert list(done) == ["session", "path", "at", "turns", "resume"]
    assert file.read_bytes().startswith(before)
    for version in ("2.1.325", "2.1.110", "2.0.76"):
        session = read_session(file, client=version)
        assert session.active_tip == done["at"]


def test_the_command_to_resume_is_the_data(place: Place) -> None:
    done = place.bough("goto", PLAIN, "--at", "-2", "--yes")

    folder = read_session(place.file(PLAIN)).cwd
    assert done.stdout == f"cd '{folder}' && claude --resume {place.file(PLAIN).stem}\n"
    assert done.stderr.startswith(
        "51d0c9aa continues there from now on. To undo it: bough undo 1\n"
    )


@POSIX
def test_on_a_terminal_it_shows_the_plan_and_asks_once(place: Place) -> None:
    code, shown = place.talk("goto", PLAIN, "--at", "-2", answers={ASKED: "y\n"})

    assert code == 0
    assert shown.index("Claude will see   9 turns") < shown.index(ASKED)
    assert shown.count("(y/N)") == 1
    assert " && claude --resume 51d0c9aa" in shown


@POSIX
@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04"])
def test_anything_but_yes_changes_nothing(place: Place, answer: str) -> None:
    before = place.bytes()

    code, shown = place.talk("goto", PLAIN, "--at", "-2", answers={ASKED: answer})

    assert code == 1
    assert "Nothing was changed.\n" in shown
    assert place.bytes() == before


@POSIX
def test_an_interrupt_at_the_question_changes_nothing(place: Place) -> None:
    before = place.bytes()

    code, shown = place.talk("goto", PLAIN, "--at", "-2", answers={ASKED: "\x03"})

    assert code == 130
    assert "Interrupted." in shown
    assert place.bytes() == before


@POSIX
def test_a_session_that_changes_meanwhile_is_shown_again(place: Place) -> None:
    file = place.file(PLAIN)

    def grow() -> str:
        with file.open("ab") as lines:
            lines.write(b'{"type":"mode","mode":"x","sessionId":"s"}\n')
        os.utime(file, (1_700_000_000, 1_700_000_000))
        return "y\n"

    code, shown = place.talk(
        "goto", PLAIN, "--at", "-2", answers={ASKED: grow, "from now on? ": "y\n"}
    )

    assert code == 0
    assert "The session changed while you looked (1 new line). The preview was made again." in shown
    assert shown.count("Make 51d0c9aa continue after") == 2


def test_a_compacted_session_is_refused_and_a_fork_offered(place: Place) -> None:
    done = place.bough("goto", BUSHY, "--at", "Add the migration", "--yes")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "This session was compacted, and newer clients then do not follow a pointer into it. "
        "Fork instead: bough fork 3f9c --at 'Add the migration'\n"
    )


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_session_that_a_client_has_open_is_refused(place: Place, force: tuple[str, ...]) -> None:
    place.open_in_a_client(PLAIN)

    done = place.bough("goto", PLAIN, "--at", "-2", "--yes", *force)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"A client has this session open (pid {os.getpid()}). "
        'Its exit would undo "make active". Fork instead: bough fork 51d0 --at -2\n'
    )


def test_a_file_that_is_fresh_yields_to_force(place: Place) -> None:
    os.utime(place.file(PLAIN))

    refused = place.bough("goto", PLAIN, "--at", "-2", "--yes")
    forced = place.bough("goto", PLAIN, "--at", "-2", "--yes", "--force")

    assert refused.returncode == 1
    assert "so a client may have it open. Close it, or use --force if none has." in refused.stderr
    assert forced.returncode == 0


def test_branch_goes_in_place_where_that_is_safe(place: Place) -> None:
    at = str(place.json("goto", PLAIN, "--at", "-2", "--dry-run")["at"])

    done = place.json("branch", PLAIN, at, "--yes")

    assert list(done) == ["way", "session", "path", "at", "turns", "resume"]
    assert (done["way"], done["at"]) == ("goto", at)
    assert str(done["session"]).startswith(PLAIN)


def test_branch_forks_elsewhere_and_then_never_asks(place: Place) -> None:
    before = place.bytes()

    done = place.bough("branch", BUSHY, "b41f")

    assert done.returncode == 0
    assert " && claude --resume " in done.stdout
    assert done.stderr.startswith("In place is not safe here, so 3f9c21d0 was forked to ")
    assert {name: data for name, data in place.bytes().items() if name in before} == before


def test_branch_in_place_needs_a_yes_in_a_pipe(place: Place) -> None:
    at = str(place.json("goto", PLAIN, "--at", "-2", "--dry-run")["at"])

    assert place.bough("branch", PLAIN, at).returncode == 2
    assert place.bough("branch", PLAIN, at, "--dry-run").returncode == 0


def test_branch_takes_a_number_of_turns_back(place: Place) -> None:
    done = place.json("branch", PLAIN, "-2", "--yes")

    assert done["way"] == "goto"
