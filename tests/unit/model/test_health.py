"""Health: what is damaged is found, what every healthy file has is not."""

import pytest

from bough.model.health import Finding, Health
from bough.model.session import Session, SessionCompanions
from bough.sample import SampleCall, SampleSession, session
from bough.sample.builder.base import DraftLine
from tests.unit.model.opened import opened


def health(builder: SampleSession) -> Health:
    return opened(builder).health


def found(builder: SampleSession) -> list[tuple[str, str]]:
    return [(finding.kind, finding.severity) for finding in health(builder).findings]


def finding(builder: SampleSession) -> Finding:
    (only,) = health(builder).findings
    return only


# -- nothing to say ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "builder",
    [
        session().user("a").assistant("b"),
        session()
        .user("a")
        .tools(
            SampleCall(tool="Read", given={}, result="1"),
            SampleCall(tool="Read", given={}, result="2"),
        )
        .assistant("b"),
        session().user("a").assistant("b").compact().user("c").assistant("d"),
        session().user("a").assistant("b").compact(keep=2).user("c").assistant("d"),
        session(version="1.0.60").user("a").assistant("b").compact().user("c").assistant("d"),
        session().user("a", name="P").assistant("b").at("P").assistant("c").user("d"),
        session(version="2.0.14").user("a").agent("Explore", "look").assistant("b"),
        session(version="2.1.50").hook("SessionStart", "s").user("a").progress("bash_progress"),
        session().user("a").interrupt().user("b").api_error().blank().crlf(),
        session().user("a").assistant("b").queued("c", shown="nowhere").bom(),
        session().mode().title("nothing said"),
        session(),
    ],
)
def test_a_healthy_file_has_no_findings(builder: SampleSession) -> None:
    assert found(builder) == []


def test_an_orphan_that_is_a_hook_or_progress_is_no_finding() -> None:
    builder = (
        session(version="2.1.50").at_missing().progress("hook_progress").user("a").assistant("b")
    )

    assert found(builder) == []


# -- lines ---------------------------------------------------------------------------------------


def test_a_bad_line_is_a_problem_with_its_place() -> None:
    builder = session().user("a").malformed_line(b"{broken").assistant("b")

    only = finding(builder)

    assert (only.kind, only.severity, only.where) == ("bad-line", "problem", "line 2")
    offset = len(builder.lines()[0])
    assert only.message.startswith(f"Line 2 cannot be read (offset {offset:,}): not valid JSON")
    assert only.action == "Nothing to do: clients skip it, and the other 2 are shown."


def test_of_several_bad_lines_none_is_counted_among_those_that_are_shown() -> None:
    builder = session().user("a").malformed_line(b"{broken").malformed_line(b"{too")

    assert {one.action for one in health(builder).findings} == {
        "Nothing to do: clients skip it, and the other one is shown."
    }


def test_a_torn_last_line_is_told_apart() -> None:
    only = finding(session().user("a").assistant("b").tear_line())

    assert (only.kind, only.severity, only.where) == ("torn-line", "problem", "line 2")
    assert "lose the next record" in only.message
    assert "bough repair" in only.action


def test_a_line_without_its_newline_is_a_problem_for_older_clients() -> None:
    only = finding(session().user("a").assistant("b").drop_newline())

    assert (only.kind, only.severity, only.where) == ("no-final-newline", "problem", "line 2")


def test_zero_bytes_are_a_bad_line() -> None:
    assert found(session().user("a").nul().assistant("b")) == [("bad-line", "problem")]


# -- links ---------------------------------------------------------------------------------------


def test_a_parent_that_is_nowhere_says_how_much_a_resume_loses() -> None:
    builder = session().user("a").assistant("b").user("c").tool("Bash", {}, "x").assistant("d")
    builder.at_missing("gone").user("e", name="E").assistant("f")

    only = finding(builder)

    parent = str(builder.record_of("E")["parentUuid"])[:8]
    assert (only.kind, only.severity) == ("dangling-parent", "problem")
    assert (
        only.where == f"line {builder.lines().index(DraftLine(builder.record_of('E')).line()) + 1}"
    )
    assert only.message.endswith(
        f"parent {parent} is nowhere. 5 messages before it are not resumed."
    )
    assert health(builder).reachability == pytest.approx(2 / 8, abs=1e-3)


def test_a_chain_cut_at_a_progress_record_is_found_too() -> None:
    builder = session(version="2.1.50").user("a").assistant("b")
    builder.at_missing().progress("hook_progress").user("c").assistant("d")

    assert finding(builder).message.endswith("2 messages before it are not resumed.")


