"""A session at a glance: one row for each thing a person asked, with what it led to.

Rows stand on branches that part where the person went back. This is what `bough tree` draws
and what an outline beside a conversation shows. Steps are tool calls; calls that start an
agent are rows of their own. A row's bill includes its agents.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from bough.model.agentruns import agent_noticed
from bough.model.agents import AGENT_TOOLS
from bough.model.bills import NOTHING, Bill, Till
from bough.model.knots import NONE, Is
from bough.model.notes import attached_prompt
from bough.model.pricelist import PRICES, PriceList
from bough.model.prompts import Said, said
from bough.model.session import Agent, Session
from bough.model.showing import Words, user_blocks
from bough.model.toolwords import agent_words
from bough.model.ways import Line, lines_of
from bough.records.blocks import ServerToolUse, Text, ToolResult, ToolUse
from bough.records.decode import attachment_of, message_of, plain
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, System, User
