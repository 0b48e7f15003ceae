from collections.abc import Callable

import pytest

from bough.model.session import Session as Read
from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere, GotoUnsafe, NoFinishedTurn
from bough.timetravel.plans.content_digest import parse_session
from bough.timetravel.plans.repair import list_remedies
from tests.unit.timetravel.making import Shelf, long_talk


def said(read: Read) -> list[str]:
    return [one.text for one in read.conversation().messages if one.kind in ("prompt", "assistant")]


def damaged_by(how: str) -> SampleSession:
    builder = long_talk(session())
    match how:
        case "torn":
            return builder.user("lost").tear_line()
        case "no newline":
            return builder.drop_newline()
        case "lost parent":
            return builder.amend("three", parentUuid="nowhere")
        case "circle":
            return builder.reparent("one", "second")
        case "no parent":
            return builder.amend("three", parentUuid=None)
        case "no times":
            for record in builder.records():
                record.pop("timestamp", None)
            return builder
        case _:
            raise AssertionError(how)


DAMAGES = ["torn", "no newline", "lost parent", "circle", "no parent", "no times"]
WHOLE = ["one", "first", "two", "second", "three", "third", "four", "fourth"]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_repaired_copy_has_everything_and_the_file_stays(
    shelf: Shelf, environment: TravelEnvironment, how: str
) -> None:
    file = shelf.put(damaged_by(how))
    before = file.read_bytes()

    plan = travel.repair(file, environment=environment)
    travel.apply(plan, environment)

    copy = read_session(plan.path or "")
    assert said(copy) == WHOLE
    assert [f for f in copy.health.findings if f.severity == "problem"] == []
    assert copy.health.reachability == 1
    assert file.read_bytes() == before


@pytest.mark.parametrize("how", DAMAGES)
def test_a_session_repaired_in_place_has_everything(
    shelf: Shelf, environment: TravelEnvironment, how: str
) -> None:
    file = shelf.put(damaged_by(how))

    plan = travel.repair(file, in_place=True, environment=environment)
    travel.apply(plan, environment)

    mended = read_session(file)
    assert said(mended) == WHOLE
    assert [f for f in mended.health.findings if f.severity == "problem"] == []
    assert mended.health.reachability == 1


@pytest.mark.parametrize("how", DAMAGES)
def test_undo_gives_the_damage_back(shelf: Shelf, environment: TravelEnvironment, how: str) -> None:
    file = shelf.put(damaged_by(how))
    before = file.read_bytes()
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)

    travel.apply(travel.undo(environment=environment), environment)

    assert file.read_bytes() == before


