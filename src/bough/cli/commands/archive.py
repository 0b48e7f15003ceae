"""`bough archive`: keep copies of sessions that stay when the client deletes its files."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import describe_forecast, get_claude_folders, report_problems
from bough.cli.options import (
    SETTINGS,
    BoughCommand,
    BoughGroup,
    Globals,
    pass_globals,
)
from bough.cli.reports import print_report, show_archive_progress
from bough.errors import ExitCode, with_tilde
from bough.model.text.formats import format_plural, format_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import ArchiveStatus, ArchiveUpdate, RewrittenSession

_SHORT: Final = 8
_SHOWN: Final = 20
_BEHIND: Final = "bough archive takes that in; a last line without its end waits a minute."
_KEPT_BY_ITSELF: Final = {
    True: "Copies are kept automatically while bough indexes or watches.",
    False: "No copies are kept automatically, as the setting archive says.",
    None: "No copies are kept automatically until you answer: bough archive on, or off.",
}


class ArchiveGroup(BoughGroup):
    """The commands of the archive: an hourly run loads none that asks a person something."""

    elsewhere = {  # noqa: RUF012 - a constant of the class above
        "adopt": "bough.cli.commands.archive_adopt:adopt",
        "export": "bough.cli.commands.archive_export:export_archive",
        "import": "bough.cli.commands.archive_export:import_archive",
        "forget": "bough.cli.commands.archive_forget:forget",
        "lost": "bough.cli.commands.archive_lost:lost",
        "install": "bough.cli.commands.archive_schedule:install",
        "uninstall": "bough.cli.commands.archive_schedule:uninstall",
    }


@click.group("archive", cls=ArchiveGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.option("--quiet", "-q", is_flag=True, help="Say only what cannot be read; for timers.")
@click.pass_context
def archive(ctx: click.Context, *, quiet: bool) -> int | None:
    """Keep copies of sessions that stay when the client deletes its files.

    Without a command it archives what is new: sessions, their agents, tool results, file
    history, tasks, plans and pasted texts. Copies are compressed files in the data folder, or
    in the folder named by the setting archive_dir, readable by you alone; zstd -d unpacks
    them without bough. What the client deletes can still be listed, shown, searched, counted,
    exported and forked, and bough restore brings it back. bough archive on keeps copies
    automatically.
    """
    if ctx.invoked_subcommand is not None:
        return None
    code: int = ctx.invoke(take_in, quiet=quiet)
    return code


@pass_globals
def take_in(given: Globals, *, quiet: bool = False) -> int:
    """Take in what is new, and say how the archive stands."""
    dirs = get_claude_folders(given)
    try:
        report = library.archive_sessions(
            dirs, progress=None if quiet else show_archive_progress, is_asked=not quiet
        )
    except library.ArchiveBusy:
        if quiet:
            return ExitCode.FINE  # whoever writes it takes the same in
        raise
    if quiet:
        report_problems(report.problems)
        return ExitCode.FINE
    output.show_status("")
    document = {
        "archive": report.archive,
        "sessions": report.contents.sessions,
        "partial": report.contents.partial,
        "taken": sorted(report.sessions),
        "files": report.files,
        "bytes": report.bytes,
        "generations": report.generations,
        "sealed": report.sealed,
        "problems": [problem.reason for problem in report.problems],
    }
    print_report(given, document, lambda: [_describe_update(report)], report.problems)
    return ExitCode.FAILED if report.problems and not report.contents.files else ExitCode.FINE


@archive.command("on", cls=BoughCommand)
@click.pass_context
def keep_on(ctx: click.Context) -> int:
    """Keep copies automatically from now on, of what is indexed and watched.

    What there is now is archived at once, as by bough archive.
    """
    library.answer_archive_consent(keeps=True)
    output.say(_KEPT_BY_ITSELF[True])
    code: int = ctx.invoke(take_in)
    return code


@archive.command("off", cls=BoughCommand)
@pass_globals
def keep_off(given: Globals) -> int:
    """Stop keeping copies automatically; those that exist stay, and bough archive still works."""
    library.answer_archive_consent(keeps=False)
    if given.json:
        output.emit_json({"automatic": False}, output.detect_screen(given.color))
        return ExitCode.FINE
    output.say("Copies are no longer kept automatically. bough archive still makes them.")
    if library.list_installed_files():
        output.say("It still runs every hour. bough archive uninstall stops that.")
    return ExitCode.FINE


@archive.command("status", cls=BoughCommand)
@pass_globals
def status(given: Globals) -> int:
    """Say what is kept, and what the client deletes within a week.

    It ends with 3 where there was an archive and it is not there.
    """
    found = library.archive_status(get_claude_folders(given))
    code = ExitCode.INDEX if found.is_missing else ExitCode.FINE
    if given.json:
        output.emit_json(found, output.detect_screen(given.color))
        return code
    for sentence in _describe_status(found):
        output.write(f"{sentence}\n")
    output.flush_output()
    return code


@archive.command("verify", cls=BoughCommand)
@click.option("--deep", is_flag=True, help="Compare with the files that are still there, too.")
@click.option(
    "--repair",
    is_flag=True,
    help="Write damaged copies anew from files that have the same bytes.",
)
@pass_globals
def verify(given: Globals, *, deep: bool, repair: bool) -> int:
    """Read every byte of the archive, and name what is damaged.

    It ends with 1 where something is damaged and not repaired. Nothing is changed without
    --repair.
    """
    report = library.verify_archive(deep=deep, repair=repair, progress=show_archive_progress)
    output.show_status("")
    code = ExitCode.FINE if report.is_sound else ExitCode.FAILED
    if given.json:
        output.emit_json(report, output.detect_screen(given.color))
        return code
    for damage in (*report.damage, *report.differences):
        output.write(f"{library.describe_damage(damage)}\n")
    output.flush_output()
    for equal in report.equal:
        output.say(library.describe_equal(equal))
    output.say(library.describe_verification(report, deep=deep, damaged="See above."))
    return code


def _describe_update(report: "ArchiveUpdate") -> str:
    kept = report.contents
    words = [
        library.describe_safe(kept),
        f"{format_size(kept.packed)} for {format_size(kept.bytes)}",
        f"{len(report.sessions):,} taken now",
    ]
    if report.problems:
        words.append(f"{len(report.problems):,} cannot be read")
    return f"{', '.join(words)}. The archive is at {with_tilde(report.archive)}."


def _describe_rewritten(rewritten: "Sequence[RewrittenSession]") -> str:
    shown = ", ".join(
        f"{one.session[:_SHORT]} ({one.generations:,} generations)" for one in rewritten[:_SHOWN]
    )
    more = f" and {len(rewritten) - _SHOWN:,} more" if len(rewritten) > _SHOWN else ""
    return (
        f"Rewritten since they were first kept, with the older versions kept too: {shown}{more}. "
        "bough restore SESSION --generation 1 --to DIR writes the oldest."
    )


def _describe_status(found: "ArchiveStatus") -> list[str]:
    sentences = [f"Archive: {with_tilde(found.archive)}"]
    remedy = "" if found.sessions else " bough archive makes copies of all sessions."
    if found.is_missing:
        remedy = " Bring it back, or let bough archive begin a new one."
    sentences.append(f"{library.describe_contents(found)}{remedy}")
    sentences.append(_KEPT_BY_ITSELF[found.automatic])
    if found.schedule:
        names = ", ".join(with_tilde(file) for file in found.schedule)
        sentences.append(f"bough archive is called every hour: {names}.")
    if found.behind:
        behind = format_plural(found.behind, "session")
        sentences.append(f"Not kept as it is now: {behind}. {_BEHIND}")
    if found.forgotten:
        sentences.append(f"{format_plural(found.forgotten, 'session')} forgotten, as you asked.")
    if found.rewritten:
        sentences.append(_describe_rewritten(found.rewritten))
    sentences += map(library.describe_retention, found.retention)
    if found.forecast.sessions:
        sentences.append(describe_forecast(found.forecast))
    for one in found.expiring[:_SHOWN]:
        kept = "kept" if one.kept else "NOT kept"
        sentences.append(f"  {one.session[:_SHORT]}  from {one.deleted_from[:10]} on  {kept}")
    if len(found.expiring) > _SHOWN:
        sentences.append(f"  and {len(found.expiring) - _SHOWN:,} more; --json lists all")
    sentences += filter(None, [library.describe_later(found.later)])
    return sentences
