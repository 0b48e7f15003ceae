"""`bough push`: send sessions to a team's database, with their secrets hidden."""

from typing import TYPE_CHECKING, Final, Literal

import click
from msgspec.structs import replace

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders, report_problems
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import progress_bar
from bough.cli.signals import catch_signals, is_reader_gone
from bough.cli.travel import make_canvas
from bough.errors import ExitCode, IndexTrouble, Misuse, with_tilde
from bough.model.text.formats import format_plural, format_size
from bough.terminal.style import Role
from bough.terminal.table import Cell, Column, TableRow, draw_table
from bough.terminal.text import clean

if TYPE_CHECKING:
    from bough.library import PushableProject, PushReport

_SHORT: Final = 8
_COLUMNS: Final = (
    Column("PROJECT", least=16),
    Column("SESSIONS", right=True),
    Column("SIZE", right=True, leaves=1),
    Column("WHERE", least=24),
)
_SHOWN_KINDS: Final = 6


@command("push")
@click.option(
    "--project",
    "projects",
    metavar="PROJECT",
    multiple=True,
    help="Send this project; may be given again. Else the setting push_projects.",
)
@click.option("--since", metavar="TIME", help="Only sessions written since: 2026-11-01, 7d.")
@click.option(
    "--level",
    type=click.Choice(["all", "numbers"]),
    default="all",
    help="numbers: what was used and when, and no words.",
)
@click.option("--dry-run", "-n", is_flag=True, help="Say what would leave; send nothing.")
@click.option("--watch", is_flag=True, help="Go on sending what is new, until Ctrl-C.")
@click.option("--remove", metavar="SESSION", help="Take a session back; it is not sent again.")
@pass_globals
def push(  # noqa: PLR0913 - one parameter for each option
    given: Globals,
    *,
    projects: tuple[str, ...],
    since: str | None,
    level: Literal["all", "numbers"],
    dry_run: bool,
    watch: bool,
    remove: str | None,
) -> int:
    """Send sessions to a team's database, with everything that looks like a secret hidden.

    Nothing is sent automatically: name projects with --project, or in the setting push_projects
    ("*" is all). It says first what leaves. What is there already is not sent again, and a push
    that was cut off goes on where it was. A file .boughignore in the folder of a project keeps
    all of it, or the sessions and files that it names.

    The database is named by --store, $BOUGH_STORE or the setting team_store.
    """
    if remove is not None:
        if projects or since or dry_run or watch:
            raise Misuse("--remove takes a session back and sends nothing. Give it alone.")
        return _remove(given, check_name(remove))
    if watch and (given.json or dry_run):
        raise Misuse("--watch goes on and on. Give it without --json and --dry-run.")
    dirs = get_claude_folders(given)
    chosen = library.chosen_projects([check_name(one) for one in projects], dirs)
    if not chosen:
        return _list_choices(given, library.pushable_projects(dirs))
    choice = library.PushChoice(
        projects=[one.folder for one in chosen],
        since=library.parse_since(since) if since else None,
        level=level,
    )
    if watch:
        return _watch(given, replace(choice, projects=[check_name(one) for one in projects]))
    report = _push_once(given, choice, dry_run=dry_run)
    if given.json:
        output.emit_json(_document(report, sent=not dry_run), output.detect_screen(given.color))
        output.flush_output()
    report_problems(report.problems)
    if not given.json and (dry_run or report.files):
        output.say("Nothing was sent." if dry_run else "Sent.")
    _say_crossed(given, report)
    return ExitCode.FINE


def _push_once(
    given: Globals, choice: "library.PushChoice", *, dry_run: bool = False
) -> "PushReport":
    def announce(report: "PushReport") -> None:
        output.show_status("")
        if not given.json:
            _say_report(report)

    with progress_bar("Sending") as progress:
        report = library.push(
            choice,
            store=given.store,
            dry_run=dry_run,
            announce=announce,
            claude_dir=get_claude_folders(given),
            progress=progress,
        )
    if dry_run:
        announce(report)
    return report


def _watch(given: Globals, choice: "library.PushChoice") -> int:
    """Send what is new as it comes; what cannot be reached now is tried again."""

    def announce(report: "PushReport") -> None:
        output.show_status("")
        if report.files:
            _say_report(report)

    said = ""
    with catch_signals() as ended:
        found = library.watch_push(
            choice,
            ended,
            store=given.store,
            announce=announce,
            claude_dir=get_claude_folders(given),
        )
        try:
            for one in found:
                said = _say_outcome(given, one, said)
                if is_reader_gone():
                    break
        except KeyboardInterrupt:
            return ExitCode.INTERRUPTED
    return ExitCode.INTERRUPTED if ended.is_set() else ExitCode.FINE


