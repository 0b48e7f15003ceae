"""Made-up histories: the fixtures of the tests and the content of `bough demo`.

Both are made by the same builder, so what the demo shows is what the tests prove.
"""

from bough.sample.builder import Session, session
from bough.sample.outcomes import Call
from bough.sample.records import ABSENT, Facts, record

__all__ = ["ABSENT", "Call", "Facts", "Session", "record", "session"]
