"""What each of two branches left of the files it wrote to, and how that differs.

Told from the records alone: what a call was given, and the copy of the old file that the
client keeps with a result. Where it kept none, and nothing before tells it, the file is not
known, and the changes themselves are all there is. What a shell command or a person did to a
file between two calls is seen only if the next copy shows it.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from typing import Final

from msgspec import Struct

from bough.model.session import Session
from bough.model.tools.structured_results import NumberedHunk
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import decode_part, decode_plain, message_of
from bough.records.record import Record, camel
from bough.records.types import User
from bough.timetravel.compare.compare_branches import find_paths, list_path_records
from bough.timetravel.plans.resume_view import list_write_calls

_CONTEXT: Final = 3
_MOST_LINES: Final = 20_000
"""Longer files are not compared line by line."""


class FileDifference(Struct, frozen=True, kw_only=True):
    """How two branches left one file.

    `differs` is None where one of them is not known; line ends make no difference. `hunks`
    lead from A to B where both wrote to it, else from what was there before to what the one
    that wrote left. Where they are not known, `a` and `b` have what each did to it.
    """

    path: str
    by_a: bool
    by_b: bool
    differs: bool | None
    hunks: tuple[NumberedHunk, ...] = ()
    a: tuple[NumberedHunk, ...] = ()
    b: tuple[NumberedHunk, ...] = ()


class _StoredWrite(Struct, gc=False, rename=camel):
    """What the client kept of a write."""

    type: str | None = None
    structured_patch: list[NumberedHunk] | None = None
    original_file: str | None = None
    original_file_contents: str | None = None
    user_modified: bool = False


class _WriteCall(Struct, frozen=True):
    """A call that wrote to a file."""

    call: ToolUse
    path: str
    stored: _StoredWrite


class _FileHistory:
    """A file while calls write to it; a text of None is not known."""

    def __init__(self, text: str | None = None, *, known: bool = False) -> None:
        self.before = text
        self.text = text
        self.hunks: list[NumberedHunk] = []
        self._known = known

    def apply_write(self, write: _WriteCall) -> None:
        """Do to it what a call did."""
        base = self._find_base(write)
        if not self._known:
            self.before, self._known = base, True
        self.text = _compute_content(write, base)
        self.hunks += write.stored.structured_patch or _make_whole_hunk(write)

    def _find_base(self, write: _WriteCall) -> str | None:
        """Give the file as the call found it."""
        kept, known = write.stored, self.text
        original = kept.original_file
        if original is None:
            original = kept.original_file_contents
        if original is None:
            return "" if kept.type == "create" else known
        if known is None or original == known or original != _find_replaced_text(write):
            return original
        # No more than the replaced words, and the file is known to have others: no copy of it.
        return known if original in known else None


def find_file_differences(
    session: Session, a: str, b: str, other: Session | None = None
) -> list[FileDifference]:
    """Tell how two branches left every file that one of them wrote to, in order of path.

    B is a node of the other session, where one is given.

    Raises:
        TipNotFound: There is no such node, or it lies in an agent's conversation.
    """
    paths = find_paths(session, a, b, other)
    shared, first = paths.shared, paths.groups[0]
    together: dict[str, _FileHistory] = {}
    for write in _list_writes(list_path_records(session, first, first[:shared])):
        together.setdefault(write.path, _FileHistory()).apply_write(write)
    one, two = (
        _replay_branch(own, path, shared, together)
        for own, path in zip(paths.sessions, paths.groups, strict=True)
    )
    return [
        _describe_difference(path, one.get(path), two.get(path)) for path in sorted({*one, *two})
    ]


def _replay_branch(
    session: Session, path: list[int], shared: int, together: dict[str, _FileHistory]
) -> dict[str, _FileHistory]:
    found: dict[str, _FileHistory] = {}
    for write in _list_writes(list_path_records(session, path, path[shared:])):
        if write.path not in found:
            was = together.get(write.path)
            found[write.path] = (
                _FileHistory(was.text, known=True) if was is not None else _FileHistory()
            )
        found[write.path].apply_write(write)
    return found


def _list_writes(records: Sequence[Record]) -> Iterator[_WriteCall]:
    """List the calls that wrote to files; what failed or has no result wrote nothing."""
    results: dict[str, _StoredWrite] = {}
    for record in records:
        if isinstance(record, User):
            done = [b for b in message_of(record).blocks if isinstance(b, ToolResult)]
            kept = (
                decode_part(record.tool_use_result_json, _StoredWrite) if done else _StoredWrite()
            )
            results |= {block.tool_use_id: kept for block in done if not block.is_error}
    for call, path in list_write_calls(records):
        if call.id in results:
            yield _WriteCall(call, path, results[call.id])


def _describe_difference(
    path: str, a: _FileHistory | None, b: _FileHistory | None
) -> FileDifference:
    if a is not None and b is not None:
        old, new = a.text, b.text
    else:
        own = a or b or _FileHistory()
        old, new = own.before, own.text
    known = old is not None and new is not None
    hunks = tuple(_diff_texts(old, new)) if old is not None and new is not None else ()
    return FileDifference(
        path=path,
        by_a=a is not None,
        by_b=b is not None,
        differs=bool(hunks) if known else None,
        hunks=hunks,
        a=tuple(a.hunks) if a is not None and not known else (),
        b=tuple(b.hunks) if b is not None and not known else (),
    )


def _compute_content(write: _WriteCall, base: str | None) -> str | None:
    """Give a file after a call; None where that cannot be told."""
    given = decode_plain(write.call.input)
    if not isinstance(given, dict):
        return None
    if write.call.name == "Write":
        content = given.get("content")
        return content if isinstance(content, str) else None
    if base is None or write.call.name == "NotebookEdit":
        return None
    edits = given.get("edits") if write.call.name == "MultiEdit" else [given]
    exact = None if write.stored.user_modified else _apply_edits(base, edits)
    return exact if exact is not None else _apply_patch(base, write.stored.structured_patch or ())


def _find_replaced_text(write: _WriteCall) -> object:
    """Give the words that an edit replaced."""
    given = decode_plain(write.call.input)
    return given.get("old_string") if isinstance(given, dict) else None


def _apply_edits(text: str, edits: object) -> str | None:
    """Replace words as edits say; None where one does not fit the text."""
    for edit in edits if isinstance(edits, list) else [None]:
        if not isinstance(edit, dict):
            return None
        old, new = edit.get("old_string"), edit.get("new_string")
        if not isinstance(old, str) or not isinstance(new, str) or old not in text:
            return None
        text = text.replace(old, new, -1 if edit.get("replace_all") else 1)
    return text


def _apply_patch(text: str, hunks: Iterable[NumberedHunk]) -> str | None:
    """Carry out a patch; None where it is none, or not of this text."""
    lines, moved, patched = text.split("\n"), 0, False
    for hunk in hunks:
        own = [line for line in hunk.lines if not line.startswith("\\")]
        old = [line[1:] for line in own if not line.startswith("+")]
        new = [line[1:] for line in own if not line.startswith("-")]
        start = max(0, hunk.old_start - 1) + moved
        if lines[start : start + len(old)] != old:
            return None
        lines[start : start + len(old)] = new
        moved, patched = moved + len(new) - len(old), True
    return "\n".join(lines) if patched else None


def _make_whole_hunk(write: _WriteCall) -> list[NumberedHunk]:
    """Tell a write without a patch as lines that came."""
    given = decode_plain(write.call.input)
    content = given.get("content") if isinstance(given, dict) else None
    if not isinstance(content, str) or not content:
        return []
    return [NumberedHunk(1, 1, [f"+{line}" for line in content.splitlines()])]


def _diff_texts(old: str, new: str) -> Iterator[NumberedHunk]:
    """Compare two texts line by line."""
    before, after = old.splitlines(), new.splitlines()
    if before == after:
        return
    if len(before) + len(after) > _MOST_LINES:
        yield NumberedHunk(1, 1, [f"-{line}" for line in before] + [f"+{line}" for line in after])
        return
    lines: list[str] = []
    starts = (1, 1)
    # The first two lines name the files.
    for number, line in enumerate(unified_diff(before, after, n=_CONTEXT, lineterm="")):
        if number < 2:
            continue
        if not line.startswith("@@"):
            lines.append(line)
            continue
        if lines:
            yield NumberedHunk(*starts, lines)
        starts, lines = _parse_hunk_starts(line), []
    if lines:
        yield NumberedHunk(*starts, lines)


def _parse_hunk_starts(head: str) -> tuple[int, int]:
    """Read where a stretch begins, from `@@ -3,7 +3,9 @@`."""
    old, new = (max(1, int(word[1:].split(",")[0])) for word in head.split(" ")[1:3])
    return old, new
