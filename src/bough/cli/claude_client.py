"""Starting the client on a session, and saying how a person does it themselves."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bough.cli import output
from bough.errors import BoughError, with_tilde

if TYPE_CHECKING:
    from bough.library import Plan, ResumeCommand

_CLIENT: Final = "claude"
_FOLDER: Final = "CLAUDE_CONFIG_DIR"


def require_client(otherwise: str) -> None:
    """Refuse before anything is done where there is no client to start."""
    if shutil.which(_CLIENT) is None:
        raise BoughError(f"There is no claude on PATH. {otherwise}")


def require_folder(plan: "Plan") -> "Plan":
    """Refuse where the client could not be started in the session's folder."""
    if plan.cwd is not None and not Path(plan.cwd).is_dir():
        raise BoughError(
            f"The folder {with_tilde(plan.cwd)} is gone, and the client must start there. "
            "Nothing was written. Name another with --cwd, or leave out --run."
        )
    return plan


def start_client(resume: "ResumeCommand") -> int:
    """Become the client, in the folder and with the Claude folder that the session needs."""
    command = [_CLIENT, "--resume", resume.session]
    environ = dict(os.environ)
    if resume.claude_dir is not None:
        environ[_FOLDER] = resume.claude_dir
    output.flush_output()
    if resume.folder is not None:
        os.chdir(resume.folder)
    if sys.platform == "win32":  # exec there gives the shell its prompt back at once
        client = shutil.which(_CLIENT) or _CLIENT
        return subprocess.run([client, *command[1:]], env=environ, check=False).returncode  # noqa: S603
    os.execvpe(_CLIENT, command, environ)  # noqa: S606 - that is what was asked for
    raise AssertionError  # exec returns only by raising


def print_resume_command(resume: "ResumeCommand | None") -> None:
    """Write the command that continues, and what is in its way."""
    if resume is None:
        return
    output.write(f"{resume.text}\n")
    output.flush_output()
    if resume.note:
        output.say(resume.note)
