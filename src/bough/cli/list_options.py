"""What every list takes: how many rows, from where on, and in which form.

`--limit` and `--after-cursor` cut a page out of a list; the cursor of the next page is said on
stderr and stands in the JSON, as for a search. `--format` writes a line for each row, for
programs that let a person choose one; its fields are those of `--json`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, wraps
from typing import TYPE_CHECKING, Final, TypeVar

import click
import msgspec

from bough import library
from bough.cli import output
from bough.cli.options import Globals
from bough.errors import Misuse
from bough.model.text.formats import format_count

if TYPE_CHECKING:
    from bough.library import ListPage

T = TypeVar("T")

_FIELD: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|\\([tn0\\])|[{}]")
_ESCAPES: Final = {"t": "\t", "n": "\n", "0": "\0", "\\": "\\"}


class ListChoice(msgspec.Struct, frozen=True):
    """How much of a list is wanted, and in which form; None where nothing was said."""

    limit: int | None = None
    cursor: str | None = None
    template: str | None = None

    @property
    def is_paged(self) -> bool:
        """Tell whether a page is wanted, and not the whole list."""
        return self.limit is not None or self.cursor is not None

    def cut_page(
        self, rows: Sequence[T], question: object, name_row: Callable[[T], str]
    ) -> "ListPage[T]":
        """Cut the page that is wanted out of a list."""
        if not self.is_paged:
            return library.ListPage(rows, len(rows))
        return library.cut_page(rows, self.cursor, self.limit, question, name_row)


def add_list_options(function: Callable[..., T]) -> Callable[..., T]:
    """Give a command `--limit`, `--after-cursor` and `--format`; it gets them as `choice`."""

    @wraps(function)
    def run(
        *args: object,
        limit: int | None,
        cursor: str | None,
        template: str | None,
        **options: object,
    ) -> T:
        return function(*args, choice=ListChoice(limit, cursor, template), **options)

    for option in (_FORMAT, _CURSOR, _LIMIT):
        run = option(run)
    return run


_LIMIT: Final = click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N rows."
)
_CURSOR: Final = click.option(
    "--after-cursor", "cursor", metavar="CURSOR", help="Continue where the previous page ended."
)
_FORMAT: Final = click.option(
    "--format",
    "template",
    metavar="TEXT",
    help=r"A line for each row, such as '{id}\t{title}'; the fields are those of --json.",
)


def check_forms(given: Globals, choice: ListChoice, fields: Iterable[str]) -> None:
    """Refuse two forms at once, and fields that no row has, before anything is read."""
    if choice.template is None:
        return
    if given.json:
        raise Misuse("Give --json or --format, not both.")
    _check_template(choice.template, tuple(fields))


def emit_rows(page: "ListPage[T]", choice: ListChoice, rows: object, given: Globals) -> None:
    """Write rows as JSON: all of them as an array, a page with its total and its cursor."""
    screen = output.detect_screen(given.color)
    if choice.is_paged:
        output.emit_json({"total": page.total, "next": page.next, "rows": rows}, screen)
    else:
        output.emit_json(rows, screen)


def write_formatted_rows(rows: Iterable[object], choice: ListChoice) -> None:
    """Write a line for each row in the form that was asked for."""
    output.write("".join(_format_rows(rows, choice.template or "")))


def report_page(page: "ListPage[T]", what: str = "rows") -> None:
    """Say how much of the list was shown and how to go on, where that is not all."""
    if page.next is None:
        return
    shown, total = format_count(len(page.rows)), format_count(page.total)
    output.flush_output()
    output.say(f"{shown} of {total} {what} shown. Next: --after-cursor {page.next}")


def _format_rows(rows: Iterable[object], template: str) -> Iterator[str]:
    for row in rows:
        values = msgspec.convert(msgspec.to_builtins(row), dict[str, object])
        yield _FIELD.sub(partial(_expand, values), template) + "\n"


def _expand(values: Mapping[str, object], match: re.Match[str]) -> str:
    if match[0] in ("{{", "}}"):
        return match[0][0]
    if match[2]:
        return _ESCAPES[match[2]]
    return _format_value(values.get(match[1]))


def _format_value(value: object) -> str:
    """Write a value on one line, without anything that a terminal would obey."""
    from bough.terminal.text import one_line  # noqa: PLC0415 - only for this form

    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list():
            return ",".join(_format_value(one) for one in value)
        case _:
            return one_line(str(value))


def _check_template(template: str, fields: Sequence[str]) -> None:
    for match in _FIELD.finditer(template):
        if match[0] in ("{", "}"):
            raise Misuse(
                f"--format has a single {match[0]}. Write {match[0] * 2} for the character."
            )
        if match[1] is not None and match[1] not in fields:
            raise Misuse(f"No field is called {match[1]}. There are {', '.join(fields)}.")
