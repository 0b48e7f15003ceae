"""A conversation for a model to read on from, within a budget of tokens.

A token is taken for four bytes of UTF-8: close for English and code, on the safe side for
most other scripts. What does not fit is left out by worth (see `units`), older before newer,
and what is left out is said where it stood. All prompts are in as long as they fit alone.
Where the answers do not fit, the client's own summaries stand for what they replaced.

Texts are cut in their middle, with a note of how much is gone: the beginning says what it is
about and the end how it turned out. The cut lies between paragraphs, and a fence stays or goes
as a whole. Sizes are in bytes.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from bough.export.document_options import BYTES_PER_TOKEN, ExportOptions
from bough.export.header import describe_document_part, title_of
from bough.export.llm.units import Unit, UnitPriority, render_unit, split_units
from bough.model.conversation.conversation import Conversation
from bough.model.session import Session
from bough.model.text.code_fences import find_fence
from bough.model.text.formats import format_plural

_ROOM_FOR_NOTE: Final = 64


def size_of(text: str) -> int:
    """Measure a text in bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def cut_text(text: str, room: int) -> str | None:
    """Cut Markdown to fit into so many bytes; None where nothing of it would be left."""
    return _cut_parts(_split_paragraphs(text), room, "\n\n")


def cut_lines(text: str, room: int) -> str | None:
    """Cut a text that is no Markdown, between lines; None where nothing would be left."""
    return _cut_parts(text.strip("\n").split("\n"), room, "\n")


def _cut_parts(parts: Sequence[str], room: int, glue: str) -> str | None:
    """Keep parts of the beginning and of the end in turn, as long as they fit."""
    sizes = [size_of(part) + len(glue) for part in parts]
    if sum(sizes) - len(glue) <= room:
        return glue.join(parts)
    left = room - _ROOM_FOR_NOTE - 2 * len(glue)
    head, tail = 0, len(parts)
    while head < tail:
        if sizes[head] <= left:
            left -= sizes[head]
            head += 1
        else:
            break
        if head < tail and sizes[tail - 1] <= left:
            tail -= 1
            left -= sizes[tail]
    while head < tail and sizes[tail - 1] <= left:
        tail -= 1
        left -= sizes[tail]
    if head == 0 and tail == len(parts):
        return None
    gone = sum(len(part) for part in parts[head:tail])
    note = f"[… {gone:,} characters left out …]"
    return glue.join([*parts[:head], note, *parts[tail:]])


def _split_paragraphs(text: str) -> list[str]:
    """Cut Markdown at empty lines, but not inside a fence."""
    found: list[list[str]] = [[]]
    opened = ""
    for line in text.split("\n"):
        if fence := find_fence(line, opened, at_top=True):
            opened = "" if opened else fence
            found[-1].append(line)
        elif opened or line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return ["\n".join(lines) for lines in found if lines]


_NOTE: Final = 256
"""More bytes than a note of what is left out and the headings around it ever take."""

_HEADING: Final = 48
_GLANCE: Final = 1_200
"""How much of a long body is taken before any is taken whole."""

_LEAST: Final = 200
_ROUNDS: Final = 6
_NAMES: Final = {
    UnitPriority.ASKED: ("prompt", None),
    UnitPriority.ANSWER: ("answer", None),
    UnitPriority.STEP: ("step", None),
    UnitPriority.BODY: ("input or output", "inputs and outputs"),
    UnitPriority.SUMMARY: ("summary", "summaries"),
    UnitPriority.THOUGHT: ("thought", None),
    UnitPriority.NOTE: ("note", None),
}


def write_for_model(
    session: Session, conversations: Conversation, include: ExportOptions
) -> tuple[str, str]:
    """Write a conversation for a model; also say in a sentence what was left out."""
    units = list(split_units(conversations.messages, include, session.cwd))
    head = _write_head(session)
    text, taken = fit_units(units, head, include.budget * BYTES_PER_TOKEN)
    gone = [unit for number, unit in enumerate(units) if number not in taken]
    return text, f"Left out: {_count_units(gone)}." if gone else ""


