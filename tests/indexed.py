"""Sessions from the builder, written to disk and indexed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bough.query.index.handle import IndexHandle, open_index
from bough.sample import SampleSession


@contextmanager
def indexed(place: Path, *sessions: SampleSession) -> Iterator[IndexHandle]:
    """Write sessions below a folder of their own and open an index of them."""
    claude = place / "claude"
    (claude / "projects").mkdir(parents=True, exist_ok=True)
    for session in sessions:
        session.write(claude)
    with open_index([claude], place / "index.sqlite") as index:
        yield index
