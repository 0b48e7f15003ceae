"""Questions open no path: the bytes of a transcript come from a finder, whatever has them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

# What reads a file by its path. `Path.stat` and listings are no reading: they give no bytes.
READERS = {
    "bough.files.lines": {"read_at", "read_lines"},
    "bough.files.regular_file": {"open_regular"},
    "bough.files.byte_source": {"DISK", "DiskFinder", "DiskSource"},
    "bough.archive.storage.archive_finder": {"ArchiveFinder", "DISK_THEN_ARCHIVE"},
}
OPENING_MODULES = {"codecs", "fileinput", "gzip", "io", "linecache", "mmap", "shutil"}
OPENING_METHODS = {"read_bytes", "read_text"}

# The one place that says that disk is looked at.
CHOOSES = "query/byte_sources.py"
# These have files of their own to read, such as a person's keys, and read none of a client's.
ABOVE = ("library", "export", "terminal", "cli", "tui", "web")
KEYMAP = "tui/keymap.py"


def reading_imports(source: str) -> Iterator[str]:
    """Find imports of what reads a client's file by its path."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                readers = READERS.get(module, set())
                yield from (
                    f"line {node.lineno}: {one.name}" for one in names if one.name in readers
                )
            case ast.Import(names=names):
                yield from (
                    f"line {node.lineno}: {one.name}" for one in names if one.name in READERS
                )
            case _:
                pass


def opening_code(source: str) -> Iterator[str]:
    """Find what opens any file by its path, as far as the text alone can tell."""
    yield from reading_imports(source)
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module)) if module in OPENING_MODULES:
                yield f"line {node.lineno}: {module}"
            case ast.Import(names=names) if {one.name for one in names} & OPENING_MODULES:
                yield f"line {node.lineno}: import"
            case ast.Call(func=ast.Name(id="open")):
                yield f"line {node.lineno}: open"
            case ast.Call(func=ast.Attribute(value=value, attr="open")) if not _is_source(value):
                yield f"line {node.lineno}: open"
            case ast.Call(func=ast.Attribute(attr=name)) if name in OPENING_METHODS:
                yield f"line {node.lineno}: {name}"


def _is_source(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == "source"


def _list_modules(package: Path, *folders: str) -> dict[str, str]:
    return {
        str(path.relative_to(package)): path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted((package / folder).rglob("*.py"))
    }


def test_no_module_of_query_opens_a_path(root: Path) -> None:
    modules = _list_modules(root / "src" / "bough", "query")

    found = {name: list(opening_code(text)) for name, text in modules.items()}

    assert len(modules) > 60
    assert {name for name, calls in found.items() if calls} == {CHOOSES}


def test_nothing_above_query_reads_a_transcript_by_its_path(root: Path) -> None:
    modules = _list_modules(root / "src" / "bough", *ABOVE)

    found = {name: list(reading_imports(text)) for name, text in modules.items()}

    assert len(modules) > 200
    assert {name for name, imports in found.items() if imports} == {KEYMAP}


@pytest.mark.parametrize(
    "source",
    [
        "open(path)",
        "Path(path).open('rb')",
        "path.read_bytes()",
        "Path(path).read_text()",
        "os.open(path, 0)",
        "import mmap",
        "from io import FileIO",
        "from bough.files.lines import read_at",
        "from bough.files.regular_file import open_regular",
        "from bough.files.byte_source import DISK",
        "import bough.files.lines",
    ],
)
def test_what_opens_a_path_is_seen(source: str) -> None:
    assert list(opening_code(source))


@pytest.mark.parametrize(
    "source",
    [
        "source.open()",
        "source.at(0, 10)",
        "from bough.files.lines import CHUNK",
        "from bough.files.byte_source import SourceFinder",
        "path.stat()",
    ],
)
def test_what_asks_a_source_or_looks_at_a_folder_is_none(source: str) -> None:
    assert list(opening_code(source)) == []
