"""Which clients run now: notes of the living, not of the dead."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from bough.ingest.running_clients import has_registry, list_running_clients

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")


def note(folder: Path, pid: int, **fields: object) -> Path:
    path = folder / "sessions" / f"{pid}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(msgspec.json.encode({"pid": pid, "sessionId": "s1", **fields}))
    return path


def dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_a_client_that_lives_is_listed_with_what_it_says(tmp_path: Path) -> None:
    note(
        tmp_path,
        os.getpid(),
        status="waiting",
        waitingFor="permission prompt",
        statusUpdatedAt=1_794_722_311_214,
        kind="interactive",
        version="2.1.325",
        cwd="/home/dev/x",
    )

    (client,) = list_running_clients(tmp_path)

    assert (client.pid, client.session, client.status) == (os.getpid(), "s1", "waiting")
    assert client.waiting_for == "permission prompt"
    assert client.status_at == datetime.fromtimestamp(1_794_722_311.214, UTC)
    assert (client.kind, client.version, client.cwd) == ("interactive", "2.1.325", "/home/dev/x")


def test_a_note_left_behind_by_a_killed_client_is_stale(tmp_path: Path) -> None:
    note(tmp_path, dead_pid())

    assert list_running_clients(tmp_path) == []


@LINUX
def test_a_process_that_took_over_the_number_is_not_the_client(tmp_path: Path) -> None:
    started = Path(f"/proc/{os.getpid()}/stat").read_text().rpartition(")")[2].split()[19]
    note(tmp_path, os.getpid(), procStart=str(int(started) - 1))
    assert list_running_clients(tmp_path) == []

    note(tmp_path, os.getpid(), procStart=started)
    assert len(list_running_clients(tmp_path)) == 1


@LINUX
def test_a_client_in_another_container_is_believed_for_a_while(tmp_path: Path) -> None:
    told = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
    elsewhere = "linux:0000:pid:[1]"
    note(tmp_path, 1, pidDomain=elsewhere, updatedAt=int(told.timestamp() * 1000))

    assert len(list_running_clients(tmp_path, told + timedelta(minutes=9))) == 1
    assert list_running_clients(tmp_path, told + timedelta(minutes=11)) == []


@LINUX
@pytest.mark.parametrize("fields", [{}, {"updatedAt": 1_000}])
def test_who_is_about_to_write_believes_another_container_for_ever(
    tmp_path: Path, fields: dict[str, int]
) -> None:
    note(tmp_path, 1, pidDomain="linux:0000:pid:[1]", **fields)

    (client,) = list_running_clients(tmp_path, careful=True)

    assert client.elsewhere
    assert list_running_clients(tmp_path) == []


def test_care_does_not_raise_the_dead(tmp_path: Path) -> None:
    note(tmp_path, dead_pid())

    assert list_running_clients(tmp_path, careful=True) == []


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'"x"', b'{"pid": "x", "sessionId": 3}', b"\xff\xfe", b'{"pid": 1e300}'],
)
def test_a_note_that_is_being_written_or_broken_is_passed_over(tmp_path: Path, data: bytes) -> None:
    note(tmp_path, os.getpid()).write_bytes(data)

    assert list_running_clients(tmp_path) == []


@pytest.mark.parametrize("pid", [b"99999999999999999999999", b"9223372036854775807"])
def test_an_absurd_process_id_is_no_client(tmp_path: Path, pid: bytes) -> None:
    note(tmp_path, 1).write_bytes(b'{"pid": %b, "sessionId": "s"}' % pid)

    assert list_running_clients(tmp_path, careful=True) == []


def test_a_number_that_no_process_can_have(tmp_path: Path) -> None:
    note(tmp_path, 2**62)

    assert list_running_clients(tmp_path) == []


def test_a_field_of_another_type_costs_only_itself(tmp_path: Path) -> None:
    note(tmp_path, os.getpid(), status={"new": "shape"}, version="2.2.0")

    (client,) = list_running_clients(tmp_path)

    assert (client.status, client.version) == (None, "2.2.0")


def test_keys_are_never_opened(tmp_path: Path) -> None:
    note(tmp_path, os.getpid())
    key = tmp_path / "sessions" / f"{os.getpid()}.abc.key"
    key.write_text("secret")
    opened: list[str] = []
    listening = [True]

    def listen(event: str, args: tuple[object, ...]) -> None:
        if listening and event == "open":
            opened.append(str(args[0]))

    sys.addaudithook(listen)
    list_running_clients(tmp_path)
    listening.clear()

    assert any(path.endswith(".json") for path in opened)
    assert not any(path.endswith(".key") for path in opened)


def test_what_is_no_note_is_never_read(tmp_path: Path) -> None:
    note(tmp_path, os.getpid())
    for name in ("1.abc.key", "1.key", "x.json", "1.json.key"):
        os.mkfifo(tmp_path / "sessions" / name)  # reading one would wait for ever

    assert len(list_running_clients(tmp_path)) == 1


def test_where_no_client_ever_registered(tmp_path: Path) -> None:
    assert list_running_clients(tmp_path) == []
    assert not has_registry(tmp_path)
    (tmp_path / "sessions").mkdir()
    assert has_registry(tmp_path)
