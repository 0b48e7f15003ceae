"""A process that ends with its owner."""

import subprocess
import sys

OWNED = """
import time
from bough.query.index.background_task import end_with_owner
end_with_owner()
time.sleep(60)
"""


def test_the_process_ends_with_its_owner() -> None:
    child = subprocess.Popen([sys.executable, "-c", OWNED], stdin=subprocess.PIPE)
    assert child.stdin is not None

    child.stdin.close()

    assert child.wait(20) == 1