def test_one_message_is_not_several() -> None:
    only = finding(session().user("a").at_missing().assistant("b"))

    assert only.message.endswith("1 message before it is not resumed.")


def test_a_session_that_goes_on_from_another_file_is_a_note() -> None:
    only = finding(session().at_missing().user("a").assistant("b"))

    assert (only.kind, only.severity, only.action) == ("dangling-parent", "note", "Nothing to do.")
    assert only.message.endswith("which is not in this file.")


def test_an_orphan_before_a_compaction_costs_a_resume_nothing() -> None:
    builder = (
        session().user("a").assistant("b").at_missing().user("c").assistant("d").compact().user("e")
    )

    assert found(builder) == [("dangling-parent", "note")]


def test_an_answer_beside_the_next_prompt_is_out_of_a_resumes_reach() -> None:
    builder = session(version="2.1.79").user("a").progress("hook_progress").name_step("late")
    builder.at(1).tool("Bash", {}, "x").assistant("b").at("late").user("c").assistant("d")

    only = finding(builder)

    assert (only.kind, only.severity, only.where) == ("off-path", "problem", "line 3")
    assert only.message == ("From line 3 on, a resume does not see 2 messages beside its path.")
    assert health(builder).reachability == pytest.approx(3 / 6)


def test_talk_begun_anew_is_a_note() -> None:
    builder = session(version="1.0.84").user("a").assistant("b").at(None).user("c").assistant("d")

    only = finding(builder)

    assert (only.kind, only.severity) == ("begun-anew", "note")
    assert (
        only.message == "The conversation starts again. 2 messages are not resumed, from line 1 on."
    )


def test_a_command_beside_the_way_is_nothing_to_speak_of() -> None:
    builder = session().user("a").assistant("b").command("/model", "", "Set.")
    builder.at(3).synthetic_answer().user("c").assistant("d")

    assert found(builder) == []


def test_a_circle_of_parents_hangs_old_clients() -> None:
    builder = session().user("a", name="P").assistant("b", name="A").user("c", name="Q")
    builder.reparent("P", "Q")

    only = next(f for f in health(builder).findings if f.kind == "cycle")

    assert only.severity == "problem"
    assert only.message == "1 circle of parents. Clients up to 2.0.76 hang on them."


def test_repeats_and_replays_are_notes() -> None:
    repeated = session().user("a", name="P").assistant("b").again("P").at(2).user("c")
    replayed = session().user("a", name="P").assistant("b", name="A").user("c", name="Q")
    replayed.at(None).replay("P", "A").at("Q").assistant("d")

    assert found(repeated) == [("duplicate-uuid", "note")]
    assert found(replayed) == [("replayed-copies", "note")]
    assert finding(replayed).message == (
        "2 lines are replays of what was written before; it is shown once."
    )


# -- kinds and tips ------------------------------------------------------------------------------


def test_unknown_kinds_are_notes_with_the_client_that_wrote_them() -> None:
    builder = session(version="2.1.400").user("a").unknown("pulse").unknown("pulse").unknown("beam")

    first, second = health(builder).findings

    assert first.severity == "note"
    assert first.message == (
        "A kind this bough does not know: pulse 2 (client 2.1.400). Kept as it is."
    )
    assert "beam 1" in second.message


def test_a_session_no_client_would_resume_is_a_problem() -> None:
    builder = session().user("a").assistant("b")
    for record in builder.records():
        del record["timestamp"]

    assert ("not-resumable", "problem") in found(builder)


def test_an_agent_that_hijacks_old_clients_is_a_problem() -> None:
    builder = session(version="2.0.14").user("a").agent("Explore", "look", work=late)

    assert ("sidechain-tip", "problem") in found(builder)
    assert ("sidechain-tip", "problem") not in [
        (f.kind, f.severity) for f in opened(builder, client="2.1.250").health.findings
    ]


def late(child: object) -> object:
    return child.wait(hours=3).assistant("late", timestamp="2026-12-01T00:00:00.000Z")  # type: ignore[attr-defined]


def test_an_agents_own_file_has_its_own_health() -> None:
    builder = session().user("a").agent("Explore", "look")
    (agent,) = opened(builder).agents

    assert agent.health == Health(1.0, [])


# -- reachability --------------------------------------------------------------------------------


