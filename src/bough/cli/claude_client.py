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
    from bough.library import Plan

_CLIENT: Final = "claude"
_FOLDER: Final = "CLAUDE_CONFIG_DIR"


def require_client() -> None:
    """Refuse before anything is written where there is no client to start."""
    if shutil.which(_CLIENT) is None:
        raise BoughError(
            "There is no claude on PATH to run. Nothing was written. Without --run the command "
            "is only printed."
        )


def require_folder(plan: "Plan") -> "Plan":
    """Refuse where the client could not be started in the session's folder."""
    if plan.cwd is not None and not Path(plan.cwd).is_dir():
        raise BoughError(
            f"The folder {with_tilde(plan.cwd)} is gone, and the client must start there. "
            "Nothing was written. Name another with --cwd, or leave out --run."
        )
    return plan


def start_client(plan: "Plan") -> int:
    """Become the client, in the folder and with the Claude folder that the session needs."""
    command = [_CLIENT, "--resume", plan.result or ""]
    environ = dict(os.environ)
    claude_dir = Path(plan.projects).parent
    if not _is_default(claude_dir):
        environ[_FOLDER] = str(claude_dir)
    output.flush_output()
    if plan.cwd is not None:
        os.chdir(plan.cwd)
    if sys.platform == "win32":  # exec there gives the shell its prompt back at once
        client = shutil.which(_CLIENT) or _CLIENT
        return subprocess.run([client, *command[1:]], env=environ, check=False).returncode  # noqa: S603
    os.execvpe(_CLIENT, command, environ)  # noqa: S606 - that is what --run asks for
    raise AssertionError  # exec returns only by raising


def print_resume_command(plan: "Plan") -> None:
    """Write the command that continues, and where it works if that is not here."""
    output.write(f"{plan.resume}\n")
    output.flush_output()
    if plan.cwd is not None and not _is_here(plan.cwd):
        output.say(f"Run it in {with_tilde(plan.cwd)}")
    claude_dir = Path(plan.projects).parent
    if not _is_default(claude_dir):
        output.say(f"Set {_FOLDER}={with_tilde(str(claude_dir))} for it.")


def _is_here(folder: str) -> bool:
    try:
        return Path.cwd().resolve() == Path(folder).resolve()
    except OSError:
        return False


def _is_default(claude_dir: Path) -> bool:
    """Tell whether the client looks into this Claude folder by itself."""
    usual = os.environ.get(_FOLDER) or "~/.claude"
    return Path(usual).expanduser().resolve() == claude_dir.resolve()
