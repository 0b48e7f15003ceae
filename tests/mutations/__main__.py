"""`make test-mutations`: thousands of spoilt sessions, through library, commands and web API.

Every answer must come: no exception, none that takes more than 5 seconds of the processor, no
failure of the server. The same seed makes the same files.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from tests.mutations.command_steps import run_commands, run_session_commands
from tests.mutations.library_steps import run_library
from tests.mutations.mutated_files import write_mutations
from tests.mutations.sources import list_sources
from tests.mutations.tally import LONGEST_SECONDS, Tally
from tests.mutations.web_requests import run_requests

_REAL: Final = Path(__file__).parents[3] / "shared" / "corpus" / "projects"
_FOLDER: Final = 200
"""How many sessions the history has that a command reads."""


def main() -> int:
    """Make the files, take them everywhere, print the figures."""
    given = _parse_arguments()
    sources = list_sources(None if given.no_real else _REAL)
    tallies: dict[str, Tally] = {}
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        _move_home(work / "home")
        batches = [
            range(at, min(at + _FOLDER, given.files)) for at in range(0, given.files, _FOLDER)
        ]
        folders = [work / f"history-{number}" for number in range(len(batches))]
        files = [
            write_mutations(folder, batch, sources, given.seed)
            for folder, batch in zip(folders, batches, strict=True)
        ]
        _say(f"{given.files:,} mutated sessions of {len(sources)} sources, seed {given.seed}")
        for title, run in _STAGES.items():
            if not given.only or title in given.only:
                tallies[title] = _run_stage(title, run, folders, files, given.workers)
    for title, tally in tallies.items():
        _say(tally.describe(title))
    problems = sum(len(tally.problems) for tally in tallies.values())
    _say(f"{problems} exceptions, failures or answers over {LONGEST_SECONDS:.0f} s")
    return 1 if problems else 0


def _library_stage(_folder: Path, files: Sequence[Path]) -> Tally:
    tally = Tally()
    for path in files:
        run_library(path, tally)
    return tally


def _session_stage(_folder: Path, files: Sequence[Path]) -> Tally:
    tally = Tally()
    for path in files:
        run_session_commands(path, tally)
    return tally


def _command_stage(folder: Path, _files: Sequence[Path]) -> Tally:
    tally = Tally()
    run_commands(folder, folder.with_suffix(".sqlite"), tally)
    return tally


def _web_stage(folder: Path, files: Sequence[Path]) -> Tally:
    tally = Tally()
    data = folder.with_suffix(".web")
    data.mkdir()
    run_requests(folder, data, [path.stem for path in files], tally)
    return tally


_Stage = Callable[[Path, Sequence[Path]], Tally]
_STAGES: Final[dict[str, _Stage]] = {
    "library": _library_stage,
    "session commands": _session_stage,
    "list commands": _command_stage,
    "web": _web_stage,
}


def _run_stage(
    title: str, run: _Stage, folders: Sequence[Path], files: Sequence[Sequence[Path]], workers: int
) -> Tally:
    began = time.monotonic()
    total = Tally()
    with ProcessPoolExecutor(workers) as pool:
        for number, tally in enumerate(pool.map(run, folders, files), 1):
            total.merge(tally)
            for problem in tally.problems:
                _say(f"  {problem}")
            _say(f"{title}: {number} of {len(folders)} folders, {len(total.problems)} problems")
    _say(f"{total.describe(title)}; {time.monotonic() - began:.0f} s on the wall")
    return total


def _move_home(home: Path) -> None:
    """Let nothing that runs here meet what belongs to the person who runs it."""
    home.mkdir()
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "CLAUDE_CONFIG_DIR"):
        os.environ[name] = str(home)
    for name in ("CACHE", "CONFIG", "DATA", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = str(home / name.lower())
    os.environ.pop("BOUGH_INDEX", None)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--files", type=int, default=2_000, help="how many to make; 2,000")
    parser.add_argument("--seed", type=int, default=1, help="makes other files; 1")
    parser.add_argument("--workers", type=int, default=2, help="how many at once; 2")
    parser.add_argument("--no-real", action="store_true", help="leave ../shared out")
    parser.add_argument("--only", action="append", choices=_STAGES, help="one stage only")
    return parser.parse_args()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
