"""What a session spent itself, and what it only has copies of.

The rule, for every face and every sum:

- A call is charged to the session that its line names as its origin (`forkedFrom`, which /branch
  and our own forks write into every record they copy), else to the session in whose file the
  line that counts stands (`bough.model.usage.across_files`).
- What a session cost is the sum of the calls charged to it. A fork's first part is charged to its
  origin, also where the origin is gone.
- What it copied are the calls that stand in its files, each once, and are charged to another
  session. It is said beside the cost and is never part of it: so costs add up.

Copies that name no origin (--fork-session, resume in 1.0) are known only to who reads all files:
to lists and reports, not to the head of one session.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from bough.model.usage.across_files import (
    FileUsage,
    ReportedUsage,
    UsageEntry,
    charged_session_of,
    count_once,
)


def find_copied_calls(
    usages: Iterable[FileUsage], counted: Iterable[UsageEntry]
) -> list[UsageEntry]:
    """Give the calls that sessions only have copies of, once for each session that has them.

    `counted` are the calls of all files, each with the line that counts. The lines given name no
    origin any more: added up like counted ones, they are what each session copied.
    """
    charged = {(entry[1].message_id, charged_session_of(*entry)) for entry in counted}
    copies: dict[str, list[FileUsage]] = {}
    for usage in usages:
        lines = [line for line in usage.lines if _is_copied(usage, line, charged)]
        if lines:
            copies.setdefault(usage.session, []).append(replace(usage, lines=lines))
    return [
        (usage, replace(line, origin=None))
        for books in copies.values()
        for usage, line in count_once(books)
    ]


def _is_copied(usage: FileUsage, line: ReportedUsage, charged: set[tuple[str | None, str]]) -> bool:
    if line.message_id is None:
        return charged_session_of(usage, line) != usage.session
    return (line.message_id, usage.session) not in charged
