"""Plans that were shown are kept until they are carried out, but never too many of them."""

from bough.library import Plan
from bough.timetravel.plan import Create
from bough.web.runtime.plan_cache import PlanCache, StoredPlan
from bough.web.wire.travel_plans import TravelBody


def stored(size: int = 1) -> StoredPlan:
    steps = (Create("/x", b"a" * size),)
    plan = Plan(operation="fork", session="s", headline="Fork", projects="/p", steps=steps)
    return StoredPlan(plan, "digest", TravelBody("fork"))


def test_a_plan_is_given_out_once() -> None:
    plans, one = PlanCache(), stored()
    plans.keep("name", one)

    assert plans.take("name") is one
    assert plans.take("name") is None
    assert plans.take("another") is None


def test_old_plans_go_where_there_are_many() -> None:
    plans = PlanCache()
    for number in range(20):
        plans.keep(str(number), stored())

    assert plans.take("0") is None
    assert plans.take("19") is not None


def test_large_plans_push_out_others_but_the_newest_stays() -> None:
    plans = PlanCache(most_bytes=100)
    plans.keep("small", stored(60))
    plans.keep("large", stored(500))

    assert plans.take("small") is None
    assert plans.take("large") is not None


def test_names_cannot_be_guessed() -> None:
    names = {PlanCache().make_name() for _ in range(50)}

    assert len(names) == 50
    assert min(map(len, names)) >= 20