def test_all_of_an_unbroken_conversation_is_reached() -> None:
    builder = (
        session()
        .user("a")
        .tools(
            SampleCall(tool="Read", given={}, result="1"),
            SampleCall(tool="Read", given={}, result="2"),
        )
        .assistant("b")
    )

    assert health(builder).reachability == 1.0


def test_what_a_compaction_kept_is_reached_and_the_rest_is_not() -> None:
    plain = session().user("a").assistant("b").compact().user("c").assistant("d")
    kept = session().user("a").assistant("b").compact(keep=1).user("c").assistant("d")

    assert health(plain).reachability == pytest.approx(3 / 5)
    assert health(kept).reachability == pytest.approx(4 / 5)


def test_a_session_without_talk_is_whole() -> None:
    assert health(session().mode()).reachability == 1.0


def test_what_can_be_mended_names_the_command_that_mends_it() -> None:
    books = [
        session().user("a").tear_line(),
        session().user("a").malformed_line().at_missing().assistant("b"),
        session().user("a", name="P").assistant("b", name="A").reparent("P", "A"),
    ]

    actions = [f.action for builder in books for f in health(builder).findings]

    assert actions
    assert [action for action in actions if "bough repair" not in action] == [
        "Nothing to do: clients skip it, and the other 2 are shown."
    ]


# -- what a resume leaves behind ------------------------------------------------------------------


def typed(builder: SampleSession, command: str) -> SampleSession:
    """Type a local command in a client of 1.0.35 to 1.0.56: all hang on one caveat."""
    builder.at("caveat").user_record(f"<command-name>{command}</command-name>", name=command)
    return builder.user_record("<local-command-stdout>done</local-command-stdout>")


def test_a_resume_at_a_command_far_back_loses_the_turns_between() -> None:
    builder = session(version="1.0.51").user("p1").assistant("a1").caveat().name_step("caveat")
    typed(builder, "/model").user("p2", name="p2").assistant("a2")
    typed(builder, "/exit")
    read = opened(builder)

    assert read.conversation().turn_count == 4
    assert read.tree.parent[read.resume_gap.line_end] == read.tree.number[builder.uuid("/exit")]
    assert read.resume_gap.node == read.resume_gap.line_end
    assert [builder.name_of(uuid) for uuid in read.resume_gap.lost_turns] == ["/model", "p2"]


def test_a_resume_at_the_caveat_before_exit_loses_nothing() -> None:
    """Caveat and command bear one time, and old clients take the first of them."""
    builder = session(version="2.0.76").user("p1").assistant("a1")
    stamp = builder.caveat().name_step("caveat").record_of("caveat")["timestamp"]
    builder.user_record("<command-name>/exit</command-name>", name="exit", timestamp=stamp)
    read = opened(builder)

    assert read.active_tip == builder.uuid("exit")
    assert read.tree.uuid(read.choice.node) == builder.uuid("caveat")
    assert read.resume_gap.lost_turns == ()
    assert read.health.reachability == 1.0


def test_exit_is_no_branch_where_its_caveat_bears_a_later_time() -> None:
    """So write clients of 1.0: the command and its output some milliseconds before the caveat."""
    builder = session(version="1.0.69").user("p1").assistant("a1", name="a1").caveat()
    before = builder.record_of("a1")["timestamp"]
    for words in ("<command-name>/exit</command-name>", "<local-command-stdout>(no content)"):
        builder.user_record(words, name=words, timestamp=before)
    read = opened(builder)

    assert [tip.uuid for tip in read.tips] == [builder.uuid("<command-name>/exit</command-name>")]
    assert read.conversation().turn_count == 2
    assert read.health.findings == []


def test_a_resume_that_sees_the_whole_line_leaves_nothing_behind() -> None:
    read = opened(session().user("p1").assistant("a1").user("p2").assistant("a2"))

    assert (read.resume_gap.node, read.resume_gap.lost_turns) == (3, ())


def test_turns_that_a_compaction_replaced_are_not_lost() -> None:
    read = opened(session().user("p1").assistant("a1").compact().user("p2").assistant("a2"))

    assert read.resume_gap.lost_turns == ()


# -- doctor tells the loss ----------------------------------------------------------------------


def went_back_and_crashed(version: str = "2.1.200") -> SampleSession:
    """Go back in a client that then ends without writing its pointer anew."""
    builder = session(version=version).user("p1").assistant("a1", name="a1").user("left")
    builder.assistant("l1", name="l1").last_prompt("left", leaf="l1")
    builder.at("a1").user("newer", name="newer").assistant("n1").user("newest").assistant("n2")
    return builder


