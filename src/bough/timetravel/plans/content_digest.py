"""What a session means, short enough to be kept in a plan and compared afterwards.

Two sessions say the same when their conversations have the same messages, byte for byte
and in the same order; parents, session ids and times are not part of it.
"""

import hashlib
import json  # noqa: TID251 - writes what a reader that shares nothing with us writes
from collections.abc import Iterable

from bough.files.lines import split_lines
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.interpret.user_records import UserRecordKind, classify_user_record
from bough.model.session import Session
from bough.model.tree.active_tip import choose_resume_node, find_active_group, parse_version
from bough.model.tree.message_tree import NONE, GroupKind
from bough.records.decode import decode_lines, decode_plain
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, CustomTitle, User
from bough.timetravel.plan import Expectation

EVERY_RULE = ("1.0.128", "2.0.76", "2.1.50", "2.1.118", "2.1.150", "2.1.325")
"""One client for each way of choosing where to go on (docs/format.md, resume)."""

_TALK = PERSON_KINDS | {UserRecordKind.RESULT, UserRecordKind.SUMMARY}
_BROKEN = frozenset({"torn-line", "bad-line", "no-final-newline", "cycle", "not-resumable"})


def digest_record(record: User | Assistant) -> str:
    """Name one message of a conversation by its content."""
    text = b"\0".join([record.kind.encode(), (record.uuid or "").encode(), record.message_json])
    return hashlib.sha256(text).hexdigest()[:16]


def promise_messages(nodes: Iterable[Record]) -> tuple[tuple[str, str], ...]:
    """List the messages among some records for a promise: the uuid of each, and what it says."""
    return tuple(
        (node.uuid or "", _digest_content(node))
        for node in nodes
        if isinstance(node, User | Assistant)
    )


def _digest_content(record: User | Assistant) -> str:
    """Name what a message says, however its JSON is written."""
    said = decode_plain(record.message_json)
    try:
        text = json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    except RecursionError:
        return "deep"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest_conversation(nodes: Iterable[Record]) -> tuple[str, ...]:
    """Name the messages among some records: what was said in its order, then the notices.

    A notice stands with the turn before or after it, depending on what else hangs there,
    so its place says nothing.
    """
    talk: list[str] = []
    notices: list[str] = []
    for node in nodes:
        if isinstance(node, User | Assistant):
            (talk if _is_talk(node) else notices).append(digest_record(node))
    return (*talk, *sorted(notices))


def _is_talk(record: User | Assistant) -> bool:
    return isinstance(record, Assistant) or classify_user_record(record) in _TALK


def parse_session(data: bytes, name: str) -> Session:
    """Read a session from bytes that are in no file yet."""
    good: list[Record] = []
    bad: list[BadLine] = []
    for item in decode_lines(split_lines([data])):
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            good.append(item)
    return Session(name, good, bad)


def find_difference(expect: Expectation, session: Session) -> str | None:
    """Say how a session differs from what is expected of it; None where it does not."""
    if expect.message_digests is not None and (
        where := _find_differing_turn(expect.message_digests, expect.starts, session)
    ):
        return where
    if expect.active is not None and (client := _find_straying_client(session, expect.active)):
        return f"client {client} would resume elsewhere"
    if expect.title is not None and _find_last_title(session) != expect.title:
        return "the title differs"
    if expect.sound:
        kinds = sorted({f.kind for f in session.health.findings} & _BROKEN)
        return f"it still has {', '.join(kinds)}" if kinds else None
    return None


def _find_differing_turn(
    wanted: tuple[str, ...], starts: tuple[int, ...], session: Session
) -> str | None:
    """Name the first turn in which a session says something else."""
    found = digest_conversation(session.conversation().nodes)
    if found == wanted:
        return None
    pairs = zip(found, wanted, strict=False)
    at = next((i for i, (one, other) in enumerate(pairs) if one != other), len(found))
    turn = sum(start <= at for start in starts)
    return f"turn {max(turn, 1)} differs"


def _find_last_title(session: Session) -> str | None:
    """Give the title that a person gave last."""
    titles = [record.custom_title for record in session.records if isinstance(record, CustomTitle)]
    return titles[-1] if titles else None


def _find_straying_client(session: Session, point: str) -> str | None:
    """Find a client that would not go on from a point."""
    wanted = (
        session.message_tree.above[session.tree.number[point]]
        if _has_node(session, point)
        else NONE
    )
    for client in EVERY_RULE:
        choice = choose_resume_node(session.records, session.tree, parse_version(client))
        if wanted == NONE or find_active_group(session.message_tree, choice) != wanted:
            return client
    return None


def _has_node(session: Session, uuid: str) -> bool:
    return uuid in session.tree.number


def list_turn_starts(session: Session) -> tuple[int, ...]:
    """Tell at which message each turn of the active conversation begins."""
    tree = session.message_tree
    starts: list[int] = []
    count = 0
    for record in session.conversation().nodes:
        if not isinstance(record, User | Assistant) or not _is_talk(record):
            continue
        group = tree.group_of[session.tree.number[record.uuid or ""]]
        if group != NONE and tree.groups[group].kind is GroupKind.PROMPT:
            starts.append(count)
        count += 1
    return tuple(starts)
