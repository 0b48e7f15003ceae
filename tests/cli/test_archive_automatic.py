"""The archive kept by itself: by commands that index, by a watch, by a server that is killed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bough.archive.storage.archive_catalog import file_of, keep_newest, path_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.frame_source import ArchiveSource
from bough.library import forecast_deletions
from tests.cli.screens import piped
from tests.web.serving import Served

SECONDS = 40.0
LINE = b'{"type":"user","uuid":"%d","sessionId":"s1","message":{"role":"user","content":"%s"}}\n'


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep settings, archive and index of every test apart."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "data" / "bough"


@pytest.fixture
def claude(demo: Path, tmp_path: Path) -> Path:
    """A history of one's own, which may be written to."""
    copy = tmp_path / "claude"
    shutil.copytree(demo, copy)
    return copy


def kept(data: Path) -> dict[str, bytes]:
    """Read the transcripts that are kept, by the path they had."""
    archive = ArchiveFolder(data / "archive")
    if not archive.exists():
        return {}
    return {
        path_of(one): ArchiveSource(path_of(one), str(file_of(archive, one))).at(0, 1 << 30)
        for one in keep_newest(read_catalog(archive))
        if one.header.role in ("session", "agent")
    }


def on_disk(claude: Path) -> dict[str, bytes]:
    return {
        str(file): file.read_bytes()
        for file in (claude / "projects").rglob("*.jsonl")
        if file.name != "journal.jsonl"
    }


