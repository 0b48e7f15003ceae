"""The page about the index names every table and column, and its examples run."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.query.index.handle import IndexHandle, open_index
from bough.sample.demo import write_demo

PAGE = Path(__file__).parents[2] / "docs" / "index.md"
_HEADING = re.compile(r"^### `(\w+)`$", re.MULTILINE)
_COLUMN = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
EXAMPLES = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> IndexHandle:
    place = tmp_path_factory.mktemp("documented")
    claude = write_demo(place / "claude", datetime(2026, 11, 15, 15, 30, tzinfo=UTC))
    return open_index([claude], place / "index.sqlite")


def documented() -> dict[str, list[str]]:
    parts = _HEADING.split(PAGE.read_text(encoding="utf-8"))
    return {
        name: _COLUMN.findall(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_every_table_and_column_is_documented_in_its_order(index: IndexHandle) -> None:
    shapes = {shape.table: list(shape.columns) for shape in index.store.list_tables()}

    assert documented() == shapes


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_has_an_answer(index: IndexHandle, example: str) -> None:
    with index.store.sql(example) as answer:
        rows = list(answer.rows)

    assert rows
