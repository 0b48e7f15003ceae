"""The index brought up to date by another process."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bough.errors import IndexTrouble
from bough.query.index import background_refresh as apart
from bough.query.index.background_refresh import BackgroundRefresh
from bough.query.index.handle import open_index
from bough.sample import session
from tests.conftest import Home


@pytest.fixture
def history(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Write two sessions, and call them much."""
    monkeypatch.setattr(apart, "LITTLE", 0)
    with home.writing():
        session("one").user("Begin").assistant("I begin.").write(home.path)
        session("two").user("Go on").assistant("I go on.").write(home.path)
    return home


def indexed(home: Home, index: Path) -> int:
    with open_index([home.path], index, fresh=False) as handle:
        return len(handle.store.sessions())


def test_what_another_process_read_is_in_the_index(history: Home, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    lacking = BackgroundRefresh([history.path], tmp_path / "i.sqlite").run(
        lambda *far: seen.append(far)
    )

    assert lacking == ""
    assert indexed(history, tmp_path / "i.sqlite") == 2
    assert seen[-1][0] == seen[-1][1] > 0


def test_a_little_is_read_without_another_process(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with home.writing():
        session("one").user("Begin").assistant("I begin.").write(home.path)
    monkeypatch.setattr(subprocess, "Popen", None)

    BackgroundRefresh([home.path], tmp_path / "i.sqlite").run()

    assert indexed(home, tmp_path / "i.sqlite") == 1


def test_trouble_in_the_other_process_is_the_same_sentence_here(
    history: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "i.sqlite").write_bytes(b"this is no index" * 1000)
    monkeypatch.setattr(BackgroundRefresh, "_is_little", lambda _: False)

    with pytest.raises(IndexTrouble) as here:
        open_index([history.path], tmp_path / "i.sqlite")
    with pytest.raises(IndexTrouble) as elsewhere:
        BackgroundRefresh([history.path], tmp_path / "i.sqlite").run()

    assert elsewhere.value.message == here.value.message


def test_a_process_that_dies_is_said_and_not_taken_for_an_end(
    history: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")

    with pytest.raises(IndexTrouble, match="ended early"):
        BackgroundRefresh([history.path], tmp_path / "i.sqlite").run()


def test_a_stop_before_the_start_reads_nothing_and_says_nothing(
    history: Home, tmp_path: Path
) -> None:
    work = BackgroundRefresh([history.path], tmp_path / "i.sqlite")
    work.stop()

    assert work.run() == ""


@pytest.mark.slow
def test_much_is_read_by_the_other_process_alone(home: Home, tmp_path: Path) -> None:
    with home.writing():
        for number in range(9):
            told = session(f"much-{number}").user("Begin")
            for _ in range(20):
                told.assistant("word " * 20_000)
            told.write(home.path)
    work = BackgroundRefresh([home.path], tmp_path / "i.sqlite")
    timer = threading.Timer(60, work.stop)  # a hang would be worse than a failure
    timer.start()

    lacking = work.run()
    timer.cancel()

    assert lacking == ""
    assert indexed(home, tmp_path / "i.sqlite") == 9
