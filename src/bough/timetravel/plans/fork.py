"""Fork: a new session that ends at a point of another. Nothing existing is touched.

This is recipe A of what was measured with the clients (docs/time-travel.md): every record
keeps its uuid and its bytes, parents make one line, a boundary keeps none, the last record
has the newest time, a title and a pointer to the tip come last.
"""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from bough.model.session import Session
from bough.model.text.formats import format_plural, to_one_line
from bough.model.tree.message_tree import NONE, GroupKind
from bough.records.record import Record
from bough.records.types import System, User
from bough.timetravel.environment import find_newest, make_later_time, parse_time
from bough.timetravel.errors import NotAsPlanned, shorten_id
from bough.timetravel.plan import (
    ChainExpectation,
    Create,
    Expectation,
    MakeFolder,
    Plan,
    Point,
    Step,
)
from bough.timetravel.plans.content_digest import (
    digest_conversation,
    find_difference,
    list_turn_starts,
    parse_session,
    promise_messages,
)
from bough.timetravel.plans.copied_records import CopiedPath, find_copied_path
from bough.timetravel.plans.edit_record import encode_line, set_fields
from bough.timetravel.plans.resume_view import build_resume_view
from bough.timetravel.plans.turn_ends import describe_point, find_end_node
from bough.timetravel.session_file import SessionFile

_TITLE = 80


class ForkRequest(Struct, frozen=True, kw_only=True):
    """What a fork is to be called and where it is to lie.

    `folder` is the project's folder it goes to, `make_folder` tells that this is not there
    yet; `cwd` is the folder the client will be started in, where that is another one.
    """

    new_id: str
    folder: str
    title: str | None = None
    cwd: str | None = None
    make_folder: bool = False


class ConversationCopy(Struct, frozen=True):
    """The bytes of a copied conversation, the record it ends with, and what it says."""

    data: bytes
    leaf: str
    message_digests: tuple[str, ...]


def plan_fork(
    source: SessionFile,
    group: int,
    request: ForkRequest,
    *,
    operation: str = "fork",
    end: int | None = None,
) -> Plan:
    """Plan a new session that ends with a group of this one.

    Raises:
        NotAsPlanned: The copy would not read as the same conversation.
    """
    session = source.session
    last = find_end_node(session.message_tree, group) if end is None else end
    point = describe_point(session, group)
    copied_path = find_copied_path(session, group, last)
    title = request.title or make_fork_title(session, point)
    copy = copy_records(session, copied_path, request, title)
    path = str(Path(request.folder, f"{request.new_id}.jsonl"))
    reread = parse_session(copy.data, request.new_id)
    starts = list_turn_starts(reread)
    sound = operation == "fork"  # what is repaired does not hang together in the original
    chain = ChainExpectation(
        messages=promise_messages(session.tree.nodes[node] for node in copied_path.line_nodes),
        whole=True,
        source=source.state.path if sound else None,
        point=copy.leaf if sound else None,
    )
    expect = Expectation(
        path=path,
        message_digests=copy.message_digests,
        starts=starts,
        active=copy.leaf,
        sound=True,
        chain=chain,
    )
    if problem := find_difference(expect, reread):
        raise NotAsPlanned(operation, problem)
    resume_view = build_resume_view(session, copied_path, reread)
    turns = format_plural(resume_view.turns + resume_view.summarized, "turn")
    folder: list[Step] = [MakeFolder(request.folder)] if request.make_folder else []
    return Plan(
        operation=operation,
        session=session.id,
        headline=_make_headline(operation, session, point),
        projects=source.projects,
        steps=(*folder, Create(path, copy.data)),
        reads=(source.state,),
        expects=(expect,),
        point=point,
        resume_view=resume_view,
        checked=(
            "the point ends a turn" if end is None else "everything that was said is in it",
            "the new id is free",
            f"the planned file reads as the same {turns}",
        ),
        result=request.new_id,
        path=path,
        cwd=request.cwd or source.resume_folder,
        title=title,
    )