def _say_outcome(given: Globals, found: "PushReport | IndexTrouble | None", said: str) -> str:
    """Say how a push ended, an error once; gives the error that was said last."""
    if isinstance(found, IndexTrouble):
        if found.message != said:
            output.say(found.message)
        return found.message
    if found is None:
        return said
    _say_crossed(given, found)
    return ""


def _say_crossed(given: Globals, report: "PushReport") -> None:
    if not given.json:
        for mark in report.crossed:
            output.say(library.describe_crossed_mark(mark))


def _say_report(report: "PushReport") -> None:
    for sentence in describe_report(report):
        output.say(sentence)


def describe_report(report: "PushReport") -> list[str]:
    """Say what leaves and what is hidden, and what stays."""
    if not report.files:
        sentences = [f"Nothing new for {report.store}."]
    else:
        what = f"{format_plural(report.sessions, 'session')} of " + format_plural(
            report.projects, "project"
        )
        sentences = [f"{what}, {format_size(report.bytes)}, for {report.store}; {_hidden(report)}."]
    stays = [
        (report.unchanged, "there already"),
        (report.ignored, "kept by .boughignore"),
        (report.older, "older"),
        (report.removed, "taken back before"),
        (report.forgotten, "forgotten here"),
        (report.elsewhere, "sent from another machine of yours"),
    ]
    if report.rehidden:
        again = "is" if report.rehidden == 1 else "are"
        sentences.append(
            f"{format_plural(report.rehidden, 'session')} of it {again} sent again, because this "
            "bough hides more than the one that sent it."
        )
    kept = [f"{count:,} {why}" for count, why in stays if count]
    if kept:
        sentences.append(f"Not sent: {', '.join(kept)}.")
    return sentences


def _hidden(report: "PushReport") -> str:
    if report.level == "numbers":
        return "numbers alone, no words"
    if not report.secrets:
        return "nothing in it looks like a secret"
    things = format_plural(report.secrets, "thing")
    looks = "looks" if report.secrets == 1 else "look"
    kinds = [f"{one.secrets:,} {one.kind}" for one in report.hidden[:_SHOWN_KINDS]]
    rest = len(report.hidden) - _SHOWN_KINDS
    more = [f"{rest:,} other kinds"] if rest > 0 else []
    return f"{things} that {looks} like secrets will be hidden ({', '.join(kinds + more)})"


def _document(report: "PushReport", *, sent: bool) -> dict[str, object]:
    return {
        "sent": sent,
        "store": report.store,
        "level": report.level,
        "sessions": report.sessions,
        "projects": report.projects,
        "files": report.files,
        "bytes": report.bytes,
        "secrets": report.secrets,
        "hidden": [{"kind": one.kind, "secrets": one.secrets} for one in report.hidden],
        "unchanged": report.unchanged,
        "ignored": report.ignored,
        "older": report.older,
        "removed": report.removed,
        "forgotten": report.forgotten,
        "elsewhere": report.elsewhere,
        "rehidden": report.rehidden,
        "problems": [problem.reason for problem in report.problems],
        "crossed": report.crossed,
    }


def _list_choices(given: Globals, projects: "list[PushableProject]") -> int:
    """Say what could be sent, and how to choose."""
    if given.json:
        fields = ("folder", "name", "path", "repository", "sessions", "bytes")
        document = [
            {name: getattr(one, name) for name in fields} | {"ignored": one.is_kept}
            for one in projects
        ]
        output.emit_json({"projects": document}, output.detect_screen(given.color))
        return ExitCode.FINE
    if projects:
        canvas = make_canvas(given)
        rows = [_draw_row(one) for one in projects]
        lines = draw_table(_COLUMNS, rows, canvas.glyphs, canvas.columns)
        output.page_lines(lines, output.detect_screen(given.color))
        output.flush_output()
    output.say(
        "Nothing is sent automatically. Choose: bough push --project NAME, or set push_projects."
        if projects
        else "No projects yet: Claude Code has saved nothing here."
    )
    return ExitCode.FINE


def _draw_row(project: "PushableProject") -> TableRow:
    where = project.repository or with_tilde(project.path or project.folder)
    return (
        Cell(clean(project.name)),
        Cell(f"{project.sessions:,}"),
        Cell(format_size(project.bytes)),
        Cell(clean(where), Role.META, " kept by .boughignore" if project.is_kept else ""),
    )


def _remove(given: Globals, session: str) -> int:
    found, files = library.remove_pushed_session(session, given.store)
    if given.json:
        document = {"session": found, "files": files}
        output.emit_json(document, output.detect_screen(given.color))
    else:
        output.say(
            f"Took back {format_plural(files, 'file')} of session {found[:_SHORT]}. "
            "It is not sent again."
        )
    return ExitCode.FINE
