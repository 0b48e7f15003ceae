"""Starting and ending a real server, and what it does where things are not as they should be."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.sample.demo import write_demo
from bough.store.sqlite.store import SqliteStore
from tests.web.serving import Served
from tests.web_api.asking import ask, listening


@pytest.mark.alone
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_it_at_once_also_while_pages_listen(living: Served) -> None:
    with listening(living), listening(living):
        begun = time.monotonic()
        code = living.end(signal.SIGINT)

    assert code == 130
    assert time.monotonic() - begun < 2.0
    assert b"Traceback" not in living.said


def test_it_says_where_it_is(served: Served) -> None:
    assert f"http://127.0.0.1:{served.port}/".encode() in served.said
    assert b"token=" not in served.said


def test_a_port_in_use_is_named(served: Served) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bough", "web", "--no-browser", "--port", str(served.port)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert f"Port {served.port} is in use" in done.stderr
    assert done.stdout == ""


def test_a_host_that_is_none_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bough", "web", "--no-browser", "--host", "no such host"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 2
    assert "No machine is called" in done.stderr


def test_without_a_claude_folder_it_says_where_it_looked(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    with Served(nowhere, tmp_path, ready=False) as server:
        about = server.get("/api/about")

        assert about["folders"] == []
        assert about["looked_in"] == [f"~/{nowhere.name}"]
        assert server.get("/api/projects")["projects"] == []
        assert server.get("/api/sessions")["rows"] == []
        assert server.get("/api/live")["sessions"] == []
        assert server.get("/api/search?q=x")["hits"] == []


def test_nothing_is_read_before_a_person_agrees(tmp_path: Path) -> None:
    with Served(write_demo(tmp_path, datetime.now(UTC)), tmp_path, ready=False) as server:
        about = server.get("/api/about")

        assert about["ready"] is False
        assert about["sessions"] > 20
        assert about["projects"] > 4
        assert server.get("/api/sessions")["rows"] == []
        assert ask(server, "GET /api/sessions/3f9c/conversation HTTP/1.1")[0] == 409
        assert not (tmp_path / "index.sqlite").exists()
        server.read_them()
        assert server.get("/api/about")["ready"] is True
        assert server.get("/api/sessions")["total"] > 20


def test_a_yes_is_remembered(tmp_path: Path) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    with Served(claude, tmp_path):
        pass

    with Served(claude, tmp_path, ready=False) as again:
        assert again.get("/api/about")["ready"] is True


def test_a_damaged_index_is_named_and_the_files_are_shown(tmp_path: Path) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    (tmp_path / "index.sqlite").write_bytes(b"this is no index " * 100)
    with Served(claude, tmp_path, ready=False) as server:
        server.until(lambda: server.get("/api/about")["index"]["sentence"] is not None)

        assert "damaged" in server.get("/api/about")["index"]["sentence"]
        assert server.get("/api/sessions")["total"] > 20
        assert server.get("/api/sessions/3f9c/conversation")["count"] > 10
        assert ask(server, "GET /api/search?q=x HTTP/1.1")[0] == 503


def test_a_session_that_is_deleted_while_it_is_open_says_so(living: Served) -> None:
    told = living.get("/api/sessions/3f9c/conversation")
    next(living.claude.rglob(f"{told['session']}.jsonl")).unlink()

    status, data = ask(living, f"GET /api/sessions/{told['session']}/pieces HTTP/1.1")

    assert status == 404
    assert b'"error"' in data
    # Whichever comes first: the file is missed, or the watcher has already said that it is gone.
    assert b"no such file" in data or b'"deleted"' in data
    living.until(
        lambda: any(row["state"] == "deleted" for row in living.get("/api/sessions")["rows"])
    )
    status, data = ask(living, f"GET /api/sessions/{told['session']}/conversation HTTP/1.1")
    assert status == 404
    assert b'"deleted"' in data


def test_a_folder_that_is_made_later_is_read(tmp_path: Path) -> None:
    claude = tmp_path / ".claude"
    with Served(claude, tmp_path, ready=False) as server:
        server.post("/api/ready")
        assert server.get("/api/sessions")["total"] == 0

        write_demo(tmp_path, datetime.now(UTC))

        server.until(lambda: server.get("/api/sessions")["total"] > 20)
        assert server.get("/api/about")["folders"] == ["~/.claude"]


def test_an_index_of_a_newer_bough_is_left_alone(tmp_path: Path) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    index = sqlite3.connect(tmp_path / "index.sqlite")
    index.execute("pragma user_version = 99")
    index.close()
    with Served(claude, tmp_path, ready=False) as server:
        server.until(lambda: server.get("/api/about")["index"]["sentence"] is not None)

        assert "made by a newer bough" in server.get("/api/about")["index"]["sentence"]
        assert server.get("/api/projects")["projects"]


def test_an_index_that_another_bough_writes_is_used_as_far_as_it_is(tmp_path: Path) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    store = SqliteStore(tmp_path / "index.sqlite")
    held = ExitStack()
    held.enter_context(store.writing())
    with held, Served(claude, tmp_path, ready=False) as server:
        server.until(lambda: server.get("/api/about")["index"]["sentence"] is not None)

        about = server.get("/api/about")
        assert about["index"]["state"] == "partial"
        assert "another bough" in about["index"]["sentence"]
        assert server.get("/api/sessions/3f9c/conversation")["count"] > 10
        assert "another bough" in server.get("/api/search?q=x")["partial"]
        held.close()
        store.close()
        server.until(lambda: server.get("/api/about")["index"]["state"] == "ready")
        assert server.get("/api/sessions")["total"] > 20
