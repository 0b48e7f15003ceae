"""Measure the archive against its budgets, as ratios within one run, and beside agentsview's.

    python benchmarks/archive.py [--rounds N] [--copies N] [--no-peer]

A copy of the real corpus plays the Claude folder, and for what is compared with indexing as many
as `--copies` says. Its files look new, so that they are packed as
a live history is, until the last rows make them look a day old, and they are sealed. CPU time is
judged where there is one: it counts the work, whoever else uses the machine.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import corpus, peers, results
from benchmarks.longsession import write_long
from benchmarks.measure import BenchmarkError, Command, Run, Series, Side, alternate, checked, run
from benchmarks.results import megabytes, say, seconds

TITLE = "Archive: what keeping everything costs"
_A_DAY_AGO = 25 * 3600
_LONG_LINE = 100 << 20
_MISSED = 1


class Verdict(Struct, frozen=True):
    """A budget: what was measured, what it may be, and what it is."""

    name: str
    measured: str
    value: float
    limit: float
    unit: str = " x"

    @property
    def is_met(self) -> bool:
        """Tell whether the budget is met."""
        return self.value <= self.limit

    def cells(self) -> list[str]:
        """Write a row of the table."""
        digits = 2 if self.limit > 1 else 3
        shown = f"{self.value:.{digits}f}{self.unit}"
        limit = f"<= {self.limit:.{digits}f}{self.unit}"
        return [self.name, self.measured, shown, limit, "met" if self.is_met else "missed"]


class _Verified(Struct):
    bytes: int


class Place(Struct, frozen=True):
    """A Claude folder, and everything of bough's that belongs to it."""

    folder: Path

    @property
    def claude(self) -> Path:
        """Name the Claude folder."""
        return self.folder / "claude"

    @property
    def archive(self) -> Path:
        """Name the archive."""
        return self.folder / "data" / "bough" / "archive"

    def command(self, *words: str) -> Command:
        """Make a command of ours."""
        env = peers.environment(self.folder) | {"CLAUDE_CONFIG_DIR": str(self.claude)}
        program = str(Path(sys.executable).with_name("bough"))
        return Command((program, *words), env, corpus.REPOSITORY)

    def set_automatic(self, *, keeps: bool) -> None:
        """Let commands that index take everything in too, or not."""
        file = self.folder / "config" / "bough" / "config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"archive = {str(keeps).lower()}\n")

    def forget(self) -> None:
        """Put what bough keeps away.

        Nothing is deleted: ext4 makes new files slowly for minutes after many were deleted, and
        whoever archives for the first time has deleted none.
        """
        away = self.folder / "away"
        away.mkdir(exist_ok=True)
        for name in ("data", ".cache"):
            if (self.folder / name).exists():
                (self.folder / name).rename(away / f"{name}-{time.monotonic_ns()}")

    def touch(self, ago: float = 0) -> None:
        """Let all files look as old as that."""
        then = time.time() - ago
        for path in self.claude.rglob("*"):
            os.utime(path, (then, then))

    def measure_archive(self) -> int:
        """Add up the files of the archive."""
        return sum(path.stat().st_size for path in self.archive.rglob("*") if path.is_file())


def make_place(folder: Path, projects: Path) -> Place:
    """Copy projects into a Claude folder of their own."""
    shutil.rmtree(folder, ignore_errors=True)
    place = Place(folder)
    shutil.copytree(projects, place.claude / "projects")
    place.touch()
    return place


def _side(name: str, command: Command, before: Callable[[], None]) -> Side:
    return Side(name, command, before, lambda: None)


def judge_work(place: Place, rounds: int) -> list[Verdict]:
    """Compare taking in everything, and finding nothing new, with indexing."""
    say("taking in beside indexing")

    def begin(*, keeps: bool) -> None:
        place.forget()
        place.set_automatic(keeps=keeps)

    index, both, take = alternate(
        [
            _side("index", place.command("index"), lambda: begin(keeps=False)),
            _side("both", place.command("index"), lambda: begin(keeps=True)),
            _side("archive", place.command("archive"), lambda: begin(keeps=False)),
        ],
        rounds,
    )
    place.set_automatic(keeps=False)
    checked(place.command("index"))
    checked(place.command("archive"))
    nothing = alternate(
        [
            _side("index", place.command("index"), lambda: None),
            _side("archive", place.command("archive"), lambda: None),
        ],
        rounds * 3,
    )
    return [
        Verdict(
            "`bough index` of everything that archives too, beside one that does not (CPU)",
            _beside(index, both),
            both.cpu / index.cpu,
            1.15,
        ),
        Verdict(
            "`bough index` and `bough archive` of everything, beside `bough index` (CPU)",
            _beside(index, take),
            (index.cpu + take.cpu) / index.cpu,
            1.15,
        ),
        Verdict(
            "`bough archive`, nothing new, beside `bough index` (CPU)",
            _beside(*nothing),
            nothing[1].cpu / nothing[0].cpu,
            1.3,
        ),
    ]


