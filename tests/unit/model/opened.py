"""A builder's session opened as the library would open it, without a disk."""

import msgspec

from bough.files.lines import split_lines
from bough.model.agents.links import AgentMeta
from bough.model.conversation.messages import Message, TextBlock
from bough.model.session import AgentSource, Session, SessionCompanions
from bough.model.tools.calls import ToolBlock
from bough.model.tree.lineage import Origin
from bough.records.decode import decode_lines, decode_part
from bough.records.record import BadLine, Record
from bough.sample import SampleSession as Book

_LAYOUTS = (("/workflows/", "workflow"), ("/subagents/", "subagents"))


def lines_of(data: bytes) -> tuple[list[Record], list[BadLine]]:
    """Read a file's bytes."""
    found: list[Record] = []
    bad: list[BadLine] = []
    for item in decode_lines(split_lines([data])):
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    return found, bad


def opened(
    builder: Book,
    *,
    sidecar: str | None = None,
    summaries: dict[str, str] | None = None,
    origin: Origin | None = None,
    client: str | None = None,
    is_open: bool = False,
) -> Session:
    """Open a session with its agents and kept outputs."""
    found, bad = lines_of(builder.bytes())
    companions = SessionCompanions(
        sidecar_title=sidecar,
        summaries=lambda: summaries or {},
        stored_outputs=lambda: _shelf(builder),
        agents=lambda: _agents(builder),
        origin=lambda: origin,
        is_open=lambda: is_open,
    )
    session = Session(builder.session_id, found, bad, companions=companions)
    return session if client is None else session.with_client(client)


def told(builder: Book) -> list[Message]:
    """Tell the messages of the active conversation."""
    return opened(builder).conversation().messages


def kinds(builder: Book) -> list[str]:
    """Name the kinds of the messages."""
    return [message.kind for message in told(builder)]


def words(message: Message) -> list[tuple[str, str]]:
    """Give the blocks of a message that are no calls: their types and texts."""
    return [(block.type, block.text) for block in message.blocks if isinstance(block, TextBlock)]


def calls(message: Message) -> list[ToolBlock]:
    """Give the calls of a message."""
    return [block for block in message.blocks if isinstance(block, ToolBlock)]


def _shelf(builder: Book) -> dict[str, str]:
    kept = [place for place in builder.companions if "/tool-results/" in place]
    return {place: place for place in kept} | {p.rpartition("/")[2]: p for p in kept}


def _agents(builder: Book) -> list[AgentSource]:
    found = []
    for place, draft in builder.agent_files.items():
        lines, bad = lines_of(draft.bytes())
        meta = builder.companions.get(place.replace(".jsonl", ".meta.json"))
        layout = next((name for sign, name in _LAYOUTS if sign in place), "flat")
        agent = place.rpartition("agent-")[2].removesuffix(".jsonl")
        about = decode_part(msgspec.Raw(meta), AgentMeta) if meta is not None else None
        found.append(AgentSource(agent, place, lines, bad, about, layout))
    return found
