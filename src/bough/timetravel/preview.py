"""A plan as a person reads it before saying yes: in a few rows, and as a diff.

Numbers and times here are plain; a face may show the plan's values its own way instead.
"""

import difflib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from bough.errors import with_tilde
from bough.model.text.formats import format_plural
from bough.timetravel.plan import (
    Append,
    Create,
    MakeFolder,
    Move,
    Plan,
    Remove,
    RemoveFolder,
    Replace,
    ResumeView,
    Step,
)
from bough.timetravel.session_file import count_lines
from bough.timetravel.settings_file import SettingsEdit

_NO_FILE = "/dev/null"
_LONG_SETTING = 400
_HEADS = ("--- ", "+++ ", "@@ ")


class PreviewRow(Struct, frozen=True):
    """One row of a preview."""

    label: str
    text: str


def build_preview(plan: Plan) -> list[PreviewRow]:
    """Tell what a plan does, row by row."""
    rows = [PreviewRow("", plan.headline)]
    if plan.operation == "undo":
        # The journal is one for all Claude folders: what is taken back may be of any of them.
        rows.append(PreviewRow("Claude folder", with_tilde(str(Path(plan.projects).parent))))
    if plan.resume_view is not None:
        rows.append(PreviewRow("Claude will see", describe_resume_view(plan.resume_view)))
    rows += _describe_folder(plan)
    rows += [
        PreviewRow("Writes", _describe_created(plan, s))
        for s in plan.steps
        if isinstance(s, Create)
    ]
    changes = [
        _describe_change(plan, s) for s in plan.steps if not isinstance(s, Create | MakeFolder)
    ]
    rows += [PreviewRow("Changes", text) for text in changes or ["no existing file"]]
    rows += _describe_settings(plan, plan.settings) if plan.settings is not None else []
    rows += [PreviewRow("Checked", "; ".join(plan.checked))] if plan.checked else []
    rows += [PreviewRow("Note", note) for note in plan.notes]
    if plan.resume_view is not None and plan.resume_view.later_files:
        count = len(plan.resume_view.later_files)
        changed = "1 was changed" if count == 1 else f"{count} were changed"
        rows.append(
            PreviewRow("", f"Files on disk stay as they are now: {changed} after this point.")
        )
    return rows


def _describe_folder(plan: Plan) -> list[PreviewRow]:
    """Name the folder that a new session is resumed in, where it is another one."""
    if plan.operation != "fork" or plan.path is None or plan.cwd is None or not plan.reads:
        return []
    if Path(plan.path).parent == Path(plan.reads[0].path).parent:
        return []
    return [PreviewRow("Folder", f"{with_tilde(plan.cwd)}, where it will be resumed")]


def _describe_settings(plan: Plan, edit: SettingsEdit) -> list[PreviewRow]:
    """Show a setting as it is and as it will be; a long one by the lines that change."""
    rows = [
        PreviewRow("Was", f"{edit.setting}: {edit.before}" if edit.before else "not set"),
        PreviewRow("Becomes", f"{edit.setting}: {edit.after}" if edit.after else "not set"),
    ]
    if len(edit.before) + len(edit.after) > _LONG_SETTING:
        changed = [line for line in render_diff(plan).splitlines() if not line.startswith(_HEADS)]
        signs = {"-": "Takes out", "+": "Adds"}
        rows = [PreviewRow(signs[x[0]], x[1:].strip()) for x in changed if x[:1] in signs]
    if edit.is_link:
        rows.append(PreviewRow("Note", f"{edit.path} is a link; {edit.target} is what changes."))
    return rows


def render_preview(plan: Plan) -> str:
    """Give the preview as plain text."""
    rows = build_preview(plan)
    width = max(len(row.label) for row in rows) + 3
    return "\n".join(row.label.ljust(width) + row.text if row.label else row.text for row in rows)


