"""Tools that touch files: edits as diffs, what was read with its numbers, cells of notebooks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bough.export.markup.code import code_block, coloured, language_of
from bough.export.markup.escape import attribute, ended, escaped
from bough.export.markup.line_diff import Change, Gap, diff_of, gap_of
from bough.model.text.formats import plural
from bough.model.tools.call_summary import text_in
from bough.model.tools.calls import ToolBlock
from bough.model.tools.structured_results import NumberedHunk, Patched, patched_by

_NUMBER: Final = r"[ \t]*+\d{1,9}+[→\t]"
_FIRST: Final = re.compile(rf"(?:[^\S\n]*+\n)*+(?=[ \t]*+(\d++)){_NUMBER}")
_NEXT: Final = re.compile(rf"\n{_NUMBER}")
_END: Final = re.compile(rf"\n(?!{_NUMBER})")
_ROWS: Final = 40
"""So many lines of a file are shown at once; the rest of it is folded."""


def edit_body(block: ToolBlock) -> str | None:
    """Show what an edit changed; None where there is nothing to compare."""
    patched = patched_by(block.result) if block.result is not None else Patched()
    return _edited(block, patched)


def _edited(block: ToolBlock, patched: Patched) -> str | None:
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    path = text_in(given, "file_path", "notebook_path")
    language = language_of(path)
    changes: Sequence[Change | Gap] = _of_patch(patched) or _of_input(given)
    if not changes:
        return None
    parts = _spaced(changes)
    shown = [gap_of(part) if isinstance(part, Gap) else diff_of(part, language) for part in parts]
    return _scrolled("diff", f"Change to {path}", shown)


def _spaced(parts: Sequence[Change | Gap]) -> Iterator[Change | Gap]:
    """Set a gap of unknown length between changes that do not follow one another."""
    before: Change | Gap | None = None
    for part in parts:
        if isinstance(part, Change) and isinstance(before, Change):
            yield Gap(())
        yield part
        before = part


def write_body(block: ToolBlock) -> str | None:
    """Show what was written: a new file as lines that came, another as its change."""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    patched = patched_by(block.result) if block.result is not None else Patched()
    if patched.hunks:
        return _edited(block, patched)
    content = text_in(given, "content")
    if not content:
        return None
    path = text_in(given, "file_path")
    return numbered(content.removesuffix("\n"), 1, language_of(path), path, "a")


def read_body(block: ToolBlock) -> str | None:
    """Show what was read, with the numbers of its lines; None where it has none."""
    result = block.result
    if result is None or result.is_error:
        return None
    if result.images and not result.text.strip():
        return ""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    path = text_in(given, "file_path")
    text = ended(result.text)
    first = _FIRST.match(text)
    if first is None:
        return None
    end = _END.search(text, first.end())
    code = _NEXT.sub("\n", text[first.end() : end.start() if end else None])
    rest = text[end.end() :].strip() if end else ""
    note = f'<p class="note" dir="auto">{escaped(rest)}</p>' if rest else ""
    return numbered(code, int(first[1]), language_of(path), path, "") + note


def notebook_body(block: ToolBlock) -> str:
    """Show the cell that was written."""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    source = text_in(given, "new_source")
    mode = text_in(given, "edit_mode") or "replace"
    cell = text_in(given, "cell_id", "cell_number")
    kind = text_in(given, "cell_type") or "code"
    facts = f"{mode} {kind} cell {cell}".strip()
    return (
        f'<p class="m">{escaped(facts)}</p>{code_block(source, "python" if kind == "code" else "")}'
    )


def numbered(code: str, first: int, language: str, path: str, look: str) -> str:
    """Show lines of a file with their numbers; a long stretch ends in a fold."""
    start, sign = f'<div class="r {look}"><b>', f"</b><b>{'+' if look == 'a' else ''}</b><span>"
    rows = [
        f"{start}{number}{sign}{line}</span></div>"
        for number, line in enumerate(coloured(code, language), first)
    ]
    more = len(rows) - _ROWS
    if more > _ROWS // 4:
        words = f"Show {plural(more, 'more line')}"
        rows.insert(
            _ROWS,
            f'<details class="fold more"><summary>{words}</summary><div class="body">',
        )
        rows.append("</div></details>")
    return _scrolled("diff one", f"Lines of {path}", rows)


def _scrolled(look: str, label: str, shown: Iterable[str]) -> str:
    named = f'role="group" aria-label="{attribute(label)}"'
    return "".join([f'<div class="{look}" tabindex="0" {named} dir="ltr">', *shown, "</div>"])


def _of_patch(patched: Patched) -> list[Change | Gap]:
    """Take the client's patch; with the old file at hand, the lines between its stretches too."""
    hunks = [_of_hunk(hunk) for hunk in patched.hunks]
    if not patched.original_file or not hunks:
        return [*hunks]
    lines = patched.original_file.split("\n")
    if not lines[-1]:
        lines.pop()
    parts: list[Change | Gap] = []
    at = shift = 0
    for hunk in hunks:
        start = (hunk.old_start or 1) - 1
        if start < at or lines[start : start + len(hunk.old)] != list(hunk.old):
            # Not the file this patch was made of: what lies between is not known.
            return [*hunks]
        parts += [Gap(lines[at:start], at + 1, at + 1 + shift), hunk]
        at = start + len(hunk.old)
        shift += len(hunk.new) - len(hunk.old)
    return [*parts, Gap(lines[at:], at + 1, at + 1 + shift)]


def _of_hunk(hunk: NumberedHunk) -> Change:
    old = [line[1:] for line in hunk.lines if line[:1] in (" ", "-")]
    new = [line[1:] for line in hunk.lines if line[:1] in (" ", "+")]
    return Change(old, new, hunk.old_start, hunk.new_start)


def _of_input(given: Mapping[str, object]) -> list[Change | Gap]:
    edits = given.get("edits")
    pieces = edits if isinstance(edits, list) else [given]
    return [
        Change(
            str(piece.get("old_string", "")).split("\n"),
            str(piece.get("new_string", "")).split("\n"),
        )
        for piece in pieces
        if isinstance(piece, Mapping) and ("old_string" in piece or "new_string" in piece)
    ]
