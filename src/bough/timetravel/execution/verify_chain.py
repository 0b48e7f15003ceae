"""The parents in a written file, walked as a client walks them, and held against a promise.

A second opinion: it reads the lines itself and knows nothing of bough's tree, so a mistake
that planning and reading share is seen here. It must stay that way: nothing of bough is
imported, and nothing but the standard library.
"""

import hashlib
import json  # noqa: TID251 - another reader than the one that planned, on purpose
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

RULES: Final = ("newest-timestamp", "last-line", "last-prompt")
"""How clients choose where they go on, one for each age of them (docs/time-travel.md)."""

Promised = Sequence[tuple[str, str]]
"""The uuid and the digest of each message, the oldest first."""

_MOST_PIECES: Final = 100
"""In how many records a client may have written one prompt."""
_Json = dict[str, Any]
_TALK: Final = ("user", "assistant")
_NODES: Final = ("user", "assistant", "system", "attachment")


def find_chain_problem(
    data: bytes, promised: Promised, *, whole: bool, rules: Sequence[str] = RULES
) -> str | None:
    """Say how the walk of a client differs from what was promised; None where it does not.

    Args:
        data: The file as it is.
        promised: The messages that Claude is to see.
        whole: Whether the walk alone must pass all of them; else the other lines of a message
            and the results of its calls may hang beside it, as clients from 2.1.90 gather them.
        rules: The rules of the clients that must find the promise.
    """
    file = _RawFile(data)
    for rule in rules:
        tip = file.choose_tip(rule)
        if tip is None:
            return f"a client that goes by the {rule} finds nothing"
        walk = list(file.walk_up(tip))
        problem = _compare_walk(file, walk, promised, whole=whole)
        if problem is not None:
            return f"{problem} ({rule})"
    return None


def find_source_problem(data: bytes, point: str, promised: Promised) -> str | None:
    """Say which message of a promise is not on the way to a point; None where all are.

    The parents of the original are walked up from the point. Messages that the walk passes must
    have been promised. Others may stand between two of them only as lines or results of the same
    messages, or where the line of parents is known to be loose: at a progress line, at the notice
    below which old clients hang every local command, where a parent is nowhere, and where a
    compaction stands between.
    """
    file = _RawFile(data)
    if point not in file.records:
        return f"{point[:8]} is not in the original"
    walk = list(file.walk_up(point))
    known = {name for uuid, _ in promised for name in _list_names(file.records.get(uuid, {}))}
    copies = _find_copies(file, [record for record in walk if _is_message(record)], promised)
    for record in walk:
        if not _is_message(record) or record["uuid"] in copies:
            continue
        if known.isdisjoint(_list_names(record)):
            return f"{record['uuid'][:8]} is left out"
    return _find_stranger(file, walk, promised)


