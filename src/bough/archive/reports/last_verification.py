"""What the last verification of an archive found, kept beside it for whoever asks later.

It is worth nothing by itself: where it cannot be written or read, nobody knows, and that is all.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.reports.sentences import describe_damage, describe_verification
from bough.archive.reports.verification import VerifyReport
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.errors import ArchiveTrouble
from bough.model.text.times import format_timestamp_ns

_NAME: Final = "verified.json"
_MOST_DAMAGE: Final = 100


class LastVerification(Struct, frozen=True, kw_only=True):
    """When an archive was last verified, what that said, and a sentence for each damage left."""

    at: str
    sentence: str
    damage: Sequence[str] = ()
    left_out: int = 0


def save_verification(
    folder: ArchiveFolder,
    report: VerifyReport,
    *,
    deep: bool = False,
    now: Callable[[], int] = time.time_ns,
) -> None:
    """Keep what a verification found, where the archive can be written."""
    found = [one for one in (*report.damage, *report.differences) if not one.is_repaired]
    kept = LastVerification(
        at=format_timestamp_ns(now()),
        sentence=describe_verification(report, deep=deep),
        damage=[describe_damage(one) for one in found[:_MOST_DAMAGE]],
        left_out=max(0, len(found) - _MOST_DAMAGE),
    )
    if folder.exists():
        with suppress(ArchiveTrouble):
            folder.finish_file(folder.write_file(folder.path / _NAME, [msgspec.json.encode(kept)]))


def load_verification(folder: ArchiveFolder) -> LastVerification | None:
    """Give what the last verification found; None where nobody knows."""
    try:
        return msgspec.json.decode((folder.path / _NAME).read_bytes(), type=LastVerification)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
