"""Small parts: what grows past a screen, or has no name of its own, is two concepts."""

from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

LIMIT = 600
NINE_IN_TEN = 400
JUNK_DRAWERS = {"common", "handler", "helpers", "manager", "misc", "service", "utils"}


def modules(root: Path) -> Iterator[tuple[str, int]]:
    source = root / "src" / "bough"
    for path in sorted(source.rglob("*.py")):
        yield str(path.relative_to(source)), len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_is_too_long(root: Path) -> None:
    assert {name: lines for name, lines in modules(root) if lines > LIMIT} == {}


def test_nine_modules_in_ten_are_short(root: Path) -> None:
    assert quantiles((lines for _, lines in modules(root)), n=10)[-1] <= NINE_IN_TEN


def test_no_style_sheet_is_too_long(root: Path) -> None:
    folders = (root / "frontend" / "src", root / "src" / "bough" / "export" / "look")
    sheets = [path for folder in folders for path in folder.rglob("*.css")]
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in sheets}

    assert lengths
    assert {name: lines for name, lines in lengths.items() if lines > LIMIT} == {}


def test_no_module_is_a_junk_drawer(root: Path) -> None:
    names = {part for name, _ in modules(root) for part in Path(name).with_suffix("").parts}

    assert names & JUNK_DRAWERS == set()


def test_every_module_says_why_it_is_there(root: Path) -> None:
    silent = [
        str(path.relative_to(root))
        for path in (root / "src" / "bough").rglob("*.py")
        if not path.read_text(encoding="utf-8").startswith('"""')
    ]

    assert silent == []
