"""The official inspector lists the tools and calls every one of them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bough.mcp.quote_fences import NOTE
from bough.mcp.tools import TOOLS
from tests.mcp.histories import OURS
from tests.mcp.test_stdio import ARGUMENTS

PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def inspector(root: Path) -> Path:
    """Install the inspector beside the environment, once; skip where that cannot be."""
    folder = root / ".venv" / "inspector"
    program = folder / "node_modules" / ".bin" / "mcp-inspector"
    if program.exists():
        return program
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("needs npm, for the official inspector")
    folder.mkdir(parents=True, exist_ok=True)
    words = ["install", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE]
    try:
        done = subprocess.run([npm, *words], capture_output=True, timeout=240, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("needs a network on which the official inspector is fetched in four minutes")
    if done.returncode or not program.exists():
        pytest.skip("needs a network, to fetch the official inspector from the npm registry")
    return program


# Each call starts the inspector and a server; tests/mcp/test_stdio.py calls every tool.
@pytest.mark.parametrize(
    "names",
    [
        ("search", "read"),
        pytest.param(tuple(tool.name for tool in TOOLS), marks=pytest.mark.whole),
    ],
    ids=["two", "all"],
)
def test_the_inspector_calls_every_tool(
    inspector: Path, history: tuple[Path, Path], names: tuple[str, ...]
) -> None:
    claude, index = history
    server = [sys.executable, "-m", "bough", "mcp", "--claude-dir", str(claude)]
    server += ["--index", str(index), "--project", OURS]

    def ask(*words: str) -> dict[str, Any]:
        done = subprocess.run(
            [str(inspector), "--cli", "--connect-timeout", "90000", *server, *words],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env=dict(os.environ),
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    listed = ask("--method", "tools/list")["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in TOOLS]
    for called in names:
        given = [f"{name}={value}" for name, value in ARGUMENTS[called].items()]
        arguments = [word for one in given for word in ("--tool-arg", one)]
        answer = ask("--method", "tools/call", "--tool-name", called, *arguments)
        assert not answer.get("isError"), answer
        assert answer["content"][0]["text"].startswith(NOTE)