def fit_units(units: Sequence[Unit], head: str, room: int) -> tuple[str, set[int]]:
    """Fit units into so many bytes; give the text and the numbers of those that are in it."""
    choice = _UnitSelection(units, head, room)
    choice.take_prompts()
    answers = [n for n, unit in enumerate(units) if unit.worth is UnitPriority.ANSWER]
    tight = sum(choice.measure_unit(n) for n in answers) > choice.count_bytes_left()
    for _ in range(_ROUNDS):
        before = len(choice.taken)
        if tight:
            choice.take(_newest_first(units, UnitPriority.SUMMARY))
        for worth in (UnitPriority.ANSWER, UnitPriority.STEP):
            choice.take(_newest_first(units, worth))
        choice.take(_newest_first(units, UnitPriority.BODY), glance=True)
        choice.take(_newest_first(units, UnitPriority.BODY))
        for worth in (UnitPriority.SUMMARY, UnitPriority.THOUGHT, UnitPriority.NOTE):
            choice.take(_newest_first(units, worth))
        if len(choice.taken) in (before, len(units)):
            break
    return choice.text(), set(choice.taken)


class _UnitSelection:
    """What was taken so far: the number of each unit, and the words it is told in."""

    def __init__(self, units: Sequence[Unit], head: str, room: int) -> None:
        self.units = units
        self.room = room
        self.head = head
        self.taken: dict[int, str] = {}
        self._whole = [render_unit(unit) for unit in units]
        self._left: int | None = None

    def take_prompts(self) -> None:
        """Take all prompts; where they do not fit, the first and the newest, as many as do."""
        prompts = _newest_first(self.units, UnitPriority.ASKED)
        self.taken = {number: self._whole[number] for number in prompts}
        if self.count_bytes_left() < 0:
            self.head = ""
        if self.count_bytes_left() >= 0:
            return
        self.taken = {}
        self._left = None
        self.take([*prompts[-1:], *prompts[:-1]])

    def count_bytes_left(self) -> int:
        """Measure how many bytes are left."""
        return self.room - size_of(self.text())

    def measure_unit(self, number: int) -> int:
        """Tell how many bytes a unit takes at most, with what stands around it."""
        return size_of(self._whole[number]) + _HEADING

    def _measure_overhead(self, number: int) -> int:
        """Tell how many bytes may come with a unit: beside another, no further note."""
        beside = number - 1 in self.taken or number + 1 in self.taken
        return _HEADING if beside else _NOTE

    def take(self, numbers: Iterable[int], *, glance: bool = False) -> None:
        """Take units as long as they fit, the first that does not in part."""
        left = self.count_bytes_left()
        for number in numbers:
            known = self.taken.get(number)
            if known == self._whole[number]:
                continue
            room = left + (size_of(known) if known is not None else -self._measure_overhead(number))
            words = self._fit_unit(number, min(room, _GLANCE) if glance else room)
            if words is None or (known is not None and size_of(words) <= size_of(known)):
                continue
            self.taken[number] = words
            left = room - size_of(words)

    def _fit_unit(self, number: int, room: int) -> str | None:
        whole = self._whole[number]
        if size_of(whole) <= room:
            return whole
        unit = self.units[number]
        if room < _LEAST or unit.worth is UnitPriority.STEP:
            return None
        if not unit.code:
            return cut_text(unit.text, room)
        # Fences around the text, which may have to be longer than three.
        cut = cut_lines(unit.text, room - 40)
        made = render_unit(Unit(unit.worth, cut, code=True)) if cut is not None else None
        return made if made is not None and size_of(made) <= room else None

    def text(self) -> str:
        """Put what was taken into order, with notes where something is missing."""
        parts = [self.head] if self.head else []
        who, missing = "", []
        for number, unit in enumerate(self.units):
            words = self.taken.get(number)
            if words is None:
                missing.append(unit)
                continue
            parts += _note_gap(missing)
            if unit.who != who or missing:
                parts.append(f"## {unit.who}")
            parts.append(words)
            who, missing = unit.who, []
        text = "\n\n".join([*parts, *_note_gap(missing)]) + "\n"
        # With next to no room even the note is too much.
        return text if self.taken or size_of(text) <= self.room else ""


def _newest_first(units: Sequence[Unit], worth: UnitPriority) -> list[int]:
    return [n for n in range(len(units) - 1, -1, -1) if units[n].worth is worth]


def _note_gap(missing: Sequence[Unit]) -> list[str]:
    return [f"[left out: {_count_units(missing)}]"] if missing else []


def _count_units(units: Iterable[Unit]) -> str:
    counts = Counter(unit.worth for unit in units)
    return ", ".join(
        format_plural(counts[worth], *_NAMES[worth]) for worth in UnitPriority if counts[worth]
    )


def _write_head(session: Session) -> str:
    where = f" in {session.cwd}" if session.cwd else ""
    part = describe_document_part(session)
    return (
        f"# {title_of(session)}\n\nA conversation of a person with Claude in Claude Code{where}, "
        f"written down to be read on from.{part and ' '}{part}"
    )


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text."""
    return -(-size_of(text) // BYTES_PER_TOKEN)
