"""Benchmarks start as `python benchmarks/NAME.py`, wherever one stands."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bough.sample import session

# One process for all: each finds the modules beside it by itself, or fails.
LOAD = """
import runpy, sys
started = list(sys.path)
for file in sys.argv[1:]:
    sys.path[:] = started
    for name in [name for name in sys.modules if name.partition(".")[0] == "benchmarks"]:
        del sys.modules[name]
    runpy.run_path(file)
"""


ASK_FOR_HELP = LOAD.replace(
    "    runpy.run_path(file)",
    """\
    sys.argv[:] = [file, "--help"]
    try:
        runpy.run_path(file, run_name="__main__")
    except SystemExit as end:
        assert not end.code, file
    else:
        sys.exit(f"{file} was started instead")""",
)


def find_scripts(root: Path) -> list[str]:
    files = sorted((root / "benchmarks").glob("*.py"))
    return [str(file) for file in files if '__name__ == "__main__"' in file.read_text("utf-8")]


def run_python(
    program: str, scripts: Sequence[str], folder: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *scripts],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def test_every_benchmark_loads_as_a_script(root: Path, tmp_path: Path) -> None:
    scripts = find_scripts(root)

    done = run_python(LOAD, scripts, tmp_path)

    assert len(scripts) > 10
    assert done.returncode == 0, done.stderr


def test_every_benchmark_says_how_it_is_called_and_measures_nothing(
    root: Path, tmp_path: Path
) -> None:
    scripts = find_scripts(root)

    done = run_python(ASK_FOR_HELP, scripts, tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("usage: ") == len(scripts)


def test_the_benchmark_of_the_terminal_app_pages_through_a_session(
    root: Path, tmp_path: Path
) -> None:
    told = session()
    for turn in range(40):
        told.user(f"Turn {turn}").assistant("Done. " * 50)
    command = [sys.executable, str(root / "benchmarks/tui.py"), "--one", str(told.write(tmp_path))]

    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    assert done.returncode == 0, done.stderr
    measured = {line.split("\t")[0] for line in done.stdout.splitlines()}
    assert {"first paint", "page", "memory"} <= measured
