"""Tools that touch files: edits as diffs, what was read with its numbers, cells of notebooks."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bough.export.markup.code import color_lines, language_of, render_code
from bough.export.markup.escape import escape_attribute, escape_html, normalize_newlines
from bough.export.markup.line_diff import DiffGap, TextChange, render_diff, render_gap
from bough.model.text.formats import format_plural
from bough.model.tools.call_detail import (
    FileContent,
    FileEdit,
    FileSearch,
    FileWrite,
    NotebookCell,
    ToolOutput,
)
from bough.model.tools.structured_results import NumberedHunk

_NUMBER: Final = r"[ \t]*+\d{1,9}+[→\t]"
_FIRST: Final = re.compile(rf"(?:[^\S\n]*+\n)*+(?=[ \t]*+(\d++)){_NUMBER}")
_NEXT: Final = re.compile(rf"\n{_NUMBER}")
_END: Final = re.compile(rf"\n(?!{_NUMBER})")
_ROWS: Final = 40
"""So many lines of a file are shown at once; the rest of it is folded."""


def render_file_part(
    part: FileEdit | FileWrite | FileContent | NotebookCell | FileSearch, output: ToolOutput | None
) -> str | None:
    """Show what was done to a file; None where there is nothing to show it by."""
    match part:
        case FileEdit():
            return render_edit(part)
        case FileWrite():
            return render_write(part)
        case FileContent():
            return render_read(part, output)
        case NotebookCell():
            return render_notebook(part)
        case FileSearch():
            return ""


def render_edit(part: FileEdit | FileWrite) -> str | None:
    """Show what an edit changed; None where there is nothing to compare."""
    changes: Sequence[TextChange | DiffGap] = _changes_from_patch(part.hunks, part.original)
    if not changes and isinstance(part, FileEdit):
        changes = [TextChange(edit.old.split("\n"), edit.new.split("\n")) for edit in part.edits]
    if not changes:
        return None
    language = language_of(part.path)
    shown = [
        render_gap(change) if isinstance(change, DiffGap) else render_diff(change, language)
        for change in _insert_gaps(changes)
    ]
    return _wrap_scrollable("diff", f"Change to {part.path}", shown)


def _insert_gaps(parts: Sequence[TextChange | DiffGap]) -> Iterator[TextChange | DiffGap]:
    """Set a gap of unknown length between changes that do not follow one another."""
    before: TextChange | DiffGap | None = None
    for part in parts:
        if isinstance(part, TextChange) and isinstance(before, TextChange):
            yield DiffGap(())
        yield part
        before = part


def render_write(part: FileWrite) -> str | None:
    """Show what was written: a new file as lines that came, another as its change."""
    if part.hunks:
        return render_edit(part)
    if part.content is None or not part.content.strip():
        return None
    language = language_of(part.path)
    return render_numbered(part.content.removesuffix("\n"), 1, language, part.path, "a")


def render_read(part: FileContent, output: ToolOutput | None) -> str | None:
    """Show what was read, with the numbers of its lines; None where it has none."""
    if output is None or output.is_error:
        return None
    if output.images and not output.text.strip():
        return ""
    text = normalize_newlines(output.text)
    first = _FIRST.match(text)
    if first is None:
        return None
    end = _END.search(text, first.end())
    code = _NEXT.sub("\n", text[first.end() : end.start() if end else None])
    rest = text[end.end() :].strip() if end else ""
    note = f'<p class="note" dir="auto">{escape_html(rest)}</p>' if rest else ""
    language = language_of(part.path)
    return render_numbered(code, int(first[1]), language, part.path, "") + note


def render_notebook(part: NotebookCell) -> str:
    """Show the cell that was written."""
    facts = f"{part.mode} {part.kind} cell {part.cell}".strip()
    code = render_code(part.source, "python" if part.kind == "code" else "")
    return f'<p class="m">{escape_html(facts)}</p>{code}'


def render_numbered(code: str, first: int, language: str, path: str, look: str) -> str:
    """Show lines of a file with their numbers; a long stretch ends in a fold."""
    start, sign = f'<div class="r {look}"><b>', f"</b><b>{'+' if look == 'a' else ''}</b><span>"
    rows = [
        f"{start}{number}{sign}{line}</span></div>"
        for number, line in enumerate(color_lines(code, language), first)
    ]
    more = len(rows) - _ROWS
    if more > _ROWS // 4:
        words = f"Show {format_plural(more, 'more line')}"
        rows.insert(
            _ROWS,
            f'<details class="fold more"><summary>{words}</summary><div class="body">',
        )
        rows.append("</div></details>")
    return _wrap_scrollable("diff one", f"Lines of {path}", rows)


def _wrap_scrollable(look: str, label: str, shown: Iterable[str]) -> str:
    named = f'role="group" aria-label="{escape_attribute(label)}"'
    return "".join([f'<div class="{look}" tabindex="0" {named} dir="ltr">', *shown, "</div>"])


def _changes_from_patch(
    patch: Sequence[NumberedHunk], original: str | None
) -> list[TextChange | DiffGap]:
    """Take the client's patch; with the old file at hand, the lines between its stretches too."""
    hunks = [_change_from_hunk(hunk) for hunk in patch]
    if not original or not hunks:
        return [*hunks]
    lines = original.split("\n")
    if not lines[-1]:
        lines.pop()
    parts: list[TextChange | DiffGap] = []
    at = shift = 0
    for hunk in hunks:
        start = (hunk.old_start or 1) - 1
        if start < at or lines[start : start + len(hunk.old)] != list(hunk.old):
            # Not the file this patch was made of: what lies between is not known.
            return [*hunks]
        parts += [DiffGap(lines[at:start], at + 1, at + 1 + shift), hunk]
        at = start + len(hunk.old)
        shift += len(hunk.new) - len(hunk.old)
    return [*parts, DiffGap(lines[at:], at + 1, at + 1 + shift)]


def _change_from_hunk(hunk: NumberedHunk) -> TextChange:
    old = [line[1:] for line in hunk.lines if line[:1] in (" ", "-")]
    new = [line[1:] for line in hunk.lines if line[:1] in (" ", "+")]
    return TextChange(old, new, hunk.old_start, hunk.new_start)
