"""Make a source distribution and a wheel, and try both in empty environments.

    python scripts/dist.py [FOLDER]

pip installs the wheel and the source distribution, pipx and uv the wheel, each into a folder of
its own that is removed afterwards. There `bough` has to say its version, show the made-up
history, list the guide and find its manual. pipx and uv are installed for that where they are
missing; nothing outside the folder is changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
_BIN = "Scripts" if os.name == "nt" else "bin"


class Failed(Exception):
    """Says which step went wrong."""


def main() -> int:
    """Build, try, and say what was tried."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()
    try:
        with tempfile.TemporaryDirectory(prefix="bough-dist-") as scratch:
            place = Path(scratch)
            tools = _make_environment(place / "tools", "build", "pipx", "uv")
            sdist, wheel = _build(tools, folder)
            tries: dict[str, Callable[[], Path]] = {
                "pip, wheel": lambda: _make_environment(place / "pip", str(wheel)),
                "pip, sdist": lambda: _make_environment(place / "sdist", str(sdist)),
                "pipx, wheel": lambda: _install_with_pipx(tools, wheel, place / "pipx"),
                "uv, wheel": lambda: _install_with_uv(tools, wheel, place / "uv"),
            }
            for name, install in tries.items():
                _try_program(install() / "bough", place / "home")
                _say(f"{name}: installs and runs")
    except Failed as failure:
        _say(str(failure))
        return 1
    _say(f"{sdist.name} and {wheel.name} are in {folder}")
    return 0


def _build(tools: Path, folder: Path) -> tuple[Path, Path]:
    """Make both: the wheel from the source distribution, as an index would have it."""
    shutil.rmtree(folder, ignore_errors=True)
    _run([str(tools / "python"), "-m", "build", "--outdir", str(folder), str(ROOT)])
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def _make_environment(folder: Path, *packages: str) -> Path:
    """Make an environment with nothing in it but these; give where its programs are."""
    _run([sys.executable, "-m", "venv", str(folder)])
    _run([str(folder / _BIN / "python"), "-m", "pip", "install", "--quiet", *packages])
    return folder / _BIN


def _install_with_pipx(tools: Path, wheel: Path, folder: Path) -> Path:
    environ = {
        "PIPX_HOME": str(folder / "home"),
        "PIPX_BIN_DIR": str(folder / "bin"),
        "PIPX_MAN_DIR": str(folder / "man"),
    }
    _run([str(tools / "python"), "-m", "pipx", "install", "--quiet", str(wheel)], environ)
    if not (folder / "man" / "man1" / "bough.1").exists():
        raise Failed("pipx found no manual in the wheel.")
    return folder / "bin"


def _install_with_uv(tools: Path, wheel: Path, folder: Path) -> Path:
    environ = {
        "UV_TOOL_DIR": str(folder / "tools"),
        "UV_TOOL_BIN_DIR": str(folder / "bin"),
        "UV_CACHE_DIR": str(folder / "cache"),
        "UV_PYTHON": sys.executable,
    }
    _run([str(tools / "uv"), "tool", "install", "--quiet", str(wheel)], environ)
    return folder / "bin"


def _try_program(program: Path, home: Path) -> None:
    """Run what is installed as a person would, far from the sources."""
    home.mkdir(exist_ok=True)
    environ = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "PYTHONPATH": ""}
    for words, expected in (
        (["-V"], "bough "),
        (["demo"], "Make the CSV import resumable"),
        (["docs", "search"], "# The search language"),
        (["help", "sessions"], "Usage: bough sessions"),
        (["completion", "bash"], "complete "),
    ):
        shown = _run([str(program), *words], environ, home)
        if expected not in shown:
            raise Failed(f"{program} {' '.join(words)} does not show {expected!r}.")


def _run(
    words: list[str], environ: dict[str, str] | None = None, folder: Path | None = None
) -> str:
    done = subprocess.run(  # noqa: S603 - our own words
        words,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=folder,
        env={**os.environ, **(environ or {})},
    )
    if done.returncode:
        raise Failed(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
