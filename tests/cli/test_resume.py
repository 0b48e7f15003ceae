"""`bough resume`: a session by its words, in the folder where the client finds it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bough.files.discover import encode_cwd
from tests.cli.travelled import PLAIN, Place

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a shell and a pseudo-terminal")


@pytest.fixture
def project(place: Place, tmp_path: Path) -> Path:
    """Let the sessions of a project follow it to a folder that is there."""
    folder = tmp_path / "it's here"
    folder.mkdir()
    old = place.file(PLAIN).parent
    shutil.move(old, old.with_name(encode_cwd(str(folder))))
    return folder


@POSIX
def test_the_client_is_started_in_the_folder_of_the_session(
    place: Place, project: Path, tmp_path: Path
) -> None:
    done = place.bough("resume", PLAIN, PATH=place.client(tmp_path / "bin"))

    session = place.file(PLAIN).stem
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"claude --resume {session} in {project} with {place.claude}\n"
    assert done.stderr.startswith("Session 51d0c9aa  ")


@POSIX
def test_another_claude_folder_is_handed_to_the_client(
    place: Place, project: Path, tmp_path: Path
) -> None:
    path = place.client(tmp_path / "bin")

    done = place.bough(
        *("--claude-dir", str(place.claude), "resume", PLAIN),
        PATH=path,
        CLAUDE_CONFIG_DIR=str(tmp_path),
    )

    assert done.stdout.endswith(f" in {project} with {place.claude}\n")


@POSIX
def test_the_printed_command_does_the_same_in_a_shell(
    place: Place, project: Path, tmp_path: Path
) -> None:
    path = place.client(tmp_path / "bin")
    words = ("resume", PLAIN, "--print", "--claude-dir", str(place.claude))
    elsewhere = {"CLAUDE_CONFIG_DIR": str(tmp_path)}

    printed = place.bough(*words, **elsewhere).stdout
    ran = subprocess.run(
        ["/bin/sh", "-c", printed],
        env={"PATH": path, **elsewhere},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    session = place.file(PLAIN).stem
    assert printed.count("\n") == 1
    assert ran.stdout == f"claude --resume {session} in {project} with {place.claude}\n"


def test_words_of_a_title_name_a_session(place: Place) -> None:
    found = place.json("resume", "CSV", "import")

    assert found["title"] == "Make the CSV import resumable"
    assert str(found["resume"]).endswith(f"claude --resume {found['session']}")
    assert list(found) == ["session", "title", "path", "folder", "folder_gone", "resume"]
    assert found["folder_gone"] is True


def test_words_of_a_prompt_name_a_session(place: Place) -> None:
    found = place.json("resume", "lock", "held", "so", "long")

    assert found["title"] == "Make the CSV import resumable"


def test_several_sessions_are_listed_and_misuse(place: Place) -> None:
    done = place.bough("resume", "import")

    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0] == '"import" fits 2 sessions:'
    assert lines[1].startswith("  3f9c21d0  ")
    assert lines[1].endswith("CSV import resumable")
    titles = ("Make the CSV import resumable", "Tidy the names of the import")
    assert len({line.index(title) for title, line in zip(titles, lines[1:3], strict=True)}) == 1
    assert lines[-1] == "Give the id of one, as in bough resume 3f9c21d0."


@POSIX
def test_on_a_terminal_one_of_several_is_chosen_by_its_number(place: Place) -> None:
    answers = {"Which one? (1-2) ": "2\n"}

    code, shown = place.talk("resume", "import", "--print", answers=answers)

    assert code == 0
    assert "Session d481d8ae  Tidy the names of the import\n" in shown
    assert " && claude --resume d481d8ae" in shown


@POSIX
def test_without_words_the_newest_are_offered(place: Place) -> None:
    code, shown = place.talk("resume", "--print", answers={"Which one? (1-10) ": "\n"})

    assert code == 1
    assert "The newest sessions:\n" in shown
    assert shown.endswith("Nothing was chosen.\n")


@pytest.mark.parametrize("words", [("qqqq", "zzzz"), ("facade",), ("!!!",)])
def test_what_nothing_fits_is_said(place: Place, words: tuple[str, ...]) -> None:
    done = place.bough("resume", *words)

    assert (done.returncode, done.stdout) == (1, "")
    assert " ".join(words) in done.stderr


def test_a_folder_that_is_gone_is_said_and_nothing_is_started(place: Place, tmp_path: Path) -> None:
    started = place.bough("resume", PLAIN, PATH=place.client(tmp_path / "bin"))
    printed = place.bough("resume", PLAIN, "--print")

    assert (started.returncode, started.stdout) == (1, "")
    assert "is gone, and the client finds the session only there." in started.stderr
    assert "Nothing was started." in started.stderr
    assert printed.returncode == 0
    assert "is gone, and the client finds the session only there." in printed.stderr


def test_without_a_client_nothing_is_started(place: Place, project: Path, tmp_path: Path) -> None:
    assert project.is_dir()

    done = place.bough("resume", PLAIN, PATH=str(tmp_path))

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(
        "There is no claude on PATH. Nothing was started. With --print the command is only "
        "printed.\n"
    )
