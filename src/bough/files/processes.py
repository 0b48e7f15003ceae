"""Whether a process that a client wrote down is still the same one.

Process ids are used again, and a container's mean nothing outside it; so the time a process
began and the domain its id belongs to are compared too, where the system tells them.
"""

import os
import sys
from pathlib import Path


def is_our_domain(domain: str | None) -> bool:
    """Tell whether ids of a domain mean the same processes as ours: containers share folders."""
    if not domain or not sys.platform.startswith("linux"):
        return True
    try:
        own = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - it is no path
    except OSError:
        return True
    return domain.endswith(own)


def is_still_running(pid: int, begun: str | None) -> bool:
    """Tell whether a process lives that began then, as the client writes it."""
    if pid <= 0 or not _lives(pid):
        return False
    really = _start_time_of(pid)
    return really is None or not (begun or "").isdigit() or begun == really


def _start_time_of(pid: int) -> str | None:
    """Give when a process began, as the client writes it; None where nobody tells."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else None


if sys.platform == "win32":

    def _lives(pid: int) -> bool:
        """Ask Windows, where `os.kill(pid, 0)` would end the process."""
        import ctypes  # noqa: PLC0415 - only there

        limited, still_active = 0x1000, 259
        handle = ctypes.windll.kernel32.OpenProcess(limited, False, pid)
        if not handle:
            return False
        code = ctypes.c_ulong()
        ctypes.windll.kernel32.GetExitCodeProcess(handle, ctypes.byref(code))
        ctypes.windll.kernel32.CloseHandle(handle)
        return code.value == still_active

else:

    def _lives(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True  # not ours to signal, so it is there
        except OverflowError:
            return False
        return True