def digest_message(message: object) -> str:
    """Name what a message says, however its JSON is written."""
    try:
        text = json.dumps(message, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    except RecursionError:
        return "deep"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class _RawFile:
    """The records of a file that have a uuid, the last of each, and what points to them."""

    def __init__(self, data: bytes) -> None:
        self.records: dict[str, _Json] = {}
        self.order: list[str] = []
        self.pointer: str | None = None
        self.has_preserved = False
        for record in _decode_lines(data):
            uuid = record.get("uuid")
            if isinstance(uuid, str):
                self.records[uuid] = record
                self.order.append(uuid)
                if record.get("subtype") == "compact_boundary":
                    self.pointer = None  # a compaction ends what was said before it
            elif record.get("type") == "last-prompt" and record.get("leafUuid"):
                self.pointer = record["leafUuid"]
            about = record.get("compactMetadata")
            if isinstance(about, dict):
                kept = about.get("preservedSegment") or about.get("preservedMessages")
                self.has_preserved = self.has_preserved or bool(kept)

    def choose_tip(self, rule: str) -> str | None:
        """Choose the record that a client goes on from."""
        if rule == "newest-timestamp":
            nodes = [
                self.records[u] for u in self.order if _is_node(self.records[u], progress=True)
            ]
            newest = max((str(r.get("timestamp") or "") for r in nodes), default="")
            found = (r["uuid"] for r in nodes if str(r.get("timestamp") or "") == newest)
            return next(found, None)
        kinds = _TALK if rule == "last-prompt" and self.has_preserved else _NODES
        last = next((u for u in reversed(self.order) if _is_node(self.records[u], kinds)), None)
        named = self.pointer if rule == "last-prompt" else None
        if last is None or named not in self.records or self.records[named]["type"] not in kinds:
            return last
        above = {record["uuid"] for record in self.walk_up(last, through=False)}
        return last if named in above else named

    def walk_up(self, uuid: str, *, through: bool = True) -> Iterator[_Json]:
        """Walk up the parents; `through` goes on above a compaction, to what that follows."""
        seen: set[str] = set()
        at: object = uuid
        while isinstance(at, str) and at in self.records and at not in seen:
            seen.add(at)
            record = self.records[at]
            yield record
            at = record.get("parentUuid")
            if record.get("subtype") == "compact_boundary" and through:
                at = record.get("logicalParentUuid") or at


def _decode_lines(data: bytes) -> Iterator[_Json]:
    for line in data.split(b"\n"):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue  # clients skip it too
        if isinstance(record, dict):
            yield record


def _is_node(record: _Json, kinds: Sequence[str] = _NODES, *, progress: bool = False) -> bool:
    kind = record.get("type")
    return (kind in kinds or (progress and kind == "progress")) and not record.get("isSidechain")


def _is_message(record: _Json) -> bool:
    return record.get("type") in _TALK


def _compare_walk(
    file: _RawFile, walk: Sequence[_Json], promised: Promised, *, whole: bool
) -> str | None:
    """Compare the messages of a walk, which begins with the newest, with a promise."""
    found = [record for record in reversed(walk) if _is_message(record)]
    order = {uuid: at for at, (uuid, _) in enumerate(promised)}
    copies = _find_copies(file, found, promised)
    places: list[int] = []
    for record in found:
        uuid = record["uuid"]
        if uuid not in order and uuid not in copies:
            return f"{uuid[:8]} would be sent and was not promised"
        places.append(order[uuid] if uuid in order else copies[uuid])
        if uuid in order and digest_message(record.get("message")) != promised[places[-1]][1]:
            return f"{uuid[:8]} says something else"
    if places != sorted(places):
        return "the messages come in another order"
    summaries = [at for at, r in zip(places, found, strict=True) if r.get("isCompactSummary")]
    since = max(summaries, default=0)  # what came before it no client sends
    reached = set(places) | (set() if whole else _gather(file, found, order))
    missing = [at for at in range(since, len(promised)) if at not in reached]
    if missing:
        return f"{promised[missing[0]][0][:8]} would not be sent"
    return None


def _find_copies(file: _RawFile, found: Sequence[_Json], promised: Promised) -> dict[str, int]:
    """Find which messages of a walk are promised ones that a client wrote once more.

    Clients before 2.1 write a prompt with a picture again when they resume: its text, its picture
    and the answer, each a record of its own with another uuid, below what the prompt hangs on.
    The pieces must be all that the promised message says.
    """
    walked = {record["uuid"] for record in found}
    if walked <= {uuid for uuid, _ in promised}:
        return {}
    owners: dict[str, int] = {}
    for at, (uuid, digest) in enumerate(promised):
        record = file.records.get(uuid, {})
        if uuid not in walked and digest_message(record.get("message")) == digest:
            owners |= dict.fromkeys(_list_pieces(file, record), at)
    copies: dict[str, int] = {}
    said: dict[int, set[str]] = {}
    for record in found:
        pieces = _list_pieces(file, record)
        places = {owners.get(piece) for piece in pieces}
        place = places.pop() if len(places) == 1 else None
        if place is not None:
            copies[record["uuid"]] = place
            said.setdefault(place, set()).update(pieces)
    whole = {
        at
        for at, pieces in said.items()
        if pieces >= set(_list_pieces(file, file.records[promised[at][0]]))
    }
    return {uuid: at for uuid, at in copies.items() if at in whole}


def _list_pieces(file: _RawFile, record: _Json) -> list[str]:
    """Name each block of a message so that its copy has the same names."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    anchor = _message_id(record) or _find_anchor(file, record)
    return [f"{anchor} {digest_message(block)}" for block in blocks]


def _find_anchor(file: _RawFile, record: _Json) -> str:
    """Name what a prompt hangs on, past the other pieces of it."""
    for above in islice(file.walk_up(record["uuid"]), _MOST_PIECES):
        if above.get("type") != "user":
            return _message_id(above) or str(above.get("uuid"))
    return ""


def _gather(file: _RawFile, found: Sequence[_Json], order: dict[str, int]) -> set[int]:
    """Find the places of lines that belong to the messages of a walk, and of their results."""
    ids = {message_id for record in found if (message_id := _message_id(record))}
    lines = [r for r in file.records.values() if _is_message(r)]
    own = [r for r in lines if _message_id(r) in ids or r in found]
    calls = {
        block.get("id") for r in own for block in _blocks(r) if block.get("type") == "tool_use"
    }
    results = [r for r in lines if _answers(r) & calls]
    return {order[r["uuid"]] for r in (*own, *results) if r["uuid"] in order}


def _find_stranger(file: _RawFile, walk: Sequence[_Json], promised: Promised) -> str | None:
    """Find a promised message that no link of a walk explains."""
    order = {uuid: at for at, (uuid, _) in enumerate(promised)}
    messages = [record for record in walk if _is_message(record)]
    order |= _find_copies(file, messages, promised)
    explained = _gather(file, messages, order)
    upper = len(promised)
    loose = False
    for record in walk:
        at = order.get(record["uuid"]) if _is_message(record) else None
        if at is not None:
            between = [n for n in range(at + 1, upper) if n not in explained]
            if not loose and not any(_is_summary(file, promised[n][0]) for n in between):
                stranger = next((n for n in between if _is_typed(file, promised[n][0])), None)
                if stranger is not None:
                    return f"{promised[stranger][0][:8]} is on another branch"
            upper, loose = at, False
        loose = loose or _is_loose(file, record)
    return None


def _is_loose(file: _RawFile, record: _Json) -> bool:
    """Tell whether what stands above a record is not known by its parent."""
    parent = file.records.get(str(record.get("parentUuid")))
    if parent is None:
        return True
    content = (parent.get("message") or {}).get("content") if parent.get("isMeta") else ""
    text = (
        content
        if isinstance(content, str)
        else "".join(b.get("text") or "" for b in _blocks(parent))
    )
    return parent.get("type") == "progress" or text.lstrip().startswith(
        ("Caveat:", "<local-command-caveat>")
    )


def _is_summary(file: _RawFile, uuid: str) -> bool:
    return bool(file.records.get(uuid, {}).get("isCompactSummary"))


def _is_typed(file: _RawFile, uuid: str) -> bool:
    """Tell whether a message is something that a person sent, and no result or note."""
    record = file.records.get(uuid, {})
    if record.get("type") != "user" or record.get("isMeta"):
        return False
    return not any(block.get("type") == "tool_result" for block in _blocks(record))


def _list_names(record: _Json) -> Iterator[str]:
    """List what a message is known by: a copy that some clients write has another uuid.

    It has the id that the API gave, or says the same, or (a prompt, which may then be in other
    pieces) has the same time.
    """
    yield str(record.get("uuid"))
    yield digest_message(record.get("message"))
    if message_id := _message_id(record):
        yield message_id
    elif record.get("type") == "user" and record.get("timestamp"):
        yield str(record["timestamp"])


def _message_id(record: _Json) -> str | None:
    if record.get("type") != "assistant" or not isinstance(record.get("message"), dict):
        return None
    found = record["message"].get("id")
    return found if isinstance(found, str) else None


def _blocks(record: _Json) -> list[_Json]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def _answers(record: _Json) -> set[object]:
    if record.get("type") != "user":
        return set()
    return {b.get("tool_use_id") for b in _blocks(record) if b.get("type") == "tool_result"}
