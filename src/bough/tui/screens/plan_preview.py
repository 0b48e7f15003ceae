"""Preview: what a change would do, exactly, before anything is done.

The same rows as the command line shows. Enter does it, Esc does not; a refusal says why and
what works instead. Plans are made and carried out in threads.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.widgets import Input

from bough.backports import override
from bough.errors import BoughError
from bough.library import FileChanged, Plan, apply, build_preview, rename
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import clean, fit, one_line, pad, width, wrap
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.travel_point import LABEL, TravelPoint, TravelRequest
from bough.tui.widgets.list_items import ListItem, draw_text, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

PlanMaker = Callable[[str], Plan]
"""Makes the plan, with the title that was typed."""

SEES: Final = "Claude will see"
_KEYS_AT_POINT: Final = ("open", "unfold", "pane", "back", "help")
_KEYS_OF_PLAN: Final = ("open", "unfold", "pane")
"""What does something at a point only while there is a plan."""
_FIRST, _LAST = 3, 5
_DO: Final = "Enter does it. Esc leaves everything as it is."
_CONFIRMATIONS: Final = {
    "fork": "Enter forks and copies the resume command. Esc leaves everything as it is. "
    "U, or bough undo, takes it back.",
    "goto": "Enter makes it active. Esc leaves everything as it is. "
    "U, or bough undo, takes it back.",
    "rename": "Enter gives it this title. Esc leaves everything as it is. "
    "U, or bough undo, takes it back.",
    "undo": "Enter takes it back. Esc leaves everything as it is.",
}


class PlanPreviewScreen(BaseScreen):
    """A plan, to be confirmed; one about a point of a session may be moved along its branch."""

    KEYS: ClassVar[tuple[str, ...]] = ("open", "back", "help")

    def __init__(
        self, what: str, make: PlanMaker | TravelRequest, *, title: str | None = None
    ) -> None:
        super().__init__()
        self.what = what
        self.title_words = title
        self.make: PlanMaker
        self.point: TravelPoint | None = None
        if isinstance(make, TravelRequest):
            self.point = TravelPoint(self, make)
            self.make = self.point.make_plan
            self.footer_keys = _KEYS_AT_POINT
            instead = self.point.fork_instead
            self.parts = (self.point,) if instead is None else (self.point, instead)
        else:
            self.make = make
        self.plan: Plan | None = None
        self.refusal = ""

    @override
    def body(self) -> ComposeResult:
        """Set the rows, and a field where a title is wanted."""
        if self.title_words is not None:
            placeholder = "Title; without one, the words of the prompt"
            yield Input(self.title_words, placeholder=placeholder, id="title")
        yield ListView(id="list")

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Say what is previewed."""
        return [self.what]

    @override
    def begin(self) -> None:
        """Make the plan."""
        if self.title_words is not None:
            self.query_one("#title", Input).focus()
        else:
            self.query_one("#list", ListView).focus()
        self.remake_plan()

    def remake_plan(self) -> None:
        """Make the plan, with what is wanted now."""
        title = self.title_words or ""
        self.run_in_thread(partial(self._try_plan, title), self._show, group="plan")

    def _try_plan(self, title: str) -> Plan | str:
        try:
            return self.make(title)
        except BoughError as error:
            return error.message

    def _show(self, found: object) -> None:
        self.plan = found if isinstance(found, Plan) else None
        self.refusal = found if isinstance(found, str) else ""
        self.draw()

    def draw(self) -> None:
        """Show the plan, or why there is none."""
        self.query_one("#list", ListView).show(list(self._build_items()))
        self.show_footer_keys()

    def _build_items(self) -> Iterator[ListItem]:
        if self.plan is None:
            yield ListItem("refused", partial(draw_text, self.refusal, Role.ERROR), "row")
            yield make_blank_item("r")
            if self.point is not None and self.point.fork_instead is not None:
                yield from self.point.fork_instead.build_items()
            yield make_line_item("nothing", "Nothing was changed. Esc goes back.")
            return
        point = self.point
        for number, row in enumerate(build_preview(self.plan)):
            seen = row.label == SEES
            keys = point.describe_reading_keys() if seen and point is not None else ""
            draw = partial(_draw_row, row.label, row.text, keys)
            yield ListItem(f"row/{number}", draw, "sees" if seen else "row")
            if number == 0 and point is not None:
                yield from point.build_offer_items()
        if point is not None:
            yield from point.build_file_items()
        resumed = self.plan.resume_view
        if resumed is not None and resumed.prompts:
            yield make_blank_item("s")
            yield make_line_item(
                "sees", "Claude will see these prompts word for word:", Role.HEADER
            )
            yield from self._build_prompt_items(resumed.prompts)
        yield make_blank_item("e")
        draw = partial(draw_text, _CONFIRMATIONS.get(self.plan.operation, _DO), Role.ACTIVE)
        yield ListItem("agree", draw, "talk", picked=False)

    def _build_prompt_items(self, prompts: Sequence[str]) -> Iterator[ListItem]:
        """List the prompts, of many the first and the last ones."""
        glyphs = self.bough.glyphs
        hidden = len(prompts) - _FIRST - _LAST
        for number, words in enumerate(prompts):
            if hidden > 1 and _FIRST <= number < len(prompts) - _LAST:
                if number == _FIRST:
                    more = f"    {glyphs.ellipsis} {hidden:,} more"
                    yield make_line_item("p/more", more)
                continue
            last = number == len(prompts) - 1
            mark = f"   {glyphs.back_arrow} the next prompt goes here" if last else ""
            sign = glyphs.tip if last else glyphs.node
            draw = partial(_draw_prompt, f"  {sign} ", one_line(words), mark, glyphs.ellipsis)
            yield ListItem(f"p/{number}", draw, "prompt", picked=False)

    # -- keys ---------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Make the plan again with another title."""
        if event.value != self.title_words:
            self.title_words = event.value
            self.remake_plan()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Do it."""
        self.do_open()

    @override
    def list_footer_keys(self) -> Sequence[str]:
        """Name the keys of what has focus; without a plan there is nothing to do or to read."""
        names = super().list_footer_keys()
        if self.point is None or self.plan is not None:
            return names
        instead = ("fork",) if self.point.fork_instead is not None else ()
        return [*instead, *(name for name in names if name not in _KEYS_OF_PLAN)]

    @override
    def describe_keys(self) -> Mapping[str, str]:
        """Say what the keys do on the row under the cursor."""
        return self.point.describe_keys() if self.point is not None else {"open": "do it"}

    @property
    def row_kind(self) -> str:
        """Give the kind of row under the cursor; none while the title is typed."""
        picked = self.query_one("#list", ListView).picked
        return picked.kind if picked is not None and not self.is_typing else ""

    @property
    def is_typing(self) -> bool:
        """Tell whether the title has the keys."""
        return isinstance(self.focused, Input)

    def do_pane(self) -> None:
        """Go from the title to the rows, or back."""
        rows = self.query_one("#list", ListView)
        (
            self.query_one("#title", Input) if rows.has_focus and self.query("#title") else rows
        ).focus()

    def do_open(self) -> None:
        """Do what was shown; on what Claude will see, read it."""
        if self.point is not None and self.row_kind == "sees":
            self.point.do_unfold()
        elif self.plan is not None:
            plan, self.plan = self.plan, None
            self.run_in_thread(
                partial(_apply_plan, plan), partial(self._finish_apply, plan), group="apply"
            )

    def _finish_apply(self, plan: Plan, found: object) -> None:
        if isinstance(found, FileChanged):
            words = found.message.removesuffix("Nothing was written.")
            self.bough.show_notice(f"{words}The preview was made again.", severity="warning")
            self.remake_plan()
            return
        if isinstance(found, BoughError):
            self.refusal = found.message
            self.draw()
            return
        if (command := plan.resume_command) is not None:
            self.bough.copy(command.text, "the resume command")
            if command.note:
                self.bough.show_notice(command.note, "warning")
        undo = "" if plan.operation == "undo" else " U takes it back."
        self.bough.show_notice(f"Done: {plan.headline.rstrip('.')}.{undo}")
        self.bough.back()


def make_rename_screen(path: str, title: str) -> PlanPreviewScreen:
    """Preview another title."""
    return PlanPreviewScreen(
        "Give the session another title", lambda t: rename(path, t), title=title
    )


def _apply_plan(plan: Plan) -> object:
    try:
        return apply(plan)
    except BoughError as error:
        return error


def _draw_row(label: str, text: str, tail: str, columns: int) -> list[StyledLine]:
    """Set a row; a tail stands behind its last words where it fits, else below them."""
    indent = LABEL if label else 0
    set_ = wrap(clean(text), max(20, columns - indent)) or [""]
    role = Role.CLAUDE if label else Role.PROMPT
    heads = [pad(label, indent), *(" " * indent for _ in set_[1:])]
    lines: list[StyledLine] = [
        ((Role.META, head), (role, line)) for head, line in zip(heads, set_, strict=True)
    ]
    if tail and indent + width(set_[-1]) + width(tail) + 3 <= columns:
        lines[-1] = (*lines[-1], (Role.ACTIVE, f"   {tail}"))
    elif tail:
        lines.append(((Role.ACTIVE, f"{' ' * indent}{tail}"),))
    return lines


def _draw_prompt(lead: str, words: str, mark: str, ellipsis: str, columns: int) -> list[StyledLine]:
    room = max(8, columns - width(lead) - width(mark))
    return [((Role.PROMPT, f"{lead}{fit(words, room, ellipsis)}"), (Role.ACTIVE, mark))]
