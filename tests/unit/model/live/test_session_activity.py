"""What a session is doing, told record by record: the same as when it is read at once."""

from bough.model.conversation.titles import find_title
from bough.model.live.session_activity import Activity
from bough.model.tree.nodes import build_tree
from bough.sample import SampleSession, session
from tests.unit.model.readings import read


def activity_of(builder: SampleSession) -> Activity:
    activity = Activity()
    for record in read(builder):
        activity.add(record)
    return activity


def title(builder: SampleSession) -> tuple[str, str]:
    found = activity_of(builder).titles.title
    assert found is not None
    return found.text, found.source


def test_the_title_is_the_one_a_reader_of_the_whole_file_gets() -> None:
    first = session("a", version="2.1.50").user("Make it resumable").assistant("Yes.")
    given = session("b").user("Make it resumable").ai_title("Resumable import")
    custom = session("c").user("x").ai_title("Given").title("Mine").title("")

    for builder in (first, given, custom):
        records = read(builder)
        whole = find_title(records, build_tree(records))
        assert activity_of(builder).titles.title == whole


def test_the_sidecar_wins() -> None:
    activity = activity_of(session("a").user("x").title("In the file"))

    activity.titles.sidecar = "Beside the file"

    assert activity.titles.title is not None
    assert activity.titles.title.text == "Beside the file"


def test_a_summary_counts_only_for_a_leaf_of_this_file() -> None:
    builder = session("a", version="2.0.14")
    builder.user("x").assistant("y", name="A")
    builder.summary("Of another session", leaf="00000000-0000-4000-8000-000000000009")
    assert title(builder) == ("x", "first-prompt")

    builder.summary("Of this session", leaf="A")

    assert title(builder) == ("Of this session", "summary")


def test_the_context_is_what_was_sent_with_the_last_request() -> None:
    counts = {"input_tokens": 10, "cache_read_input_tokens": 90_000, "output_tokens": 5}
    builder = session("a", model="claude-opus-4-5").user("x").assistant("y", usage=counts)

    context = activity_of(builder).context

    assert (context.tokens, context.size, context.share) == (90_010, 200_000, 90_010 / 200_000)


def test_agents_do_not_fill_the_context() -> None:
    counts = {"input_tokens": 100, "output_tokens": 5}
    more = {"input_tokens": 70_000, "output_tokens": 5}
    builder = session("a").user("x").assistant("y", usage=counts)
    agent = session("b").user("brief").assistant("z", usage=more)
    activity = activity_of(builder)

    for record in read(agent):
        activity.add(record, "a1")

    assert activity.context.tokens == 100
    assert activity.running_cost.total.calls == 2


def test_a_compaction_empties_the_context() -> None:
    counts = {"input_tokens": 160_000, "output_tokens": 5}
    builder = session("a").user("x").assistant("y", usage=counts)
    builder.node("system", subtype="compact_boundary", compactMetadata={"postTokens": 22_000})

    assert activity_of(builder).context.tokens == 22_000


def test_an_agent_runs_until_its_last_words() -> None:
    agent = session("b").user("brief").thinking("Where is it?").tool("Grep", {"pattern": "x"}, "y")
    activity = Activity()
    for record in read(agent):
        activity.add(record, "a1")
    running, thought = activity.running_agents, activity.thought

    for record in read(session("c").user("brief").assistant("Found.")):
        activity.add(record, "a1")

    assert (running, thought) == (["a1"], "Where is it?")
    assert activity.running_agents == []


def test_only_so_many_agents_are_kept() -> None:
    activity = Activity()
    records = read(session("b").user("brief"))

    for number in range(500):
        activity.add(records[-1], f"a{number}")

    assert len(activity.agents) < 100
