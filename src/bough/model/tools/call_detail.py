"""What is inside a tool call: what it was given and what came back, in parts.

A part is plain data with a kind: a command, a change to a file, a checklist, a plan. Which one
a call is and where its texts stand in the input is decided here, once; every face paints the
parts it has a form for and shows the rest field by field. The input is written by a model: any
key may be missing and any value of any type, and what makes no sense gives no part.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bough.model.tools.call_summary import find_text
from bough.model.tools.calls import CallResult, Picture, ToolBlock
from bough.model.tools.outcomes import strip_error_tags
from bough.model.tools.structured_results import (
    EditResult,
    NumberedHunk,
    read_edit_result,
    read_structured_result,
)

OUTPUT_HEAD, OUTPUT_TAIL = 8, 4
"""How many lines of a long output are shown, of its beginning and of its end."""
_EXIT: Final = re.compile(r"(?:Error: )?Exit code -?\d{1,10}\b[ \t]*(?:\n|\Z)")
_SHELLS: Final = {"Bash": "sh", "PowerShell": "powershell"}

InputFields = Mapping[str, Any]


class ShellCommand(Struct, frozen=True, gc=False):
    """A command for a shell; `language` is what the shell speaks."""

    command: str
    about: str
    language: str


class TextEdit(Struct, frozen=True, gc=False):
    """A text and the one that took its place."""

    old: str
    new: str


class FileEdit(Struct, frozen=True):
    """A change to a file: as it was asked for, and the client's own patch where it kept one.

    `is_known` tells that a tool of the client made it; others only have the same fields.
    """

    path: str
    edits: tuple[TextEdit, ...]
    hunks: Sequence[NumberedHunk] = ()
    original: str | None = None
    is_known: bool = True


class FileWrite(Struct, frozen=True):
    """A file written whole, and the client's patch where there was one before."""

    path: str
    content: str | None
    hunks: Sequence[NumberedHunk] = ()
    original: str | None = None


class FileContent(Struct, frozen=True, gc=False):
    """A file that was read; its lines are the output."""

    path: str


class NotebookCell(Struct, frozen=True, gc=False):
    """A cell of a notebook that was written."""

    source: str
    mode: str
    cell: str
    kind: str


class ChecklistItem(Struct, frozen=True, gc=False):
    """A thing to do: where it stands, what it is, and what is said while it is done.

    `change` says what is other than in the list before: new, was pending, was low priority.
    """

    status: str
    text: str
    doing: str
    priority: str = ""
    change: str = ""

    @property
    def note(self) -> str:
        """Say its priority and what changed of it; nothing where there is neither."""
        words = (f"{self.priority} priority" if self.priority else "", self.change)
        return ", ".join(word for word in words if word)


class Checklist(Struct, frozen=True, gc=False):
    """Things to do, and those that are no longer on the list."""

    items: tuple[ChecklistItem, ...]
    removed: tuple[ChecklistItem, ...] = ()


class QuestionOption(Struct, frozen=True, gc=False):
    """An answer that can be chosen."""

    label: str
    about: str


class Question(Struct, frozen=True, gc=False):
    """A question to the person, what could be chosen, and what was."""

    text: str
    options: tuple[QuestionOption, ...]
    answer: str


class QuestionList(Struct, frozen=True, gc=False):
    """Questions to the person."""

    questions: tuple[Question, ...]


class PlanText(Struct, frozen=True, gc=False):
    """A plan, in Markdown."""

    text: str


class AgentBrief(Struct, frozen=True, gc=False):
    """What an agent was told to do."""

    text: str


class TaskNote(Struct, frozen=True):
    """A thing to do that was noted, and what was said beside it."""

    subject: str
    about: str
    beside: InputFields


class PageFetch(Struct, frozen=True, gc=False):
    """A page of the web, and what was asked of it."""

    url: str
    prompt: str


class FoundPage(Struct, frozen=True, gc=False):
    """A page that a search found."""

    title: str
    url: str


class PageSearch(Struct, frozen=True, gc=False):
    """A search of the web, and the pages it found."""

    query: str
    pages: tuple[FoundPage, ...]


class FileSearch(Struct, frozen=True, gc=False):
    """A search for files or in them: the row of the call says it all."""


CallPart = (
    ShellCommand
    | FileEdit
    | FileWrite
    | FileContent
    | NotebookCell
    | Checklist
    | QuestionList
    | PlanText
    | AgentBrief
    | TaskNote
    | PageFetch
    | PageSearch
    | FileSearch
)


class ToolOutput(Struct, frozen=True, gc=False):
    """What came back; of a shell, `printed` is it without the line that says how it ended."""

    text: str
    printed: str
    exit_line: str
    is_error: bool
    images: tuple[Picture, ...]
    stored_at: str | None


