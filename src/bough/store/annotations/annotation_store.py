"""Reading, changing and merging annotations; safe with several bough processes at once.

What is read is kept until the file is in another state. A change is one transaction, and is
newer than all that stands there, whatever the clock says. Of two files that are merged the newer
value wins, field by field, and of two of the same moment the same one on every machine.
"""

import threading
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.errors import Misuse
from bough.store.annotations.annotation import (
    LONGEST_NOTE,
    SET,
    Annotation,
    AnnotationEntry,
    AnnotationField,
    AnnotationKind,
    Annotations,
    gather_annotations,
)
from bough.store.annotations.annotation_file import (
    FileMark,
    annotations_path,
    format_moment,
    has_earlier_stars,
    open_for_reading,
    open_for_writing,
    read_mark,
)

if TYPE_CHECKING:
    import sqlite3

_COLUMNS: Final = "kind, id, field, value, changed_at, session"
_WRITE: Final = f"""
insert into annotation ({_COLUMNS}) values (?, ?, ?, ?, ?, ?)
on conflict (kind, id, field) do update set
  value = excluded.value, changed_at = excluded.changed_at,
  session = case excluded.session when '' then session else excluded.session end
where excluded.changed_at > changed_at
  or (excluded.changed_at = changed_at and excluded.value > value)
"""
_TICK: Final = timedelta(microseconds=1)


class AnnotationChange(Struct, frozen=True):
    """What becomes of an annotation; what is None stays as it is."""

    starred: bool | None = None
    note: str | None = None
    hidden: bool | None = None

    def list_values(self) -> Mapping[AnnotationField, str]:
        """Give the values of the fields that change, as they are kept."""
        found: dict[AnnotationField, str] = {}
        if self.starred is not None:
            found["starred"] = SET if self.starred else ""
        if self.note is not None:
            found["note"] = self.note
        if self.hidden is not None:
            found["hidden"] = SET if self.hidden else ""
        return found


class MergeReport(Struct, frozen=True):
    """What a merge did: how many values were new, newer, older than ours, or the same."""

    added: int = 0
    changed: int = 0
    older: int = 0
    same: int = 0


class AnnotationStore:
    """The annotations of one file, by default the one in the data folder."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or annotations_path()
        self._lock = threading.Lock()
        self._read: tuple[FileMark, Annotations] | None = None

    def load(self) -> Annotations:
        """Give all annotations; those of a file that did not change are not read again.

        Raises:
            AnnotationTrouble: The file cannot be read, or is not ours.
        """
        with self._lock:
            mark = read_mark(self.path)
            if mark is None and has_earlier_stars(self.path):
                with open_for_writing(self.path):
                    pass
                mark = read_mark(self.path)
            if mark is None:
                return Annotations()
            if self._read is None or self._read[0] != mark:
                self._read = (mark, gather_annotations(self.list_entries()))
            return self._read[1]

    def list_entries(self) -> list[AnnotationEntry]:
        """List everything that stands in the file, also what was taken away."""
        if read_mark(self.path) is None:
            return []
        with open_for_reading(self.path) as connection:
            return _select_entries(connection)

    def change(
        self, kind: AnnotationKind, about: str, change: AnnotationChange, session: str = ""
    ) -> Annotation:
        """Change what is said of something, and give all that is said of it then.

        Raises:
            Misuse: The note is too long.
            AnnotationTrouble: The file cannot be written.
        """
        values = dict(change.list_values())
        if "note" in values:
            values["note"] = clean_note(values["note"])
        with open_for_writing(self.path) as connection:
            known = _select_entries(connection)
            moment = _next_moment(one for one in known if (one.kind, one.id) == (kind, about))
            for field, value in values.items():
                connection.execute(_WRITE, (kind, about, field, value, moment, session))
            entries = _select_entries(connection)
        return gather_annotations(entries).find(kind, about)

    def merge(self, entries: Iterable[AnnotationEntry]) -> MergeReport:
        """Take over what others said; where both said something the newer value stays."""
        added = changed = older = same = 0
        with open_for_writing(self.path) as connection:
            known = {(one.kind, one.id, one.field): one for one in _select_entries(connection)}
            for entry in entries:
                key = (entry.kind, entry.id, entry.field)
                before = known.get(key)
                if before is None:
                    added += 1
                elif before.value == entry.value:
                    same += 1
                elif (entry.changed_at, entry.value) > (before.changed_at, before.value):
                    changed += 1
                else:
                    older += 1
                    continue
                if before is None or entry.changed_at >= before.changed_at:
                    known[key] = entry
                values = (entry.kind, entry.id, entry.field, entry.value, entry.changed_at)
                connection.execute(_WRITE, (*values, entry.session))
        return MergeReport(added, changed, older, same)

    def remove_session(self, session: str) -> int:
        """Remove all that was said of a session and of its messages; tell of how many things.

        Nothing is left of it, so an older copy that is merged brings it back.
        """
        if read_mark(self.path) is None:
            return 0
        with open_for_writing(self.path) as connection:
            found = {
                (one.kind, one.id)
                for one in _select_entries(connection)
                if session == (one.id if one.kind == "session" else one.session)
            }
            connection.executemany("delete from annotation where kind = ? and id = ?", found)
        return len(found)


def clean_note(text: str) -> str:
    """Give a note without white space around it.

    Raises:
        Misuse: It is longer than notes are.
    """
    note = text.strip()
    if len(note) > LONGEST_NOTE:
        raise Misuse(f"A note has {LONGEST_NOTE:,} characters at most; this one has {len(note):,}.")
    return note


def _select_entries(connection: "sqlite3.Connection") -> list[AnnotationEntry]:
    rows = connection.execute(f"select {_COLUMNS} from annotation order by kind, id, field")
    return [AnnotationEntry(*row) for row in rows]


def _next_moment(known: Iterable[AnnotationEntry]) -> str:
    """Give now, or the moment after the last change where that lies in the future."""
    now = format_moment(datetime.now(UTC))
    last = max((one.changed_at for one in known), default="")
    return now if now > last else format_moment(datetime.fromisoformat(last) + _TICK)
