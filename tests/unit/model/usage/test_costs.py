"""What a session and a conversation cost, with and without their agents."""

from bough.model.usage.costs import UsageTotal
from bough.records.types import Assistant, User
from bough.sample import SampleSession, session
from tests.unit.model.opened import opened


def with_agent() -> SampleSession:
    return session().user("go").agent("Explore", "look", answer="found").assistant("done")


def test_a_conversation_without_branches_costs_what_its_session_costs() -> None:
    read = opened(with_agent())

    for agents in (False, True):
        assert read.conversation().cost(agents=agents) == read.cost(agents=agents)


def test_agents_are_part_of_a_cost_or_not() -> None:
    read = opened(with_agent())

    own, everything = read.cost(agents=False), read.cost(agents=True)

    assert own + read.agents[0].cost(agents=False) == everything
    assert everything.cost.picodollars > own.cost.picodollars > 0
    assert everything.calls == read.usage.calls


def test_copies_of_an_agents_lines_are_no_part_of_what_the_session_used_itself() -> None:
    builder = session(version="2.1.20").user("go").agent("Explore", "look", echoed=True)
    read = opened(builder.assistant("done"))

    assert read.cost(agents=False).calls + read.agents[0].cost(agents=False).calls == (
        read.cost(agents=True).calls
    )


def test_branches_share_what_they_have_in_common() -> None:
    builder = session().user("go").assistant("a", name="A").user("one").assistant("b")
    read = opened(builder.at("A").user("two").assistant("c"))
    one, two = read.conversations

    assert one.cost(agents=True).calls == two.cost(agents=True).calls == 2
    assert read.cost(agents=True).calls == 3


def test_nothing_said_costs_nothing() -> None:
    assert opened(session().user("hello")).conversation().cost(agents=True) == UsageTotal()


def test_records_of_one_kind_are_asked_for_by_class_or_by_name() -> None:
    read = opened(session().user("a").assistant("b").user("c"))

    assert [record.kind for record in read.of("user")] == ["user", "user"]
    assert read.of(User) == read.of("user")
    assert len(read.of(Assistant)) == 1
    assert read.of("nonsense") == []
