"""The options of all commands, and how words on the command line are told apart.

The five options are accepted before and after the command's name and fill one object, which
a command gets through `pass_globals`. Names of project folders begin with a dash; we have
no clusters of short options, so one dash and several letters is always a name.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from typing_extensions import override as override  # noqa: PLC0414 - main takes it from here

    from bough.terminal.capabilities import ColorChoice
else:

    def override(method: object) -> object:
        """Stand in for `typing.override`, which Python 3.11 does not have."""
        return method


SETTINGS: Final[dict[str, object]] = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
}


_WHOLE_SENTENCE: Final = 1_000
"""So long may be what a command does in a list; click would cut it to fit a line."""
_FORMULA: Final = re.compile(r"\s*\[[0-9x<>=]+\]$")
"""How click writes which numbers it takes: [x>=1]. Who gives another one is told in words."""


class Globals:
    """What the options of all commands said, before and after the command's name."""

    def __init__(self) -> None:
        self.claude_dirs: list[str] = []
        self.index: str | None = None
        self.store: str | None = None
        self.json = False
        self.color: ColorChoice = "auto"


pass_globals = click.make_pass_decorator(Globals, ensure=True)


def _add_folders(ctx: click.Context, _: click.Parameter, value: tuple[str, ...]) -> None:
    ctx.ensure_object(Globals).claude_dirs.extend(value)


def _set_option(ctx: click.Context, param: click.Parameter, value: object) -> None:
    if value and param.name:
        setattr(ctx.ensure_object(Globals), param.name, value)


_SCHEMES: Final = ("postgresql://", "postgres://")
_TAKES_STORE: Final = frozenset(
    {"projects", "sessions", "conversations", "show", "tree", "search", "export"}
    | {"usage", "stats", "sql", "find", "diff", "doctor"}
)
"""The commands that can be about a team's store."""
_BETWEEN_BOTH: Final = frozenset({"team", "push", "pull", "web"})
"""The commands that are about this machine and a team's store."""


