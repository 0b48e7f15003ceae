"""The page about search tells what the command does: its options, fields and bounds."""

from pathlib import Path

import pytest

from bough.cli.commands.search import search
from bough.query.search.search import ListedHit, SearchDocument
from bough.query.search.verify import CHECKED
from bough.store.search_protocol import KINDS
from bough.store.sqlite.search import RANKED

PAGE = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
OPTIONS = [name for param in search.params for name in param.opts if name.startswith("--")]


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_on_the_page(option: str) -> None:
    assert f"| `{option}" in PAGE


@pytest.mark.parametrize("name", [*ListedHit.__struct_fields__, *KINDS])
def test_every_field_and_kind_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_the_document_is_on_the_page() -> None:
    assert f"`{{{', '.join(SearchDocument.__struct_fields__)}}}`" in PAGE


@pytest.mark.parametrize("bound", [RANKED, CHECKED])
def test_the_bounds_are_those_of_the_code(bound: int) -> None:
    assert f"{bound:,} " in PAGE