def test_a_resume_that_goes_back_to_a_left_branch_is_a_problem_with_its_turns() -> None:
    told = health(went_back_and_crashed())

    [only] = told.findings
    assert (only.kind, only.severity) == ("left-branch", "problem")
    assert only.message == (
        'A resume would go back to "left", on a branch that was left, and lose 2 turns, '
        'the first of them "newer".'
    )
    assert "bough repair" in only.action
    assert told.reachability == 0.5


def test_a_pointer_to_what_was_said_before_a_compaction_is_a_problem_with_the_turns_behind_it() -> (
    None
):
    builder = session(version="2.1.250").user("p1").assistant("a1", name="a1")
    builder.last_prompt("p1", leaf="a1").compact().user("after").assistant("a2")

    assert health(builder).findings == []  # the compaction ends what it says
    assert finding(builder.last_prompt("p1", leaf="a1")).message == (
        'A resume would go back to "p1", which an old pointer names, and lose 1 turn, "after".'
    )


def test_an_old_pointer_to_one_of_several_calls_is_a_problem_where_claude_went_on_beside_it() -> (
    None
):
    calls = [SampleCall(tool="Read", given={}, result=str(number)) for number in range(2)]
    builder = session(version="2.1.250").user("p1").tools(*calls)
    _, _, second, result, _ = builder.nodes
    builder.last_prompt("p1", leaf=second).at(result).assistant("a1")

    assert finding(builder).message == (
        'A resume would go back to "p1", which an old pointer names, and lose the end of its turn.'
    )
    assert finding(builder.user("p2").assistant("a2")).message == (
        'A resume would go back to "p1", which an old pointer names, and lose 1 turn, "p2".'
    )


def test_parallel_calls_make_no_branch_where_an_old_pointer_names_one_of_them() -> None:
    calls = [SampleCall(tool="Read", given={}, result=str(number)) for number in range(2)]
    builder = session(version="2.1.129").user("p1", name="p1").tools(*calls)
    _, _, second, result, _ = builder.nodes
    builder.last_prompt("p1", leaf=second).at(result).assistant("a1", name="a1")
    read = opened(builder)

    assert read.tree.uuid(read.choice.node) == builder.uuid(second)
    assert [(tip.uuid, tip.active) for tip in read.tips] == [(builder.uuid("a1"), True)]
    assert builder.uuid("a1") in read.conversation().messages[-1].uuids


def test_a_branch_that_leaves_below_parallel_calls_stays_one_beside_an_old_pointer() -> None:
    """What a person left is not on the way to the last line."""
    calls = [SampleCall(tool="Read", given={}, result=str(number)) for number in range(2)]
    builder = session(version="2.1.129").user("p1").tools(*calls)
    _, _, second, result, _ = builder.nodes
    builder.last_prompt("p1", leaf=second).at(result).assistant("a1", name="a1").user("p2")
    builder.assistant("a2", name="a2").at("a1").user("p3").assistant("a3", name="a3")

    tips = {builder.name_of(tip.uuid): tip.active for tip in opened(builder).tips}

    assert tips == {"a2": False, "a3": True}


def test_the_pointer_that_a_rewind_leaves_loses_nothing() -> None:
    told = health(went_back_and_crashed("2.1.325").rewind_pointer())

    assert told.findings == []
    assert told.reachability == 1.0


def test_a_branch_that_was_left_on_purpose_is_no_loss() -> None:
    builder = went_back_and_crashed()
    builder.last_prompt("newest", leaf=builder.nodes[-1])

    assert health(builder).findings == []


def test_a_resume_at_a_local_command_says_which_turns_it_loses() -> None:
    builder = session(version="1.0.51").user("p1").assistant("a1").caveat().name_step("caveat")
    typed(builder, "/model").user("prompt two").assistant("a2")
    typed(builder, "/exit")

    told = health(builder)

    assert [one.kind for one in told.findings] == ["lost-turns"]
    assert told.findings[0].message == (
        'A resume would continue at /exit and lose 2 turns, the first of them "/model".'
    )
    assert told.reachability < 1


def test_while_a_client_has_the_session_open_its_own_line_is_the_live_one() -> None:
    builder = went_back_and_crashed()
    plain = opened(builder)
    companions = SessionCompanions(is_open=lambda: True)
    read = Session(plain.id, plain.records, plain.bad_lines, companions=companions)

    [only] = read.health.findings

    assert (only.kind, only.severity) == ("open", "note")
    assert only.message.startswith(
        'A client has this session open and goes on after "newest", its own line.'
    )
