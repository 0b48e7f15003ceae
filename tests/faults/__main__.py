"""`make test-faults`: builds the library in a folder of its own and runs the matrix with it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.faults.library import build_library


def main() -> int:
    """Run the matrix, or say why not."""
    with tempfile.TemporaryDirectory() as folder:
        library = build_library(Path(folder))
        if library is None:
            sys.stdout.write("Skipped: the faults need Linux and gcc, which are not here.\n")
            return 0
        command = [sys.executable, "-m", "tests.faults.matrix", *sys.argv[1:]]
        environment = {**os.environ, "LD_PRELOAD": str(library)}
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
