"""A session: its views, its facts, and its conversations."""

import pytest

from bough.errors import TipNotFound
from bough.model.tree.lineage import Origin
from bough.sample import session
from tests.unit.model.opened import lines_of, opened


def test_the_conversation_is_the_active_one_by_default() -> None:
    builder = (
        session().user("a", name="P").assistant("b", name="A").user("c", name="Q").assistant("d")
    )
    builder.at("A").user("e", name="R").assistant("f", name="F")

    session_ = opened(builder)

    assert session_.conversation().tip == builder.uuid("F") == session_.active_tip
    assert [c.active for c in session_.conversations] == [False, True]


def test_a_conversation_can_be_asked_for_by_any_node() -> None:
    builder = (
        session().user("a", name="P").assistant("b", name="A").user("c", name="Q").assistant("d")
    )
    session_ = opened(builder)

    texts = [message.text for message in session_.conversation(builder.uuid("A")).messages]

    assert texts == ["a", "b"]
    assert session_.conversation(session_.active_tip) is session_.conversation()


def test_a_note_before_all_talk_leads_to_the_talk_it_stands_at() -> None:
    builder = session().hook("SessionStart", "s.sh").user("a").assistant("b")

    texts = [
        message.text
        for message in opened(builder).conversation(builder.uuid(1)).messages
        if message.text
    ]

    assert texts == ["a"]


def test_an_inline_agents_line_is_a_conversation_of_its_own() -> None:
    builder = (
        session(version="2.0.76")
        .user("a")
        .agent("Explore", "look", layout="inline", answer="found")
    )
    agent = next(r for r in builder.records() if r["isSidechain"] and r["type"] == "assistant")

    messages = opened(builder).conversation(str(agent["uuid"])).messages

    assert messages[-1].text == "found"


def test_an_unknown_tip_says_so() -> None:
    with pytest.raises(TipNotFound):
        opened(session().user("a")).conversation("nowhere")


def test_a_node_is_found_by_a_prefix_that_names_no_other() -> None:
    builder = session().user("a", name="P").assistant("b")
    session_ = opened(builder)

    assert session_.find(builder.uuid("P")[:12]) == builder.uuid("P")
    assert session_.find(builder.uuid("P")) == builder.uuid("P")
    for wanted in ("", "zzz"):
        with pytest.raises(TipNotFound):
            session_.find(wanted)


def test_a_conversation_knows_where_it_parted_from_the_others() -> None:
    builder = session().user("a", name="P").assistant("b", name="A").user("c").assistant("d")
    builder.at("A").user("e").assistant("f")

    points = [c.branch_point for c in opened(builder).conversations]

    assert [point.uuid if point else None for point in points] == [builder.uuid("A")] * 2
    assert [c.title for c in opened(builder).conversations] == ["c", "e"]


def test_first_prompts_said_anew_part_at_the_start() -> None:
    builder = session().hook("SessionStart", "s.sh").name_step("H").user("a").assistant("b")
    builder.at("H").user("c").assistant("d")
    session_ = opened(builder)

    assert [c.title for c in session_.conversations] == ["a", "c"]
    assert len({c.branch_point for c in session_.conversations}) == 1


def test_another_client_may_see_another_tip() -> None:
    builder = session(version="2.1.250").user("a").assistant("b", name="A").user("c").assistant("d")
    builder.at("A").user("e").assistant("f", name="F").last_prompt("c", "A")

    session_ = opened(builder)
    old = session_.with_client("2.1.110")

    assert old.choice.rule == "last-line"
    assert old.active_tip == builder.uuid("F")
    assert old.records is session_.records


def test_a_session_without_talk_has_no_tips_and_an_empty_conversation() -> None:
    session_ = opened(session().mode().title("x"))

    assert (session_.tips, session_.active_tip, session_.conversations) == ([], None, [])
    assert session_.conversation().messages == []
    assert session_.conversation().tip is None


def test_records_and_bad_lines_give_the_file_back() -> None:
    builder = session().user("a").malformed_line().assistant("b").nul().blank().tear_line()
    session_ = opened(builder)

    pieces = {line.offset: line.raw for line in session_.records}
    pieces |= {line.offset: line.raw for line in session_.bad_lines}

    assert b"".join(pieces[offset] for offset in sorted(pieces)) == builder.bytes()


def test_times_are_those_of_the_tree_in_utc() -> None:
    builder = session().user("a", name="P").assistant("b", name="A").queue("enqueue", "x")
    builder.amend("A", timestamp="2026-01-05T12:00:00+02:00")

    session_ = opened(builder)

    assert session_.started_at == builder.record_of("P")["timestamp"]
    assert session_.ended_at == "2026-01-05T10:00:00.000Z"


@pytest.mark.parametrize(
    "odd", ["", "yesterday", "99999-01-01", "2026-13-01T00:00:00.000Z", 7, None]
)
def test_what_is_no_time_is_no_time(odd: object) -> None:
    builder = session().user("a", name="P").assistant("b", name="A").amend("A", timestamp=odd)

    session_ = opened(builder)

    assert session_.started_at == session_.ended_at == builder.record_of("P")["timestamp"]


def test_plain_facts_are_read_from_the_records() -> None:
    builder = session(cwd="/home/dev/one", branch="main", entrypoint="sdk-ts", version="2.1.100")
    builder.user("a").change(cwd="/home/dev/two", branch="topic", version="2.1.250").assistant("b")
    builder.unknown("pulse")

    session_ = opened(builder)

    assert session_.cwd == "/home/dev/one"
    assert session_.git_branch == "topic"
    assert session_.version == "2.1.250"
    assert session_.entrypoint == "sdk-ts"
    assert session_.models == ["claude-opus-4-6"]
    assert [record.type for record in session_.unknown_records] == ["pulse"]


def test_a_file_all_of_whose_talk_is_a_sidechain_is_an_agents() -> None:
    builder = session().user("a").agent("Explore", "look", agent_id="a1")
    found, bad = lines_of(builder.agent_file("a1").bytes())

    session_ = type(opened(builder))("agent-a1", found, bad)

    assert session_.sidechain
    assert [message.kind for message in session_.conversation().messages] == ["prompt", "assistant"]
    assert not opened(builder).sidechain


def test_an_empty_file_is_no_agents() -> None:
    assert not opened(session()).sidechain


def test_a_session_knows_its_origin() -> None:
    origin = Origin("other", 3, "copy")

    assert opened(session().user("a"), origin=origin).origin == origin
    assert opened(session().user("a")).origin is None
