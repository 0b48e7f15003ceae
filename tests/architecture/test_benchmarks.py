"""Benchmarks start as `python benchmarks/NAME.py`, wherever one stands."""

import subprocess
import sys
from pathlib import Path

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


def test_every_benchmark_loads_as_a_script(root: Path, tmp_path: Path) -> None:
    files = sorted((root / "benchmarks").glob("*.py"))
    scripts = [str(file) for file in files if '__name__ == "__main__"' in file.read_text("utf-8")]

    done = subprocess.run(
        [sys.executable, "-c", LOAD, *scripts],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert len(scripts) > 10
    assert done.returncode == 0, done.stderr
