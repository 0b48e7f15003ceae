"""docs/architecture.md: the modules and types it walks through are there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bough"
WALKED = re.compile(
    r"^ *((?:[a-z_]+/)+[a-z_]+\.py) +(?:([A-Z]\w+)(?:\.(\w+))?|([a-z_]+)(?=[:,]))?", re.MULTILINE
)


@pytest.fixture(scope="module")
def page() -> str:
    return ROOT.joinpath("docs", "architecture.md").read_text(encoding="utf-8")


def test_every_path_it_names_is_there(page: str) -> None:
    named = re.findall(r"`?((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`?", page)
    ours = [one for one in named if (SOURCE / one.split("/")[0]).is_dir()]

    assert len(ours) > 50
    assert [one for one in ours if not (SOURCE / one).exists()] == []


def test_every_class_and_function_of_a_walk_is_in_its_module(page: str) -> None:
    walked = 0
    for path, owner, method, function in WALKED.findall(page):
        tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
        names = {n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef | ast.FunctionDef)}
        wanted = {name for name in (owner, method, function) if name}
        assert wanted <= names, path
        walked += bool(wanted)

    assert walked > 20