def judge_size(place: Place) -> list[Verdict]:
    """Compare the size of the archive with that of the files, before and after sealing."""
    say("size, before and after sealing")
    place.forget()
    place.touch()
    checked(place.command("archive"))
    whole = sum(path.stat().st_size for path in place.claude.rglob("*") if path.is_file())
    live = place.measure_archive()
    place.touch(_A_DAY_AGO)
    sealing = checked(place.command("archive"))
    sealed = place.measure_archive()
    return [
        Verdict(
            "size before sealing",
            f"{megabytes(live)} for {megabytes(whole)}",
            live / whole,
            1 / 6,
            " of the files",
        ),
        Verdict(
            "size, sealed",
            f"{megabytes(sealed)} for {megabytes(whole)}; sealing took CPU {seconds(sealing.cpu)}",
            sealed / whole,
            1 / 7,
            " of the files",
        ),
    ]


def judge_opening(folder: Path, rounds: int) -> Verdict:
    """Compare opening a session of 25,000 records from the archive and from disk."""
    say("opening a session of 25,000 records")
    shutil.rmtree(folder, ignore_errors=True)
    place = Place(folder)
    session, records = write_long(place.claude)
    (file,) = place.claude.glob("projects/*/*.jsonl")
    place.touch(_A_DAY_AGO)
    checked(place.command("archive"))
    checked(place.command("index"))
    away = folder / "away.jsonl"

    def put_away() -> None:
        if file.exists():
            file.rename(away)

    def put_back() -> None:
        if away.exists():
            away.rename(file)

    command = place.command("show", session, "--json")
    disk, kept = alternate(
        [_side("disk", command, put_back), _side("archive", command, put_away)], rounds
    )
    name = f"opening {records:,} records from the archive, beside from disk (CPU)"
    return Verdict(name, _beside(disk, kept), kept.cpu / disk.cpu, 1.3)


