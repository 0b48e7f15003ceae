"""docs/usage.md says what the code does."""

import re
import tomllib
from pathlib import Path

import click
import msgspec
import pytest

from bough.cli.commands.usage import usage
from bough.config import Settings
from bough.model.usage.costs import UsageTotal
from bough.model.usage.price_list import apply_overrides
from bough.query.usage.explain import ExplainedLine, ExplainedPrice
from bough.query.usage.report import REPORTS, UsageTable, usage_document
from bough.query.usage.usage_rows import UsageRow


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "usage.md").read_text(encoding="utf-8")


def block(page: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", page, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("report", REPORTS)
def test_every_report_is_described(page: str, report: str) -> None:
    assert re.search(rf"^\|.*`{report}`.*\|", page, re.MULTILINE)


def test_every_option_is_described(page: str) -> None:
    options = [p for p in usage.params if isinstance(p, click.Option)]

    missing = [option.opts[0] for option in options if f"`{option.opts[0]}" not in page]

    assert missing == []


def test_the_settings_in_the_example_make_sense(page: str) -> None:
    settings = msgspec.convert(tomllib.loads(block(page, "toml")), Settings)

    assert apply_overrides(settings.prices).problems == ()
    assert set(apply_overrides(settings.prices).yours) == {"claude-lab-9", "claude-opus-4-6"}


def test_the_document_in_the_example_has_the_fields_of_a_real_one(page: str) -> None:
    example = msgspec.json.decode(block(page, "json"))

    real = usage_document(UsageTable([UsageRow("k", UsageTotal(), {})], UsageTotal(), {}))

    assert list(example) == list(real)
    assert list(example["totals"]) == list(msgspec.to_builtins(real["totals"]))
    assert list(example["rows"][0]) == list(msgspec.to_builtins(real["rows"])[0])


@pytest.mark.parametrize(
    "name",
    [*ExplainedPrice.__struct_fields__, *ExplainedLine.__struct_fields__[:5], "speed", "why"],
)
def test_every_field_of_an_explanation_is_described(page: str, name: str) -> None:
    assert f"`{name}`" in page.partition("`--explain SESSION --json`")[2]
