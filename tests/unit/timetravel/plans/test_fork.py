from pathlib import Path
from typing import Any

import msgspec
import pytest

from bough.files.discover import encode_cwd
from bough.model.session import Session as Read
from bough.query.sessions.load_session import read_session
from bough.sample import ABSENT, SampleSession, session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.plan import Create, MakeFolder, Plan
from tests.unit.timetravel.making import Shelf, long_talk, parallel


def forked(
    shelf: Shelf, environment: TravelEnvironment, builder: SampleSession, at: str
) -> tuple[Plan, list[dict[str, Any]]]:
    plan = travel.fork(shelf.put(builder), at, environment=environment)
    assert travel.apply(plan, environment).result == plan.result
    data = Path(plan.path or "").read_bytes()
    return plan, [msgspec.json.decode(line) for line in data.splitlines()]


def nodes(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if "uuid" in record]


def texts(read: Read) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in read.conversation().messages]


def test_a_fork_ends_at_its_point_and_has_one_line_of_parents(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    plan, records = forked(shelf, environment, long_talk(session()), "two")

    line = nodes(records)
    assert [record["parentUuid"] for record in line] == [None, *(r["uuid"] for r in line[:-1])]
    assert texts(read_session(plan.path or "")) == [
        ("prompt", "one"),
        ("assistant", "first"),
        ("prompt", "two"),
        ("assistant", "second"),
    ]


def test_every_copy_names_its_origin_and_its_new_session(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = long_talk(session())

    plan, records = forked(shelf, environment, builder, "two")

    assert {record["sessionId"] for record in records} == {plan.result}
    for record in nodes(records):
        assert record["forkedFrom"] == {
            "sessionId": builder.session_id,
            "messageUuid": record["uuid"],
        }


def test_messages_are_copied_to_the_byte(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = long_talk(session())

    _, records = forked(shelf, environment, builder, "three")

    originals = {str(record["uuid"]): record for record in builder.records() if "uuid" in record}
    for record in nodes(records):
        assert record.get("message") == originals[record["uuid"]].get("message")


def test_a_title_and_a_pointer_come_last(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = long_talk(session())

    plan, records = forked(shelf, environment, builder, "two")

    assert records[-2] == {
        "type": "custom-title",
        "customTitle": "two (fork)",
        "sessionId": plan.result,
    }
    assert records[-1] == {
        "type": "last-prompt",
        "lastPrompt": "two",
        "leafUuid": builder.uuid("second"),
        "sessionId": plan.result,
    }


def test_a_title_can_be_given(shelf: Shelf, environment: TravelEnvironment) -> None:
    file = shelf.put(long_talk(session()))

    plan = travel.fork(file, "two", title="Another way", environment=environment)
    travel.apply(plan, environment)

    assert read_session(plan.path or "").title == "Another way"


def test_the_last_record_gets_the_newest_time_where_it_had_not(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one", timestamp="2030-01-01T00:00:00.000Z").assistant("first")

    _, records = forked(shelf, environment, builder, "one")

    assert [r["timestamp"] for r in nodes(records)] == [
        "2030-01-01T00:00:00.000Z",
        "2030-01-01T00:00:00.001Z",
    ]


def test_a_missing_time_is_filled_in(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = session().user("one").assistant("first", name="first").user("two").assistant("second")
    builder.amend("first", timestamp=ABSENT)

    _, records = forked(shelf, environment, builder, "two")

    assert all(record["timestamp"] for record in nodes(records))


def test_results_that_hang_beside_the_line_are_in_it(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = (
        session().user("one").tools(*parallel("a", "b", "c"), order=[2, 0, 1]).assistant("done")
    )

    plan, records = forked(shelf, environment, builder, "one")

    assert len(nodes(records)) == 8
    answer = read_session(plan.path or "").conversation().messages[-1]
    assert [block.result.text for block in answer.blocks if block.type == "tool"] == [  # type: ignore[union-attr]
        "did a",
        "did b",
        "did c",
    ]


def test_what_a_client_wrote_before_its_prompt_stands_behind_it_by_its_parents(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.300").attachment("hook_success", name="hook")
    builder.user("one", name="one").attachment("environment", name="place")
    builder.attachment("date", name="date").assistant("first", name="first")
    builder.entries.insert(0, builder.entries.pop(3))  # the date, as clients with hooks may

    _, records = forked(shelf, environment, builder.user("two").assistant("x"), "first")

    line = [record["uuid"] for record in nodes(records)]
    assert line == [builder.uuid(name) for name in ("hook", "one", "place", "date", "first")]
    assert [record["parentUuid"] for record in nodes(records)] == [None, *line[:-1]]


def test_records_outside_the_tree_and_progress_are_left_behind(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.50").mode().user("one", name="one").queue("enqueue", "x")
    builder.progress("hook_progress", {"hookEvent": "Stop"}).assistant("first").api_request()

    _, records = forked(shelf, environment, builder, "one")

    kinds = [record["type"] for record in records]
    assert kinds == ["user", "assistant", "custom-title", "last-prompt"]


def test_what_comes_after_the_point_is_left_behind(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one").assistant("first").stop_hooks("lint").turn_duration()

    _, records = forked(shelf, environment, builder, "one")

    assert [record["type"] for record in nodes(records)] == ["user", "assistant"]


def test_a_compaction_starts_anew_and_its_past_comes_along(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.325").user("one").assistant("first").user("two")
    builder.assistant("second").compact("SUM", keep=2, name="sum").user("three").assistant("third")

    plan, records = forked(shelf, environment, builder, "three")

    boundary = next(r for r in records if r.get("subtype") == "compact_boundary")
    assert boundary["parentUuid"] is None
    assert boundary["compactMetadata"] == builder.record_of("sum.boundary")["compactMetadata"]
    there = {record["uuid"] for record in nodes(records)}
    assert set(boundary["compactMetadata"]["preservedMessages"]["uuids"]) <= there
    assert plan.resume_view is not None
    assert (plan.resume_view.turns, plan.resume_view.summarized, plan.resume_view.preserved) == (
        1,
        2,
        2,
    )


def test_messages_kept_from_another_branch_come_along_beside_the_line(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.325").user("one").assistant("first", name="first")
    builder.user("left").assistant("behind", name="behind").at("first").user("two")
    builder.assistant("second").compact("SUM", keep=["behind"], name="sum").user("three")
    builder.assistant("third")

    _, records = forked(shelf, environment, builder, "three")

    kept = next(r for r in records if r.get("uuid") == builder.uuid("behind"))
    boundary = next(r for r in records if r.get("subtype") == "compact_boundary")
    assert records.index(kept) < records.index(boundary)
    assert builder.uuid("behind") not in {record["parentUuid"] for record in nodes(records)}


def test_a_fork_before_a_compaction_knows_nothing_of_it(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = (
        session().user("one").assistant("first").compact("SUM").user("two").assistant("second")
    )

    plan, records = forked(shelf, environment, builder, "one")

    assert [record["type"] for record in nodes(records)] == ["user", "assistant"]
    assert plan.resume_view is not None
    assert (plan.resume_view.turns, plan.resume_view.compactions) == (1, 0)


def test_a_fork_of_a_branch_that_left_before_a_compaction_knows_nothing_of_it(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.150").user("one").assistant("first", name="first")
    builder.compact("SUM").user("two").assistant("second")
    builder.at("first").user("three", name="three").assistant("third", name="third")

    _, records = forked(shelf, environment, builder, "three")

    assert [r["uuid"] for r in nodes(records)][2:] == [builder.uuid("three"), builder.uuid("third")]
    assert len(nodes(records)) == 4


def test_a_fork_of_a_branch_on_a_kept_message_has_the_summary(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.325").user("one").assistant("first", name="first")
    builder.compact("SUM", keep=["first"], name="sum").user("two").assistant("second")
    builder.at("first").user("three", name="three").assistant("third", name="third")

    _, records = forked(shelf, environment, builder, "three")

    names = ["sum.boundary", "sum", "three", "third"]
    assert [r["uuid"] for r in nodes(records)][2:] == [builder.uuid(name) for name in names]
    assert nodes(records)[4]["parentUuid"] == builder.uuid("sum")


def test_an_old_summary_stays_the_beginning_of_what_is_sent(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="1.0.80").user("one").assistant("first").compact("SUM", name="sum")
    builder.user("two").assistant("second")

    _, records = forked(shelf, environment, builder, "two")

    summary = next(r for r in records if r.get("isCompactSummary"))
    assert summary["parentUuid"] is None
    assert len(nodes(records)) == 5


def test_agents_inside_the_file_stay_behind(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = session(version="2.0.14").user("one").agent("Explore", "look", layout="inline")
    builder.assistant("done")

    plan, records = forked(shelf, environment, builder, "one")

    assert not any(record.get("isSidechain") for record in records)
    assert plan.resume_view is not None
    assert plan.resume_view.agents == 1


def test_an_answer_that_the_clients_walk_would_miss_is_in_it(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.79").user("one", name="one").assistant("first", name="first")
    builder.at("one").progress("hook_progress", {"hookEvent": "Stop"}).user("two").assistant(
        "second"
    )

    plan, _ = forked(shelf, environment, builder, "two")

    assert ("assistant", "first") in texts(read_session(plan.path or ""))


def test_kinds_nobody_knows_hang_beside_the_line(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one").node("frame", name="odd").assistant("first").user("two")
    builder.assistant("second")

    _, records = forked(shelf, environment, builder, "two")

    parents = {record["parentUuid"] for record in nodes(records)}
    assert "frame" in [record["type"] for record in records]
    assert builder.uuid("odd") not in parents


def test_the_file_is_private_and_nothing_else_changes(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    file = shelf.put(long_talk(session()))
    before = shelf.look()

    plan = travel.fork(file, "two", environment=environment)
    assert shelf.look() == before
    travel.apply(plan, environment)

    after = shelf.look()
    assert after.pop(plan.path or "")[0] & 0o7777 == 0o600
    assert after == before


def test_a_fork_for_another_folder_goes_to_its_project(
    shelf: Shelf, environment: TravelEnvironment, tmp_path: Path
) -> None:
    file = shelf.put(long_talk(session()))
    project = tmp_path / "other place"
    project.mkdir()

    plan = travel.fork(file, "two", cwd=project, environment=environment)
    travel.apply(plan, environment)

    folder = shelf.folder / "projects" / encode_cwd(str(project))
    assert Path(plan.path or "").parent == folder
    assert isinstance(plan.steps[0], MakeFolder)
    assert read_session(plan.path or "").cwd == str(project)


def test_damage_on_the_way_does_not_come_along(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one").malformed_line().nul().blank().assistant("first").user("two")
    builder.assistant("second").tear_line()

    plan, records = forked(shelf, environment, builder, "one")

    assert len(nodes(records)) == 2
    assert read_session(plan.path or "").bad_lines == []


def test_the_plan_holds_the_very_bytes_that_are_written(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    plan = travel.fork(shelf.put(long_talk(session())), "two", environment=environment)
    travel.apply(plan, environment)

    [step] = plan.steps
    assert isinstance(step, Create)
    assert Path(plan.path or "").read_bytes() == step.data


@pytest.mark.parametrize("version", ["1.0.51", "1.0.128", "2.0.76", "2.1.50", "2.1.118", "2.1.325"])
def test_sessions_of_every_age_can_be_forked(
    shelf: Shelf, environment: TravelEnvironment, version: str
) -> None:
    plan, _ = forked(shelf, environment, long_talk(session(version=version)), "three")

    assert texts(read_session(plan.path or ""))[-1] == ("assistant", "third")


def test_a_fork_after_a_command_is_named_as_the_command_was_typed(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one").assistant("first")
    builder.skill("review", "src/import", "Look at it.").assistant("looked", name="tip")

    plan, records = forked(shelf, environment, builder, builder.uuid("tip"))

    titles = [r["customTitle"] for r in records if r["type"] == "custom-title"]
    assert titles == ["/review src/import (fork)"]
    assert plan.headline.endswith('after "/review src/import"')


def test_the_real_last_answer_of_a_session_with_hooks_can_be_forked_at(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session(version="2.1.150").user("one").assistant("first", name="first")
    builder.hook("Stop", "lint").meta("Continue from where you left off.").synthetic_answer()
    builder.user("two").assistant("second")

    plan, records = forked(shelf, environment, builder, builder.uuid("first"))

    assert plan.point is not None
    assert plan.point.uuid == builder.uuid("first")
    assert nodes(records)[-1]["uuid"] == builder.uuid("first")


@pytest.mark.parametrize("shown", ["attachment", "nowhere", "prompt"])
def test_a_fork_promises_as_many_turns_as_its_file_is_counted_to_have(
    shelf: Shelf, environment: TravelEnvironment, shown: str
) -> None:
    builder = session().user("one").assistant("first").command("/model")
    builder.user("two").tool("Bash", {}, "x").queued("hurry", shown=shown).assistant("second")
    builder.user("three").assistant("third")

    plan, _ = forked(shelf, environment, builder, "-1")

    view = plan.resume_view
    assert view is not None
    assert view.turns == read_session(plan.path or "").conversation().turn_count
    assert len(view.prompts) == view.turns
