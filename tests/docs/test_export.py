"""The page about export tells what the command does: its options, fields and examples."""

import re
from pathlib import Path

import pytest

from bough.cli.commands.export import export
from bough.export.document_options import DEFAULT_BUDGET, parse_budget
from bough.export.json_document import AgentDocument, IncludedDocument, SessionDocument
from bough.sample import session

PAGE = (Path(__file__).parents[2] / "docs" / "export.md").read_text(encoding="utf-8")
OPTIONS = [
    name
    for param in export.params
    for name in (*param.opts, *param.secondary_opts)
    if name.startswith("--")
]
FIELDS = {
    *SessionDocument.__struct_fields__,
    *AgentDocument.__struct_fields__,
    *IncludedDocument.__struct_fields__,
}


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_on_the_page(option: str) -> None:
    assert re.search(rf"^\|[^|]*`{option}[ `]", PAGE, re.MULTILINE)


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_every_field_is_on_the_page(field: str) -> None:
    assert f"`{field}`" in PAGE


def test_the_budget_is_that_of_the_code() -> None:
    assert parse_budget("100k") == DEFAULT_BUDGET
    assert "100k tokens by default" in PAGE


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = session().user("Mend it").assistant("Mended.").write(tmp_path)
    written.rename(tmp_path / "session.jsonl")
    monkeypatch.chdir(tmp_path)
    example = PAGE.partition("```python\n")[2].partition("```")[0]
    place: dict[str, object] = {}

    exec(example, place)

    assert str(getattr(place["made"], "name", "")).endswith(".html")
