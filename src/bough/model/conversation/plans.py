"""Plans and what was built from them, tied by the slug both sessions carry."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from bough.records.record import Record

_IMPLEMENTS = "Implement the following plan"


class PlanFacts(Struct, frozen=True):
    """What decides a session's part: its slugs, and whether it builds a plan."""

    slugs: frozenset[str]
    implements: bool


def read_plan_facts(nodes: Sequence[Record]) -> PlanFacts:
    """Read what a session says of plans."""
    from bough.model.conversation.titles import find_first_prompt  # noqa: PLC0415 - lists do without

    slugs = frozenset(record.slug for record in nodes if record.slug)
    opening = find_first_prompt(nodes) or ""
    return PlanFacts(slugs, opening.startswith(_IMPLEMENTS))


def classify_plans(facts: Mapping[str, PlanFacts]) -> dict[str, str]:
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


class PlanLinks(Struct, frozen=True):
    """The sessions that planned what a session builds, and those that built its plan."""

    plans: tuple[str, ...] = ()
    implementations: tuple[str, ...] = ()


def link_plans(facts: Mapping[str, PlanFacts]) -> dict[str, PlanLinks]:
    """Tie the implementations of a project to their plans; in the order of the facts."""
    kinds = classify_plans(facts)
    found = {}
    for session, kind in kinds.items():
        ties = [
            other
            for other, others in kinds.items()
            if others != kind and facts[other].slugs & facts[session].slugs
        ]
        if kind == "implementation":
            found[session] = PlanLinks(plans=tuple(ties))
        else:
            found[session] = PlanLinks(implementations=tuple(ties))
    return found
