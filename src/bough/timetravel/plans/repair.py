"""Repair: what `doctor` finds, mended; as a copy by default, in place only on request."""

from msgspec import Struct, structs

from bough.model.session import Session
from bough.model.tree.message_tree import NONE, Is
from bough.timetravel.errors import AlreadyThere, GotoUnsafe, NothingSaid, short
from bough.timetravel.plan import Expect, Plan, Replace
from bough.timetravel.plans.content_digest import difference, said_by, session_in, turn_starts
from bough.timetravel.plans.copied_records import tail, way_to
from bough.timetravel.plans.fork import ForkWish, plan_fork
from bough.timetravel.plans.goto import GotoWish, compacted, marker
from bough.timetravel.plans.repair_records import Mend, main_tip, mend, stale
from bough.timetravel.plans.turn_ends import waits
from bough.timetravel.session_file import Source, whole

_NO_REPAIR = {
    "duplicate-uuid": "the last of each counts, for the client too",
    "replayed-copies": "the client's own; it is shown once",
    "unknown-kind": "kept as it is, a newer bough may know it",
    "dangling-parent": "nothing before it is lost",
    "bad-line": "clients skip it",
}


class Remedy(Struct, frozen=True):
    """A finding of `doctor`, and what `repair` does about it or why it does nothing."""

    kind: str
    where: str
    message: str
    repair: str | None
    why_not: str | None = None


def remedies(session: Session) -> list[Remedy]:
    """Say for each finding how it is repaired, or why not."""
    mends = {(m.kind, m.where): m.what for m in mend(session).mends}
    kinds = {m.kind: m.what for m in mend(session).mends}
    found = []
    for finding in session.health.findings:
        done = mends.get((finding.kind, finding.where)) or (
            kinds.get(finding.kind) if finding.where in ("tree", "tip") else None
        )
        if done is None and finding.kind in ("not-resumable", "sidechain-tip"):
            done = "the copy ends where the talk ends"
        why_not = None if done else _NO_REPAIR.get(finding.kind, "nothing is lost")
        found.append(Remedy(finding.kind, finding.where, finding.message, done, why_not))
    return found


def plan_repair(source: Source, wish: ForkWish) -> Plan:
    """Plan a repaired copy: the conversation up to its tip, in one sound line.

    Raises:
        AlreadyThere: There is nothing to repair.
    """
    mended, session = _mended(source)
    knot = main_tip(session)
    while knot != NONE and waits(session.story, knot):
        knot = session.story.knots[knot].parent  # a call without a result cannot be resumed
    if knot == NONE or session.story.knots[knot].kind is Is.SEAM:
        raise NothingSaid(session.id)
    copy = Source(session, source.state, source.projects, ended=True)
    plan = plan_fork(copy, knot, wish, operation="repair", end=tail(session.story, knot))
    return _told(plan, mended)


def plan_repair_in_place(source: Source, wish: GotoWish) -> Plan:
    """Plan the mended content of the file itself.

    Raises:
        AlreadyThere: There is nothing to repair.
        GotoUnsafe: The tip went astray in a compacted file; only a copy helps.
    """
    mends, session = _mended(source)
    data = whole(session)
    if stale(session):
        if compacted(session):
            raise GotoUnsafe("compaction", "The tip of a compacted session cannot be set in place.")
        knot = main_tip(session)
        way = way_to(session, knot, tail(session.story, knot))
        data += marker(session, way, tail(session.story, knot), wish)
    reread = session_in(data, session.id)
    expect = Expect(
        path=source.state.path,
        said=said_by(reread.conversation().nodes),
        starts=turn_starts(reread),
        sound=True,
    )
    if problem := difference(expect, reread):
        raise AlreadyThere(f"This cannot be repaired in place: {problem}. Nothing was changed.")
    plan = Plan(
        operation="repair",
        session=session.id,
        headline=f"Repair {short(session.id)} in place",
        projects=source.projects,
        steps=(Replace(source.state.path, data, source.state, whole(source.session)),),
        reads=(source.state,),
        closed=(session.id,),
        expects=(expect,),
        checked=("no client has the session open", "the mended file reads without damage"),
        result=session.id,
        path=source.state.path,
        cwd=session.cwd,
        version=session.version,
    )
    return _told(plan, mends)


def _mended(source: Source) -> tuple[tuple[Mend, ...], Session]:
    """Mend a file in memory, or refuse where nothing is broken."""
    mended = mend(source.session)
    session = session_in(mended.data, source.session.id)
    mends = mended.mends
    if stale(session):
        mends = (*mends, Mend("stale-tip", "tip", "set to where the talk ends"))
    if not mends:
        raise AlreadyThere(f"Session {short(session.id)} needs no repair. Nothing was changed.")
    return mends, session


def _told(plan: Plan, mends: tuple[Mend, ...]) -> Plan:
    """Add to a plan what it mends."""
    said = tuple(f"{mend.where}: {mend.what} ({mend.kind})" for mend in mends)
    return structs.replace(plan, notes=(*plan.notes, *said))
