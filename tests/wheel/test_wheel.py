import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import urlopen

import pytest

from bough.sample.demo import write_demo
from tests.web.serving import Served
from tests.wheel.conftest import build_wheel, copy_clone

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(
    tmp_path_factory: pytest.TempPathFactory, wheel: Path, environment: dict[str, str]
) -> Path:
    """Install the wheel into an empty environment; give its Python."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    create = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(create, env=environment, check=True, timeout=60)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*install, str(wheel)], env=environment, check=True, timeout=300)
    return python


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, installed: Path, environment: dict[str, str]
) -> Iterator[Served]:
    """Serve the sample history from the installed package, away from the sources."""
    folder = tmp_path_factory.mktemp("served")
    claude = write_demo(folder, datetime.now(UTC))
    with Served(claude, folder, python=installed, environment=environment) as server:
        yield server


@pytest.mark.whole
def test_a_clone_without_a_page_builds_it_into_the_wheel(
    root: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    clone = copy_clone(root, tmp_path / "clone")

    check_names(build_wheel(clone, tmp_path / "dist", environment))


def test_the_wheel_holds_the_page_and_no_sources_of_it(wheel: Path) -> None:
    check_names(wheel)


def check_names(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()

    assert "bough/web/static/index.html" in names
    assert [name for name in names if re.fullmatch(r"bough/web/static/assets/.+\.js", name)]
    assert [name for name in names if "node_modules" in name or name.endswith(".svelte")] == []


def test_an_installed_wheel_says_its_version(installed: Path, environment: dict[str, str]) -> None:
    command = [str(installed), "-m", "bough", "--version"]

    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert re.search(r"\d+\.\d+\.\d+", said.stdout)


def test_an_installed_wheel_serves_the_page_and_its_files(served: Served) -> None:
    with urlopen(served.address) as answer:
        page = answer.read().decode()

    files = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert [name for name in files if name.endswith(".js")]
    for name in files:
        with urlopen(served.address + name) as answer:
            assert answer.read(), name


def test_an_installed_wheel_answers_for_the_data(served: Served) -> None:
    with urlopen(f"{served.address}/api/about") as answer:
        said = answer.read()

    assert b'"version"' in said


def test_a_second_build_of_the_same_sources_builds_no_page(
    sources: Path, wheel: Path, environment: dict[str, str]
) -> None:
    nowhere = {**environment, "npm_config_registry": "http://127.0.0.1:9"}
    command = [sys.executable, "frontend/build.py", "build"]

    said = subprocess.run(command, cwd=sources, env=nowhere, capture_output=True, check=False)

    assert (said.returncode, said.stdout) == (0, b"The page is current.\n")


def test_a_registry_out_of_reach_is_named_as_the_cause(
    tmp_path: Path, sources: Path, environment: dict[str, str]
) -> None:
    leave_out = shutil.ignore_patterns("node_modules", "static", "__pycache__")
    copy = shutil.copytree(sources, tmp_path / "copy", ignore=leave_out)
    nowhere = {
        **environment,
        "npm_config_registry": "http://127.0.0.1:9",
        "npm_config_fetch_retries": "0",
        "npm_config_cache": str(tmp_path / "cache"),
    }
    command = [sys.executable, "frontend/build.py", "build"]

    said = subprocess.run(command, cwd=copy, env=nowhere, capture_output=True, check=False)

    assert said.returncode == 1
    assert b"npm could not fetch its packages" in said.stderr
