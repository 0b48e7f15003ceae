"""How every command that writes does it: plan, show, ask once where it must, write, tell.

What touches an existing file is done after a yes, or with --yes; where nobody can be asked
and --yes was not given, it is misuse. What only makes a new file never asks.
"""

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from shlex import quote
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from bough import library
from bough.cli import output
from bough.cli.options import Globals
from bough.cli.prompts import ask_yes_no, is_interactive
from bough.cli.travel_documents import dry_run_document
from bough.errors import ExitCode, Misuse
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.capabilities import is_terminal
from bough.terminal.reports.plan_preview import describe_dry_run, render_plan_diff, render_preview
from bough.terminal.style import glyphs_for, line_of, text_of

if TYPE_CHECKING:
    from bough.library import AppliedOperation, Plan, PreviewRow

_TRIES: Final = 3
_COLUMNS: Final = 80

CommandBody = Callable[..., object]


class TravelOptions(Struct, frozen=True):
    """How a person wants it done."""

    dry_run: bool = False
    diff: bool = False
    yes: bool = False
    force: bool = False


class TravelOutcome(Struct, frozen=True):
    """What came of a plan; without `applied` it was only shown, or was not wanted."""

    plan: "Plan"
    applied: "AppliedOperation | None"
    code: ExitCode = ExitCode.FINE


def travel_options(*, asks: bool, forcible: bool = False) -> Callable[[CommandBody], CommandBody]:
    """Give a command the options of those that write; it gets them as `how`."""
    options = [
        click.option(
            "--dry-run", "-n", is_flag=True, help="Show what would be done; write nothing."
        ),
        click.option("--diff", is_flag=True, help="Like --dry-run, and show each line as a diff."),
    ]
    if asks:
        about = "Do it without asking; needed where nobody can be asked."
        options.append(click.option("--yes", "-y", is_flag=True, help=about))
    if forcible:
        about = "Go on although the file is so fresh that an old client may have it open."
        options.append(click.option("--force", is_flag=True, help=about))

    def decorate(body: CommandBody) -> CommandBody:
        @wraps(body)
        def collect(
            *args: object,
            dry_run: bool,
            diff: bool,
            yes: bool = False,
            force: bool = False,
            **rest: object,
        ) -> object:
            return body(*args, how=TravelOptions(dry_run or diff, diff, yes, force), **rest)

        decorated: CommandBody = collect
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def carry_out_plan(
    given: Globals,
    how: TravelOptions,
    make: "Callable[[], Plan]",
    *,
    document: "Callable[[Plan, int | None], dict[str, object]]",
    asks: bool | None = None,
    more: "Callable[[Plan], Sequence[PreviewRow]]" = lambda _: (),
) -> TravelOutcome:
    """Make a plan and do what is wanted with it; the JSON document is written too.

    Args:
        given: The options of all commands.
        how: How it is to be done.
        make: Makes the plan, also again where the files change meanwhile.
        document: Gives the document for --json, from the plan and the operation's number.
        asks: Whether a yes is needed; by default where an existing file changes.
        more: Gives rows that are added to the preview.
    """
    plan = make()
    if how.dry_run:
        library.require_applicable(plan, force=how.force)
        if given.json:
            planned = dry_run_document(plan, document(plan, None), diff=how.diff)
            output.emit_json(planned, output.detect_screen(given.color))
        else:
            _show_dry_run(given, plan, more(plan), diff=how.diff)
        return TravelOutcome(plan, None)
    for left in reversed(range(_TRIES)):
        needs_yes = bool(plan.changes) if asks is None else asks
        _show_preview(given, plan, more(plan))
        if needs_yes and not _is_confirmed(how):
            output.say("Nothing was changed.")
            return TravelOutcome(plan, None, ExitCode.FAILED)
        try:
            applied = library.apply(plan, force=how.force)
        except library.FileChanged as error:
            if not left or (needs_yes and not is_interactive()):
                raise
            if needs_yes or is_terminal(sys.stderr):
                output.say(
                    error.message.replace("Nothing was written", "The preview was made again")
                )
            plan = make()
            continue
        if given.json:
            output.emit_json(document(plan, applied.number), output.detect_screen(given.color))
        return TravelOutcome(plan, applied)
    raise AssertionError  # the last try returns or raises


def report_outcome(
    done: TravelOutcome, what: str, *, again: bool = False, claude_dir: str | None = None
) -> None:
    """Say what was done and how to take it back, or to have it again.

    `claude_dir` is where it was done, where that is none of the folders that were read.
    """
    if done.applied is not None:
        output.flush_output()
        back = "To redo it" if again else "To undo it"
        given = click.get_current_context().ensure_object(Globals).claude_dirs
        folders = given if claude_dir is None else [claude_dir]
        where = "".join(f"--claude-dir {quote(folder)} " for folder in folders)
        output.say(f"{what} {back}: bough {where}undo {done.applied.number}")
        for note in done.applied.notes:
            output.say(note)


def make_canvas(given: Globals) -> Canvas:
    """Give the canvas that stdout is."""
    screen = output.detect_screen(given.color)
    return Canvas(clock.now(), glyphs_for(screen), screen.width, clock.read_time_words())


def _is_confirmed(how: TravelOptions) -> bool:
    if how.yes:
        return True
    if not is_interactive():
        command = click.get_current_context().command_path
        raise Misuse(
            f"{command} changes existing files, and there is no terminal to ask on. "
            "Give --yes to do it, or --dry-run to see it."
        )
    return ask_yes_no(f"{_QUESTIONS.get(_command_name(), 'Do it')}?")


def _command_name() -> str:
    return click.get_current_context().info_name or ""


_QUESTIONS: Final = {
    "branch": "Continue there from now on",
    "goto": "Continue there from now on",
    "rename": "Rename it",
    "repair": "Write it over the file",
    "move": "Move them",
    "restore": "Restore it",
    "undo": "Undo it",
    "install": "Set it",
    "uninstall": "Give it back",
}


def _show_preview(given: Globals, plan: "Plan", more: "Sequence[PreviewRow]") -> None:
    """Show the preview to a person who looks; nobody else needs it."""
    if is_terminal(sys.stdout) and not given.json:
        lines = render_preview(plan, make_canvas(given), more)
        output.write_lines(lines, output.detect_screen(given.color))
        output.flush_output()
        return
    if not is_terminal(sys.stderr):
        return
    plain = Canvas(clock.now(), columns=_COLUMNS, words=clock.read_time_words())
    for line in render_preview(plan, plain, more):
        output.say(text_of(line))


def _show_dry_run(
    given: Globals, plan: "Plan", more: "Sequence[PreviewRow]", *, diff: bool
) -> None:
    canvas = make_canvas(given)
    lines = render_preview(plan, canvas, more)
    if diff:
        lines += [(), *render_plan_diff(plan, canvas), ()]
    lines.append(line_of(describe_dry_run(plan)))
    output.page_lines(lines, output.detect_screen(given.color))