class ToolDetail(Struct, frozen=True):
    """What is behind a call's row.

    `given` is the input as it came. `part` is what it means, None where nobody knows; `rest`
    are the fields that the part does not tell.
    """

    given: Any
    part: CallPart | None
    rest: InputFields
    output: ToolOutput | None


def detail_of(block: ToolBlock) -> ToolDetail:
    """Take a call apart."""
    fields: InputFields = block.input if isinstance(block.input, Mapping) else {}
    read, shown = _READERS.get(block.name, (None, frozenset()))
    part = read(block, fields) if read is not None else _read_unknown_edit(block, fields)
    rest = {name: value for name, value in fields.items() if name not in shown}
    output = _output_of(block, block.result) if block.result is not None else None
    return ToolDetail(block.input, part, rest, output)


def count_hidden_lines(lines: int, least: int = 2) -> int:
    """Count the lines between the head and the tail of an output; 0 for fewer than `least`."""
    more = lines - OUTPUT_HEAD - OUTPUT_TAIL
    return more if more >= least else 0


def diff_edit(edit: TextEdit) -> list[str]:
    """Compare the two texts of an edit: lines behind a space, a minus or a plus."""
    diff = unified_diff(edit.old.splitlines(), edit.new.splitlines(), lineterm="", n=3)
    return [line for line in list(diff)[2:] if not line.startswith("@@")]


