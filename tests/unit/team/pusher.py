"""Push a Claude folder from a process of its own: pusher.py URL FOLDER."""

import sys
from pathlib import Path

from tests.unit.team.histories import push

if __name__ == "__main__":
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    push(sys.argv[1], Path(sys.argv[2]))
