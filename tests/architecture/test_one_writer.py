"""Nobody writes to the user's files: the sources do not, and the guard would see it."""

import ast
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bough.files.discover import discover_projects
from bough.files.lines import read_lines
from tests.conftest import Home
from tests.guard import fingerprint, guarded, unguarded

# Modules that write. Only the first may write below a Claude folder that a person uses, and only
# `timetravel.apply` calls it; the others write our own index and state, the demo, or a document
# where a person wants it, which is refused below a Claude folder.
WRITERS = (
    "timetravel/disk.py",
    "archive/storage/archive_folder.py",
    "archive/storage/archive_catalog.py",
    "archive/transfer/data_backup.py",
    "files/system_schedule.py",
    "store/sqlite/connection.py",
    "store/sqlite/index_lock.py",
    "store/annotations/annotation_file.py",
    "tui/saved_state.py",
    "export/save.py",
    "files/state_file.py",
    "fast.py",
    "guard_program.py",
    "hook_program.py",
    "status_line/",
    "sample/",
)

WRITING_METHODS = {
    "chmod", "hardlink_to", "mkdir", "rename", "rmdir", "symlink_to", "touch", "unlink",
    "write_bytes", "write_text",
}  # fmt: skip
WRITING_FUNCTIONS = {
    "os": {
        "chmod", "chown", "link", "makedirs", "mkdir", "remove", "removedirs", "rename", "renames",
        "replace", "rmdir", "symlink", "truncate", "unlink", "utime", "write",
    },
    "shutil": {"copy", "copy2", "copyfile", "copymode", "copystat", "copytree", "move", "rmtree"},
}  # fmt: skip


def writing_calls(source: str) -> Iterator[str]:
    """Find calls that change files, as far as the text alone can tell."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id="open") if opens_for_writing(node, 1):
                yield f"line {node.lineno}: open"
            case ast.Attribute(attr="open") if opens_for_writing(node, 0):
                yield f"line {node.lineno}: open"
            case ast.Attribute(value=ast.Name(id=module), attr=name) if (
                name in WRITING_FUNCTIONS.get(module, ())
            ):
                yield f"line {node.lineno}: {module}.{name}"
            case ast.Attribute(attr=name) if name in WRITING_METHODS:
                yield f"line {node.lineno}: {name}"


def opens_for_writing(call: ast.Call, position: int) -> bool:
    named = [word.value for word in call.keywords if word.arg == "mode"]
    modes = [*call.args[position : position + 1], *named]
    return any(
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and set(mode.value) <= set("rwaxbt+")
        and bool(set(mode.value) & set("wax+"))
        for mode in modes
    )


def test_no_module_but_the_named_ones_writes(root: Path) -> None:
    package = root / "src" / "bough"
    found = {
        str(path.relative_to(package)): list(writing_calls(path.read_text(encoding="utf-8")))
        for path in package.rglob("*.py")
        if not path.relative_to(package).as_posix().startswith(WRITERS)
    }

    assert {name: calls for name, calls in found.items() if calls} == {}


@pytest.mark.parametrize(
    "source",
    ["open(p, 'w')", "p.open(mode='ab')", "p.write_text('')", "os.replace(a, b)", "p.unlink()"],
)
def test_the_search_for_writers_finds_them(source: str) -> None:
    assert len(list(writing_calls(source))) == 1


@pytest.mark.parametrize("source", ["open(p)", "open(p, 'rb')", "p.open()", "s.replace('a', 'b')"])
def test_the_search_for_writers_leaves_readers_alone(source: str) -> None:
    assert list(writing_calls(source)) == []


def connect(file: Path) -> None:
    sqlite3.connect(file).close()


WRITES: dict[str, Callable[[Path], object]] = {
    "write a file": lambda file: file.write_text("x"),
    "append to a file": lambda file: file.open("a"),
    "open for update": lambda file: file.open("r+"),
    "open by descriptor": lambda file: os.open(file, os.O_WRONLY),
    "make a file": lambda file: (file.parent / "new").touch(),
    "make a folder": lambda file: (file.parent / "new").mkdir(),
    "make a link": lambda file: (file.parent / "new").symlink_to(file),
    "rename it": lambda file: file.rename(file.parent / "new"),
    "move it away": lambda file: shutil.move(file, file.parent.parent / "away"),
    "move one in": lambda file: (file.parent.parent / "outside").replace(file),
    "truncate it": lambda file: os.truncate(file, 0),
    "remove it": lambda file: file.unlink(),
    "remove the folder": lambda file: shutil.rmtree(file.parent),
    "change its times": os.utime,
    "change its mode": lambda file: file.chmod(0o600),
    "open a database": connect,
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_the_guard_stops_every_way_to_write(
    tmp_path: Path, write: Callable[[Path], object]
) -> None:
    file = tmp_path / "guarded" / "file"
    file.parent.mkdir()
    file.touch()
    (tmp_path / "outside").touch()
    before = fingerprint(file.parent)

    with guarded(file.parent) as tried, pytest.raises(pytest.fail.Exception, match="nobody writes"):
        write(file)

    assert len(tried) == 1
    assert fingerprint(file.parent) == before


def test_the_guard_sees_through_links(tmp_path: Path) -> None:
    (tmp_path / "guarded").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "guarded")

    with guarded(tmp_path / "guarded"), pytest.raises(pytest.fail.Exception):
        (tmp_path / "link" / "file").touch()


def test_the_guard_lets_readers_and_neighbours_pass(tmp_path: Path) -> None:
    file = tmp_path / "guarded" / "file"
    file.parent.mkdir()
    file.touch()

    with guarded(file.parent) as tried:
        file.read_bytes()
        (tmp_path / "guarded-not").touch()
        with unguarded(file.parent):
            file.write_bytes(b"x")

    assert tried == []


def test_a_write_by_another_process_changes_the_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    before = fingerprint(tmp_path)

    subprocess.run([sys.executable, "-c", "open('file', 'w').write('x')"], cwd=tmp_path, check=True)

    assert fingerprint(tmp_path) != before


def test_the_network_is_out_of_reach() -> None:
    with pytest.raises(pytest.fail.Exception, match="no network"):
        socket.create_connection(("192.0.2.1", 80), timeout=0.1)


def test_listing_and_reading_leave_no_trace(home: Home) -> None:
    home.add("-a/s.jsonl", b"{}\n{}")
    home.add("-a/s/subagents/agent-a1.jsonl", b"{}\n")
    before = fingerprint(home.path)

    lines = [
        line
        for project in discover_projects(home.path)
        for session in project.sessions
        if session.path
        for line in read_lines(session.path)
    ]

    assert len(lines) == 2
    assert fingerprint(home.path) == before
