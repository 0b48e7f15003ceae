"""import-linter holds the layers; these tests hold import-linter."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def lint_imports(config: Path, source: Path) -> subprocess.CompletedProcess[str]:
    run = "import sys; from importlinter.cli import lint_imports_command as lint; sys.exit(lint())"
    return subprocess.run(
        [sys.executable, "-c", run, "--config", str(config), "--no-cache"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=source.parent,
        env={**os.environ, "PYTHONPATH": str(source), "PYTHONUTF8": "1"},
    )


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """A copy of the sources that a test may spoil."""
    shutil.copytree(root / "src" / "bough", tmp_path / "src" / "bough")
    return tmp_path / "src"


def test_imports_go_downwards_only(root: Path) -> None:
    result = lint_imports(root / "pyproject.toml", root / "src")

    assert result.returncode == 0, result.stdout


@pytest.mark.slow
def test_an_upward_import_breaks_the_contract(root: Path, copy: Path) -> None:
    with (copy / "bough" / "line.py").open("a") as file:
        file.write("\nimport bough.files.lines\n")

    result = lint_imports(root / "pyproject.toml", copy)

    assert result.returncode == 1
    assert "bough.line is not allowed to import bough.files" in result.stdout


@pytest.mark.slow
def test_a_module_without_a_layer_breaks_the_contract(root: Path, copy: Path) -> None:
    (copy / "bough" / "helpers.py").touch()

    result = lint_imports(root / "pyproject.toml", copy)

    assert result.returncode == 1
    assert "helpers" in result.stdout


@pytest.mark.slow
def test_a_framework_below_the_faces_breaks_the_contract(root: Path, copy: Path) -> None:
    with (copy / "bough" / "config.py").open("a") as file:
        file.write("\nimport click\n")

    result = lint_imports(root / "pyproject.toml", copy)

    assert result.returncode == 1
    assert "bough.config is not allowed to import click" in result.stdout


@pytest.mark.slow
def test_a_face_that_goes_past_the_library_breaks_the_contract(root: Path, copy: Path) -> None:
    with (copy / "bough" / "cli" / "arguments.py").open("a") as file:
        file.write("\nfrom bough.query.lists.session_lookup import find_session\n")

    result = lint_imports(root / "pyproject.toml", copy)

    assert result.returncode == 1
    assert "bough.cli is not allowed to import bough.query" in result.stdout
