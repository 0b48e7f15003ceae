"""The head of every document: which session this is, how much, and what is left out."""

import re
import unicodedata
from typing import Final
from zlib import crc32

from msgspec import Struct

from bough.export.document_options import ExportOptions
from bough.export.html.conversation_view import ConversationView
from bough.model.interpret.pull_requests import format_pull_requests
from bough.model.outline.branch_path import count_turns
from bough.model.outline.turn_summary import format_usage_cost
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.text.formats import format_clock, format_duration, format_plural, to_one_line
from bough.model.text.times import parse_moment, seconds_between
from bough.model.usage.costs import NO_USAGE
from bough.query.sessions.load_part import describe_left_out

_SHORT: Final = 8
_LONGEST_NAME: Final = 60
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_UNFIT: Final = re.compile(r"[^\w]+")


class Fact(Struct, frozen=True):
    """One line of a head: what it is, and the words."""

    name: str
    text: str


def title_of(session: Session) -> str:
    """Give the title of a document."""
    return to_one_line(session.title) or f"Session {session.id[:_SHORT]}"


def list_facts(view: ConversationView, include: ExportOptions) -> list[Fact]:
    """List the facts of a conversation."""
    session = view.session
    facts = {
        # The name of a file may hold anything.
        "Session": _CONTROLS.sub("", session.id),
        "Project": session.cwd or "",
        "Git branch": session.git_branch or "",
        "Pull requests": format_pull_requests(session.pull_requests),
        "Models": ", ".join(session.models),
        "Client": session.version or "",
        "When": _format_span(view),
        "Length": _describe_length(view),
        "Branch": _describe_branch(view),
        "Part": describe_document_part(session),
        "Left out": describe_omissions(include),
    }
    return [Fact(name, text) for name, text in facts.items() if text]


def describe_document_part(session: Session) -> str:
    """Say that a document is of the newest records of a session only; else nothing."""
    return describe_left_out(session, "export {} --whole writes all")


def describe_omissions(include: ExportOptions) -> str:
    """Name what was chosen not to be in a document."""
    flags = {
        "thinking": include.thinking,
        "tool calls": include.tools,
        "results of tools": include.results or not include.tools,
        "conversations of agents": include.agents,
    }
    return ", ".join(name for name, kept in flags.items() if not kept)


def make_file_name(session: Session, suffix: str) -> str:
    """Name a file after a session's title, in letters that every system takes."""
    plain = unicodedata.normalize("NFKC", title_of(session)).lower()
    words = _UNFIT.sub("-", plain).strip("-_")[:_LONGEST_NAME].strip("-_")
    name = session.id[:_SHORT] if _UNFIT.search(session.id[:_SHORT]) is None else "session"
    return f"{words}-{name}.{suffix}" if words else f"{name}.{suffix}"


def make_page_name(session: Session, suffix: str) -> str:
    """Name the page of a session on a site: two may share their first letters, not their id."""
    short = make_file_name(session, suffix).rpartition(".")[0]
    whole = session.id
    if _UNSAFE.search(whole):
        # Another system than the one it came from may not take such a name.
        whole = f"{_UNSAFE.sub('-', whole)}-{crc32(whole.encode('utf-8', 'replace')):08x}"
    for end in (session.id[:_SHORT], "session"):
        short = short.removesuffix(end)
    return f"{short}{whole}.{suffix}"


def _format_span(view: ConversationView) -> str:
    conversation = view.conversation
    start, end = parse_moment(conversation.started_at), parse_moment(conversation.ended_at)
    if start is None or end is None:
        return ""
    zone, words = view.options.local_zone, view.options.words
    first, last = start.astimezone(zone), end.astimezone(zone)
    day = "" if first.date() == last.date() else f"{last.date()} "
    begun, ended = format_clock(first, zone, words), format_clock(last, zone, words)
    offset = f"UTC{last:%z}"
    return f"{first.date()} {begun} to {day}{ended} ({offset[:-2]}:{offset[-2:]})"


def _describe_length(view: ConversationView) -> str:
    asked = [item for item in view.items if isinstance(item, Turn)]
    bill = sum((turn.cost for turn in asked), NO_USAGE)
    agents = sum(len(turn.agents) for turn in asked)
    conversation = view.conversation
    seconds = seconds_between(conversation.started_at, conversation.ended_at)
    words = [
        format_plural(count_turns(view.items), "turn"),
        format_plural(agents, "agent") if agents else "",
        format_duration(seconds) if seconds else "",
        format_usage_cost(bill),
    ]
    return ", ".join(word for word in words if word)


def _describe_branch(view: ConversationView) -> str:
    branches = len(view.session.tips)
    if branches < 2:
        return ""
    which = "the active one" if view.conversation.active else "one that was left behind"
    return f"{which} of {branches:,}"
