"""The question about the archive has the same words in every face, and one answer for all."""

import os
import pty
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough import library
from bough.config import load_settings
from bough.library import ArchiveConsent, ArchiveQuestion, change_setting
from bough.sample.demo import write_demo
from bough.tui.data import LibraryQueries
from tests.conftest import Home
from tests.web.serving import Served

pytestmark = pytest.mark.slow


@pytest.fixture
def claude(home: Home) -> Path:
    """A made-up history where one's own is."""
    with home.writing():
        made = write_demo(home.path.parent / "made", datetime.now(UTC))
        (home.path / "projects").rmdir()
        (made / "projects").rename(home.path / "projects")
    return home.path


@pytest.fixture
def consent(claude: Path) -> ArchiveConsent:
    """The question, as the library words it."""
    found = library.find_archive_consent()
    assert found is not None
    return found


def on_terminal(*words: str) -> str:
    """Run a command whose stderr is a terminal; give what it says there."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "bough", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while chunk := _read(ours):
        said += chunk
    os.close(ours)
    assert running.wait(60) == 0
    return said.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says EIO where the program has ended
        return b""


def test_the_question_names_days_and_size(consent: ArchiveConsent) -> None:
    assert consent.days == 30
    assert consent.question.startswith("The client deletes sessions after 30 days. Keep a copy?")
    assert "`bough archive on` keeps a copy (about " in consent.sentence
    assert consent.sentence.split("(about ")[1].split(")")[0] in consent.question


def test_the_command_line_says_its_sentence_once_and_only_on_a_terminal(
    consent: ArchiveConsent,
) -> None:
    piped = subprocess.run(
        [sys.executable, "-m", "bough", "projects"], capture_output=True, text=True, check=True
    )
    assert consent.sentence not in piped.stderr

    assert on_terminal("projects").endswith(f"{consent.sentence}\n")
    assert consent.sentence not in on_terminal("projects")
    assert load_settings().archive is None


def test_the_terminal_app_asks_in_the_same_words(consent: ArchiveConsent) -> None:
    assert LibraryQueries().load_projects().consent == consent


def test_nobody_is_asked_of_a_folder_that_was_named_for_once(
    claude: Path, consent: ArchiveConsent
) -> None:
    assert library.find_archive_consent([claude]) is None
    assert consent.sentence not in on_terminal("--claude-dir", str(claude), "projects")
    assert LibraryQueries([str(claude)]).load_projects().consent is None


@pytest.mark.parametrize("answer", [True, False])
def test_an_answer_in_one_face_counts_in_all(claude: Path, *, answer: bool) -> None:
    question = ArchiveQuestion()
    assert question.find() is not None

    change_setting("archive", answer)

    assert question.find() is None
    assert library.find_archive_consent() is None
    assert LibraryQueries().load_projects().consent is None
    assert "archive on" not in on_terminal("projects")


def test_the_web_app_asks_in_the_same_words_until_it_is_answered(
    claude: Path, consent: ArchiveConsent, tmp_path: Path
) -> None:
    with Served(claude, tmp_path, is_named=False) as served:
        asked = served.get("/api/about")["archive_consent"]
        assert (asked["question"], asked["keep"], asked["decline"]) == (
            consent.question,
            consent.keep,
            consent.decline,
        )

        served.post("/api/settings", {"name": "archive", "value": False})

        assert served.get("/api/about")["archive_consent"] is None
