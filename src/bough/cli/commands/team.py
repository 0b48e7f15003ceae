"""`bough team`: the tables of a team's store, its members, what they share and may spend."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click
import msgspec

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import SETTINGS, BoughCommand, BoughGroup, Globals, pass_globals
from bough.errors import ExitCode, Misuse
from bough.model.text.formats import format_plural, format_size

if TYPE_CHECKING:
    from bough.library import (
        JsonChoice,
        MemberRole,
        MigrationReport,
        NewToken,
        ShareLevel,
        TeamRetention,
    )


@click.group("team", cls=BoughGroup, context_settings=SETTINGS)
def team() -> None:
    """Keep the histories of several machines in one PostgreSQL database.

    Name it with --store. bough docs team tells how it is set up and what is kept there.
    """


_keep_json = click.option(
    "--keep-json",
    "kept",
    type=click.Choice(["body", "envelope", "none"]),
    help="What of records is kept as JSON, for questions: body, without what was said, or none.",
)


@team.command("init", cls=BoughCommand, context_settings=SETTINGS)
@_keep_json
@pass_globals
def init(given: Globals, *, kept: "JsonChoice | None") -> int:
    """Make the tables in a database that has none of bough's."""
    return _report(given, library.init_team(_require_store(given), json=kept))


@team.command("migrate", cls=BoughCommand, context_settings=SETTINGS)
@click.option("--partitions", is_flag=True, help="Bring the largest tables into parts by month.")
@_keep_json
@pass_globals
def migrate(given: Globals, *, partitions: bool, kept: "JsonChoice | None") -> int:
    """Bring the tables of an older bough up to date.

    Tries what the engine can do, and says what it cannot. Tables in parts, which pay from some
    50 GB on, stay so; each run makes the parts of the year to come. Where --keep-json says less
    than before, what is more is removed.
    """
    made = library.migrate_team(_require_store(given), partitions=partitions, json=kept)
    return _report(given, made)


@team.command("prune", cls=BoughCommand, context_settings=SETTINGS)
@click.option(
    "--before", metavar="MONTH", required=True, help="The first month that is kept: 2026-05."
)
@click.option("--dry-run", "-n", is_flag=True, help="Say what would go; remove nothing.")
@pass_globals
def prune(given: Globals, *, before: str, dry_run: bool) -> int:
    """Remove texts, words and bytes that were sent before a month.

    Lists, titles, sums and statistics stay, and nothing of it is sent again. Tables in parts lose
    whole parts; else the rows of files that were last sent before are deleted.
    """
    done = library.prune_team(_require_store(given), before, dry_run=dry_run)
    if given.json:
        document = {"removed": not dry_run, **msgspec.structs.asdict(done)}
        output.emit_json(document, output.detect_screen(given.color))
        return ExitCode.FINE
    output.say(_describe_pruning(done, dry_run=dry_run))
    return ExitCode.FINE


@team.group("member", cls=BoughGroup, context_settings=SETTINGS)
def member() -> None:
    """Let people in, and out again; the owner of the database may."""


@member.command("add", cls=BoughCommand, context_settings=SETTINGS)
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["member", "admin", "auditor"]),
    default="member",
    help="member, by default; admin: knows numbers and shares; auditor: reads all, on record.",
)
@click.option(
    "--existing", is_flag=True, help="Take the role that the server has, with its password."
)
@pass_globals
def add(given: Globals, name: str, *, role: "MemberRole", existing: bool) -> int:
    """Let somebody in, and print their token, once.

    The token is the password of their role in the database, and what the web app asks for.
    """
    made = library.add_member(_require_store(given), check_name(name), role, existing=existing)
    return _print_token(given, made)


@member.command("rotate", cls=BoughCommand, context_settings=SETTINGS)
@click.argument("name")
@pass_globals
def rotate(given: Globals, name: str) -> int:
    """Give somebody a new token; the one before no longer counts.

    bough_web is the name of the web server's own role.
    """
    return _print_token(given, library.rotate_member(_require_store(given), check_name(name)))