def test_a_record_torn_in_two_is_put_together(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = session().user("one").assistant("first").split(60).user("two").assistant("second")
    file = shelf.put(builder)

    plan = travel.repair(file, in_place=True, environment=environment)
    travel.apply(plan, environment)

    assert said(read_session(file)) == ["one", "first", "two", "second"]
    assert any("put together" in note for note in plan.notes)


def test_a_line_that_is_no_record_is_left_out_and_kept_in_the_backup(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one").malformed_line(b"// a comment").assistant("first")
    file = shelf.put(builder)

    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)

    assert b"comment" not in file.read_bytes()
    kept = list((environment.backups / "1").glob("*.jsonl"))
    assert [path.read_bytes() for path in kept] == [builder.bytes()]


def test_only_what_is_broken_changes_in_place(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = damaged_by("lost parent").mode().api_request()
    file = shelf.put(builder)

    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)

    before, after = builder.bytes().splitlines(), file.read_bytes().splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert changed[0][0].replace(b"nowhere", builder.uuid("second").encode()) == changed[0][1]


def test_a_sound_session_needs_no_repair(shelf: Shelf, environment: TravelEnvironment) -> None:
    file = shelf.put(long_talk(session()))

    for in_place in (False, True):
        with pytest.raises(AlreadyThere, match="needs no repair"):
            travel.repair(file, in_place=in_place, environment=environment)


def test_a_session_led_astray_by_an_agent_goes_on_from_its_talk(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.0.14").user("one").agent("Explore", "look", layout="inline")
    builder.assistant("done", name="done")
    inside = [r for r in builder.records() if r.get("isSidechain")]
    inside[-1]["timestamp"] = "2030-01-01T00:00:00.000Z"
    file = shelf.put(builder)

    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)

    assert read_session(file, client="2.0.14").active_tip == builder.uuid("done")


def test_equal_times_do_not_hide_the_end(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = long_talk(session(version="1.0.128"))
    for record in builder.records():
        record["timestamp"] = "2026-01-01T00:00:00.000Z"
    file = shelf.put(builder)
    read = read_session(file)
    assert read.tree.uuid(read.choice.node) == builder.uuid("one")
    assert read.active_tip == builder.uuid("fourth")

    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)

    read = read_session(file)
    assert read.resume_group == read.message_tree.above[read.tree.number[builder.uuid("fourth")]]


def test_the_tip_of_a_compacted_session_is_not_set_in_place(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="1.0.128").user("one").assistant("x").compact("S").user("two")
    builder.assistant("y")
    for record in builder.records():
        record["timestamp"] = "2026-01-01T00:00:00.000Z"
    file = shelf.put(builder)

    with pytest.raises(GotoUnsafe, match="compacted"):
        travel.repair(file, in_place=True, environment=environment)


def test_a_call_without_result_at_the_end_does_not_come_along(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = (
        session().user("one").tool("Bash", {}, "x").tool("Bash", {}, None, name="call").tear_line()
    )
    builder.user("lost").tear_line()
    file = shelf.put(builder)

    plan = travel.repair(file, environment=environment)

    assert plan.resume_view is not None
    assert plan.resume_view.turns == 1


def test_a_file_without_talk_cannot_be_copied(shelf: Shelf, environment: TravelEnvironment) -> None:
    with pytest.raises(NoFinishedTurn):
        travel.repair(shelf.put(session().title("x").malformed_line()), environment=environment)


def test_every_finding_has_a_repair_or_a_reason() -> None:
    builder = damaged_by("lost parent").again("fourth").unknown().malformed_line().drop_newline()
    read = parse_session(builder.bytes(), builder.session_id)

    found = list_remedies(read)

    assert len(found) == len(read.health.findings)
    assert all((remedy.repair is None) != (remedy.why_not is None) for remedy in found)
    by_kind = {remedy.kind: remedy for remedy in found}
    assert by_kind["dangling-parent"].repair == "linked to what was said before it"
    assert by_kind["duplicate-uuid"].repair is None


def beside_the_path() -> SampleSession:
    builder = session(version="2.1.79").user("a").progress("hook_progress").name_step("late")
    return builder.at(1).tool("Bash", {}, "x").assistant("b").at("late").user("c").assistant("d")


def begun_anew() -> SampleSession:
    return session(version="1.0.84").user("a").assistant("b").at(None).user("c").assistant("d")


def dangling_behind_bad_lines() -> SampleSession:
    builder = session().user("a").assistant("b").malformed_line()
    return builder.at_missing().user("c").assistant("d")


@pytest.mark.parametrize("make", [beside_the_path, begun_anew, dangling_behind_bad_lines])
def test_what_a_repair_links_again_is_said_to_be_repaired(
    shelf: Shelf, environment: TravelEnvironment, make: Callable[[], SampleSession]
) -> None:
    file = shelf.put(make())

    assert all(remedy.repair for remedy in list_remedies(read_session(file)))
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)
    assert read_session(file).health.findings == []


# -- turns that a resume would lose -------------------------------------------------------------


def went_back_and_crashed() -> SampleSession:
    builder = session(version="2.1.200").user("p1", name="p1").assistant("a1", name="a1")
    builder.user("left").assistant("l1", name="l1").last_prompt("left", leaf="l1")
    return builder.at("a1").user("newer", name="newer").assistant("n1", name="n1")


def typed_commands() -> SampleSession:
    builder = session(version="1.0.51").user("p1", name="p1").assistant("a1", name="a1")
    builder.caveat().name_step("caveat")
    for command, prompt in (("/model", "p2"), ("/exit", None)):
        builder.at("caveat").user_record(f"<command-name>{command}</command-name>")
        builder.user_record("<local-command-stdout>done</local-command-stdout>")
        if prompt:
            builder.user(prompt, name=prompt).assistant(f"a of {prompt}", name="a2")
    return builder


@pytest.mark.parametrize("in_place", [True, False], ids=["in place", "a copy"])
@pytest.mark.parametrize(
    ("make", "kind", "names"),
    [
        (went_back_and_crashed, "left-branch", ["p1", "a1", "newer", "n1"]),
        (typed_commands, "lost-turns", ["p1", "a1", "p2", "a2"]),
    ],
)
def test_after_a_repair_no_turn_is_lost_and_doctor_is_satisfied(
    shelf: Shelf,
    environment: TravelEnvironment,
    make: Callable[[], SampleSession],
    kind: str,
    names: list[str],
    in_place: bool,
) -> None:
    builder = make()
    file = shelf.put(builder)
    assert [f.kind for f in read_session(file).health.findings] == [kind]
    assert [remedy.repair is not None for remedy in list_remedies(read_session(file))] == [True]

    plan = travel.repair(file, in_place=in_place, environment=environment)
    travel.apply(plan, environment)

    mended = read_session(plan.path or "")
    assert [f for f in mended.health.findings if f.severity == "problem"] == []
    assert mended.health.reachability == 1
    walked = {mended.tree.uuid(node) for node in mended.tree.walk_up(mended.choice.node)}
    assert {builder.uuid(name) for name in names} <= walked


@pytest.mark.parametrize("in_place", [False, True])
def test_a_session_in_which_nothing_was_said_has_no_tip_to_set(
    shelf: Shelf, environment: TravelEnvironment, in_place: bool
) -> None:
    file = shelf.put(session().last_prompt("gone").malformed_line(b'{"type":"user"'))

    with pytest.raises(NoFinishedTurn):
        travel.repair(file, in_place=in_place, environment=environment)


def test_a_copy_goes_on_behind_a_compaction_that_an_old_pointer_leads_away_from(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.250").user("p1").assistant("a1", name="a1")
    builder.compact().user("after").assistant("a2", name="a2").last_prompt("p1", leaf="a1")
    file = shelf.put(builder)

    with pytest.raises(GotoUnsafe, match="cannot be set in place"):
        travel.repair(file, in_place=True, environment=environment)
    plan = travel.repair(file, environment=environment)
    travel.apply(plan, environment)

    mended = read_session(plan.path or "")
    assert mended.active_tip == builder.uuid("a2")
    assert [turn.messages[0].text for turn in mended.conversation().turns] == ["p1", "after"]
    assert mended.health.findings == []
