"""Two texts, or what two branches left of a file, as HTML that stands side by side."""

from collections.abc import Sequence

from bough.export.html.tools.file_tools import render_edit
from bough.export.markup.code import mark_ranges
from bough.export.markup.escape import escape_html, split_lines
from bough.export.markup.line_diff import Marks, mark_changed_words
from bough.model.tools.call_detail import FileEdit
from bough.model.tools.structured_results import NumberedHunk


def render_text_pair(a: str, b: str) -> tuple[str, str]:
    """Show two texts; in lines that are alike the words are marked in which they differ."""
    one, other = split_lines(a), split_lines(b)
    gone: dict[int, Marks] = {}
    come: dict[int, Marks] = {}
    if one != other:
        for i, marks, j, others in mark_changed_words(one, other):
            gone[i], come[j] = marks, others
    return _mark_lines(one, gone), _mark_lines(other, come)


def render_hunks(path: str, hunks: Sequence[NumberedHunk]) -> str:
    """Show a change of a file; nothing where there is none."""
    return render_edit(FileEdit(path, (), hunks)) or "" if hunks else ""


def _mark_lines(lines: Sequence[str], marks: dict[int, Marks]) -> str:
    return "\n".join(
        mark_ranges(escape_html(line), marks.get(number, ())) for number, line in enumerate(lines)
    )
