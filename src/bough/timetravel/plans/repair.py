"""Repair: what `doctor` finds, mended; as a copy by default, in place only on request."""

from msgspec import Struct, structs

from bough.model.health import PROBLEM
from bough.model.session import Session
from bough.model.tree.message_tree import NONE, GroupKind
from bough.timetravel.errors import AlreadyThere, GotoUnsafe, NoFinishedTurn, shorten_id
from bough.timetravel.plan import ChainExpectation, Expectation, Plan, Replace
from bough.timetravel.plans.content_digest import (
    digest_conversation,
    find_difference,
    list_turn_starts,
    parse_session,
    promise_messages,
)
from bough.timetravel.plans.copied_records import find_copied_path, find_last_node
from bough.timetravel.plans.fork import ForkRequest, plan_fork
from bough.timetravel.plans.goto import GotoRequest, has_compaction, make_tip_marker
from bough.timetravel.plans.repair_records import (
    RecordFix,
    find_main_tip,
    has_stale_tip,
    repair_records,
)
from bough.timetravel.plans.turn_ends import has_pending_call
from bough.timetravel.session_file import SessionFile, join_raw_lines

_NO_REPAIR = {
    "duplicate-uuid": "the last of each counts, for the client too",
    "replayed-copies": "the client's own; it is shown once",
    "unknown-kind": "kept as it is, a newer bough may know it",
    "dangling-parent": "nothing before it is lost",
    "bad-line": "clients skip it",
    "open": "a client has it open, and writes its own pointer",
}


_TIP_REPAIRS = {
    "not-resumable": "the copy ends where the talk ends",
    "sidechain-tip": "the copy ends where the talk ends",
    "left-branch": "the newest line becomes the one that is resumed",
    "lost-turns": "linked to what was said before it",
}


_MENDED_AS = {"off-path": "unreachable", "begun-anew": "unreachable"}
"""What `doctor` sees from the tip, and a repair from the line that hangs nowhere."""


class Remedy(Struct, frozen=True):
    """A finding of `doctor`, and what `repair` does about it or why it does nothing."""

    kind: str
    where: str
    message: str
    repair: str | None
    why_not: str | None = None


def list_remedies(session: Session) -> list[Remedy]:
    """Say for each finding how it is repaired, or why not."""
    if not session.health.findings:
        return []  # most have none, and a repair reads everything anew
    fixes = repair_records(session).fixes
    mends = {(m.kind, m.where): m.what for m in fixes}
    kinds = {m.kind: m.what for m in fixes}
    found = []
    for finding in session.health.findings:
        done = mends.get((finding.kind, finding.where)) or (
            kinds.get(finding.kind) if finding.where in ("tree", "tip") else None
        )
        done = done or _TIP_REPAIRS.get(finding.kind)
        if done is None and finding.severity == PROBLEM:
            done = kinds.get(finding.kind)  # lines that are left out count no more
        done = done or kinds.get(_MENDED_AS.get(finding.kind, ""))
        why_not = None if done else _NO_REPAIR.get(finding.kind, "nothing is lost")
        found.append(Remedy(finding.kind, finding.where, finding.message, done, why_not))
    return found


def plan_repair(source: SessionFile, request: ForkRequest) -> Plan:
    """Plan a repaired copy: the conversation up to its tip, in one sound line.

    Raises:
        AlreadyThere: There is nothing to repair.
    """
    mended, session = _repair_in_memory(source)
    group = find_main_tip(session)
    while group != NONE and has_pending_call(session.message_tree, group):
        group = session.message_tree.groups[
            group
        ].parent  # a call without a result cannot be resumed
    if group == NONE or session.message_tree.groups[group].kind is GroupKind.COMPACTION:
        raise NoFinishedTurn(session.id)
    copy = SessionFile(
        session, source.state, source.projects, ends_with_newline=True, sources=source.sources
    )
    plan = plan_fork(
        copy, group, request, operation="repair", end=find_last_node(session.message_tree, group)
    )
    return _add_fix_notes(plan, mended)


def plan_repair_in_place(source: SessionFile, request: GotoRequest) -> Plan:
    """Plan the mended content of the file itself.

    Raises:
        AlreadyThere: There is nothing to repair.
        NoFinishedTurn: Nothing was said in it, so there is no tip to set.
        GotoUnsafe: The tip went astray in a compacted file; only a copy helps.
    """
    mends, session = _repair_in_memory(source)
    data = join_raw_lines(session)
    if has_stale_tip(session):
        if has_compaction(session):
            raise GotoUnsafe("compaction", "The tip of a compacted session cannot be set in place.")
        group = find_main_tip(session)
        if group == NONE:
            raise NoFinishedTurn(session.id)
        path = find_copied_path(session, group, find_last_node(session.message_tree, group))
        data += make_tip_marker(session, path, find_last_node(session.message_tree, group), request)
    reread = parse_session(data, session.id)
    expect = Expectation(
        path=source.state.path,
        message_digests=digest_conversation(reread.conversation().nodes),
        starts=list_turn_starts(reread),
        sound=True,
        chain=_promise_chain(reread),
    )
    if problem := find_difference(expect, reread):
        raise AlreadyThere(f"This cannot be repaired in place: {problem}. Nothing was changed.")
    plan = Plan(
        operation="repair",
        session=session.id,
        headline=f"Repair {shorten_id(session.id)} in place",
        projects=source.projects,
        steps=(Replace(source.state.path, data, source.state, join_raw_lines(source.session)),),
        reads=(source.state,),
        closed=(session.id,),
        expects=(expect,),
        checked=("no client has the session open", "the mended file reads without damage"),
        result=session.id,
        path=source.state.path,
        cwd=source.resume_folder,
        version=session.version,
    )
    return _add_fix_notes(plan, mends)


def _promise_chain(mended: Session) -> ChainExpectation | None:
    """Promise what the client that wrote a mended file meets on its way up."""
    group = find_main_tip(mended)
    if group == NONE:
        return None
    path = find_copied_path(mended, group, find_last_node(mended.message_tree, group))
    return ChainExpectation(
        messages=promise_messages(mended.tree.nodes[node] for node in path.line_nodes),
        rules=(mended.choice.rule,),
    )


def _repair_in_memory(source: SessionFile) -> tuple[tuple[RecordFix, ...], Session]:
    """Mend a file in memory, or refuse where nothing is broken."""
    mended = repair_records(source.session)
    session = parse_session(mended.data, source.session.id)
    mends = mended.fixes
    if has_stale_tip(session):
        mends = (*mends, RecordFix("stale-tip", "tip", "set to where the talk ends"))
    if not mends:
        raise AlreadyThere(
            f"Session {shorten_id(session.id)} needs no repair. Nothing was changed."
        )
    return mends, session


def _add_fix_notes(plan: Plan, mends: tuple[RecordFix, ...]) -> Plan:
    """Add to a plan what it mends."""
    said = tuple(f"{mend.where}: {mend.what} ({mend.kind})" for mend in mends)
    return structs.replace(plan, notes=(*plan.notes, *said))