def _set_store(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    """Take a team's store for the index; nothing else is asked then."""
    if not value:
        return
    if not value.startswith(_SCHEMES):
        raise click.UsageError("--store takes a URL such as postgresql://NAME@HOST/DATABASE", ctx)
    given = ctx.ensure_object(Globals)
    given.store = given.index = value


def _require_store_command(ctx: click.Context) -> None:
    """Refuse --store where a command would not be about it; else let questions be about it."""
    given = ctx.find_object(Globals)
    if given is None or given.store is None:
        return
    name = ctx.command_path.split()[1] if ctx.parent is not None else ""
    if name not in _TAKES_STORE | _BETWEEN_BOTH:
        raise click.UsageError(
            f"bough {name} is about this machine alone: it takes no --store", ctx
        )
    if name in _TAKES_STORE:
        from bough import library  # noqa: PLC0415 - --help needs none of it

        library.choose_store(given.store)


GLOBAL_OPTIONS: Final[tuple[click.Option, ...]] = (
    click.Option(
        ["--claude-dir"],
        metavar="DIR",
        multiple=True,
        expose_value=False,
        callback=_add_folders,
        help="A Claude folder to read; may be given again. Else $CLAUDE_CONFIG_DIR, else "
        "~/.claude and $XDG_CONFIG_HOME/claude.",
    ),
    click.Option(
        ["--index"],
        metavar="FILE",
        expose_value=False,
        callback=_set_option,
        help="Where the index is. Else $BOUGH_INDEX, else your data folder.",
    ),
    click.Option(
        ["--store"],
        metavar="URL",
        expose_value=False,
        callback=_set_store,
        help="Read a team's store, postgresql://NAME@HOST/DATABASE, instead of this machine.",
    ),
    click.Option(
        ["--json"],
        is_flag=True,
        expose_value=False,
        callback=_set_option,
        help="Print one JSON document.",
    ),
    click.Option(
        ["--color"],
        type=click.Choice(["auto", "always", "never"]),
        metavar="WHEN",
        expose_value=False,
        callback=_set_option,
        help="auto, always or never. NO_COLOR is honoured.",
    ),
)


class BoughCommand(click.Command):
    """A command that takes the options of all, and names that begin with a dash."""

    @override
    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Add the options of all commands to its own."""
        return [*super().get_params(ctx), *GLOBAL_OPTIONS]

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Let folder names such as -home-dev-x pass as names."""
        moved = _move_names_last(args, list_valued_options(self.get_params(ctx)))
        try:
            return super().parse_args(ctx, moved)
        except click.UsageError as error:
            # click leaves it out where an option has no value; its help would be the wrong one.
            error.ctx = error.ctx or ctx
            raise

    @override
    def invoke(self, ctx: click.Context) -> object:
        """Run the command, about a team's store where one was named."""
        _require_store_command(ctx)
        return super().invoke(ctx)

    @override
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Set its own options apart from those of all commands."""
        write_options(ctx, formatter, "Options", super().get_params(ctx))
        write_options(ctx, formatter, "Options of every command", GLOBAL_OPTIONS)


class BaseGroup(click.Group):
    """Commands below one name, of which the nearest is named where there is none of a name."""

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command where there is none of that name."""
        names = self.list_commands(ctx)
        if args[0] not in names:
            raise click.UsageError(_describe_unknown(args[0], names), ctx)
        return super().resolve_command(ctx, args)


class BoughGroup(BaseGroup):
    """Commands below one name, which takes the options of all itself: alone it does something.

    `elsewhere` names commands that are loaded when they are called, as `module:function`.
    """

    elsewhere: ClassVar[Mapping[str, str]] = {}

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name its commands, those that are not loaded too."""
        return sorted({*super().list_commands(ctx), *self.elsewhere})

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Give a command, loaded where it was not yet."""
        if cmd_name in self.elsewhere and cmd_name not in self.commands:
            module, _, name = self.elsewhere[cmd_name].partition(":")
            self.add_command(getattr(import_module(module), name), cmd_name)
        return super().get_command(ctx, cmd_name)

    @override
    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """List its commands, each with all that is said of it."""
        items = super().shell_complete(ctx, incomplete)
        for item in items:
            if (one := self.get_command(ctx, item.value)) is not None:
                item.help = one.get_short_help_str(_WHOLE_SENTENCE)
        return items

    @override
    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Add the options of all commands to its own."""
        return [*super().get_params(ctx), *GLOBAL_OPTIONS]

    @override
    def invoke(self, ctx: click.Context) -> object:
        """Run the group or one of its commands, about a team's store where one was named."""
        _require_store_command(ctx)
        return super().invoke(ctx)

    @override
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write its own options and commands, then the options of all commands."""
        if self.params:
            write_options(ctx, formatter, "Options", super().get_params(ctx))
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, one.get_short_help_str(_WHOLE_SENTENCE))
                    for name, one in commands
                    if one is not None and not one.hidden
                ]
            )
        write_options(ctx, formatter, "Options of every command", GLOBAL_OPTIONS)


def _describe_unknown(wanted: str, names: Sequence[str]) -> str:
    """Say that no command has a name, and which one is nearest to it."""
    from difflib import get_close_matches  # noqa: PLC0415 - 2 ms of 45 for --help

    nearest = "".join(f" Nearest: {name}." for name in get_close_matches(wanted, names, 1))
    return f"No command is called {wanted}.{nearest}"


def command(name: str) -> Callable[[Callable[..., object]], BoughCommand]:
    """Make a function a command of bough."""
    return click.command(name, cls=BoughCommand, context_settings=SETTINGS)


def list_option_records(
    ctx: click.Context, params: Sequence[click.Parameter]
) -> list[tuple[str, str]]:
    """List options, each as it is written and what it does."""
    # Newer versions of click give arguments a record too, without a word in it.
    options = (param for param in params if isinstance(param, click.Option))
    records = [record for option in options if (record := option.get_help_record(ctx))]
    return [(name, _FORMULA.sub("", words)) for name, words in records]


def write_options(
    ctx: click.Context,
    formatter: click.HelpFormatter,
    title: str,
    params: Sequence[click.Parameter],
) -> None:
    """Write a section of options to a help text."""
    if records := list_option_records(ctx, params):
        with formatter.section(title):
            formatter.write_dl(records)


def list_valued_options(params: Sequence[click.Parameter]) -> frozenset[str]:
    """Name the options that take the next word as their value."""
    return frozenset(
        name
        for param in params
        if isinstance(param, click.Option) and not param.is_flag and not param.count
        for name in param.opts
    )


def is_folder_name(word: str) -> bool:
    """Tell a folder's name from an option: we have no -abc, so one dash and more is a name.

    Nor have we -2, so that too is a name: of a point two turns back.
    """
    return word[:1] == "-" and word[1:2] != "-" and (len(word) > 2 or word[1:].isdigit())


def _move_names_last(args: list[str], valued: frozenset[str]) -> list[str]:
    """Set names that begin with a dash behind a --, where click leaves them alone."""
    options: list[str] = []
    names: list[str] = []
    words = iter(args)
    for word in words:
        if word == "--":
            names.extend(words)
        elif word in valued:
            value = list(islice(words, 1))
            if not value:
                return args
            options += [word, *value]
        elif word[:1] != "-" or word == "-" or is_folder_name(word):
            names.append(word)
        else:
            options.append(word)
    return [*options, "--", *names]
