"""Export: a conversation as a document; what goes into it and what is hidden, before saving.

Secrets are hidden unless somebody says otherwise. The document is made in a thread each time a
choice changes, so what is shown is what will be written, to the byte.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace
from textual.app import ComposeResult
from textual.widgets import Input

from bough.backports import override
from bough.errors import BoughError
from bough.library import ExportFormat, ExportOptions, Session
from bough.model.text.formats import format_plural, format_size
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import clean, one_line, pad, wrap
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, draw_text, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from bough.library import Export

_LABEL: Final = 18
_FORMS: Final = {
    ExportFormat.MARKDOWN: "Markdown",
    ExportFormat.HTML: "HTML",
    ExportFormat.JSON: "JSON",
    ExportFormat.PRESENT: "Slides, one HTML file to present",
}
_CHOICES: Final = {
    "thinking": "Thinking",
    "tools": "Tool calls",
    "results": "Their results",
    "agents": "Agents",
    "all_branches": "Other branches",
    "redact": "Hide secrets",
    "emails": "Hide e-mail",
}
_MAX_MASKS: Final = 5


class ExportDraft(Struct):
    """A document that was made, and a name that is free."""

    export: "Export"
    path: Path


class ExportScreen(BaseScreen):
    """What an export would be, to be confirmed."""

    KEYS: ClassVar = ("open", "toggle", "pane", "back", "help")

    def __init__(self, session: Session, tip: str | None) -> None:
        super().__init__()
        self.session = session
        self.include = ExportOptions(tip=tip, redact=True)
        self.made: ExportDraft | None = None
        self.trouble = ""
        self._suggested_name = ""

    @override
    def body(self) -> ComposeResult:
        """Set the name of the file, and the choices."""
        yield Input(placeholder="File name", id="title")
        yield ListView(id="list")

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the session."""
        return [self.session.title, "Export"]

    @override
    def begin(self) -> None:
        """Make the document."""
        self.query_one("#list", ListView).focus()
        self._make_document()

    def _make_document(self) -> None:
        self.run_in_thread(
            partial(_try_export, self.session, self.include), self._show, group="make"
        )

    def _show(self, found: object) -> None:
        self.made = found if isinstance(found, ExportDraft) else None
        self.trouble = found if isinstance(found, str) else ""
        name = self.query_one("#title", Input)
        if self.made is not None and name.value in ("", self._suggested_name):
            self._suggested_name = name.value = str(self.made.path)
        self.query_one("#list", ListView).show(list(self._build_items()))
        self.show_footer_keys()

    def _build_items(self) -> Iterator[ListItem]:
        include = self.include
        yield _make_choice_item("to", "Form", _FORMS[include.to])
        for name, label in _CHOICES.items():
            if name == "all_branches" and include.to is ExportFormat.PRESENT:
                continue  # slides show one branch
            yield _make_choice_item(name, label, "yes" if getattr(include, name) else "no")
        yield make_blank_item("1")
        if self.made is None:
            text = self.trouble or "The document is being made."
            yield ListItem(
                "trouble", partial(draw_text, text, Role.ERROR if self.trouble else Role.META)
            )
            return
        export = self.made.export
        yield _make_row_item("writes", "Writes", f"one new file, {format_size(len(export.body))}")
        yield _make_row_item("leaves", "Leaves", "the session as it is")
        yield from self._build_redaction_items(export)
        if export.left_out:
            yield _make_row_item("left", "Left out", export.left_out)
        yield make_blank_item("2")
        yield make_line_item(
            "do", "Enter saves. Space changes a choice. Esc writes nothing.", Role.ACTIVE
        )

    def _build_redaction_items(self, export: "Export") -> Iterator[ListItem]:
        if not self.include.is_redacted:
            yield _make_row_item(
                "hides", "Hides", "nothing. It may hold passwords and keys.", Role.ERROR
            )
            return
        if not export.findings:
            yield _make_row_item("hides", "Hides", "nothing: no secret was found")
        for number, found in enumerate(export.findings):
            shown = ", ".join(one_line(mask) for mask in found.masked[:_MAX_MASKS])
            more = len(found.masked) - _MAX_MASKS
            tail = f" and {more:,} more" if more > 0 else ""
            words = f"{found.kind}, {format_plural(found.count, 'place')}: {shown}{tail}"
            yield _make_row_item(f"h/{number}", "Hides" if not number else "", words)

    # -- keys ---------------------------------------------------------------------------------

    def do_toggle(self) -> None:
        """Change the choice under the cursor."""
        picked = self.query_one("#list", ListView).picked
        name = picked.about if picked is not None else None
        if name == "to":
            forms = list(_FORMS)
            self.include = replace(
                self.include, to=forms[(forms.index(self.include.to) + 1) % len(forms)]
            )
        elif isinstance(name, str):
            self.include = replace(self.include, **{name: not getattr(self.include, name)})
        else:
            return
        self._make_document()

    def do_unfold(self) -> None:
        """Change the choice under the cursor."""
        self.do_toggle()

    def do_pane(self) -> None:
        """Go from the choices to the name of the file."""
        self.query_one("#title", Input).focus()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Save it."""
        self.do_open()

    @override
    def describe_keys(self) -> dict[str, str]:
        """Say that Enter writes, and what Space and Tab do."""
        return {"open": "save", "toggle": "change", "pane": "name of the file"}

    def do_open(self) -> None:
        """Write the file."""
        if self.made is not None:
            path = Path(self.query_one("#title", Input).value.strip()).expanduser()
            question = partial(_save_file, path, self.made.export.body, self.bough.source.dirs)
            self.run_in_thread(question, self._finish_save, group="save")

    def _finish_save(self, found: object) -> None:
        if isinstance(found, Path):
            self.bough.copy(str(found), "the path of the export")
            self.bough.back()
        else:
            self.bough.show_notice(str(found), severity="error")


def _try_export(session: Session, include: ExportOptions) -> ExportDraft | str:
    from bough.library import export_session  # noqa: PLC0415 - reading needs none of it

    try:
        export = export_session(session, include)
    except BoughError as error:
        return error.message
    return ExportDraft(export, _find_free_path(Path.cwd() / export.name))


def _find_free_path(path: Path) -> Path:
    """Give a name that is not taken."""
    for number in range(2, 1_000):
        if not path.exists():
            return path
        path = path.with_name(f"{path.stem.removesuffix(f'-{number - 1}')}-{number}{path.suffix}")
    return path


def _save_file(path: Path, data: bytes, dirs: list[str]) -> Path | str:
    from bough.library import check_file, save_file  # noqa: PLC0415

    if path.exists():
        return f"{path} exists already. Give another name: Tab goes there."
    try:
        check_file(path, [Path(name) for name in dirs])
        save_file(path, data)
    except BoughError as error:
        return error.message.removesuffix(" Name another place with --output.")
    return path


def _make_choice_item(name: str, label: str, value: str) -> ListItem:
    lines: list[StyledLine] = [((Role.META, pad(label, _LABEL)), (Role.PROMPT, value))]
    return ListItem(f"c/{name}", lambda _: lines, "choice", name)


def _make_row_item(key: str, label: str, text: str, role: Role = Role.CLAUDE) -> ListItem:
    def draw(columns: int) -> list[StyledLine]:
        first, *rest = wrap(clean(text), max(20, columns - _LABEL)) or [""]
        lines: list[StyledLine] = [((Role.META, pad(label, _LABEL)), (role, first))]
        return lines + [((role, " " * _LABEL + line),) for line in rest]

    return ListItem(key, draw, "row", picked=False)