def judge_memory(folder: Path) -> Verdict:
    """Compare the memory of taking in a line of 100 MB with that of a short one."""
    say("memory for a line of 100 MB")
    peaks = []
    for length in (1 << 10, _LONG_LINE):
        shutil.rmtree(folder, ignore_errors=True)
        place = Place(folder)
        file = place.claude / "projects" / "-p" / "s.jsonl"
        file.parent.mkdir(parents=True)
        words = os.urandom(1 << 9).hex().encode()
        with file.open("wb") as opened:
            opened.write(b'{"type":"user","text":"')
            for _ in range(length // len(words)):
                opened.write(words)
            opened.write(b'"}\n')
        peaks.append(checked(place.command("archive")).peak)
    less, more = peaks
    name = "memory for a line of 100 MB, beside a short one"
    measured = f"{megabytes(more)} beside {megabytes(less)}"
    return Verdict(name, measured, (more - less) / 1e6, 64, " MB")


def compare_peer(place: Place, scratch: Path) -> str:
    """Let agentsview keep the same files: what each keeps, proves and brings back."""
    say("agentsview's archive on the same files")
    peer = peers.install("agentsview", scratch)
    home = place.folder / "agentsview"
    shutil.rmtree(home, ignore_errors=True)
    env = peers.environment(home) | {
        "AGENTSVIEW_NO_DAEMON": "1",
        "AGENTSVIEW_TELEMETRY_ENABLED": "0",
        "CLAUDE_PROJECTS_DIR": str(place.claude / "projects"),
    }

    def call(data: str, *words: str) -> Run:
        given = env | {"AGENTSVIEW_DATA_DIR": str(home / data)}
        return run(Command((*peers.no_network(), peer.program, *words), given, home))

    capture = str(home / "capture")
    root = f"claude={place.claude / 'projects'}"
    take = [
        call("data", "sync"),
        call("data", "archive", "capture", capture, "--root", root, "--writers-stopped"),
        call("kept", "archive", "import", "--seed", "--spec", f"{capture}/capture.json"),
    ]
    if any(one.status for one in take):
        raise BenchmarkError(f"agentsview: {take[-1].complaint.strip()[-300:]}")
    kept = home / "kept" / "raw-archive"
    verify = call("kept", "archive", "verify")
    extract = call("kept", "archive", "extract", str(home / "out"))
    # The largest object is its own database; the next is a transcript.
    _spoil(sorted(kept.rglob("*.zst"), key=lambda p: p.stat().st_size)[-2])
    spoilt = call("kept", "archive", "verify")
    rescued = call("kept", "archive", "extract", str(home / "rescued"))
    place.forget()
    place.touch(_A_DAY_AGO)
    ours = checked(place.command("archive"))
    size = place.measure_archive()
    again = run(place.command("archive"))
    ours_verify = checked(place.command("archive", "verify"))
    whole = _read_bytes(checked(place.command("archive", "verify", "--json")))
    files = sum(1 for _ in place.archive.glob("v1/*/*.zst"))
    _spoil(max(place.archive.glob("v1/*/*.zst"), key=lambda p: p.stat().st_size))
    ours_spoilt = run(place.command("archive", "verify"))
    readable = _read_bytes(run(place.command("archive", "verify", "--json")))
    named = ours_spoilt.output.decode().strip().partition(": ")[0].rpartition(", ")[2]
    peer_size = _measure(kept)
    rows = [
        ["files kept", f"{files:,}", f"{_count(home / 'out'):,}, its own database among them"],
        [
            "size",
            megabytes(size),
            f"{megabytes(peer_size)} (and {megabytes(_measure(home / 'kept') - peer_size)} beside)",
        ],
        [
            "first time",
            _cost([ours]),
            f"{_cost(take[1:])}; before that, its sync {_cost(take[:1])}",
        ],
        ["when nothing is new", _cost([again]), "not measured"],
        ["verify", _cost([ours_verify]), _cost([verify])],
        [
            "all files back",
            "read in place; `restore` a session, `zstd -d` a file",
            _cost([extract]),
        ],
        [
            "verify after one flipped bit",
            f"ends with {ours_spoilt.status}, names {named}",
            f"ends with {spoilt.status}, names the object",
        ],
        [
            "read back after it",
            f"{readable:,} of {whole:,} bytes",
            f"{_count(home / 'rescued'):,} files (extract ends with {rescued.status})",
        ],
    ]
    return results.table(["", "bough", f"agentsview {peer.version}"], rows)


def _read_bytes(verified: Run) -> int:
    """Take from a report of `bough archive verify --json` how many bytes could be read."""
    return msgspec.json.decode(verified.output, type=_Verified).bytes


def _beside(first: Series, second: Series) -> str:
    return f"CPU {seconds(second.cpu)} beside {seconds(first.cpu)}"


def _cost(runs: Sequence[Run]) -> str:
    wall, cpu = sum(one.wall for one in runs), sum(one.cpu for one in runs)
    return f"{seconds(wall)}, CPU {seconds(cpu)}"


def _spoil(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.chmod(0o600)
    file.write_bytes(data)


def _measure(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _count(folder: Path) -> int:
    return sum(1 for path in folder.rglob("*") if path.is_file())


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the section, and say whether every budget is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--copies", type=int, default=20, help="of the corpus, to be taken in (20)")
    parser.add_argument("--shared", type=Path, default=corpus.SHARED)
    parser.add_argument("--scratch", type=Path, default=corpus.SCRATCH)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--results", type=Path, default=results.FILE)
    given = parser.parse_args(arguments)
    folder = given.scratch / "archive"
    copies = corpus.multiplied(given.copies, given.scratch, given.shared)
    whole = make_place(folder / "copies", copies.projects)
    size = f"{_count(whole.claude):,} files, {megabytes(_measure(whole.claude))}"
    work = judge_work(whole, given.rounds)
    shutil.rmtree(whole.folder)
    place = make_place(folder / "corpus", corpus.source_projects(given.shared))
    verdicts = [
        *work,
        *judge_size(place),
        judge_opening(folder / "long", given.rounds),
        judge_memory(folder / "line"),
    ]
    heads = ["budget", "measured", "value", "limit", "verdict"]
    tables = [results.table(heads, [one.cells() for one in verdicts])]
    if not given.no_peer:
        try:
            tables.append(compare_peer(place, given.scratch))
        except BenchmarkError as error:
            say(f"no peer: {error}")
    facts = [
        f"Beside indexing: {size}",
        f"All else: {_count(place.claude):,} files, {megabytes(_measure(place.claude))}",
        f"Medians of {given.rounds} rounds in turn",
        "Opening writes a whole session as JSON; sealing (level 9, at rest) is in no budget",
    ]
    results.write(given.results, TITLE, results.section(TITLE, facts, {}, tables))
    for one in verdicts:
        say(" · ".join(one.cells()))
    return 0 if all(one.is_met for one in verdicts) else _MISSED


if __name__ == "__main__":
    raise SystemExit(main())
