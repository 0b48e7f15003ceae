"""What a usage report asks of a store: sums of calls, grouped as the report is.

A store adds up; it neither prices nor dates. What it gives are entries as reports have them:
whose the calls are, and what they used.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

SumKey: TypeAlias = Literal["quarter", "session", "project", "folder", "agent", "file", "machine"]
"""What sums are told apart by; `file` also tells the steps of a session apart.

A `project` is the name of a folder, which several machines may have; `folder` tells those apart.
Only a team's store is asked for each `machine`, which has an owner.
"""

SUMS_FORM: Final = "2"
"""Raised when other calls count, or when they are added up differently: then all sums are made
anew. So when a published price gets a limit above which it is another (`model.usage.sums`)."""


class SumRequest(Struct, frozen=True):
    """Which calls are to be added up, and by what; beside that always by model.

    `since` and `until` are moments at which a quarter of an hour begins. `roots` are beginnings
    of the paths that count. With `sessions`, only the calls in files of these sessions and those
    that are charged to them; with `projects`, only the calls in files of these.
    """

    by: frozenset[SumKey] = frozenset()
    project: str | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None
    roots: tuple[str, ...] = ()
    existing: bool = False
    sessions: tuple[str, ...] | None = None
    projects: tuple[str, ...] | None = None
