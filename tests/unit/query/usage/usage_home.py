"""A history for the usage tests, and both ways to ask about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bough.config import Settings
from bough.query.index.handle import open_index
from bough.query.usage.report import UsageQuestion, UsageTable, report_usage, usage_document
from bough.query.usage.sources import FileUsageSource, IndexUsageSource, UsageSource
from bough.query.usage.usage_rows import Json

NOW = datetime(2026, 11, 15, 14, 38, tzinfo=UTC)
OPUS, HAIKU, LAB = "claude-opus-4-6", "claude-haiku-4-5-20251001", "claude-lab-9"


def spent(
    given: int = 0, out: int = 0, writes: int = 0, reads: int = 0, **more: object
) -> dict[str, object]:
    """Counts of one call."""
    return {
        "input_tokens": given,
        "output_tokens": out,
        "cache_creation_input_tokens": writes,
        "cache_read_input_tokens": reads,
        "cache_creation": {"ephemeral_5m_input_tokens": writes, "ephemeral_1h_input_tokens": 0},
    } | more


@contextmanager
def from_files(home: Path, _: Path) -> Iterator[UsageSource]:
    yield FileUsageSource([home])


@contextmanager
def from_index(home: Path, index: Path) -> Iterator[UsageSource]:
    with open_index([home], index) as handle:
        yield IndexUsageSource(handle)


def ask_files(home: Path, **words: object) -> UsageTable:
    question = UsageQuestion(**words)  # type: ignore[arg-type]
    return report_usage(question, FileUsageSource([home]), now=NOW, settings=Settings(zone="UTC"))


def ask_index(home: Path, index: Path, **words: object) -> UsageTable:
    with open_index([home], index) as handle:
        question = UsageQuestion(**words)  # type: ignore[arg-type]
        return report_usage(
            question, IndexUsageSource(handle), now=NOW, settings=Settings(zone="UTC")
        )


def both(home: Path, index: Path, **words: object) -> Json:
    """Ask the files and the index; they must say the same."""
    files, indexed = (
        usage_document(ask_files(home, **words)),
        usage_document(ask_index(home, index, **words)),
    )
    assert files == indexed
    return files


def costs(found: Json) -> dict[str, float | None]:
    rows = found["rows"]
    assert isinstance(rows, list)
    return {
        row["key"]: None if row["cost_usd"] is None else round(row["cost_usd"], 6) for row in rows
    }
