"""The files of the made-up projects, so that what is read and edited in the demo is real text."""

_READER = '''\
"""Read orders from a CSV file, row by row."""

import csv
from collections.abc import Iterator
from pathlib import Path

from shop.orders import Order


class RowError(ValueError):
    """A row that cannot be an order."""


def rows(path: Path) -> Iterator[Order]:
    with path.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                yield Order.from_row(row)
            except KeyError as error:
                raise RowError(f"{path}, line {number}: no column {error}") from error


def count(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file) - 1
'''

_JOB = '''\
"""The nightly import: every order of a CSV file into the database."""

import logging
from pathlib import Path

from shop.database import Database
from shop.imports.reader import rows
from shop.imports.retry import with_retry

BATCH = 500
log = logging.getLogger(__name__)


class ImportJob:
    def __init__(self, path: Path, dry_run: bool = False) -> None:
        self.path = path
        self.dry_run = dry_run
        self.done = 0

    def run(self, database: Database) -> int:
        batch = []
        for order in rows(self.path):
            batch.append(order)
            if len(batch) == BATCH:
                self._save(database, batch)
                batch = []
        self._save(database, batch)
        return self.done

    def _save(self, database: Database, batch: list) -> None:
        if not self.dry_run:
            with_retry(lambda: database.insert(batch))
        self.done += len(batch)
        log.info("imported %d orders", self.done)
'''

_RETRY = '''\
"""Try again when the database is busy."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
ATTEMPTS = 3


def with_retry(work: Callable[[], T]) -> T:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return work()
        except ConnectionError:
            if attempt == ATTEMPTS:
                raise
            time.sleep(2**attempt)
    raise AssertionError("unreachable")
'''

_CLI = '''\
"""The command line of the shop."""

from pathlib import Path

import click

from shop.database import connect
from shop.imports.job import ImportJob


@click.group()
def main() -> None:
    """Run the shop."""


@main.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--dry-run", is_flag=True)
@click.option("--resume", is_flag=True, help="Go on where the last run stopped.")
@click.option("--restart", is_flag=True, help="Start over.")
def import_(path: Path, dry_run: bool, resume: bool, restart: bool) -> None:
    """Import orders from PATH."""
    job = ImportJob(path, dry_run)
    done = job.run(connect())
    click.echo(f"{done} orders imported")
'''

_TAX = '''\
"""Sales tax of an order."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def tax(amount: Decimal, rate: Decimal) -> Decimal:
    return (amount * rate).quantize(CENT, rounding=ROUND_HALF_UP)


def refund_tax(lines: list[tuple[Decimal, Decimal]]) -> Decimal:
    return sum((tax(amount, rate) for amount, rate in lines), Decimal(0))
'''

_TEST_IMPORT = """\
from pathlib import Path

from shop.imports.job import ImportJob


def test_every_row_is_imported(database, tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("number,total\\n1,10.00\\n2,4.50\\n")

    assert ImportJob(path).run(database) == 2
"""

_CHECKPOINT = '''\
"""Where an import stopped, kept in a file next to the CSV."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Checkpoint:
    offset: int
    rows: int
    size: int

    @classmethod
    def load(cls, path: Path) -> "Checkpoint | None":
        try:
            return cls(**json.loads(path.read_text()))
        except FileNotFoundError:
            return None

    def save(self, path: Path) -> None:
        fresh = path.with_suffix(".tmp")
        fresh.write_text(json.dumps(asdict(self)))
        os.replace(fresh, path)
'''

_README = """\
# orchard-shop

The shop behind the orchard: orders, tax, the nightly import.

    make test
    shop import orders.csv
"""

ORCHARD: dict[str, str] = {
    "src/import/reader.py": _READER,
    "src/import/job.py": _JOB,
    "src/import/retry.py": _RETRY,
    "src/import/checkpoint.py": _CHECKPOINT,
    "cli/main.py": _CLI,
    "src/tax.py": _TAX,
    "tests/import/test_job.py": _TEST_IMPORT,
    "README.md": _README,
}
"""The shop: a Python program with an import, a tax module and a command line."""

LANTERN: dict[str, str] = {
    "src/lantern.ts": """\
import { Page } from "./page";

export interface Lantern {
  id: string;
  page: Page;
  lit: boolean;
}

export function light(lantern: Lantern): Lantern {
  return { ...lantern, lit: true };
}

export function count(lanterns: readonly Lantern[]): number {
  return lanterns.filter((each) => each.lit).length;
}
""",
    "src/page.ts": """\
export interface Page {
  title: string;
  words: string[];
  folds: number;
}

export function fold(page: Page, times = 1): Page {
  return { ...page, folds: page.folds + times };
}
""",
    "src/draw.ts": """\
import { Lantern } from "./lantern";

const GLOW = 24;

export function draw(context: CanvasRenderingContext2D, lantern: Lantern): void {
  context.shadowBlur = lantern.lit ? GLOW : 0;
  context.fillRect(0, 0, 80, 120);
}
""",
    "tests/lantern.test.ts": """\
import { expect, test } from "vitest";
import { light } from "../src/lantern";

test("a lantern can be lit", () => {
  const lantern = { id: "a", page: { title: "", words: [], folds: 0 }, lit: false };
  expect(light(lantern).lit).toBe(true);
});
""",
    "package.json": '{\n  "name": "paper-lantern",\n  "type": "module"\n}\n',
}
"""A small drawing program in TypeScript."""
