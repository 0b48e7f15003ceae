"""Which file a call counts for that several files report: the same rule in every store."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from bough.model.usage.across_files import (
    FileUsage,
    ReportedUsage,
    UsageEntry,
    keep_best_lines,
    place_call,
    split_by_call,
)


def count_shared_lines(
    rows: Iterable[Sequence[Any]], facts: Iterable[tuple[int, str, bool, bool]]
) -> dict[int, list[ReportedUsage]]:
    """Choose the line of each call that counts, and give them by file.

    `rows` are lines of messages in the order of their files, each behind its file; `facts` say of
    a file where it is, whether it is a fork and whether it is deleted.
    """
    lines = {
        file: keep_best_lines(ReportedUsage(*row[1:]) for row in group)
        for file, group in groupby(rows, key=lambda row: row[0])
    }
    usages = {
        number: FileUsage(
            path, "", "", (), forked=bool(forked), deleted=bool(deleted), number=number
        )
        for number, path, forked, deleted in facts
    }
    entries: dict[str | None, list[UsageEntry]] = {}
    for file, found in lines.items():
        for line in found:
            entries.setdefault(line.message_id, []).append((usages[file], line))
    counted: dict[int, list[ReportedUsage]] = {}
    for of_message in entries.values():
        for call in split_by_call(of_message):
            usage, line = place_call(call)
            counted.setdefault(usage.number, []).append(line)
    return counted
