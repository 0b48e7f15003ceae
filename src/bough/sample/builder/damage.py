"""What goes wrong in files: torn and glued lines, odd bytes, repeats, copies, wrong links."""

from copy import deepcopy
from typing import TYPE_CHECKING, Self

from bough.errors import Misuse
from bough.sample.builder.base import DraftLine, SessionDraft

if TYPE_CHECKING:
    from bough.sample.data.blocks import Json


class DamageSteps(SessionDraft):
    """Steps that spoil the file in ways met in real ones."""

    # bytes

    def tear_line(self, cut: int = 20) -> Self:
        """Cut the end off the last line, as when the machine stopped while writing."""
        last = self._last_line()
        last.body, last.end = last.line()[: -cut - 1], b""
        return self

    def split(self, keep: int = 40) -> Self:
        """Break the last line in two in the middle of the record."""
        last = self._last_line()
        whole = last.line().rstrip(b"\n")
        last.body = whole[:keep]
        return self.raw(whole[keep:])

    def drop_newline(self) -> Self:
        """Leave out the newline after the last line; a record written next is glued to it."""
        self._last_line().end = b""
        return self

    def bom(self) -> Self:
        """Put a byte order mark before everything."""
        self.entries.insert(0, DraftLine(b"\xef\xbb\xbf", b""))
        return self

    def nul(self, count: int = 64) -> Self:
        """Write a line of zero bytes, as a crashed file system leaves them."""
        return self.raw(b"\x00" * count)

    def blank(self) -> Self:
        """Write an empty line."""
        return self.raw(b"")

    def crlf(self) -> Self:
        """End the lines written so far as Windows does."""
        for entry in self.entries:
            if entry.end == b"\n":
                entry.end = b"\r\n"
        return self

    def malformed_line(self, line: bytes = b'{"type":"user","uuid":') -> Self:
        """Write a line that is no JSON."""
        return self.raw(line)

    # nodes

    def again(self, where: str | int, **fields: object) -> Self:
        """Write a step a second time with the same uuid, as it was or with changes."""
        record = deepcopy(self.record_of(where))
        self.entries.append(DraftLine(record | fields))
        self.cursor = self.uuid(where)
        return self

    def replay(self, *steps: str | int) -> Self:
        """Write steps again under new uuids, all else as it was; the copies hang on each other."""
        for step in steps:
            record: Json = deepcopy(self.record_of(step))
            record |= {"uuid": self.mint("uuid"), "parentUuid": self.cursor}
            self.entries.append(DraftLine(record))
            self.adopt(str(record["uuid"]))
        return self

    def reparent(self, child: str | int, parent: str | int | None) -> Self:
        """Hang a written step on another one; so cycles are made."""
        return self.amend(child, parentUuid=None if parent is None else self.uuid(parent))

    def _last_line(self) -> DraftLine:
        if not self.entries:
            raise Misuse("Nothing is written yet that could be damaged.")
        return self.entries[-1]