def copy_records(
    session: Session, path: CopiedPath, request: ForkRequest, title: str
) -> ConversationCopy:
    """Write the records of a way as a session of their own."""
    nodes = session.tree.nodes
    there = {nodes[link.node].uuid for link in path.links}
    leaf = nodes[path.line_nodes[-1]]
    times = _assign_times(nodes, path)
    lines: list[bytes] = []
    parent: str | None = None
    for link, time in zip(path.links, times, strict=True):
        record = nodes[link.node]
        fields = _make_parent_fields(record, parent, there)
        fields["sessionId"] = request.new_id
        if request.cwd is not None:
            fields["cwd"] = request.cwd
        fields["timestamp"] = time
        fields["forkedFrom"] = {"sessionId": session.id, "messageUuid": record.uuid}
        lines.append(set_fields(record.raw, fields) + b"\n")
        if link.in_line:
            parent = record.uuid
    lines.append(
        encode_line({"type": "custom-title", "customTitle": title, "sessionId": request.new_id})
    )
    lines.append(
        encode_line(
            make_tip_pointer(find_last_prompt(session, path), leaf.uuid or "", request.new_id)
        )
    )
    said = digest_conversation(nodes[link.node] for link in path.links)
    return ConversationCopy(b"".join(lines), leaf.uuid or "", said)


def make_tip_pointer(words: str, leaf: str, session: str) -> dict[str, str]:
    """Give the record that names the tip, as clients from 2.1.120 write it."""
    return {"type": "last-prompt", "lastPrompt": words, "leafUuid": leaf, "sessionId": session}


def find_last_prompt(session: Session, path: CopiedPath) -> str:
    """Give the last prompt on a way."""
    tree = session.message_tree
    group = next(
        (k for k in reversed(path.groups) if tree.groups[k].kind is GroupKind.PROMPT), NONE
    )
    return describe_point(session, group).text if group != NONE else ""


def make_fork_title(session: Session, point: Point) -> str:
    """Name a fork after the prompt it ends with."""
    words = point.text or session.title
    cut = words if len(words) <= _TITLE else words[: _TITLE - 1].rstrip() + "…"
    return to_one_line(f"{cut} (fork)")


def _make_parent_fields(
    record: Record, parent: str | None, there: set[str | None]
) -> dict[str, object]:
    """Link a record to the one before it; a compaction starts anew, as in the original."""
    if isinstance(record, System) and record.subtype == "compact_boundary":
        if record.logical_parent_uuid in there:
            return {"parentUuid": None}
        return {"parentUuid": None, "logicalParentUuid": parent}
    if isinstance(record, User) and record.is_compact_summary and record.parent_uuid is None:
        return {"parentUuid": None}  # up to 1.0.108 the summary itself was the boundary
    return {"parentUuid": parent}


def _assign_times(nodes: Sequence[Record], path: CopiedPath) -> list[str]:
    """Give each record its time; the last one's is the newest of all.

    Clients up to 2.1.100 go on from the newest record, and newer ones find no conversation
    where a time is missing.
    """
    times: list[str] = []
    records = [nodes[link.node] for link in path.links]
    known = next((record.timestamp for record in records if record.timestamp), None)
    for record in records:
        known = record.timestamp or known
        times.append(known or make_later_time(()))
    at = max(place for place, link in enumerate(path.links) if link.in_line)
    others = times[:at] + times[at + 1 :]
    latest, own = find_newest(others), parse_time(times[at])
    if latest is not None and (own is None or own <= latest):
        times[at] = make_later_time(others)
    return times


def _make_headline(operation: str, session: Session, point: Point) -> str:
    name = "Repaired copy" if operation == "repair" else "Fork"
    after_what = f' after "{point.text}"' if point.text else ""
    return f"{name} of {shorten_id(session.id)}{after_what}"
