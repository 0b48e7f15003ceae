"""A plan as a person reads it before saying yes: in a few rows, and as a diff.

Numbers and times here are plain; a face may show the plan's values its own way instead.
"""

import difflib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from bough.timetravel.plan import (
    Append,
    Create,
    MakeFolder,
    Move,
    Plan,
    Remove,
    RemoveFolder,
    Replace,
    Sight,
    Step,
)
from bough.timetravel.session_file import lines_in

_NOTHING = "/dev/null"


class Answer(Struct, frozen=True):
    """What a program wants to know of a plan, or of what became of it.

    `session` is the one to resume; `turns` counts all that is in it, seen or summarized.
    """

    session: str | None
    path: str | None
    at: str | None
    turns: int | None
    resume: str | None


class Row(Struct, frozen=True):
    """One row of a preview."""

    label: str
    text: str


def preview(plan: Plan) -> list[Row]:
    """Tell what a plan does, row by row."""
    rows = [Row("", plan.headline)]
    if plan.sight is not None:
        rows.append(Row("Claude will see", what_claude_sees(plan.sight)))
    rows += [Row("Writes", _written(plan, s)) for s in plan.steps if isinstance(s, Create)]
    changes = [_changed(plan, s) for s in plan.steps if not isinstance(s, Create | MakeFolder)]
    rows += [Row("Changes", text) for text in changes or ["no existing file"]]
    rows += [Row("Checked", "; ".join(plan.checked))] if plan.checked else []
    rows += [Row("Note", note) for note in plan.notes]
    if plan.sight is not None and plan.sight.later_files:
        count = len(plan.sight.later_files)
        told = "1 was changed" if count == 1 else f"{count} were changed"
        rows.append(Row("", f"Files on disk stay as they are now: {told} after this point."))
    return rows


def answer(plan: Plan) -> Answer:
    """Give the facts of a plan that `--json` prints."""
    sight = plan.sight
    turns = sight.turns + sight.summarized if sight is not None else None
    at = plan.point.uuid if plan.point is not None else None
    return Answer(plan.result, plan.path, at, turns, plan.resume)


def as_text(plan: Plan) -> str:
    """Give the preview as plain text."""
    rows = preview(plan)
    width = max(len(row.label) for row in rows) + 3
    return "\n".join(row.label.ljust(width) + row.text if row.label else row.text for row in rows)


def what_claude_sees(sight: Sight) -> str:
    """Say in one line what Claude will see after a resume."""
    parts = [_counted(sight.turns, "turn")]
    if sight.tokens is not None:
        parts.append(f"{_rough(sight.tokens)} tokens")
    if sight.agents:
        parts.append("1 agent's answer" if sight.agents == 1 else f"{sight.agents} agents' answers")
    if sight.images:
        parts.append(_counted(sight.images, "image"))
    text = ", ".join(parts)
    if sight.compactions:
        kept = f", {_counted(sight.preserved, 'message')} kept" if sight.preserved else ""
        text += f"; of {_counted(sight.summarized, 'earlier turn')} a summary{kept}"
    return text


def diff(plan: Plan, width: int | None = None) -> str:
    """Show a plan as a unified diff; lines are cut to `width` characters where one is given."""
    return "".join(_cut(line, width) for step in plan.steps for line in _diff_of(plan, step))


def _diff_of(plan: Plan, step: Step) -> Iterator[str]:
    name = _below(plan, step.path)
    match step:
        case Create():
            yield from _hunks(_NOTHING, name, b"", step.data)
        case Append():
            at, count = step.before.lines, lines_in(step.data)
            yield from (f"--- {name}\n", f"+++ {name}\n", f"@@ -{at},0 +{at + 1},{count} @@\n")
            yield from ("+" + line for line in _lines(step.data))
        case Replace():
            yield from _hunks(name, name, step.old, step.data)
        case Remove():
            yield from (f"--- {name}\n", f"+++ {_NOTHING}\n")
            yield f"@@ -1,{step.before.lines} +0,0 @@ the file goes, {step.before.size:,} bytes\n"
        case Move():
            yield from (f"rename from {name}\n", f"rename to {_below(plan, step.target)}\n")
        case MakeFolder():
            yield f"new folder {name}\n"
        case RemoveFolder():
            yield f"remove folder {name} if nothing is left in it\n"


def _hunks(old_name: str, new_name: str, old: bytes, new: bytes) -> Iterator[str]:
    for line in difflib.unified_diff(_lines(old), _lines(new), old_name, new_name):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[str]:
    return [line.decode("utf-8", "replace") for line in data.splitlines(keepends=True)]


def _cut(line: str, width: int | None) -> str:
    if width is None or len(line) <= width:
        return line
    return line[: width - 1].rstrip("\n") + "…\n"


def _written(plan: Plan, step: Create) -> str:
    size, count = len(step.data), lines_in(step.data)
    return f"{_below(plan, step.path)}   {count:,} lines, {_size(size)}, mode {step.mode:04o}"


def _changed(plan: Plan, step: Step) -> str:
    name = _below(plan, step.path)
    match step:
        case Append():
            return f"{name}   {_counted(lines_in(step.data), 'line')} added at its end"
        case Replace():
            return f"{name}   {_size(len(step.data))} instead of {_size(len(step.old))}"
        case Remove():
            return f"{name}   removed, a copy is kept"
        case Move():
            return f"{name}   to {_below(plan, step.target)}"
        case RemoveFolder():
            return f"{name}   removed if nothing is left in it"
        case _:
            return name


def _below(plan: Plan, path: str) -> str:
    """Name a file by its place in the Claude folder."""
    claude_dir = Path(plan.projects).parent
    file = Path(path)
    return str(file.relative_to(claude_dir)) if file.is_relative_to(claude_dir) else path


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def _rough(count: int) -> str:
    if count < 1_000:
        return str(count)
    return f"{count / 1_000:.0f}k" if count < 1_000_000 else f"{count / 1_000_000:.2f}M"


def _size(size: int) -> str:
    for unit in ("bytes", "kB"):
        if size < 1_000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size = size / 1_000  # type: ignore[assignment]
    return f"{size:.1f} MB"
