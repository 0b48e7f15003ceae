"""What the store tells about behaviour: scopes, and everything that was copied once."""

from datetime import UTC, datetime
from pathlib import Path

from bough.sample import SampleSession, session
from bough.store.stats_protocol import StatsScope
from tests.indexed import indexed

EVERYTHING = StatsScope()
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
LATER = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def busy(seed: str = "busy", **facts: object) -> SampleSession:
    """Make a session in which a bit of everything happened."""
    made = session(seed, start=START, **facts)  # type: ignore[arg-type]
    made.user("fix it").retry().thinking("hm").tool("Read", {"file_path": "/a.py"}, "text")
    made.tool("Bash", {"command": "ls"}, "no", is_error=True).interrupt()
    return made.user("go on").compact().assistant("done").api_error()


def test_a_resumed_copy_is_the_same_calls_at_the_time_they_were_made(tmp_path: Path) -> None:
    first = busy(version="1.0.100")
    again = (
        first.resume_in_new_file(moment=LATER).user("more").tool("Bash", {"command": "pwd"}, "/")
    )

    with indexed(tmp_path, first, again) as index:
        behaviour = index.store.behaviour()
        calls = list(behaviour.calls(EVERYTHING))
        late = list(behaviour.calls(StatsScope(since="2026-02-01T00:00:00.000Z")))

    assert sorted(call.name for call in calls) == ["Bash", "Bash", "Read"]
    assert [call.session for call in calls if call.name == "Read"] == [first.session_id]
    assert [(call.name, call.session) for call in late] == [("Bash", again.session_id)]


def test_a_fork_doubles_nothing(tmp_path: Path) -> None:
    first = busy()
    with indexed(tmp_path / "one", first) as index:
        alone = _counts(index.store.behaviour())

    with indexed(tmp_path / "two", first, first.fork_session()) as index:
        both = _counts(index.store.behaviour())

    assert both == alone
    assert all(alone.values()), alone


def test_a_session_can_be_asked_about_alone_with_what_was_copied_into_it(tmp_path: Path) -> None:
    first = busy()
    copy = first.fork_session().tool("Grep", {"pattern": "x"}, "")

    with indexed(tmp_path, first, copy) as index:
        calls = list(index.store.behaviour().calls(StatsScope(session=copy.session_id)))

    assert sorted(call.name for call in calls) == ["Bash", "Grep", "Read"]
    assert {call.session for call in calls} == {copy.session_id}


def test_projects_narrow_the_question(tmp_path: Path) -> None:
    here, there = busy("here", cwd="/home/dev/here"), busy("there", cwd="/home/dev/there")

    with indexed(tmp_path, here, there) as index:
        number = next(p.id for p in index.store.projects() if p.name == "there")
        troubles = list(index.store.behaviour().troubles(StatsScope(projects=(number,))))
        nowhere = list(index.store.behaviour().troubles(StatsScope(projects=())))

    assert {trouble.session for trouble in troubles} == {there.session_id}
    assert nowhere == []


def test_a_call_without_a_result_is_told_without_one(tmp_path: Path) -> None:
    made = session().user("hi").tool("Bash", {"command": "sleep"}, None)

    with indexed(tmp_path, made) as index:
        (call,) = index.store.behaviour().calls(EVERYTHING)

    assert (call.name, call.failed, call.ended) == ("Bash", None, None)


def test_the_copies_of_an_agents_records_are_no_calls_of_their_own(tmp_path: Path) -> None:
    made = session(version="2.1.50").user("look")
    made.agent("Explore", "look", echoed=True, work=lambda it: it.tool("Grep", {"pattern": "x"}))

    with indexed(tmp_path, made) as index:
        names = sorted(call.name for call in index.store.behaviour().calls(EVERYTHING))

    assert names == ["Grep", "Task"]


def test_an_agent_whose_file_is_gone_still_tells_of_its_calls(tmp_path: Path) -> None:
    made = session(version="2.1.50").user("look")
    made.agent("Explore", "look", echoed=True, work=lambda it: it.tool("Grep", {"pattern": "x"}))
    made.agent_files.clear()

    with indexed(tmp_path, made) as index:
        calls = {call.name: call for call in index.store.behaviour().calls(EVERYTHING)}

    assert calls["Grep"].failed == 0


def test_prompts_are_those_of_people(tmp_path: Path) -> None:
    made = session().user("one").assistant("yes").queued_command("two").command("/clear")
    made.notification("b1", "done").agent("Explore", "look")

    with indexed(tmp_path, made) as index:
        prompts = list(index.store.behaviour().prompts(EVERYTHING))

    assert len(prompts) == 3


def test_what_is_deleted_still_counts(tmp_path: Path) -> None:
    made = busy()
    with indexed(tmp_path, made) as index:
        before = _counts(index.store.behaviour())
    for path in (tmp_path / "claude" / "projects").rglob("*.jsonl"):
        path.unlink()

    with indexed(tmp_path) as index:
        after = _counts(index.store.behaviour())

    assert after == before | {"touches": 0}


def _counts(behaviour: object) -> dict[str, int]:
    names = ("calls", "troubles", "answers", "compactions", "touches", "prompts")
    return {name: len(list(getattr(behaviour, name)(EVERYTHING))) for name in names}
