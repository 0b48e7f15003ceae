"""`bough archive`: keep copies of sessions that stay when the client deletes its files."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders, report_problems
from bough.cli.options import (
    GLOBAL_OPTIONS,
    SETTINGS,
    BoughCommand,
    Globals,
    override,
    pass_globals,
    write_options,
)
from bough.errors import ExitCode, Misuse, with_tilde
from bough.model.text.formats import format_plural, format_size

if TYPE_CHECKING:
    from bough.library import ArchiveDamage, ArchiveStatus

_SHORT: Final = 8
_SHOWN: Final = 20
_BETWEEN: Final = 200


class ArchiveGroup(click.Group):
    """The commands of `bough archive`; alone it takes in what is new."""

    @override
    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Add the options of all commands."""
        return [*super().get_params(ctx), *GLOBAL_OPTIONS]

    @override
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options of all commands."""
        self.format_commands(ctx, formatter)
        write_options(ctx, formatter, "Options of every command", GLOBAL_OPTIONS)


@click.group("archive", cls=ArchiveGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.pass_context
def archive(ctx: click.Context) -> int | None:
    """Keep copies of sessions that stay when the client deletes its files.

    Without a command it takes in what is new: sessions, their agents, tool results, file
    history, tasks, plans and pasted texts. They lie packed in the data folder, or in the
    setting archive_dir, for nobody else to read; zstd -d reads them back without bough. What
    the client deleted is listed, shown, searched, counted, exported and forked as before, and
    bough restore brings it back. Nothing is archived unless this command is called.
    """
    if ctx.invoked_subcommand is not None:
        return None
    code: int = ctx.invoke(take_in)
    return code


@pass_globals
def take_in(given: Globals) -> int:
    """Take in what is new, and say how the archive stands."""
    dirs = get_claude_folders(given)
    report = library.archive_sessions(dirs, progress=_show_progress)
    output.show_status("")
    status = library.archive_status(dirs)
    if given.json:
        document = {
            "archive": status.archive,
            "sessions": status.sessions,
            "taken": sorted(report.sessions),
            "files": report.files,
            "bytes": report.bytes,
            "generations": report.generations,
            "sealed": report.sealed,
            "problems": [problem.reason for problem in report.problems],
        }
        output.emit_json(document, output.detect_screen(given.color))
        output.flush_output()
    report_problems(report.problems)
    if not given.json:
        words = [
            f"{format_plural(status.sessions, 'session')} safe",
            f"{format_size(status.packed)} for {format_size(status.bytes)}",
            f"{len(report.sessions):,} taken now",
        ]
        if report.problems:
            words.append(f"{len(report.problems):,} cannot be read")
        output.say(f"{', '.join(words)}. The archive is at {with_tilde(status.archive)}.")
    return ExitCode.FAILED if report.problems and not status.sessions else ExitCode.FINE


@archive.command("status", cls=BoughCommand)
@pass_globals
def status(given: Globals) -> int:
    """Say what is kept, and what the client deletes within a week."""
    found = library.archive_status(get_claude_folders(given))
    if given.json:
        output.emit_json(found, output.detect_screen(given.color))
        return ExitCode.FINE
    for sentence in _describe_status(found):
        output.write(f"{sentence}\n")
    output.flush_output()
    return ExitCode.FINE


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
    report = library.verify_archive(deep=deep, repair=repair, progress=_show_progress)
    output.show_status("")
    code = ExitCode.FINE if report.is_sound else ExitCode.FAILED
    if given.json:
        output.emit_json(report, output.detect_screen(given.color))
        return code
    for damage in (*report.damage, *report.differences):
        output.write(f"{_describe_damage(damage)}\n")
    output.flush_output()
    compared = f", {report.compared:,} compared with their files" if deep else ""
    state = "All of it is as it was written." if report.is_sound and not report.damage else ""
    state = state or ("Everything was repaired." if report.is_sound else "See above.")
    files = format_plural(report.files, "file")
    output.say(f"Read {files}, {format_size(report.bytes)}{compared}. {state}")
    return code


@archive.command("forget", cls=BoughCommand)
@click.argument("session")
@click.option("--yes", "-y", is_flag=True, help="Do it without asking.")
@pass_globals
def forget(given: Globals, session: str, *, yes: bool) -> int:
    """Remove every copy of SESSION, and take none in again.

    SESSION is an id or the beginning of one. The client's own files stay as they are; so do
    exports, notes, and the backups of time travel.
    """
    from bough.cli.prompts import (  # noqa: PLC0415 - it loads time travel, which doubles the start
        ask_yes_no,
        is_interactive,
    )

    found = library.find_archived_session(check_name(session))
    if not yes:
        if not is_interactive():
            raise Misuse("Nobody can be asked. Say --yes to remove every copy of the session.")
        if not ask_yes_no(f"Remove every copy of session {found[:_SHORT]} from the archive?"):
            output.say("Nothing was removed.")
            return ExitCode.FAILED
    done = library.forget_archived_session(found)
    if given.json:
        output.emit_json(done, output.detect_screen(given.color))
        return ExitCode.FINE
    output.say(
        f"Removed {format_plural(done.files, 'copy', 'copies')}, {format_size(done.bytes)}. "
        "The client's own files, exports, notes and backups of time travel are as they were."
    )
    return ExitCode.FINE


def _show_progress(done: int, total: int) -> None:
    if done and done % _BETWEEN == 0:
        output.show_status(f"Archive: {done:,} of {total:,} files")


def _describe_status(found: "ArchiveStatus") -> list[str]:
    sentences = [f"Archive: {with_tilde(found.archive)}"]
    if not found.exists:
        sentences.append("Nothing is archived yet. bough archive takes in what there is.")
    else:
        sentences.append(
            f"{format_plural(found.sessions, 'session')} safe, "
            f"{format_size(found.packed)} for {format_size(found.bytes)}; "
            f"{found.deleted:,} of them deleted by the client since."
        )
    if found.behind:
        sentences.append(f"{format_plural(found.behind, 'session')} not kept as they are now.")
    if found.forgotten:
        sentences.append(f"{format_plural(found.forgotten, 'session')} forgotten by your wish.")
    for rule in found.retention:
        where = (
            f"as {with_tilde(rule.source)} says" if rule.source else "as no settings say otherwise"
        )
        sentences.append(f"{with_tilde(rule.folder)} is kept {rule.days:,} days, {where}.")
    for one in found.expiring[:_SHOWN]:
        kept = "kept" if one.kept else "NOT kept"
        sentences.append(f"  {one.session[:_SHORT]}  from {one.deleted_from[:10]} on  {kept}")
    if len(found.expiring) > _SHOWN:
        sentences.append(f"  and {len(found.expiring) - _SHOWN:,} more; --json lists all")
    return sentences


def _describe_damage(damage: "ArchiveDamage") -> str:
    where = f", bytes {damage.offset:,} to {damage.offset + damage.length:,}"
    name = damage.path or damage.file
    done = " Repaired." if damage.is_repaired else ""
    return f"{with_tilde(name)}{where if damage.length else ''}: {damage.reason}.{done}"
