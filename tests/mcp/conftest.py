"""One history for all tests of a module, and what answers from it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.mcp.answers import Answerer
from tests.mcp.histories import make_answerer, orchard, other, worktree, write_history


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Give a Claude folder with two projects and a worktree, and an index of it."""
    return write_history(tmp_path_factory.mktemp("mcp"), orchard(), other(), worktree())


@pytest.fixture(scope="module")
def answerer(history: tuple[Path, Path]) -> Iterator[Answerer]:
    """Give what answers for the project in scope."""
    made = make_answerer(*history)
    yield made
    made.close()
