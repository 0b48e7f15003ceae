"""The budgets as a table: what is done, by which command of ours, against whom.

`{bough}`, `{python}`, `{index}`, `{word}`, `{queries}`, `{projects}` and `{out}` in a command
are filled in by `compare`. A row whose command does not exist yet says so and fails
nothing. Live rows (append to shown) need a running face and are measured on their own.
"""

from typing import Literal

from msgspec import Struct

PeerWork = Literal["sync-cold", "sync-warm", "daily", "html", ""]


class Target(Struct, frozen=True):
    """What a row may cost at most.

    `ratio`: our median wall time over the peer's. `time`: our median wall time in ms.
    `p95`: the command prints a JSON list of ms, the 95th percentile counts. `memory`: our
    peak in MB, twice the longest line being free.
    """

    kind: Literal["ratio", "time", "p95", "memory"]
    most: float

    def limit(self, longest_line: int) -> float:
        """Give the limit for files with such a longest line, in bytes."""
        return self.most + (2 * longest_line / 1e6 if self.kind == "memory" else 0)

    def shown(self, value: float) -> str:
        """Write a value in this target's unit."""
        match self.kind:
            case "ratio":
                return f"{value:.2f} x"
            case "memory":
                return f"{value:.0f} MB"
            case "time" | "p95":
                return f"{value:.0f} ms"


class Row(Struct, frozen=True, kw_only=True):
    """One budget."""

    name: str
    work: str
    ours: tuple[str, ...]
    peer: PeerWork = ""
    target: Target
    rounds: int = 7
    cold: bool = False
    needs: str = ""
    """A file of the repository without which the row is not there yet."""
    copies: int = 0
    """Copies of the corpus, at most: a ratio needs no more; 0 for as many as are asked for."""
    seconds: float = 900.0
    """A run that takes longer is stopped, and the row says so."""


_INDEX = ("{bough}", "index", "--index", "{index}")

ROWS: tuple[Row, ...] = (
    Row(
        name="cold-index",
        work="cold index of everything, searchable",
        ours=_INDEX,
        peer="sync-cold",
        target=Target("ratio", 0.25),
        rounds=3,
        cold=True,
    ),
    Row(
        name="memory",
        work="memory while indexing",
        ours=_INDEX,
        peer="sync-cold",
        target=Target("memory", 250),
        rounds=3,
        cold=True,
    ),
    Row(
        name="warm-index",
        work="nothing changed: `bough index`",
        ours=_INDEX,
        peer="sync-warm",
        target=Target("ratio", 0.6),
    ),
    Row(
        name="warm-sessions",
        work="nothing changed: `bough sessions`",
        ours=("{bough}", "sessions", "--json", "--index", "{index}"),
        peer="sync-warm",
        target=Target("ratio", 0.6),
    ),
    Row(
        name="warm-search",
        work="nothing changed: `bough search`",
        ours=("{bough}", "search", "{word}", "--json", "--index", "{index}"),
        peer="sync-warm",
        target=Target("ratio", 0.6),
    ),
    Row(
        name="usage-cold",
        work="usage by day, no index",
        ours=("{bough}", "usage", "daily", "--json", "--no-index"),
        peer="daily",
        target=Target("ratio", 1.0),
    ),
    Row(
        name="usage-warm",
        work="usage by day, index there, nothing changed",
        ours=("{bough}", "usage", "daily", "--json", "--index", "{index}"),
        peer="daily",
        target=Target("ratio", 0.35),
    ),
    Row(
        name="search",
        work="search, first page, in a running process, p95",
        ours=("{python}", "-m", "benchmarks.search", "--index", "{index}", "{queries}"),
        target=Target("p95", 30),
        rounds=1,
        needs="benchmarks/search.py",
    ),
    Row(
        name="help",
        work="`bough --help`",
        ours=("{bough}", "--help"),
        target=Target("time", 100),
        rounds=21,
    ),
    Row(
        name="sessions",
        work="`bough sessions`, index there, nothing changed",
        ours=("{bough}", "sessions", "--index", "{index}"),
        target=Target("time", 200),
        rounds=21,
    ),
    Row(
        name="export-html",
        work="every session as HTML, secrets hidden",
        ours=("{python}", "-m", "benchmarks.export", "{projects}", "{out}"),
        peer="html",
        target=Target("ratio", 0.25),
        rounds=3,
        cold=True,
        needs="benchmarks/export.py",
        copies=4,
    ),
    Row(
        name="export-html-kept",
        work="every session as HTML, secrets kept as the peer keeps them",
        ours=("{python}", "-m", "benchmarks.export", "--keep-secrets", "{projects}", "{out}"),
        peer="html",
        target=Target("ratio", 0.25),
        rounds=3,
        cold=True,
        needs="benchmarks/export.py",
        copies=4,
    ),
)
