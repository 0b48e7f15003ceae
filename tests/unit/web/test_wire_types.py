"""The page's copy of the wire's types."""

import subprocess
import sys
from pathlib import Path


def test_the_types_of_the_page_are_current(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(root / "scripts" / "wire_types.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
