"""An hourly `bough archive --quiet` by the system's own means, for when no bough runs."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bough.archive.intake.archive_memory import load_memory, save_memory
from bough.files.system_schedule import (
    Schedule,
    ScheduleCommand,
    ScheduleReport,
    plan_command,
    remove_schedule,
    write_schedule,
)

NAME: Final = "bough-archive"


def plan_schedule(
    claude_dirs: Sequence[str] = (),
    system: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
) -> Schedule:
    """Plan an hourly run on a system; Claude folders are those that were named."""
    folders = [word for folder in claude_dirs for word in ("--claude-dir", str(Path(folder)))]
    command = ScheduleCommand(
        name=NAME,
        label="bough.archive",
        installer="bough archive",
        description="Keep copies of Claude Code sessions",
        words=("archive", "--quiet", *folders),
        is_hourly=True,
    )
    return plan_command(command, system, environment)


def install_schedule(schedule: Schedule) -> ScheduleReport:
    """Write the files and switch the run on.

    Raises:
        ScheduleTrouble: A file cannot be written, or one that is not ours is there.
    """
    memory = load_memory()
    return write_schedule(schedule, memory.installed, lambda: save_memory(memory))


def uninstall_schedule(schedule: Schedule) -> ScheduleReport:
    """Switch the run off, and remove the files that were written; changed ones are left."""
    memory = load_memory()
    return remove_schedule(schedule, memory.installed, lambda: save_memory(memory))


def list_installed_files() -> tuple[str, ...]:
    """List the files of an hourly run that were written and are there."""
    return tuple(sorted(name for name in load_memory().installed if Path(name).is_file()))
