"""One disturbance, as both matrices have it: that of time travel and that of the archive."""

import errno

from msgspec import Struct

from tests.faults.library import Fault

READS = {"stat64", "lstat64", "fstat64", "open-read", "read", "pread", "opendir"}
WRITES = {"write", "pwrite"}
TAKES_SPACE = {"create", "link", "rename", "mkdir", "fsync", "fdatasync", *WRITES}
PATIENCE = 60
"""Seconds after which a child is ended that does not end."""


class Trial(Struct, frozen=True):
    """One disturbance of one operation."""

    case: str
    at: int = 0
    fault: Fault = Fault.NOTHING
    error: int = 0
    client_at: int = 0
    client: str = ""
    late: str = ""

    def describe(self) -> str:
        """Say what it does."""
        fault = f"{self.fault.name} {errno.errorcode.get(self.error, '')} at {self.at}"
        client = f", {self.client} before {self.client_at}" if self.client else ""
        return f"{self.case}: {fault.strip()}{client}{f', late {self.late}' if self.late else ''}"
