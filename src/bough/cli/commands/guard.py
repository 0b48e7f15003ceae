"""`bough guard`: budgets of sessions and days; it warns, and stops only where one chose that."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import get_claude_folders
from bough.cli.client_settings import SCOPE, change_settings, find_local
from bough.cli.options import (
    SETTINGS,
    BoughCommand,
    BoughGroup,
    Globals,
    pass_globals,
)
from bough.cli.travel import TravelOptions, travel_options
from bough.errors import ExitCode, Misuse, with_tilde
from bough.model.text.formats import format_cost
from bough.terminal.text import one_line

if TYPE_CHECKING:
    from bough.library import GuardStatus

_AMOUNT = click.FloatRange(min=0)


@click.group("guard", cls=BoughGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.pass_context
def guard(ctx: click.Context) -> int | None:
    """Warn when a session or a day costs more than you want; stop it only if you say so.

    Budgets are set with set, in USD. The status line marks what is used up, and bough notify,
    watch --notify and web --notify tell it once. install --stop lets the client ask bough before
    each tool, and stop. bough docs guard says more.
    """
    if ctx.invoked_subcommand is not None:
        return None
    code: int = ctx.invoke(status)
    return code


@guard.command("status", cls=BoughCommand)
@pass_globals
def status(given: Globals) -> int:
    """Say which budgets there are, what was spent of them, and whether bough stops."""
    folders = get_claude_folders(given)
    found = library.guard_status(folders, local=Path.cwd(), index=given.index)
    if given.json:
        output.emit_json(found, output.detect_screen(given.color))
        return ExitCode.FINE
    output.write("".join(f"{line}\n" for line in _list_lines(found)))
    return ExitCode.FINE


@guard.command("set", cls=BoughCommand)
@click.option("--session", type=_AMOUNT, metavar="USD", help="What one session may cost; 0: none.")
@click.option("--day", type=_AMOUNT, metavar="USD", help="What one day may cost; 0: no budget.")
@click.pass_context
def set_budgets(ctx: click.Context, *, session: float | None, day: float | None) -> int:
    """Set what a session and a day may cost, in USD. It is kept with what the apps choose."""
    if session is None and day is None:
        raise Misuse("Give --session USD or --day USD: bough guard set --session 5 --day 40.")
    library.change_budgets(session=session, day=day)
    # What is stopped hangs on these numbers, so that a budget that was raised counts at once.
    code: int = ctx.invoke(status)
    return code


@guard.command("install", cls=BoughCommand)
@click.option("--stop", is_flag=True, help="Stop sessions whose budget, or the day's, is used up.")
@SCOPE
@travel_options(asks=True)
@pass_globals
def install(given: Globals, *, stop: bool, scope: str, how: TravelOptions) -> int:
    """Let the client ask bough before each tool, and stop where a budget is used up.

    One hook (PreToolUse) in settings.json, beside others, shown first. Nothing is stopped where
    the numbers are not known, or older than ten minutes.
    """
    if not stop:
        raise Misuse(
            "bough guard warns without a hook: bough guard set. To let it stop sessions, say so: "
            "bough guard install --stop."
        )
    return change_settings(
        given,
        how,
        lambda: library.install_guard(get_claude_folders(given), local=find_local(scope)),
        "Sessions that start now stop at the first tool beyond a budget.",
    )


@guard.command("uninstall", cls=BoughCommand)
@SCOPE
@travel_options(asks=True)
@pass_globals
def uninstall(given: Globals, *, scope: str, how: TravelOptions) -> int:
    """Take out the hook that install set, and nothing else. Budgets stay, and warn."""
    return change_settings(
        given,
        how,
        lambda: library.uninstall_guard(get_claude_folders(given), local=find_local(scope)),
        "The guard stops nothing any more.",
    )


def _list_lines(found: "GuardStatus") -> list[str]:
    if found.budget_day is None and found.budget_session is None:
        lines = ["No budget is set: bough guard set --session 5 --day 40"]
    else:
        lines = [_describe_day(found), _describe_sessions(found)]
    lines += [
        f"  {one.id[:8]}  {format_cost(one.cost_usd)}  {one_line(one.project)}: "
        f"{one_line(one.title)}"
        for one in found.over
    ]
    stops = ", ".join(with_tilde(path) for path in found.stops)
    return [*lines, f"Stops: yes, by {stops}" if stops else "Stops: nothing is stopped"]


def _describe_day(found: "GuardStatus") -> str:
    spent = "not known" if found.day_usd is None else format_cost(found.day_usd)
    if found.budget_day is None:
        return f"Day: {spent}, no budget"
    over = ", over budget" if found.is_day_over else ""
    return f"Day: {spent} of {format_cost(found.budget_day)}{over}"


def _describe_sessions(found: "GuardStatus") -> str:
    if found.budget_session is None:
        return "Session: no budget"
    number = len(found.over) or "none"
    return f"Session: {format_cost(found.budget_session)} each, {number} over budget"
