"""Which file a call counts for when several files report it: the same rule in every store."""

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


def list_entries_by_message(
    rows: Iterable[Sequence[Any]], facts: Iterable[tuple[int, str, bool, bool]]
) -> dict[str, list[UsageEntry]]:
    """Give the lines that may count of each message, with their files.

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
    entries: dict[str, list[UsageEntry]] = {}
    for file, found in lines.items():
        for line in found:
            entries.setdefault(line.message_id or "", []).append((usages[file], line))
    return entries


def count_shared_lines(messages: Iterable[Sequence[UsageEntry]]) -> dict[int, list[ReportedUsage]]:
    """Choose the line of each call that counts, and give them by file."""
    counted: dict[int, list[ReportedUsage]] = {}
    for entries in messages:
        for call in split_by_call(entries):
            usage, line = place_call(call)
            counted.setdefault(usage.number, []).append(line)
    return counted
