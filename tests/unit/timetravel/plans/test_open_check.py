import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bough.timetravel.errors import SessionMaybeOpen, SessionOpen
from bough.timetravel.plans.open_check import require_closed, require_quiet
from bough.timetravel.session_file import FileSnapshot

SECOND = 10**9


def registered(folder: Path, name: str, **entry: object) -> None:
    (folder / "sessions").mkdir(parents=True, exist_ok=True)
    (folder / "sessions" / name).write_bytes(msgspec.json.encode(entry))


def started(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


def state(age: float, now: int = 10_000 * SECOND) -> FileSnapshot:
    return FileSnapshot("/p", 1, now - int(age * SECOND), 1, 1, 0o600, "")


def test_a_client_that_runs_has_its_session_open(tmp_path: Path) -> None:
    registered(tmp_path, f"{os.getpid()}.json", pid=os.getpid(), sessionId="s", status="idle")

    with pytest.raises(SessionOpen, match=f"open \\(pid {os.getpid()}\\)") as refusal:
        require_closed(tmp_path, "s", force=True)

    assert not refusal.value.forcible


def test_the_refusal_says_what_would_happen_and_what_to_do(tmp_path: Path) -> None:
    registered(tmp_path, "1.json", pid=os.getpid(), sessionId="s")

    with pytest.raises(SessionOpen) as refusal:
        require_closed(tmp_path, "s", harm='Its exit would undo "make active".', instead="Fork.")

    assert refusal.value.message == (
        f"A client has this session open (pid {os.getpid()}). "
        'Its exit would undo "make active". Fork.'
    )


def test_another_session_is_not_meant(tmp_path: Path) -> None:
    registered(tmp_path, "1.json", pid=os.getpid(), sessionId="other")

    require_closed(tmp_path, "s")


def test_an_entry_that_outlived_its_client_is_nothing(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    registered(tmp_path, f"{ended.pid}.json", pid=ended.pid, sessionId="s")

    require_closed(tmp_path, "s")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_process_id_that_was_given_to_another_process_is_nothing(tmp_path: Path) -> None:
    registered(tmp_path, "1.json", pid=os.getpid(), sessionId="s", procStart="1")
    require_closed(tmp_path, "s")

    registered(tmp_path, "1.json", pid=os.getpid(), sessionId="s", procStart=started(os.getpid()))
    with pytest.raises(SessionOpen):
        require_closed(tmp_path, "s")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="containers are Linux's")
def test_a_client_in_another_container_may_have_it_open(tmp_path: Path) -> None:
    registered(tmp_path, "1.json", pid=1, sessionId="s", pidDomain="linux:0:pid:[1]")

    with pytest.raises(SessionMaybeOpen, match="elsewhere"):
        require_closed(tmp_path, "s")
    require_closed(tmp_path, "s", force=True)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"pid":"x"}', b"\xff"])
def test_entries_that_cannot_be_read_are_nothing(tmp_path: Path, data: bytes) -> None:
    registered(tmp_path, "1.json")
    (tmp_path / "sessions" / "1.json").write_bytes(data)

    require_closed(tmp_path, "s")


def test_an_entry_of_a_new_shape_still_counts(tmp_path: Path) -> None:
    registered(tmp_path, "1.json", pid=os.getpid(), sessionId="s", status={"new": "shape"})

    with pytest.raises(SessionOpen):
        require_closed(tmp_path, "s")


def test_a_fresh_file_of_an_old_client_may_be_open(tmp_path: Path) -> None:
    with pytest.raises(
        SessionMaybeOpen, match="changed 5 s ago, so a client may have it open"
    ) as found:
        require_quiet(tmp_path, state(5), "2.1.50", 10_000 * SECOND)

    assert found.value.forcible


def test_an_hour_is_long_enough(tmp_path: Path) -> None:
    require_quiet(tmp_path, state(3600), "2.1.50", 10_000 * SECOND)


def test_where_clients_register_the_time_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()

    require_quiet(tmp_path, state(5), "2.1.250", 10_000 * SECOND)
    with pytest.raises(SessionMaybeOpen):
        require_quiet(tmp_path, state(5), "2.1.110", 10_000 * SECOND)


def test_our_own_write_says_nothing(tmp_path: Path) -> None:
    fresh = state(5)

    require_quiet(tmp_path, fresh, None, 10_000 * SECOND, own_ns=fresh.mtime_ns)
