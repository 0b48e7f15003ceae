"""Tools that touch files: edits as diffs, what was read with its numbers, cells of notebooks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bough.export.markup.code import color_lines, language_of, render_code
from bough.export.markup.escape import escape_attribute, escape_html, normalize_newlines
from bough.export.markup.line_diff import DiffGap, TextChange, render_diff, render_gap
from bough.model.text.formats import format_plural
from bough.model.tools.call_summary import find_text
from bough.model.tools.calls import ToolBlock
from bough.model.tools.structured_results import EditResult, NumberedHunk, read_edit_result

_NUMBER: Final = r"[ \t]*+\d{1,9}+[→\t]"
_FIRST: Final = re.compile(rf"(?:[^\S\n]*+\n)*+(?=[ \t]*+(\d++)){_NUMBER}")
_NEXT: Final = re.compile(rf"\n{_NUMBER}")
_END: Final = re.compile(rf"\n(?!{_NUMBER})")
_ROWS: Final = 40
"""So many lines of a file are shown at once; the rest of it is folded."""


def render_edit(block: ToolBlock) -> str | None:
    """Show what an edit changed; None where there is nothing to compare."""
    patched = read_edit_result(block.result) if block.result is not None else EditResult()
    return _render_changes(block, patched)


def _render_changes(block: ToolBlock, patched: EditResult) -> str | None:
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    path = find_text(given, "file_path", "notebook_path")
    language = language_of(path)
    changes: Sequence[TextChange | DiffGap] = _changes_from_patch(patched) or _changes_from_input(
        given
    )
    if not changes:
        return None
    parts = _insert_gaps(changes)
    shown = [
        render_gap(part) if isinstance(part, DiffGap) else render_diff(part, language)
        for part in parts
    ]
    return _wrap_scrollable("diff", f"Change to {path}", shown)


def _insert_gaps(parts: Sequence[TextChange | DiffGap]) -> Iterator[TextChange | DiffGap]:
    """Set a gap of unknown length between changes that do not follow one another."""
    before: TextChange | DiffGap | None = None
    for part in parts:
        if isinstance(part, TextChange) and isinstance(before, TextChange):
            yield DiffGap(())
        yield part
        before = part


def render_write(block: ToolBlock) -> str | None:
    """Show what was written: a new file as lines that came, another as its change."""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    patched = read_edit_result(block.result) if block.result is not None else EditResult()
    if patched.hunks:
        return _render_changes(block, patched)
    content = find_text(given, "content")
    if not content:
        return None
    path = find_text(given, "file_path")
    return render_numbered(content.removesuffix("\n"), 1, language_of(path), path, "a")


def render_read(block: ToolBlock) -> str | None:
    """Show what was read, with the numbers of its lines; None where it has none."""
    result = block.result
    if result is None or result.is_error:
        return None
    if result.images and not result.text.strip():
        return ""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    path = find_text(given, "file_path")
    text = normalize_newlines(result.text)
    first = _FIRST.match(text)
    if first is None:
        return None
    end = _END.search(text, first.end())
    code = _NEXT.sub("\n", text[first.end() : end.start() if end else None])
    rest = text[end.end() :].strip() if end else ""
    note = f'<p class="note" dir="auto">{escape_html(rest)}</p>' if rest else ""
    return render_numbered(code, int(first[1]), language_of(path), path, "") + note


def render_notebook(block: ToolBlock) -> str:
    """Show the cell that was written."""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    source = find_text(given, "new_source")
    mode = find_text(given, "edit_mode") or "replace"
    cell = find_text(given, "cell_id", "cell_number")
    kind = find_text(given, "cell_type") or "code"
    facts = f"{mode} {kind} cell {cell}".strip()
    code = render_code(source, "python" if kind == "code" else "")
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


def _changes_from_patch(patched: EditResult) -> list[TextChange | DiffGap]:
    """Take the client's patch; with the old file at hand, the lines between its stretches too."""
    hunks = [_change_from_hunk(hunk) for hunk in patched.hunks]
    if not patched.original_file or not hunks:
        return [*hunks]
    lines = patched.original_file.split("\n")
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


def _changes_from_input(given: Mapping[str, object]) -> list[TextChange | DiffGap]:
    edits = given.get("edits")
    pieces = edits if isinstance(edits, list) else [given]
    return [
        TextChange(
            str(piece.get("old_string", "")).split("\n"),
            str(piece.get("new_string", "")).split("\n"),
        )
        for piece in pieces
        if isinstance(piece, Mapping) and ("old_string" in piece or "new_string" in piece)
    ]
