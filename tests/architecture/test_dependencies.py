"""Few dependencies, each with a reason; pinned without a word on where they come from."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def project(root: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9_-]", line)[0] for line in requirements}


def test_every_dependency_has_a_decision(root: Path, project: dict[str, Any]) -> None:
    decisions = " ".join(path.name for path in (root / "docs" / "decisions").glob("*.md"))

    undecided = [name for name in names(project["dependencies"]) if name not in decisions]

    assert undecided == []


def test_every_dependency_is_pinned(root: Path, project: dict[str, Any]) -> None:
    pins = (root / "constraints.txt").read_text("utf-8").splitlines()
    wanted = names(project["dependencies"] + project["optional-dependencies"]["dev"])

    assert wanted <= names(pins)
    assert all("==" in pin for pin in pins)


def test_the_pins_name_no_place(root: Path) -> None:
    text = (root / "constraints.txt").read_text("utf-8")

    assert re.findall(r"\S*(?:://|/|--)\S*", text) == []
