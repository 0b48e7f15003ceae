"""`bough team`: the tables of a team's store, its members, and what they share."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import SETTINGS, BoughCommand, BoughGroup, Globals, pass_globals
from bough.errors import ExitCode, Misuse
from bough.model.text.formats import format_plural

if TYPE_CHECKING:
    from bough.library import MemberRole, MigrationReport, NewToken, ShareLevel


@click.group("team", cls=BoughGroup, context_settings=SETTINGS)
def team() -> None:
    """Keep the histories of several machines in one PostgreSQL database.

    Name it with --store. bough docs team tells how it is set up and what is kept there.
    """


@team.command("init", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def init(given: Globals) -> int:
    """Make the tables in a database that has none of bough's."""
    return _report(given, library.init_team(_require_store(given)))


@team.command("migrate", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def migrate(given: Globals) -> int:
    """Bring the tables of an older bough up to date."""
    return _report(given, library.migrate_team(_require_store(given)))


@team.group("member", cls=BoughGroup, context_settings=SETTINGS)
def member() -> None:
    """Let people in, and out again; as who keeps the database."""


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
    output.say(f"{name} is no member any more. What {name} sent is still there.")
    return ExitCode.FINE


@member.command("list", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def list_members(given: Globals) -> int:
    """List the members: all of them, or, for who is no admin, oneself."""
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


@team.command("check", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def check(given: Globals) -> int:
    """Look whether the database guards what it should; status 1 where it does not."""
    screen = output.detect_screen(given.color)
    gaps = library.check_team(_require_store(given))
    if given.json:
        output.emit_json({"gaps": gaps}, screen)
    elif gaps:
        output.write("".join(f"{gap}\n" for gap in gaps))
    else:
        output.say("The database guards what it should.")
    return ExitCode.FAILED if gaps else ExitCode.FINE


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
        document = {"database": made.place, "before": made.before, "after": made.after}
        output.emit_json(document, output.detect_screen(given.color))
    elif made.before == made.after:
        output.say(f"The tables in {made.place} are up to date (schema {made.after}).")
    else:
        output.say(f"Made the tables in {made.place} (schema {made.after}).")
    return ExitCode.FINE