def wait_for(is_there: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not is_there():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def make_line(number: int, words: bytes = b"hello") -> bytes:
    return LINE % (number, words)


def test_a_command_by_hand_archives_and_answers_no_question(claude: Path, data: Path) -> None:
    assert piped("archive", claude=claude).returncode == 0

    status = json.loads(piped("archive", "status", "--json", claude=claude).stdout)

    assert status["automatic"] is None
    assert kept(data) == on_disk(claude)
    shown = piped("archive", "status", claude=claude).stdout
    assert "until you answer: bough archive on, or off." in shown


def test_on_takes_in_what_there_is_and_off_leaves_it(claude: Path, data: Path) -> None:
    on = piped("archive", "on", claude=claude)
    assert (on.returncode, on.stdout) == (0, "")
    assert "31 sessions safe and parts of 1 more, " in on.stderr
    assert kept(data) == on_disk(claude)
    assert json.loads((data / "settings.json").read_text()) == {"archive": True}

    off = piped("archive", "off", claude=claude)

    assert off.returncode == 0
    assert json.loads((data / "settings.json").read_text()) == {"archive": False}
    assert kept(data) == on_disk(claude)


def test_quiet_says_nothing(claude: Path, data: Path) -> None:
    done = piped("archive", "--quiet", claude=claude)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert kept(data) == on_disk(claude)


def test_commands_that_index_keep_what_is_new(claude: Path, data: Path) -> None:
    piped("archive", "on", claude=claude)
    piped("index", claude=claude)
    new = claude / "projects" / "-home-dev-new" / "s1.jsonl"
    new.parent.mkdir()
    new.write_bytes(make_line(1))

    done = piped("sessions", claude=claude)

    assert (done.returncode, done.stderr) == (0, "")
    assert kept(data) == on_disk(claude)


def test_nothing_is_kept_by_commands_that_index_where_nobody_wants_it(
    claude: Path, data: Path
) -> None:
    for words in ((), ("archive", "off")):
        if words:
            piped(*words, claude=claude)
        piped("index", "--rebuild", claude=claude)
        assert not (data / "archive").exists()


@pytest.mark.skipif(os.name != "posix", reason="folders are closed by their mode")
def test_an_archive_that_cannot_be_written_is_one_sentence_and_the_command_goes_on(
    claude: Path, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    config = tmp_path / "config" / "bough"
    config.mkdir(parents=True)
    folder = tmp_path / "file" / "archive"
    (config / "config.toml").write_text(f'archive = true\narchive_dir = "{folder}"\n')

    done = piped("index", claude=claude)

    assert done.returncode == 0
    assert done.stderr.count("Cannot write the archive") == 1
    assert "Read " in done.stderr
    assert piped("sessions", claude=claude).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_ends_leaves_a_prefix_of_every_session(
    claude: Path, data: Path, tmp_path: Path, number: signal.Signals
) -> None:
    file = claude / "projects" / "-home-dev-new" / "s1.jsonl"
    file.parent.mkdir()
    file.write_bytes(make_line(0))
    served = Served(claude, tmp_path / "served", environment=dict(os.environ))
    served.folder.mkdir()
    own = served.folder / "data" / "bough"
    with served:
        served.post("/api/settings", {"name": "archive", "value": True})
        served.until(lambda: kept(own) == on_disk(claude))
        # More than what is queued, so that some of it is written while it grows.
        with file.open("ab", buffering=0) as opened:
            for count in range(1, 400):
                opened.write(make_line(count, b"x" * 2_000))
        served.until(lambda: len(kept(own).get(str(file), b"")) > 10_000)
        with file.open("ab", buffering=0) as opened:
            opened.write(make_line(999, b"the last one"))
        served.until(lambda: b"the last one" in msgspec.json.encode(served.get("/api/live")))
        served.end(number)

    found, there = kept(own), on_disk(claude)
    assert found.keys() == there.keys()
    assert all(there[path].startswith(bytes_) for path, bytes_ in found.items())
    assert found[str(file)].endswith(b"\n")
    assert number is signal.SIGKILL or found == there
    verified = piped("archive", "verify", claude=claude, environ={"XDG_DATA_HOME": str(own.parent)})
    assert verified.returncode == 0, verified.stderr


@pytest.mark.slow
def test_a_watch_keeps_what_it_saw_when_it_ends(claude: Path, data: Path) -> None:
    piped("archive", "on", claude=claude)
    file = claude / "projects" / "-home-dev-new" / "s1.jsonl"
    file.parent.mkdir()
    watch = subprocess.Popen(
        [sys.executable, "-m", "bough", "--claude-dir", str(claude), "watch", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert watch.stdout is not None
    try:
        file.write_bytes(make_line(1, b"seen by the watch"))
        for line in watch.stdout:
            if b"seen by the watch" in line:
                break
        watch.send_signal(signal.SIGINT)
        watch.wait(30)
    finally:
        watch.kill()
        watch.wait()
        watch.stdout.close()

    assert kept(data)[str(file)] == file.read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="plans the timer of systemd")
def test_install_is_shown_first_listed_by_status_and_taken_away(
    claude: Path, tmp_path: Path
) -> None:
    units = tmp_path / "config" / "systemd" / "user"
    nowhere = {"PATH": str(tmp_path)}  # no systemctl here: nobody's timers are touched

    shown = piped("archive", "install", "--dry-run", claude=claude, environ=nowhere)
    assert str(units / "bough-archive.timer") in shown.stdout
    assert "systemctl --user enable --now bough-archive.timer" in shown.stdout
    assert not units.exists()

    done = piped("archive", "install", claude=claude, environ=nowhere)
    assert done.returncode == 0
    assert "systemctl --user enable --now bough-archive.timer" in done.stderr
    assert "bough archive is called every hour" in piped("archive", "status", claude=claude).stdout
    assert f'"--claude-dir" "{claude}"' in (units / "bough-archive.service").read_text()

    assert "still runs every hour" in piped("archive", "off", claude=claude).stderr
    assert piped("archive", "uninstall", environ=nowhere).returncode == 0
    assert list(units.iterdir()) == []
    assert "every hour" not in piped("archive", "off", claude=claude).stderr


def test_an_archive_whose_disk_is_missing_is_begun_anew_only_by_a_person(
    claude: Path, data: Path
) -> None:
    assert piped("archive", claude=claude).returncode == 0
    (data / "archive").rename(data / "elsewhere")

    timer = piped("archive", "--quiet", claude=claude)
    assert timer.returncode == 3
    assert "is not there any more" in timer.stderr
    assert not (data / "archive").exists()
    for words in (["verify"], ["export", str(data / "carried")]):
        refused = piped("archive", *words, claude=claude)
        assert (refused.returncode, "is not there any more" in refused.stderr) == (3, True)
    status = piped("archive", "status", claude=claude)
    assert (status.returncode, "is not there any more" in status.stdout) == (3, True)
    (claude / "history.jsonl").write_text('{"display":"hi","sessionId":"cccccccc"}\n')
    for words in (["archive", "lost"], ["show", "cccc"]):
        said = piped(*words, claude=claude)
        assert "without it only the prompts are left" in said.stdout + said.stderr
    status = json.loads(piped("archive", "status", "--json", claude=claude).stdout)
    assert (status["exists"], status["is_missing"]) == (False, True)

    assert piped("archive", claude=claude).returncode == 0
    assert not json.loads(piped("archive", "status", "--json", claude=claude).stdout)["is_missing"]


def test_where_nothing_is_archived_nothing_is_said_to_be_sound() -> None:
    done = piped("archive", "verify")
    assert done.returncode == 2
    assert "Nothing is archived yet." in done.stderr


def test_a_folder_that_depends_on_where_bough_is_started_is_refused(
    claude: Path, tmp_path: Path
) -> None:
    config = tmp_path / "config" / "bough" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('archive_dir = "copies"\n')
    done = piped("archive", claude=claude)
    assert done.returncode == 2
    assert "full path" in done.stderr


def test_a_session_that_was_forgotten_is_not_missed(claude: Path) -> None:
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 1}')
    assert piped("archive", claude=claude).returncode == 0
    (file,) = (claude / "projects").glob("*/3f9c*.jsonl")
    assert piped("archive", "forget", "3f9c", "--yes", claude=claude).returncode == 0
    assert piped("archive", claude=claude).returncode == 0

    status = json.loads(piped("archive", "status", "--json", claude=claude).stdout)

    assert (status["behind"], status["forgotten"], status["forecast"]["not_kept"]) == (0, 1, 0)
    assert file.stem not in {one["session"] for one in status["expiring"]}
    assert forecast_deletions(claude).not_kept == 0


def test_what_only_answers_or_shows_has_json_too(claude: Path) -> None:
    assert json.loads(piped("archive", "off", "--json", claude=claude).stdout) == {
        "automatic": False
    }
    shown = json.loads(piped("archive", "install", "--dry-run", "--json").stdout)
    assert [set(file) for file in shown["files"]] == [{"path", "content"}] * len(shown["files"])
    assert shown["commands"]
    assert json.loads(piped("archive", "uninstall", "-n", "--json").stdout) == {"files": []}
