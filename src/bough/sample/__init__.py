"""Made-up histories: the fixtures of the tests and the content of `bough demo`.

Both are made by the same builder, so what the demo shows is what the tests prove.
"""

from bough.sample.builder.session import SampleSession, session
from bough.sample.data.records import ABSENT, SampleFacts, make_record
from bough.sample.data.tool_results import SampleCall

__all__ = ["ABSENT", "SampleCall", "SampleFacts", "SampleSession", "make_record", "session"]
