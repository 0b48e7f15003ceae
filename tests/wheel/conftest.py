"""A copy of the sources and a machine without Node, to build and install on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# Before HOME is moved away: how to reach the registries may be written there.
AS_STARTED = dict(os.environ)
_SOURCES = (
    *("src", "frontend", "docs", "scripts"),
    *("hatch_build.py", "pyproject.toml", "README.md", "LICENSE"),
)
_BUILT = shutil.ignore_patterns("__pycache__", "node_modules", "static")


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Describe a machine on whose PATH there is a shell and nothing else."""
    folder = tmp_path_factory.mktemp("path")
    shell = shutil.which("sh")
    if shell is not None:
        (folder / "sh").symlink_to(shell)
    return {**AS_STARTED, "PATH": str(folder)}


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """Copy what a checkout has whose page is built, as that of who runs these tests is."""
    folder = copy_clone(root, tmp_path_factory.mktemp("sources"))
    static = Path("src/bough/web/static")
    shutil.copytree(root / static, folder / static)
    return folder


@pytest.fixture(scope="session")
def wheel(
    tmp_path_factory: pytest.TempPathFactory, sources: Path, environment: dict[str, str]
) -> Path:
    """Build the wheel where there is no Node."""
    return build_wheel(sources, tmp_path_factory.mktemp("dist"), environment)


def copy_clone(root: Path, folder: Path) -> Path:
    """Copy what a clone would have: nothing that was built."""
    folder.mkdir(exist_ok=True)
    for name in _SOURCES:
        if (root / name).is_dir():
            shutil.copytree(root / name, folder / name, ignore=_BUILT)
        else:
            shutil.copy(root / name, folder / name)
    return folder


def build_wheel(sources: Path, folder: Path, environment: dict[str, str]) -> Path:
    """Build the wheel of a checkout."""
    assert shutil.which("node", path=environment["PATH"]) is None
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder)]
    subprocess.run([*command, str(sources)], env=environment, check=True, timeout=300)
    return next(folder.glob("*.whl"))