def format_field(value: object) -> str:
    """Write a value that was given: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _output_of(block: ToolBlock, result: CallResult) -> ToolOutput:
    text = strip_error_tags(result.text) if result.is_error else result.text
    exited = _EXIT.match(text) if block.name in _SHELLS else None
    return ToolOutput(
        text=text,
        printed=text[exited.end() :] if exited is not None else text,
        exit_line=exited[0].strip() if exited is not None else "",
        is_error=result.is_error,
        images=result.images,
        stored_at=result.persisted,
    )


def _read_command(block: ToolBlock, fields: InputFields) -> ShellCommand:
    command, about = find_text(fields, "command"), find_text(fields, "description")
    return ShellCommand(command, about, _SHELLS[block.name])


def _read_edit(block: ToolBlock, fields: InputFields) -> FileEdit | None:
    edits, patch = tuple(_read_edits(fields)), _patch_of(block)
    if not edits and not patch.hunks:
        return None
    path = find_text(fields, "file_path", "notebook_path")
    return FileEdit(path, edits, patch.hunks, patch.original_file)


def _read_unknown_edit(block: ToolBlock, fields: InputFields) -> FileEdit | None:
    """Read the call of a tool nobody knows that is given an edit all the same."""
    if not any(isinstance(edit, Mapping) and "old_string" in edit for edit in _edits_of(fields)):
        return None
    return FileEdit("", tuple(_read_edits(fields)), _patch_of(block).hunks, is_known=False)


def _edits_of(fields: InputFields) -> Sequence[object]:
    edits = fields.get("edits")
    return edits if isinstance(edits, list) else [fields]


def _read_edits(fields: InputFields) -> Iterator[TextEdit]:
    for edit in _edits_of(fields):
        if isinstance(edit, Mapping) and ("old_string" in edit or "new_string" in edit):
            yield TextEdit(str(edit.get("old_string", "")), str(edit.get("new_string", "")))


def _patch_of(block: ToolBlock) -> EditResult:
    return read_edit_result(block.result) if block.result is not None else EditResult()


def _read_write(block: ToolBlock, fields: InputFields) -> FileWrite | None:
    content, patch = fields.get("content"), _patch_of(block)
    content = content if isinstance(content, str) else None
    if content is None and not patch.hunks:
        return None
    path = find_text(fields, "file_path")
    return FileWrite(path, content, patch.hunks, patch.original_file)


def _read_file(_: ToolBlock, fields: InputFields) -> FileContent:
    return FileContent(find_text(fields, "file_path"))


def _read_cell(_: ToolBlock, fields: InputFields) -> NotebookCell:
    return NotebookCell(
        source=find_text(fields, "new_source"),
        mode=find_text(fields, "edit_mode") or "replace",
        cell=find_text(fields, "cell_id", "cell_number"),
        kind=find_text(fields, "cell_type") or "code",
    )


def _read_todos(block: ToolBlock, fields: InputFields) -> Checklist | None:
    items = _read_todo_items(fields.get("todos"))
    given = read_structured_result(block.result).old_todos if block.result is not None else None
    before = {item.text: item for item in _read_todo_items(given)}
    if before:
        items = tuple(_compare_todo(item, before.get(item.text)) for item in items)
    kept = {item.text for item in items}
    removed = tuple(item for text, item in before.items() if text not in kept)
    return Checklist(items, removed) if items or removed else None


def _read_todo_items(listed: object) -> tuple[ChecklistItem, ...]:
    return tuple(
        ChecklistItem(
            find_text(item, "status"),
            find_text(item, "content", "subject"),
            find_text(item, "activeForm"),
            find_text(item, "priority"),
        )
        for item in _mappings_in(listed)
    )


def _compare_todo(item: ChecklistItem, before: ChecklistItem | None) -> ChecklistItem:
    """Say what is other than in the list before."""
    if before is None:
        return replace(item, change="new")
    changes = []
    if before.status != item.status and before.status:
        changes.append(f"was {before.status.replace('_', ' ')}")
    if before.priority != item.priority and before.priority:
        changes.append(f"was {before.priority} priority")
    return replace(item, change=", ".join(changes))


def _read_questions(block: ToolBlock, fields: InputFields) -> QuestionList | None:
    answers = read_structured_result(block.result).answers if block.result is not None else None
    chosen = {str(asked): str(answer) for asked, answer in (answers or {}).items()}
    questions = tuple(
        Question(text, tuple(_read_options(one)), chosen.get(text, ""))
        for one in _mappings_in(fields.get("questions"))
        for text in [find_text(one, "question")]
    )
    return QuestionList(questions) if questions else None


def _read_options(question: InputFields) -> Iterator[QuestionOption]:
    options = question.get("options")
    for option in options if isinstance(options, list) else ():
        if isinstance(option, Mapping):
            yield QuestionOption(find_text(option, "label"), find_text(option, "description"))
        else:
            yield QuestionOption(str(option), "")


def _read_plan(_: ToolBlock, fields: InputFields) -> PlanText | None:
    plan = find_text(fields, "plan")
    return PlanText(plan) if plan else None


def _read_brief(_: ToolBlock, fields: InputFields) -> AgentBrief | None:
    prompt = fields.get("prompt")
    return AgentBrief(prompt) if isinstance(prompt, str) else None


def _read_task(_: ToolBlock, fields: InputFields) -> TaskNote | None:
    subject, about = find_text(fields, "subject"), find_text(fields, "description")
    beside = {k: v for k, v in fields.items() if k not in ("subject", "description")}
    return TaskNote(subject, about, beside) if subject else None


def _read_fetch(_: ToolBlock, fields: InputFields) -> PageFetch:
    return PageFetch(find_text(fields, "url"), find_text(fields, "prompt"))


def _read_search(block: ToolBlock, fields: InputFields) -> PageSearch:
    results = read_structured_result(block.result).results if block.result is not None else None
    pages = tuple(
        FoundPage(find_text(page, "title"), find_text(page, "url"))
        for one in results or ()
        if isinstance(one, dict)
        for page in _mappings_in(one.get("content"))
    )
    return PageSearch(find_text(fields, "query"), pages)


def _read_file_search(_: ToolBlock, __: InputFields) -> FileSearch:
    return FileSearch()


def _mappings_in(value: object) -> Iterator[InputFields]:
    return (one for one in (value if isinstance(value, list) else ()) if isinstance(one, Mapping))


_Reader = Callable[[ToolBlock, InputFields], CallPart | None]


def _name_fields(*fields: str) -> frozenset[str]:
    return frozenset(fields)


_COMMAND: Final = (_read_command, _name_fields("command", "description"))
_PLAN: Final = (_read_plan, _name_fields("plan"))
_BRIEF: Final = (_read_brief, _name_fields("prompt"))
_SEARCH: Final = (_read_search, _name_fields("query"))
_READERS: Final[dict[str, tuple[_Reader, frozenset[str]]]] = {
    "Agent": _BRIEF,
    "AskUserQuestion": (_read_questions, _name_fields("questions")),
    "Bash": _COMMAND,
    "Edit": (_read_edit, _name_fields("file_path", "old_string", "new_string")),
    "ExitPlanMode": _PLAN,
    "Glob": (_read_file_search, _name_fields("pattern")),
    "Grep": (_read_file_search, _name_fields("pattern")),
    "LS": (_read_file_search, _name_fields("path")),
    "MultiEdit": (_read_edit, _name_fields("file_path", "edits")),
    "NotebookEdit": (
        _read_cell,
        _name_fields("notebook_path", "new_source", "cell_id", "cell_type", "edit_mode"),
    ),
    "PowerShell": _COMMAND,
    "Read": (_read_file, _name_fields("file_path", "offset", "limit")),
    "Task": _BRIEF,
    "TaskCreate": (_read_task, _name_fields("subject", "description", "activeForm")),
    "TodoWrite": (_read_todos, _name_fields("todos")),
    "WebFetch": (_read_fetch, _name_fields("url", "prompt")),
    "WebSearch": _SEARCH,
    "Write": (_read_write, _name_fields("file_path", "content")),
    "exit_plan_mode": _PLAN,
    "web_search": _SEARCH,
}
"""How each tool is read, and the fields of its input that are told by the part."""