def describe_resume_view(view: ResumeView) -> str:
    """Say in one line what Claude will see after a resume."""
    parts = [_format_count(view.turns, "turn")]
    if view.tokens is not None:
        parts.append(f"{_format_tokens(view.tokens)} tokens")
    if view.agents:
        parts.append("1 agent's answer" if view.agents == 1 else f"{view.agents} agents' answers")
    if view.images:
        parts.append(_format_count(view.images, "image"))
    text = ", ".join(parts)
    if view.compactions:
        kept = f", {_format_count(view.preserved, 'message')} kept" if view.preserved else ""
        text += f"; of {_format_count(view.summarized, 'earlier turn')} a summary{kept}"
    return text


def render_diff(plan: Plan, width: int | None = None) -> str:
    """Show a plan as a unified diff; lines are cut to `width` characters where one is given."""
    return "".join(_cut_line(line, width) for step in plan.steps for line in _diff_step(plan, step))


def _diff_step(plan: Plan, step: Step) -> Iterator[str]:
    name = _relative_name(plan, step.path)
    match step:
        case Create():
            yield from _diff_contents(_NO_FILE, name, b"", step.data)
        case Append():
            at, count = step.before.lines, count_lines(step.data)
            yield from (f"--- {name}\n", f"+++ {name}\n", f"@@ -{at},0 +{at + 1},{count} @@\n")
            yield from ("+" + line for line in _decode_lines(step.data))
        case Replace():
            yield from _diff_contents(name, name, step.old, step.data)
        case Remove():
            yield from (f"--- {name}\n", f"+++ {_NO_FILE}\n")
            yield f"@@ -1,{step.before.lines} +0,0 @@ the file goes, {step.before.size:,} bytes\n"
        case Move():
            yield from (f"rename from {name}\n", f"rename to {_relative_name(plan, step.target)}\n")
        case MakeFolder():
            yield f"new folder {name}\n"
        case RemoveFolder():
            yield f"remove folder {name} if nothing is left in it\n"


def _diff_contents(old_name: str, new_name: str, old: bytes, new: bytes) -> Iterator[str]:
    for line in difflib.unified_diff(_decode_lines(old), _decode_lines(new), old_name, new_name):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _decode_lines(data: bytes) -> list[str]:
    return [line.decode("utf-8", "replace") for line in data.splitlines(keepends=True)]


def _cut_line(line: str, width: int | None) -> str:
    if width is None or len(line) <= width:
        return line
    return line[: width - 1].rstrip("\n") + "…\n"


def _describe_created(plan: Plan, step: Create) -> str:
    size, count = len(step.data), count_lines(step.data)
    name = _relative_name(plan, step.path)
    return f"{name}   {format_plural(count, 'line')}, {_format_size(size)}, mode {step.mode:04o}"


def _describe_change(plan: Plan, step: Step) -> str:
    name = _relative_name(plan, step.path)
    match step:
        case Append():
            return f"{name}   {_format_count(count_lines(step.data), 'line')} added at its end"
        case Replace():
            return (
                f"{name}   {_format_size(len(step.data))} instead of {_format_size(len(step.old))}"
            )
        case Remove():
            return f"{name}   removed, a copy is kept"
        case Move():
            return f"{name}   to {_relative_name(plan, step.target)}"
        case RemoveFolder():
            return f"{name}   removed if nothing is left in it"
        case _:
            return name


def _relative_name(plan: Plan, path: str) -> str:
    """Name a file by its place in the Claude folder."""
    claude_dir = Path(plan.projects).parent
    file = Path(path)
    return str(file.relative_to(claude_dir)) if file.is_relative_to(claude_dir) else path


def _format_count(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def _format_tokens(count: int) -> str:
    if count < 1_000:
        return str(count)
    return f"{count / 1_000:.0f}k" if count < 1_000_000 else f"{count / 1_000_000:.2f}M"


def _format_size(size: int) -> str:
    for unit in ("bytes", "kB"):
        if size < 1_000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size = size / 1_000  # type: ignore[assignment]
    return f"{size:.1f} MB"
