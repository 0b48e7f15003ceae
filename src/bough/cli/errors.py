"""How a run that failed ends: what is said, and the exit code.

The one place of this face that catches everything. A reader that stopped reading (`head`,
a pager that was left) is no failure: the code is 0, as in a run that was read to its end.
"""

import errno
import os
import re
import traceback
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

import click

from bough.cli.output import discard_output, say
from bough.errors import BoughError, ExitCode, reason_of

# Windows says EINVAL when the reader of a pipe is gone.
_READER_GONE: Final = {errno.EPIPE, errno.ESHUTDOWN} | (
    {errno.EINVAL} if os.name == "nt" else set()
)

_TOO_MANY: Final = re.compile(r"Got unexpected extra arguments? \((.*)\)")
_NO_VALUE: Final = re.compile(r"Option .* requires (?:an argument|\d+ arguments)")
_NO_COMMAND: Final = "Missing command."
_GIVEN: Final = re.compile(r"(.*?) is not (?:one of|in the range|a valid)")


def report_error(error: BaseException) -> int:
    """Say what stopped the run and give the exit code."""
    if isinstance(error, OSError) and error.filename is None:
        # It was our own output: what is left of it cannot be written either.
        discard_output()
        if error.errno in _READER_GONE:
            return ExitCode.FINE
    message, code = _describe_error(error)
    say(message)
    expected = isinstance(error, BoughError | click.ClickException | click.Abort)
    if os.environ.get("BOUGH_DEBUG") and isinstance(error, Exception) and not expected:
        say("".join(traceback.format_exception(error)).rstrip())
    return code


def _describe_error(error: BaseException) -> tuple[str, int]:
    match error:
        case BoughError():
            return error.message, error.exit_code
        case click.UsageError():
            return _describe_misuse(error), ExitCode.MISUSE
        case click.ClickException():
            return error.format_message(), error.exit_code
        case KeyboardInterrupt() | click.Abort():
            return "Interrupted.", ExitCode.INTERRUPTED
        case OSError():
            return _describe_os_error(error), ExitCode.FAILED
        case _:
            return _describe_defect(error), ExitCode.FAILED


def _describe_misuse(error: click.UsageError) -> str:
    message = _word_misuse(error)
    ended = message if message.endswith((".", "?", ")")) else f"{message}."
    path = error.ctx.command_path if error.ctx else "bough"
    return f"{ended} See {path} --help."


def _word_misuse(error: click.UsageError) -> str:
    """Say in our words what click says in its own."""
    message = error.format_message()
    match error:
        case click.NoSuchOption(option_name=name, possibilities=near):
            message = _word_unknown_option(name, near or [])
        case click.exceptions.NoArgsIsHelpError():
            message = _word_missing_command(error.ctx)
        case click.MissingParameter(param=click.Parameter() as param):
            message = f"{_name_parameter(param)} is missing"
        case click.BadParameter(param=click.Parameter() as param):
            message = _word_bad_value(error.message, param) or message
        case click.BadOptionUsage() if _NO_VALUE.match(error.message):
            message = f"{error.option_name} needs a value"
        case click.UsageError(ctx=click.Context() as ctx) if message == _NO_COMMAND:
            message = _word_missing_command(ctx)
        case click.UsageError() if more := _TOO_MANY.match(message):
            path = error.ctx.command_path if error.ctx else "bough"
            message = f"{more[1]} is more than {path} takes"
        case _:
            pass  # its words are ours, or as good
    return message


def _word_unknown_option(wanted: str, near: Sequence[str]) -> str:
    """Name the nearest option, by its letters: all of them have the dashes."""
    letters = {name.lstrip("-"): name for name in near}
    nearest = get_close_matches(wanted.lstrip("-"), letters, 1)
    hint = "".join(f" Nearest: {letters[name]}." for name in nearest)
    return f"No option is called {wanted}.{hint}"


def _word_missing_command(ctx: click.Context) -> str:
    """Say which commands there are below one that does nothing alone."""
    group = ctx.command
    names = group.list_commands(ctx) if isinstance(group, click.Group) else []
    return f"A command is missing: {', '.join(names)}"


def _word_bad_value(message: str, param: click.Parameter) -> str | None:
    """Say what a parameter takes, where its type says so."""
    name, given = _name_parameter(param), _GIVEN.match(message)
    value = given[1].strip("'") if given else "this"
    match param.type:
        case click.Choice(choices=choices):
            return f"{name} takes {', '.join(map(str, choices))}, not {value}"
        case click.IntRange(min=least, max=most):
            upto = f"{least} to {most}" if most is not None else f"{least} up"
            return f"{name} takes a number from {upto}, not {value}"
        case _:
            return None


def _name_parameter(param: click.Parameter) -> str:
    """Name a parameter as a person writes it: an option by its longest name."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return (param.metavar or (param.name or "").upper()).strip("[]")


def _describe_os_error(error: OSError) -> str:
    if error.filename is None:
        return f"The output could not be written: {reason_of(error)}."
    return f"Cannot use {os.fsdecode(error.filename)}: {reason_of(error)}."


def _describe_defect(error: BaseException) -> str:
    what = f"{type(error).__name__}: {error}".removesuffix(": ").removesuffix(".")
    return (
        f"bough stopped on an error of its own: {what}. "
        "BOUGH_DEBUG=1 in the environment makes it print where."
    )
