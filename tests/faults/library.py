"""The preloaded library: built with gcc, spoken to with ctypes."""

import ctypes
import enum
import os
import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("faults.c")
_GAPS, _NAME = 4096, 16


class Fault(enum.IntEnum):
    """What happens at a call."""

    NOTHING = 0
    KILL = 1
    FAIL = 2
    FAIL_ALWAYS = 3
    SHORT = 4
    SHORT_FULL = 5
    SHORT_KILL = 6


class FaultReport(ctypes.Structure):
    """What the library saw; it lies in memory that parent and child share."""

    _fields_ = (
        ("calls", ctypes.c_long),
        ("hit", ctypes.c_long),
        ("appended", ctypes.c_long),
        ("names", ctypes.c_char * _NAME * _GAPS),
    )

    def list_names(self) -> list[str]:
        """List the calls that were made."""
        return [bytes(self.names[at]).rstrip(b"\0").decode() for at in range(1, self.calls + 1)]


class FaultPlan(ctypes.Structure):
    """Which call goes wrong, and before which one a client appends a line."""

    _fields_ = (
        ("below", ctypes.c_char * 512),
        ("at", ctypes.c_long),
        ("fault", ctypes.c_int),
        ("error", ctypes.c_int),
        ("client_at", ctypes.c_long),
        ("client_path", ctypes.c_char * 512),
        ("client_other", ctypes.c_char * 512),
        ("client_every", ctypes.c_int),
        ("client_fd", ctypes.c_int),
        ("client_creates", ctypes.c_int),
        ("line", ctypes.c_char * 2048),
    )


def build_library(folder: Path) -> Path | None:
    """Build the library; None where there is no gcc."""
    compiler = shutil.which("gcc")
    if compiler is None or os.uname().sysname != "Linux":
        return None
    made = folder / "faults.so"
    command = [compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(made)]
    subprocess.run([*command, str(SOURCE), "-ldl"], check=True)
    return made


class FaultLibrary:
    """The library in this process, which must have been started with it."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        library.faults_report.restype = ctypes.POINTER(FaultReport)
        library.faults_start()
        self._library = library
        self.report: FaultReport = library.faults_report().contents

    def reset(self) -> None:
        """Forget what was seen."""
        self._library.faults_reset()

    def arm(self, plan: FaultPlan) -> None:
        """Let it happen from now on, in this process."""
        self._library.faults_arm(ctypes.byref(plan))

    def disarm(self) -> None:
        """Let nothing happen any more."""
        self._library.faults_disarm()
