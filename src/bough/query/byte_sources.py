"""Where questions get bytes from: the one place that says where is looked, and in which order.

Disk comes first: a transcript that is there is read as it is now. What is gone from it comes
from the archive. Nothing in `query` opens a path; `tests/architecture/test_sources.py` holds that.
"""

from typing import Final

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.files.byte_source import SourceFinder

USUAL_SOURCES: Final[SourceFinder] = DISK_THEN_ARCHIVE
