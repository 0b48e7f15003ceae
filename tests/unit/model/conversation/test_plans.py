"""Plans and implementations (rule 9): tied by slug, never by a missing one."""

from bough.model.conversation.plans import PlanFacts, PlanLinks, classify_plans, link_plans
from bough.sample import SampleSession, session
from tests.unit.model.opened import opened


def facts(**books: SampleSession) -> dict[str, PlanFacts]:
    return {name: opened(builder).plan for name, builder in books.items()}


def planned(slug: str | None) -> SampleSession:
    return session(slug=slug).user("Plan it").tool("ExitPlanMode", {"plan": "1."}, "ok")


def implemented(slug: str | None) -> SampleSession:
    return session(slug=slug).implement("1. Write a test.").assistant("Done.")


def test_a_session_that_begins_with_a_plan_implements_it() -> None:
    found = facts(one=implemented("calm-green-otter"))

    assert found["one"] == PlanFacts(frozenset({"calm-green-otter"}), implements=True)
    assert classify_plans(found) == {"one": "implementation"}


def test_sessions_of_one_slug_are_plan_and_implementation() -> None:
    found = facts(
        plan=planned("calm-green-otter"),
        built=implemented("calm-green-otter"),
        other=planned("loud-red-crab"),
    )

    assert classify_plans(found) == {"plan": "plan", "built": "implementation"}
    assert link_plans(found) == {
        "plan": PlanLinks(implementations=("built",)),
        "built": PlanLinks(plans=("plan",)),
    }


def test_a_missing_slug_ties_nothing() -> None:
    found = facts(plan=planned(None), built=implemented(None), empty=planned(""))

    assert classify_plans(found) == {"built": "implementation"}
    assert link_plans(found) == {"built": PlanLinks()}


def test_one_plan_may_be_built_twice() -> None:
    found = facts(plan=planned("a-b-c"), one=implemented("a-b-c"), two=implemented("a-b-c"))

    assert link_plans(found)["plan"].implementations == ("one", "two")
    assert link_plans(found)["one"] == PlanLinks(plans=("plan",))


def test_a_notice_before_the_plan_does_not_hide_it() -> None:
    builder = session(slug="a-b-c").user("[Session resumed]").implement("1.")

    assert opened(builder).plan.implements


def test_a_prompt_that_mentions_a_plan_later_implements_none() -> None:
    builder = session(slug="a-b-c").user("Hello").implement("1.")

    assert not opened(builder).plan.implements
