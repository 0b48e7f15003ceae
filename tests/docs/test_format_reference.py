"""The reference of the format is complete, true to the code, and the same in both languages.

Identifiers are looked for where a reader would look: in a heading, or in the first cell of
a table row below the heading that introduces them. A mention in passing does not count.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bough.line import Line
from bough.model.interpret.notes import note_of
from bough.records.decode import decode
from bough.records.record import BadLine
from bough.records.types import (
    ATTACHMENT_TYPES,
    BLOCK_TYPES,
    KINDS,
    PROGRESS_TYPES,
    QUEUE_OPERATIONS,
    SYSTEM_SUBTYPES,
    Attachment,
    System,
    Unknown,
    kind_of,
)

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"en": DOCS / "format.md", "fr": DOCS / "format.fr.md"}

TABLES = {
    "system": SYSTEM_SUBTYPES,
    "progress": PROGRESS_TYPES,
    "attachment": ATTACHMENT_TYPES,
    "queue-operation": QUEUE_OPERATIONS,
    "message.content": BLOCK_TYPES,
}
"""The identifier in a heading, and what the first column of the tables below it lists."""

_HEADING = re.compile(r"^(#+) (.+)$")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\]\(#([^)]+)\)")


class Section(msgspec.Struct):
    """A heading and the lines below it, up to the next heading."""

    level: int
    title: str
    lines: list[str]

    @property
    def named(self) -> list[str]:
        """The identifiers in the heading."""
        return _CODE.findall(self.title)

    @property
    def rows(self) -> list[list[str]]:
        """The cells of its table rows, headers and rules left out."""
        cells = [
            [cell.strip() for cell in line.strip("|\n ").split(" | ")]
            for line in self.lines
            if line.startswith("|")
        ]
        rules = {n for n, row in enumerate(cells) if set("".join(row)) <= set("-|: ")}
        return [row for n, row in enumerate(cells) if n not in rules and n + 1 not in rules]


def prose(text: str) -> Iterator[str]:
    """Give the lines outside fenced blocks."""
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield line


def examples(text: str) -> list[str]:
    """Give the lines of the fenced JSON blocks."""
    found, language = [], ""
    for line in text.splitlines():
        if line.startswith("```"):
            language = "" if language else line.removeprefix("```") or "text"
        elif language == "json":
            found.append(line)
    return found


def sections(text: str) -> list[Section]:
    found = [Section(0, "", [])]
    for line in prose(text):
        if match := _HEADING.match(line):
            found.append(Section(len(match[1]), match[2], []))
        else:
            found[-1].lines.append(line)
    return found


def slug(title: str) -> str:
    """Name the anchor that a heading gets on the usual hosts."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def decoded_kind(example: str) -> str:
    record = decode(Line(0, 1, example.encode() + b"\n"))
    assert not isinstance(record, BadLine), record.reason
    return "Unknown" if isinstance(record, Unknown) else kind_of(record)


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    return PAGES[request.param].read_text(encoding="utf-8")


@pytest.fixture
def both() -> tuple[str, str]:
    return PAGES["en"].read_text(encoding="utf-8"), PAGES["fr"].read_text(encoding="utf-8")


def test_every_record_kind_has_a_heading(page: str) -> None:
    named = {name for section in sections(page) for name in section.named}

    assert set(KINDS) - named == set()


def test_every_record_kind_has_an_example(page: str) -> None:
    shown = {decoded_kind(line) for line in examples(page)}

    assert set(KINDS) - shown == set()


@pytest.mark.parametrize("heading", TABLES)
def test_every_variant_has_a_row_below_its_heading(page: str, heading: str) -> None:
    below = [section for section in sections(page) if section.named == [heading]]

    listed = {name for s in below for row in s.rows for name in _CODE.findall(row[0])}

    assert TABLES[heading] - listed == set()


def test_every_example_is_a_record_of_a_known_kind(page: str) -> None:
    unknown = [line for line in examples(page) if decoded_kind(line) == "Unknown"]

    assert examples(page)
    assert unknown == []


def test_every_example_is_strict_json(page: str) -> None:
    for line in examples(page):
        assert isinstance(msgspec.json.decode(line), dict)


def test_examples_with_a_variant_use_one_that_the_code_knows(page: str) -> None:
    strange = []
    for line in examples(page):
        match msgspec.json.decode(line):
            case {"type": "system", "subtype": name} if name not in SYSTEM_SUBTYPES:
                strange.append(name)
            case {"type": "progress", "data": {"type": name}} if name not in PROGRESS_TYPES:
                strange.append(name)
            case {"type": "attachment", "attachment": {"type": name}} if (
                name not in ATTACHMENT_TYPES
            ):
                strange.append(name)
            case {"type": "queue-operation", "operation": name} if name not in QUEUE_OPERATIONS:
                strange.append(name)

    assert strange == []


def test_the_page_names_no_kind_as_unknown_that_the_code_knows(page: str) -> None:
    (untyped,) = [section for section in sections(page) if section.title.startswith("7.29 ")]

    listed = set(_CODE.findall(" ".join(untyped.lines)))

    assert listed
    assert listed & set(KINDS) == set()


def shown_as(heading: str, name: str) -> str | None:
    """Give the kind of message that the code makes of a system record or an attachment."""
    content = "<command-name>/x</command-name>" if name == "local_command" else "words"
    inner = {"type": name, "content": content, "prompt": content}
    sample = {"type": heading, "subtype": name, "content": content, "attachment": inner}
    record = decode(Line(0, 1, msgspec.json.encode(sample) + b"\n"))
    assert isinstance(record, System | Attachment)
    note = note_of(record)
    return note.kind if note else None


@pytest.mark.parametrize("heading", ["system", "attachment"])
def test_the_last_column_says_how_the_code_shows_it(page: str, heading: str) -> None:
    (section,) = [section for section in sections(page) if section.named == [heading]]
    promised = {
        name: _CODE.findall(row[-1]) for row in section.rows for name in _CODE.findall(row[0])
    }

    wrong = {
        name: kinds
        for name, kinds in promised.items()
        if kinds and shown_as(heading, name) not in kinds
    }

    assert promised
    assert wrong == {}


def test_links_inside_the_page_lead_somewhere(page: str) -> None:
    anchors = {slug(section.title) for section in sections(page)}

    assert set(_LINK.findall(page)) - anchors == set()


def test_both_languages_have_the_same_headings(both: tuple[str, str]) -> None:
    english, french = ([(s.level, s.named) for s in sections(text)] for text in both)

    assert english == french


def test_both_languages_have_the_same_tables(both: tuple[str, str]) -> None:
    english, french = (
        [[(len(row), _CODE.findall(row[0])) for row in s.rows] for s in sections(text)]
        for text in both
    )

    assert english == french


def test_both_languages_name_the_same_identifiers_in_each_section(both: tuple[str, str]) -> None:
    english, french = (
        [(s.title.split()[:1], sorted(set(_CODE.findall("\n".join(s.lines))))) for s in found]
        for found in (sections(both[0])[1:], sections(both[1])[1:])
    )

    for (title, ours), (_, theirs) in zip(english, french, strict=True):
        assert ours == theirs, title


def test_both_languages_have_the_same_examples(both: tuple[str, str]) -> None:
    english, french = (examples(text) for text in both)

    assert english == french
