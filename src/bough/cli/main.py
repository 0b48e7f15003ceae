"""The frame of the command line: the table of commands, and the way in and out.

`bough --help` must answer at once, so nothing of ours that is large is imported here:
commands are named as strings and loaded when they are called.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, NoReturn

import click

from bough import __version__
from bough.cli.options import (
    GLOBAL_OPTIONS,
    SETTINGS,
    BaseGroup,
    Globals,
    is_folder_name,
    list_valued_options,
    override,
    write_options,
)
from bough.memory import collect_rarely, exempt_existing_objects

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# section -> command -> (module that holds it under its own name, what it does)
CommandTable = dict[str, dict[str, tuple[str, str]]]

_PACKAGE: Final = "bough.cli.commands"
COMMANDS: Final[CommandTable] = {
    "Read": {
        "projects": (f"{_PACKAGE}.projects", "List projects, newest first."),
        "sessions": (f"{_PACKAGE}.sessions", "List sessions, newest first."),
        "conversations": (f"{_PACKAGE}.conversations", "List the branches of each session."),
        "show": (f"{_PACKAGE}.show", "Read a conversation, in the pager."),
        "tree": (f"{_PACKAGE}.tree", "Draw a session as a graph of its branches."),
        "search": (f"{_PACKAGE}.search", "Find what was said, thought and done."),
        "resume": (f"{_PACKAGE}.resume", "Start the client on a session, in its folder."),
        "export": (f"{_PACKAGE}.export", "Write a conversation as Markdown, HTML or JSON."),
        "notes": (
            f"{_PACKAGE}.annotations",
            "Star sessions and messages; write notes on them.",
        ),
        "web": (f"{_PACKAGE}.web", "Open your history in the browser."),
        "mcp": (f"{_PACKAGE}.mcp", "Let an agent look up what was said and done before."),
    },
    "Live": {
        "watch": (f"{_PACKAGE}.watch", "Show what happens in sessions, as it happens."),
        "status": (f"{_PACKAGE}.status", "Show which sessions work, wait for you or are done."),
        "notify": (f"{_PACKAGE}.notify", "Notify you when a session waits, finishes or fails."),
        "guard": (f"{_PACKAGE}.guard", "Warn when a budget is used up; stop if you say so."),
        "hooks": (f"{_PACKAGE}.hooks", "Let the client tell bough at once what it is asking."),
        "statusline": (f"{_PACKAGE}.status_line", "Print a status line for the client to show."),
    },
    "Measure": {
        "usage": (f"{_PACKAGE}.usage", "Count tokens and cost, by day, project, model and more."),
        "stats": (f"{_PACKAGE}.stats", "Count what tools, hooks, agents and people did."),
        "sql": (f"{_PACKAGE}.sql", "Query the index in SQL."),
    },
    "Travel": {
        "find": (f"{_PACKAGE}.find", "Find text, with what is around it."),
        "fork": (f"{_PACKAGE}.fork", "Write a new session that ends at an earlier point."),
        "goto": (f"{_PACKAGE}.goto", "Make the next resume continue at an earlier point."),
        "branch": (f"{_PACKAGE}.branch", "Continue from a message, in whichever way is safe."),
        "diff": (f"{_PACKAGE}.diff", "Compare two branches of a session."),
        "rename": (f"{_PACKAGE}.rename", "Give a session another title, for the client too."),
        "move": (f"{_PACKAGE}.move", "Let sessions follow a project that was moved."),
        "repair": (f"{_PACKAGE}.repair", "Repair what doctor finds, in a copy or in place."),
        "undo": (f"{_PACKAGE}.undo", "Undo what bough did."),
        "restore": (f"{_PACKAGE}.restore", "Bring a session back as it was, or from the archive."),
        "history": (f"{_PACKAGE}.history", "List what bough did to sessions."),
    },
    "Keep": {
        "archive": (f"{_PACKAGE}.archive", "Keep what the client deletes."),
        "backup": (f"{_PACKAGE}.backup", "Write all of bough's own data to one file."),
        "restore-backup": (
            f"{_PACKAGE}.restore_backup",
            "Bring back bough's own data from a backup.",
        ),
    },
    "Check": {
        "index": (f"{_PACKAGE}.index", "Read what is new into the index."),
        "doctor": (f"{_PACKAGE}.doctor", "Check a session for problems."),
    },
    "Share": {
        "team": (f"{_PACKAGE}.team", "Manage a team's store: tables, members, shares."),
        "push": (f"{_PACKAGE}.push", "Send sessions to a team's store, without secrets."),
        "pull": (f"{_PACKAGE}.pull", "Fetch a session from a team's store."),
    },
    "Try": {
        "demo": (f"{_PACKAGE}.demo", "Try bough on a made-up history."),
    },
    "Learn": {
        "help": (f"{_PACKAGE}.help", "Explain a command, as --help does."),
        "docs": (f"{_PACKAGE}.docs", "Read the guide."),
        "completion": (f"{_PACKAGE}.completion", "Print the script that lets your shell complete."),
    },
}

_COMPLETE: Final = "_BOUGH_COMPLETE"
_UNASKED: Final = frozenset(
    {"archive", "web", "demo", "help", "docs", "completion", "--help", "-h", "--version", "-V"}
    | {"--json"}
)
"""Words of command lines after which nobody is asked about the archive."""
_ABOUT: Final = """Read the conversations that Claude Code keeps on disk.

