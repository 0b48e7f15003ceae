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

from bough.errors import BoughError
from bough.export.document_options import Include, To
from bough.library import Session
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import Line, Role, clean, one_line, pad, plural, size, wrap
from bough.tui.widgets.list_items import Piece, blank, say
from bough.tui.widgets.list_view import Reel

if TYPE_CHECKING:
    from bough.export.document import Export

_LABEL: Final = 18
_FORMS: Final = {To.MARKDOWN: "Markdown", To.HTML: "HTML", To.JSON: "JSON"}
_CHOICES: Final = {
    "thinking": "Thinking",
    "tools": "Tool calls",
    "results": "Their results",
    "agents": "Agents",
    "all_branches": "Other branches",
    "redact": "Hide secrets",
    "emails": "Hide e-mail",
}
_MASKED: Final = 5


class Made(Struct):
    """A document that was made, and a name that is free."""

    export: "Export"
    path: Path


class Exporting(Place):
    """What an export would be, to be confirmed."""

    KEYS: ClassVar = ("open", "toggle", "pane", "back", "help")

    def __init__(self, session: Session, tip: str | None) -> None:
        super().__init__()
        self.session = session
        self.include = Include(tip=tip, redact=True)
        self.made: Made | None = None
        self.trouble = ""
        self._named = ""

    @override
    def body(self) -> ComposeResult:
        """Set the name of the file, and the choices."""
        yield Input(placeholder="File name", id="title")
        yield Reel(id="list")

    @override
    def where(self) -> list[str]:
        """Name the session."""
        return [self.session.title, "Export"]

    @override
    def begin(self) -> None:
        """Make the document."""
        self.query_one("#list", Reel).focus()
        self._make()

    def _make(self) -> None:
        self.ask(partial(_made, self.session, self.include), self._show, group="make")

    def _show(self, found: object) -> None:
        self.made = found if isinstance(found, Made) else None
        self.trouble = found if isinstance(found, str) else ""
        name = self.query_one("#title", Input)
        if self.made is not None and name.value in ("", self._named):
            self._named = name.value = str(self.made.path)
        self.query_one("#list", Reel).show(list(self._pieces()))
        self.say_keys()

    def _pieces(self) -> Iterator[Piece]:
        include = self.include
        yield _choice("to", "Form", _FORMS[include.to])
        for name, label in _CHOICES.items():
            yield _choice(name, label, "yes" if getattr(include, name) else "no")
        yield blank("1")
        if self.made is None:
            text = self.trouble or "The document is being made."
            yield Piece("trouble", partial(_text, text, Role.ERROR if self.trouble else Role.META))
            return
        export = self.made.export
        yield _row("writes", "Writes", f"one new file, {size(len(export.body))}")
        yield _row("leaves", "Leaves", "the session as it is")
        yield from self._hidden(export)
        if export.left_out:
            yield _row("left", "Left out", export.left_out)
        yield blank("2")
        yield say("do", "Enter saves. Space changes a choice. Esc writes nothing.", Role.ACTIVE)

    def _hidden(self, export: "Export") -> Iterator[Piece]:
        if not self.include.hides:
            yield _row("hides", "Hides", "nothing. It may hold passwords and keys.", Role.ERROR)
            return
        if not export.findings:
            yield _row("hides", "Hides", "nothing: no secret was found")
        for number, found in enumerate(export.findings):
            shown = ", ".join(one_line(mask) for mask in found.masked[:_MASKED])
            more = len(found.masked) - _MASKED
            tail = f" and {more:,} more" if more > 0 else ""
            words = f"{found.kind}, {plural(found.count, 'place')}: {shown}{tail}"
            yield _row(f"h/{number}", "Hides" if not number else "", words)

    # -- keys ---------------------------------------------------------------------------------

    def do_toggle(self) -> None:
        """Change the choice under the cursor."""
        picked = self.query_one("#list", Reel).picked
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
        self._make()

    def do_unfold(self) -> None:
        """Change the choice under the cursor."""
        self.do_toggle()

    def do_pane(self) -> None:
        """Go from the choices to the name of the file."""
        self.query_one("#title", Input).focus()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Save it."""
        self.do_open()

    def do_open(self) -> None:
        """Write the file."""
        if self.made is not None:
            path = Path(self.query_one("#title", Input).value.strip()).expanduser()
            question = partial(_saved, path, self.made.export.body, self.bough.source.dirs)
            self.ask(question, self._done, group="save")

    def _done(self, found: object) -> None:
        if isinstance(found, Path):
            self.bough.copy(str(found), "the path of the export")
            self.bough.back()
        else:
            self.bough.tell(str(found), severity="error")


def _made(session: Session, include: Include) -> Made | str:
    from bough.export.document import make  # noqa: PLC0415 - reading needs none of it

    try:
        export = make(session, include)
    except BoughError as error:
        return error.message
    return Made(export, _free(Path.cwd() / export.name))


def _free(path: Path) -> Path:
    """Give a name that is not taken."""
    for number in range(2, 1_000):
        if not path.exists():
            return path
        path = path.with_name(f"{path.stem.removesuffix(f'-{number - 1}')}-{number}{path.suffix}")
    return path


def _saved(path: Path, data: bytes, dirs: list[str]) -> Path | str:
    from bough.export.save import check_place, save  # noqa: PLC0415

    if path.exists():
        return f"{path} exists already. Give another name: Tab goes there."
    try:
        check_place(path, [Path(name) for name in dirs])
        save(path, data)
    except BoughError as error:
        return error.message.removesuffix(" Name another place with --output.")
    return path


def _choice(name: str, label: str, value: str) -> Piece:
    lines: list[Line] = [((Role.META, pad(label, _LABEL)), (Role.PROMPT, value))]
    return Piece(f"c/{name}", lambda _: lines, "choice", name)


def _row(key: str, label: str, text: str, role: Role = Role.CLAUDE) -> Piece:
    def draw(columns: int) -> list[Line]:
        first, *rest = wrap(clean(text), max(20, columns - _LABEL)) or [""]
        lines: list[Line] = [((Role.META, pad(label, _LABEL)), (role, first))]
        return lines + [((role, " " * _LABEL + line),) for line in rest]

    return Piece(key, draw, "row", picked=False)


def _text(text: str, role: Role, columns: int) -> list[Line]:
    return [((role, line),) for line in wrap(clean(text), columns)]
