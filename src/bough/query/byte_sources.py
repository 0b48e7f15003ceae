"""Where questions get bytes from: the one place that says where is looked, and in which order.

Disk comes first: a transcript that is there is read as it is now. Nothing in `query` opens a
path; `tests/architecture/test_sources.py` holds that.
"""

from typing import Final

from bough.files.byte_source import DISK, FinderChain, SourceFinder

USUAL_SOURCES: Final[SourceFinder] = FinderChain((DISK,))
