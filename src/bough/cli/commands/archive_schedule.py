"""`bough archive install` and `uninstall`: an hourly run by the system's own means."""

import click

from bough import library
from bough.cli import schedules
from bough.cli.options import BoughCommand, Globals, pass_globals


@click.command("install", cls=BoughCommand)
@schedules.INSTALL_DRY_RUN
@pass_globals
def install(given: Globals, *, dry_run: bool) -> int:
    """Let the system run bough archive --quiet every hour, whether bough runs or not.

    By a user timer of systemd, an agent of launchd, or a scheduled task. bough archive
    uninstall takes it away again.
    """
    return schedules.install_schedule(
        given,
        library.plan_schedule(schedules.list_absolute_folders(given)),
        library.install_schedule,
        dry_run=dry_run,
        sentence="bough archive is called every hour",
    )


@click.command("uninstall", cls=BoughCommand)
@schedules.UNINSTALL_DRY_RUN
@pass_globals
def uninstall(given: Globals, *, dry_run: bool) -> int:
    """Remove what bough archive install set up, and nothing else. The archive stays."""
    return schedules.uninstall_schedule(
        given,
        library.plan_schedule(),
        library.uninstall_schedule,
        library.list_installed_files(),
        dry_run=dry_run,
    )