@member.command("revoke", cls=BoughCommand, context_settings=SETTINGS)
@click.argument("name")
@pass_globals
def revoke(given: Globals, name: str) -> int:
    """Let somebody in no longer, at once. What they sent stays."""
    library.revoke_member(_require_store(given), check_name(name))
    output.say(f"{name} is no longer a member. What {name} sent is still there.")
    return ExitCode.FINE


@member.command("list", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def list_members(given: Globals) -> int:
    """List the members: an admin sees all of them, others see themselves."""
    screen = output.detect_screen(given.color)
    members = library.list_members(_require_store(given))
    if given.json:
        output.emit_json({"members": members}, screen)
        return ExitCode.FINE
    for one in members:
        machines = format_plural(one.machines, "machine")
        state = ", revoked" if one.revoked else ""
        output.write(f"{one.name}  {one.role}{state}, since {one.added:%Y-%m-%d}, {machines}\n")
    return ExitCode.FINE


@team.command("share", cls=BoughCommand, context_settings=SETTINGS)
@click.argument("project", required=False)
@click.argument("name", metavar="[MEMBER]", required=False)
@click.option("--numbers", is_flag=True, help="Only what was used and when, and no words.")
@pass_globals
def share(given: Globals, project: str | None, name: str | None, *, numbers: bool) -> int:
    """Let a member read a project; without one, list what is shared.

    You share what is yours. An admin shares what all have of a project, and reads none of it.
    """
    store = _require_store(given)
    if project is None:
        return _list_shares(given, store)
    if name is None:
        raise Misuse("Name the member too: bough team share PROJECT MEMBER.")
    level: ShareLevel = "numbers" if numbers else "read"
    found = library.share_project(store, check_name(project), check_name(name), level)
    what = "knows the numbers of" if numbers else "reads"
    output.say(f"{name} {what} {found} from now on.")
    return ExitCode.FINE


@team.command("unshare", cls=BoughCommand, context_settings=SETTINGS)
@click.argument("project")
@click.argument("name", metavar="MEMBER")
@pass_globals
def unshare(given: Globals, project: str, name: str) -> int:
    """Share a project with a member no longer."""
    found = library.unshare_project(_require_store(given), check_name(project), check_name(name))
    output.say(f"{found} is no longer shared with {name}.")
    return ExitCode.FINE


@team.group("budget", cls=BoughGroup, context_settings=SETTINGS)
def budget() -> None:
    """Say what the team, a project or a member may cost; as an admin."""


def _scope_options(function: Callable[..., int]) -> Callable[..., int]:
    for name, about in (
        ("--member", "Of this member, over all projects."),
        ("--project", "Of this project, with what all have of it."),
    ):
        function = click.option(name, metavar=name.strip("-").upper(), help=about)(function)
    return function


@budget.command("set", cls=BoughCommand, context_settings=SETTINGS)
@click.argument("amount", metavar="USD/PERIOD")
@_scope_options
@click.option("--warn", metavar="MARKS", help="When to tell, in parts of it; 0.5,0.8,1 by default.")
@click.option("--webhook", metavar="URL", help="Post JSON there when a mark is crossed, once.")
@pass_globals
def set_budget(
    given: Globals,
    amount: str,
    *,
    project: str | None,
    member: str | None,
    warn: str | None,
    webhook: str | None,
) -> int:
    """Set a budget, such as 200/month, of the team, or of a project or a member.

    Days, weeks and months are those of UTC. Nobody is stopped by it: a mark that is crossed is
    kept in the audit and posted to the webhook, once in a period.
    """
    found = library.set_team_budget(
        _require_store(given),
        amount,
        project=project and check_name(project),
        member=member and check_name(member),
        warn_at=warn,
        webhook=webhook,
    )
    if given.json:
        output.emit_json(found, output.detect_screen(given.color))
    else:
        marks = ", ".join(f"{mark:.0%}" for mark in found.warn_at)
        whose = found.name or "the team"
        output.say(f"{whose}: ${found.usd:,.2f} a {found.period}, told at {marks}.")
    return ExitCode.FINE


@budget.command("list", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def list_budgets(given: Globals) -> int:
    """List the budgets, and what was spent of each in its period."""
    budgets = library.list_team_budgets(_require_store(given))
    if given.json:
        output.emit_json({"budgets": budgets}, output.detect_screen(given.color))
        return ExitCode.FINE
    for one in budgets:
        whose = f"{one.scope} {one.name}".strip()
        line = f"{whose}  ${one.spent_usd:,.2f} of ${one.usd:,.2f} a {one.period}"
        line += f", since {one.since}" if one.since else ""
        if one.crossed:
            line += f", crossed {', '.join(f'{mark:.0%}' for mark in one.crossed)}"
        if one.unpriced_calls:
            line += f", without {format_plural(one.unpriced_calls, 'call')} that have no price"
        output.write(f"{line}\n")
    if not budgets:
        output.say("There is no budget that you may see.")
    return ExitCode.FINE


@budget.command("remove", cls=BoughCommand, context_settings=SETTINGS)
@click.argument("period", metavar="day|week|month")
@_scope_options
@pass_globals
def remove_budget(given: Globals, period: str, *, project: str | None, member: str | None) -> int:
    """Remove the budget of a period."""
    name = library.remove_team_budget(
        _require_store(given),
        period,
        project=project and check_name(project),
        member=member and check_name(member),
    )
    output.say(f"There is no budget of a {period} for {name or 'the team'} any more.")
    return ExitCode.FINE


@team.command("check", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def check(given: Globals) -> int:
    """Look whether the database guards what it should, and whether budgets are kept.

    Ends with status 1 where something is not guarded, or a webhook could not be reached. As an
    admin, on a timer, it posts the marks of budgets that were crossed.
    """
    store = _require_store(given)
    gaps = library.check_team(store)
    budgets = library.check_team_budgets(store)
    if given.json:
        document = {
            "gaps": gaps,
            "crossed": budgets.crossed,
            "posted": budgets.posted,
            "problems": budgets.problems,
        }
        output.emit_json(document, output.detect_screen(given.color))
    else:
        for mark in budgets.crossed:
            output.say(library.describe_crossed_mark(mark))
        for problem in budgets.problems:
            output.say(problem)
        output.write("".join(f"{gap}\n" for gap in gaps))
        if not gaps:
            output.say("The database guards what it should.")
    return ExitCode.FAILED if gaps or budgets.problems else ExitCode.FINE


def _print_token(given: Globals, made: "NewToken") -> int:
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(made, screen)
    else:
        output.write(f"{made.token}\n")
        output.say(f"This is the token of {made.name} ({made.role}). It is not shown again.")
    return ExitCode.FINE


def _list_shares(given: Globals, store: str) -> int:
    screen = output.detect_screen(given.color)
    shares = library.list_shares(store)
    if given.json:
        output.emit_json({"shares": shares}, screen)
        return ExitCode.FINE
    for one in shares:
        whose = "everybody's" if one.owner == "*" else f"{one.owner}'s"
        output.write(f"{one.member}  {one.level}  {one.project} ({whose})\n")
    if not shares:
        output.say("Nothing is shared.")
    return ExitCode.FINE


def _require_store(given: Globals) -> str:
    if given.store is None:
        raise Misuse("Name the database: --store postgresql://NAME@HOST/DATABASE.")
    return given.store


def _report(given: Globals, made: "MigrationReport") -> int:
    if given.json:
        document: dict[str, object] = {
            "database": made.place,
            "before": made.before,
            "after": made.after,
            "dialect": made.dialect,
        }
        output.emit_json(document, output.detect_screen(given.color))
    elif made.before == made.after:
        output.say(f"The tables in {made.place} are up to date (schema {made.after}).")
    else:
        output.say(f"Made the tables in {made.place} (schema {made.after}).")
    if made.missing:
        output.say(made.missing)
    return ExitCode.FINE


def _describe_pruning(done: "TeamRetention", *, dry_run: bool) -> str:
    what = f"{format_plural(len(done.parts), 'part')} ({format_size(done.bytes)})"
    if not done.parts:
        what = f"the bytes and words of {format_plural(done.files, 'file')}"
    if not done.parts and not done.files:
        return f"Nothing is there that was sent before {done.before}."
    return f"{'Would remove' if dry_run else 'Removed'} {what}, sent before {done.before}."
