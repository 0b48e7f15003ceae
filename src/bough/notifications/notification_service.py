"""`bough notify` by the system's own means, all the time that a person is logged in."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from bough.config import data_dir
from bough.files.state_file import load_state, save_state
from bough.files.system_schedule import (
    Schedule,
    ScheduleCommand,
    ScheduleReport,
    plan_command,
    remove_schedule,
    write_schedule,
)
from bough.notifications.notification_choice import parse_notification_kinds, parse_quiet_hours
from bough.notifications.notification_senders import find_webhook_host

NOTIFY_SERVICE: Final = "bough-notify"


class NotifierOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What `bough notify` is told by its options, without those of a terminal."""

    on: tuple[str, ...] = ()
    quiet: str | None = None
    only: tuple[str, ...] = ()
    desktop: bool = False
    run: str | None = None
    webhook: str | None = None
    no_index: bool = False


class NotifierMemory(msgspec.Struct):
    """Digests of the files that were written."""

    installed: dict[str, str] = {}


def plan_notify_service(
    options: NotifierOptions | None = None,
    claude_dirs: Sequence[str] = (),
    index: str | None = None,
    system: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
) -> Schedule:
    """Plan to keep `bough notify` running; what it cannot be told is refused now, not at night.

    Args:
        options: What is told, when and how.
        claude_dirs: The Claude folders that were named.
        index: The index, where one was named.
        system: The system, as `sys.platform` has it.
        environment: Where it is read which folders are meant.
    """
    chosen = options or NotifierOptions()
    parse_notification_kinds(chosen.on)
    if chosen.quiet is not None:
        parse_quiet_hours(chosen.quiet)
    if chosen.webhook is not None:
        find_webhook_host(chosen.webhook)
    command = ScheduleCommand(
        name=NOTIFY_SERVICE,
        label="bough.notify",
        installer="bough notify",
        description="Tell when a Claude Code session waits, finishes or fails",
        words=("notify", *_list_words(chosen, claude_dirs, index)),
        is_hourly=False,
        # A command of one's own is found as it was when it was chosen.
        variables=("PATH", "BOUGH_INDEX") if chosen.run is not None else ("BOUGH_INDEX",),
    )
    return plan_command(command, system, environment)


def install_notify_service(schedule: Schedule) -> ScheduleReport:
    """Write the files and start it.

    Raises:
        ScheduleTrouble: A file cannot be written, or one that is not ours is there.
    """
    memory = load_state(_memory_path(), NotifierMemory)
    return write_schedule(
        schedule, memory.installed, lambda: save_state(_memory_path(), memory), is_private=True
    )


def uninstall_notify_service(schedule: Schedule) -> ScheduleReport:
    """Stop it, and remove the files that were written; changed ones are left."""
    memory = load_state(_memory_path(), NotifierMemory)
    return remove_schedule(schedule, memory.installed, lambda: save_state(_memory_path(), memory))


def list_notify_service_files() -> tuple[str, ...]:
    """List the files of the service that were written and are there."""
    memory = load_state(_memory_path(), NotifierMemory)
    return tuple(sorted(name for name in memory.installed if Path(name).is_file()))


def _list_words(
    options: NotifierOptions, claude_dirs: Sequence[str], index: str | None
) -> list[str]:
    """Write options as the command line takes them."""
    given = [
        *(("--claude-dir", folder) for folder in claude_dirs),
        ("--index", index),
        *(("--on", kinds) for kinds in options.on),
        ("--quiet", options.quiet),
        *(("--only", name) for name in options.only),
        ("--exec", options.run),
        ("--webhook", options.webhook),
    ]
    # Joined, so that a name that begins with a dash is none of an option.
    words = [f"{name}={value}" for name, value in given if value is not None]
    flags = {"--desktop": options.desktop, "--no-index": options.no_index}
    return [*words, *(name for name, is_set in flags.items() if is_set)]


def _memory_path() -> Path:
    return data_dir() / "notify.json"
