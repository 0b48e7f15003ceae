"""How fast the terminal app opens and scrolls the largest sessions, and what memory it takes.

    python benchmarks/tui.py [SESSION.jsonl ...]

Without a file: the largest session of the corpus beside the project, where there is one, and
a made-up one of 45 MB. Each session is opened in an app of its own process, driven by keys.
First paint is the time from the key Enter until words of the session are on the screen.
"""

import asyncio
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus" / "projects"
LIMITS = {"first paint": 300.0, "page": 50.0, "memory": 250.0}
INDEX = (
    "import sys; from bough.query.index import open_index; open_index(sys.argv[1:2], sys.argv[2])"
)
WORDS = "The checkpoint has to be written after the batch commits, not before it. "


def made_up(folder: Path, megabytes: int = 45) -> Path:
    """Write a session of about so many megabytes: 5 rewinds, 4 compactions."""
    from bough.sample import session  # noqa: PLC0415 - not needed by the driver

    told = session("benchmark-tui")
    for turn in range(1, 24 * megabytes):
        told.user(f"Turn {turn}: make the import resumable. {WORDS * 2}")
        told.thinking(WORDS * 8)
        told.assistant(WORDS * 6)
        for step in range(7):
            command = {"command": f"pytest -q tests/import/test_{turn}_{step}.py"}
            told.tool("Bash", command, f"PASSED line {step} of the output\n" * 50)
        told.assistant(f"Done. {WORDS * 4}")
        if turn % 250 == 0:
            told.compact()
    return told.write(folder)


async def measure(path: Path) -> dict[str, float]:
    """Open one session by a key, and page through it."""
    from bough.tui.app import Bough  # noqa: PLC0415 - each process measures itself
    from bough.tui.screens.conversation import Conversation  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "claude" / "projects" / path.parent.name
        home.mkdir(parents=True)
        (home / path.name).symlink_to(path)
        companions = path.with_suffix("")
        if companions.is_dir():
            (home / companions.name).symlink_to(companions)
        index = [sys.executable, "-c", INDEX, str(home.parent.parent), f"{folder}/index.sqlite"]
        subprocess.run(index, check=True)  # noqa: ASYNC221 - nothing else runs yet
        app = Bough([str(home.parent.parent)], str(Path(folder) / "index.sqlite"), live=False)
        async with app.run_test(size=(160, 50)) as pilot:
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
            await pilot.press("g", "s")
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
            start = perf_counter()
            found = {"first paint": await first_paint(app, pilot)}
            screen = app.screen
            assert isinstance(screen, Conversation)
            while not screen.whole:  # noqa: ASYNC110 - the app does not tell, so it is asked
                await asyncio.sleep(0.005)
            await pilot.pause()
            found["whole"] = (perf_counter() - start) * 1_000
            found |= await paging(screen)
            found["pieces"] = len(screen.reader.pieces)
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


async def first_paint(app, pilot) -> float:
    """Measure from the key to the first line with words; the whole is read behind it."""
    start = perf_counter()
    async with asyncio.TaskGroup() as group:
        group.create_task(pilot.press("enter"))
        while True:
            reader = getattr(app.screen, "reader", None)
            if reader is not None and reader.is_painted and len(reader.pieces) > 1:
                reader.render_line(0)
                return (perf_counter() - start) * 1_000
            await asyncio.sleep(0.001)


async def paging(screen) -> dict[str, float]:
    """Page up through the end, the middle and the start; then Home, End and find."""
    reader = screen.reader
    took: list[float] = []

    def timed(act) -> None:
        start = perf_counter()
        act()
        for y in range(reader.size.height):
            reader.render_line(y)
        took.append((perf_counter() - start) * 1_000)

    for _ in range(60):
        timed(screen.do_page_up)
    reader.to(len(reader.pieces) // 2)
    for _ in range(60):
        timed(screen.do_page_down)
    timed(screen.do_start)
    timed(screen.do_end)
    took.sort()
    return {"page p50": took[len(took) // 2], "page": took[int(len(took) * 0.99)]}


def main() -> int:
    """Measure each session in its own process; fail where a limit is passed."""
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        for name, value in asyncio.run(measure(Path(sys.argv[2]))).items():
            print(f"{name}\t{value:.1f}")
        return 0
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(name) for name in sys.argv[1:]]
        if not paths:
            corpus = sorted(CORPUS.glob("*/*.jsonl"), key=lambda path: path.stat().st_size)
            paths = [*corpus[-1:], made_up(Path(folder))]
        for path in paths:
            command = [sys.executable, __file__, "--one", str(path.resolve())]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            rows = dict(line.split("\t") for line in said.splitlines())
            print(f"{path.stat().st_size / 1e6:.1f} MB, {rows['pieces']} pieces")
            for name, value in rows.items():
                limit = LIMITS.get(name)
                over = limit is not None and float(value) > limit
                failed = failed or over
                unit = "MB" if name == "memory" else "" if name == "pieces" else "ms"
                mark = f"   limit {limit:.0f}{' PASSED OVER' if over else ''}" if limit else ""
                print(f"  {name:<12} {float(value):>9.1f} {unit}{mark}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
