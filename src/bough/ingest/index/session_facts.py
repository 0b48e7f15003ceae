"""The facts of a session, computed from its outline."""

from collections.abc import Sequence

import msgspec

from bough.model.conversation.conversation import Conversation
from bough.model.conversation.titles import find_excerpts
from bough.model.outline.branch_names import name_branches
from bough.model.outline.branch_steps import find_branch_steps
from bough.model.outline.group_membership import GroupMembership, assign_branches
from bough.model.outline.step_lists import ONE_STEP
from bough.model.session import Session, SessionCompanions
from bough.model.tree.build import NONE
from bough.records.decode import decode_part
from bough.records.record import BadLine, Record, camel
from bough.records.types import Assistant
from bough.store.rows import ConversationFacts, SessionFacts


class _ForkedFrom(msgspec.Struct, rename=camel):
    session_id: str | None = None


class RecordCounts(msgspec.Struct, frozen=True):
    """What outlines leave out: how many lines there are, and how many bytes."""

    records: int
    bad_lines: int
    unknown_records: int
    size: int = 0


def compute_session_facts(
    id: str,  # noqa: A002 - the word for it, as in the records
    outline: tuple[Sequence[Record], Sequence[BadLine]],
    counts: RecordCounts,
    custom_title: str | None,
) -> SessionFacts:
    """Compute what lists show of a session."""
    records, bad_lines = outline
    session = Session(
        id,
        records,
        bad_lines,
        companions=SessionCompanions(sidecar_title=custom_title),
        sidechain=False,
    )
    session.size = counts.size
    title = session.title_and_source
    branches = assign_branches(session)
    steps, ends = find_branch_steps(session, branches)
    names = name_branches(session)
    first, last = find_excerpts(session.tree.nodes)
    facts = SessionFacts(
        id=id,
        title=title.text if title else None,
        title_source=title.source if title else None,
        started_at=session.started_at,
        ended_at=session.ended_at,
        records=counts.records,
        bad_lines=counts.bad_lines,
        unknown_records=counts.unknown_records,
        turns=session.conversation().turn_count,
        messages=session.conversation().message_count,
        branch_points=len(session.branch_points),
        tips=len(session.tips),
        inline_agents=len(session.agents) if any(r.is_sidechain for r in records) else 0,
        models=msgspec.json.encode(_list_models(records)).decode(),
        git_branch=session.git_branch,
        version=session.version,
        entrypoint=session.entrypoint,
        session_kind=session.session_kind,
        cwd=session.cwd,
        slugs=msgspec.json.encode(sorted(session.plan.slugs)).decode(),
        implements=int(session.plan.implements),
        forked_from=_find_fork_origin(records),
        active_tip=session.active_tip,
        tip_rule=session.choice.rule,
        first_prompt=first,
        last_prompt=last,
        pull_requests=msgspec.json.encode(session.pull_requests).decode(),
        conversations=[
            _conversation_facts(
                session, number, conversation, branches, ends[number], names[number]
            )
            for number, conversation in enumerate(session.conversations)
        ],
        branches=_branch_runs(session, branches.owners),
        steps=None if steps is ONE_STEP else msgspec.json.encode(steps).decode(),
    )
    # A session and its conversations know each other. Let go, so that all of it goes at once
    # and nobody has to look for such circles.
    vars(session).clear()
    return facts


def _list_models(records: Sequence[Record]) -> list[str]:
    seen: dict[str, None] = {}
    for record in records:
        if type(record) is Assistant and record.body is not None:
            model = record.body.model
            if model and model != "<synthetic>":
                seen.setdefault(model)
    return list(seen)


def _find_fork_origin(records: Sequence[Record]) -> str | None:
    for record in records:
        if record.forked_from_json:
            return decode_part(record.forked_from_json, _ForkedFrom).session_id
    return None


def _conversation_facts(
    session: Session,
    number: int,
    conversation: Conversation,
    branches: GroupMembership,
    end: int,
    name: str,
) -> ConversationFacts:
    owners, top = branches.owners, branches.tops.get(number, NONE)
    above = session.message_tree.groups[top].parent if top != NONE else NONE
    return ConversationFacts(
        branch=number,
        tip=conversation.tip or "",
        active=int(conversation.active),
        title=name,
        turns=conversation.turn_count,
        messages=conversation.message_count,
        started_at=conversation.started_at,
        ended_at=conversation.ended_at,
        branch_point=conversation.branch_point.uuid if conversation.branch_point else None,
        parent=owners.get(above) if above != NONE else None,
        step=end,
    )


def _branch_runs(session: Session, owners: dict[int, int]) -> list[tuple[int, int, int]]:
    """Say from which offset on records are on which branch."""
    tree = session.message_tree
    active = {group for c in session.conversations if c.active for group in c.groups}
    places: list[tuple[int, int, int]] = []
    nodes = tree.tree.nodes
    for number, group in enumerate(tree.groups):
        branch, shown = owners.get(number, 0), int(number in active)
        places += [(nodes[node].offset, branch, shown) for node in group.nodes]
        places += [(nodes[node].offset, branch, shown) for node in group.notes]
    places.sort()
    runs: list[tuple[int, int, int]] = []
    for offset, branch, shown in places:
        if not runs or runs[-1][1:] != (branch, shown):
            runs.append((offset if runs else 0, branch, shown))
    return runs
