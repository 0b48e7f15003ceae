"""Made-up histories: the fixtures of the tests and the content of `bough demo`.

Both are made by the same builder, so what the demo shows is what the tests prove.
"""

from bough.sample.builder.session import Session, session
from bough.sample.data.records import ABSENT, Facts, record
from bough.sample.data.tool_results import Call

__all__ = ["ABSENT", "Call", "Facts", "Session", "record", "session"]
