"""How the sessions of a project hang together."""

import pytest

from bough.errors import ProjectNotFound
from bough.model.conversation.plans import PlanLinks
from bough.model.tree.lineage import Origin
from bough.query.lists.related import lineage, plans
from bough.sample import SampleSession, session
from tests.conftest import Home


def write(home: Home, *books: SampleSession) -> None:
    with home.writing() as folder:
        for builder in books:
            builder.write(folder)


def test_a_project_tells_which_session_came_from_which(home: Home) -> None:
    origin = session("origin", cwd="/home/dev/shop").user("a").assistant("b")
    fork = origin.fork(seed="fork").user("c")
    write(home, origin, fork, session("other", cwd="/home/dev/shop").user("d"))

    found = lineage("shop", [home])

    assert found == {fork.session_id: Origin(origin.session_id, 2, "fork")}


def test_a_file_that_cannot_be_read_breaks_no_lineage(home: Home) -> None:
    origin = session("origin", cwd="/home/dev/shop").user("a").assistant("b")
    write(home, origin, origin.fork(seed="fork"))
    with home.writing():
        (home.projects / "-home-dev-shop" / "x.jsonl").mkdir()

    assert len(lineage("shop", [home])) == 1


def test_a_project_tells_which_session_carried_out_which_plan(home: Home) -> None:
    plan = session("plan", cwd="/home/dev/shop", slug="a-b-c").user("Plan it").assistant("1.")
    built = session("built", cwd="/home/dev/shop", slug="a-b-c").implement("1.").assistant("ok")
    write(home, plan, built)

    assert plans("shop", [home]) == {
        plan.session_id: PlanLinks(implementations=(built.session_id,)),
        built.session_id: PlanLinks(plans=(plan.session_id,)),
    }


def test_an_unknown_project_has_no_lineage(home: Home) -> None:
    with pytest.raises(ProjectNotFound):
        lineage("nowhere", [home])
