"""Plans and what was built from them, tied by the slug both sessions carry."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from bough.model.titles import first_prompt
from bough.records.record import Record

_IMPLEMENTS = "Implement the following plan"


class PlanFacts(Struct, frozen=True):
    """What decides a session's part: its slugs, and whether it builds a plan."""

    slugs: frozenset[str]
    implements: bool


def plan_facts(nodes: Sequence[Record]) -> PlanFacts:
    """Read what a session says of plans."""
    slugs = frozenset(record.slug for record in nodes if record.slug)
    opening = first_prompt(nodes) or ""
    return PlanFacts(slugs, opening.startswith(_IMPLEMENTS))


def plan_kinds(facts: Mapping[str, PlanFacts]) -> dict[str, str]:
    """Tell which sessions of a project are implementations and which are their plans.

    A missing slug ties nothing.
    """
    built = {slug for fact in facts.values() if fact.implements for slug in fact.slugs}
    kinds = {}
    for session, fact in facts.items():
        if fact.implements:
            kinds[session] = "implementation"
        elif fact.slugs & built:
            kinds[session] = "plan"
    return kinds