It shows every branch of a session, the active one first, and loses nothing that
was said. It only reads your sessions: the commands under Travel alone change them,
and only when asked to."""

_MORE: Final = """\b
SESSION  a path, the beginning of an id, or latest
PROJECT  a path, a name, or a folder name such as -home-dev-orchard-shop

\b
Exit codes: 0 fine, 1 nothing found or failed, 2 misuse, 3 index trouble,
130 interrupted. Output cut short by a reader such as head is fine."""


class CommandGroup(BaseGroup):
    """The command `bough`: a table of commands that are loaded when they are called."""

    table: CommandTable

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own
        """Name the commands in the order of the table."""
        return [name for section in self.table.values() for name in section]

    @override
    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's own
        cmd_name: str,
    ) -> click.Command | None:
        """Load a command."""
        for section in self.table.values():
            if cmd_name in section:
                module = import_module(section[cmd_name][0])
                command: click.Command = getattr(module, cmd_name.replace("-", "_"))
                return command
        return None

    @override
    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """List commands by the table, without loading any, else its own options."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - shells alone need it

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=about)
            for section in self.table.values()
            for name, (_, about) in section.items()
            if name.startswith(incomplete)
        ]

    @override
    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Add the options of all commands to its own."""
        return [*GLOBAL_OPTIONS, *super().get_params(ctx)]

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse -bogus before click reads it as -b -o -g -u -s."""
        words = iter(args)
        valued = list_valued_options(self.get_params(ctx))
        for word in words:
            if word in valued:
                next(words, None)
            elif is_folder_name(word):
                raise click.NoSuchOption(word, ctx=ctx)
            elif not word.startswith("-"):
                break
        return super().parse_args(ctx, args)

    @override
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands first: they are what a person looks for."""
        longest = max(map(len, self.list_commands(ctx)), default=0)
        for section, commands in self.table.items():
            with formatter.section(section):
                formatter.write_dl(
                    [(name.ljust(longest), about) for name, (_, about) in commands.items()]
                )
        title = "Options, before or after the command"
        write_options(ctx, formatter, title, self.get_params(ctx))


def build_group(table: CommandTable) -> CommandGroup:
    """Build the command `bough` on a table of commands."""
    version = click.Option(
        ["-V", "--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_version,
        help="Show the version and exit.",
    )
    theme = click.Option(
        ["--theme"],
        type=click.Choice(["auto", "dark", "light"]),
        metavar="THEME",
        help="Of the terminal app: dark, light, or auto to ask the terminal.",
    )
    group = CommandGroup(
        name="bough",
        help=_ABOUT,
        epilog=_MORE,
        invoke_without_command=True,
        callback=_run_without_command,
        context_settings=SETTINGS,
        params=[theme, version],
    )
    group.table = table
    return group


def run(args: Sequence[str], group: CommandGroup | None = None) -> int:
    """Run a command line and give its exit code."""
    try:
        code = _invoke_group(group or build_group(COMMANDS), args)
        if sys.stdout is not None:
            sys.stdout.flush()
        _finish_archive()
        _mention_archive(args)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the top of a face
        from bough.cli.errors import report_error  # noqa: PLC0415 - 16 ms; most runs do not fail

        return report_error(error)
    return code


def main() -> NoReturn:
    """Run the command line of this process."""
    # Fast path: `bough sessions`, 149 ms instead of 160 (see bough.memory).
    collect_rarely()
    code = _complete(asked) if (asked := os.environ.get(_COMPLETE)) else run(sys.argv[1:])
    exempt_existing_objects()
    sys.exit(code)


def _complete(instruction: str) -> int:
    """Answer a shell that asks what may stand where somebody is typing."""
    from bough.cli.shell_completion import write_completions  # noqa: PLC0415 - shells alone need it

    try:
        click.echo(write_completions(build_group(COMMANDS), instruction))
    except KeyboardInterrupt:
        return 130  # the words that somebody is typing are no place for a traceback
    return 0


def _invoke_group(group: CommandGroup, args: Sequence[str]) -> int:
    """Run a command; it may return its exit code."""
    # click's own main() would word errors, interrupts and closed pipes its way.
    try:
        with group.make_context("bough", list(args)) as ctx:
            code: object = group.invoke(ctx)
    except click.exceptions.Exit as done:
        return done.exit_code
    return code if isinstance(code, int) else 0


@click.pass_context
def _run_without_command(ctx: click.Context, theme: str | None) -> None:
    if ctx.invoked_subcommand is not None:
        if theme is not None:
            raise click.UsageError(f"--theme is for the terminal app: bough --theme {theme}", ctx)
        _warn_of_settings()
        return
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from bough.tui.app.run import run as run_app  # noqa: PLC0415 - 280 ms; commands need none of it

        given = ctx.ensure_object(Globals)
        if given.store is not None:
            raise click.UsageError(
                "the terminal app is about this machine: it takes no --store", ctx
            )
        ctx.exit(run_app(given.claude_dirs, given.index, theme=theme))
    click.echo(ctx.get_help())


def _warn_of_settings() -> None:
    """Say which settings do not count; what makes no sense is told by who needs it."""
    from bough.config import read_settings  # noqa: PLC0415 - --help needs none of it
    from bough.errors import BoughError  # noqa: PLC0415 - as above

    try:
        warnings = read_settings().warnings
    except BoughError:
        return
    if warnings:
        from bough.cli.output import say  # noqa: PLC0415 - most settings are known

        for sentence in warnings:
            say(sentence)


def _finish_archive() -> None:
    """Wait for what goes into the archive, where something does, and say what went wrong."""
    if "bough.archive.intake.archive_run" in sys.modules:
        from bough import library  # noqa: PLC0415 - it is loaded

        for sentence in library.finish_archive_runs():
            from bough.cli.output import say  # noqa: PLC0415 - nearly always nothing does

            say(sentence)


def _mention_archive(args: Sequence[str]) -> None:
    """Say once, where a person may read it, that copies can be kept; nobody is waited for."""
    is_named = any(word.startswith("--claude-dir") for word in args)
    if not args or is_named or {*args} & _UNASKED:
        return
    if sys.stderr is None or not sys.stderr.isatty():
        return
    from bough import library  # noqa: PLC0415 - --help needs none of it
    from bough.errors import BoughError  # noqa: PLC0415 - as above

    try:
        sentence = "" if library.is_archive_asked() else library.take_archive_sentence()
    except (BoughError, OSError):
        return
    if sentence:
        from bough.cli.output import say  # noqa: PLC0415 - once in a lifetime

        say(sentence)


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"bough {__version__}")
        ctx.exit()
