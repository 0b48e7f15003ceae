"""Reading a session with everything that lies beside it."""

import os
from pathlib import Path

import msgspec
import pytest

from bough.errors import Unreadable
from bough.model.outline.session_outline import outline_of
from bough.model.tools.calls import ToolBlock
from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from bough.sample.builder.agents import AgentSteps
from tests.conftest import Home


def write(home: Home, *books: SampleSession) -> list[Path]:
    with home.writing() as folder:
        return [builder.write(folder) for builder in books]


def blocks(path: Path) -> list[ToolBlock]:
    messages = read_session(path).conversation().messages
    return [
        block for message in messages for block in message.blocks if isinstance(block, ToolBlock)
    ]


# -- the file itself --------------------------------------------------------------------------


def test_a_session_is_named_by_its_file(home: Home) -> None:
    (path,) = write(home, session().user("a").assistant("b"))

    found = read_session(path)

    assert (found.id, found.path) == (path.stem, str(path))


def test_a_path_may_be_a_string(home: Home) -> None:
    (path,) = write(home, session().user("a"))

    assert read_session(str(path)).id == path.stem


@pytest.mark.parametrize("make", ["missing", "folder", "link"])
def test_what_is_no_file_cannot_be_read(tmp_path: Path, make: str) -> None:
    path = tmp_path / "x.jsonl"
    if make == "folder":
        path.mkdir()
    elif make == "link":
        path.symlink_to(tmp_path / "nowhere")

    with pytest.raises(Unreadable):
        read_session(path)


def test_another_clients_eyes_may_be_asked_for(home: Home) -> None:
    (path,) = write(home, session(version="2.1.250").user("a").assistant("b"))

    assert read_session(path).choice.rule == "last-prompt"
    assert read_session(path, client="2.1.50").choice.rule == "newest-timestamp"


# -- titles -------------------------------------------------------------------------------------


def test_a_title_may_lie_beside_the_file(home: Home) -> None:
    (path,) = write(home, session().user("a").title("in the file").title("beside", sidecar=True))
    with home.writing():
        (path.with_suffix("") / "custom-title.json").write_bytes(b'{"customTitle":"beside"}')

    assert read_session(path).title == "beside"


@pytest.mark.parametrize("broken", [b"", b"{", b"[]", b'{"customTitle":7}', b"\xff"])
def test_a_broken_sidecar_is_no_title(home: Home, broken: bytes) -> None:
    (path,) = write(home, session().user("a"))
    home.add(f"{path.parent.name}/{path.stem}/custom-title.json", broken)

    assert read_session(path).title == "a"


def test_a_title_may_stand_in_a_later_file_of_the_project(home: Home) -> None:
    old = session("old", version="1.0.40").user("a").assistant("b", name="A")
    new = session("new", version="1.0.40").summary("A summary", leaf=old.uuid("A")).user("c")
    path, _ = write(home, old, new)

    assert read_session(path).title == "A summary"


def test_a_file_that_cannot_be_read_hides_no_title(home: Home) -> None:
    old = session("old", version="1.0.40").user("a").assistant("b")
    (path,) = write(home, old)
    with home.writing():
        (path.parent / "z.jsonl").mkdir()
        (path.parent / "y.jsonl").symlink_to(path.parent / "nowhere")

    assert read_session(path).title == "a"


# -- large outputs -------------------------------------------------------------------------------


def test_a_large_output_is_found_in_the_own_folder(home: Home) -> None:
    (path,) = write(home, session().user("a").big_result("Bash", {}, "x" * 9_000))

    (block,) = blocks(path)

    assert block.result is not None
    assert block.result.persisted is not None
    assert Path(block.result.persisted).read_text(encoding="utf-8") == "x" * 9_000
    assert Path(block.result.persisted).parent == path.with_suffix("") / "tool-results"


def test_a_fork_names_the_outputs_of_its_origin(home: Home) -> None:
    origin = session("origin").user("a").big_result("Bash", {}, "x" * 9_000).assistant("b")
    fork = origin.fork(seed="fork").user("c")
    _, path = write(home, origin, fork)

    (block,) = blocks(path)

    assert block.result is not None
    assert block.result.persisted is not None
    assert origin.session_id in block.result.persisted


@pytest.mark.parametrize("layout", ["folder", "workflow"])
def test_an_agents_outputs_lie_in_the_sessions_folder(home: Home, layout: str) -> None:
    def work(child: AgentSteps) -> object:
        return child.big_result("Bash", {}, "x" * 9_000)

    (path,) = write(home, session().user("a").agent("Explore", "look", work=work, layout=layout))
    (agent,) = read_session(path).agents

    through_session = [
        b for t in agent.conversation().messages for b in t.blocks if b.type == "tool"
    ]
    assert agent.path is not None
    alone = blocks(Path(agent.path))

    for block in (*through_session, *alone):
        assert isinstance(block, ToolBlock)
        assert block.result is not None
        assert block.result.persisted is not None
        assert Path(block.result.persisted).parent == path.with_suffix("") / "tool-results"


def test_no_path_outside_the_project_is_ever_named(home: Home, tmp_path: Path) -> None:
    secret = tmp_path / "s" / "tool-results" / "secret.txt"
    secret.parent.mkdir(parents=True)
    secret.write_text("secret", encoding="utf-8")
    words = f"<persisted-output>\nFull output saved to: {secret}\n\nPreview"
    (path,) = write(home, session().user("a").tool("Bash", {}, words))

    (block,) = blocks(path)

    assert block.result is not None
    assert block.result.persisted is None


# -- agents --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "layout"),
    [("2.0.14", "inline"), ("2.0.60", "flat"), ("2.1.20", "subagents"), ("2.1.250", "subagents")],
)
def test_agents_of_every_layout_are_read_with_their_session(
    home: Home, version: str, layout: str
) -> None:
    (path,) = write(home, session(version=version).user("a").agent("Explore", "look"))

    (agent,) = read_session(path).agents

    assert agent.layout == layout
    assert agent.link is not None


def test_an_agent_that_lies_loose_belongs_to_the_session_it_names(home: Home) -> None:
    one = session("one", version="2.0.60").user("a").agent("Explore", "look")
    two = session("two", version="2.0.60").user("b").agent("Plan", "think")
    first, second = write(home, one, two)

    assert [agent.type for agent in read_session(first).agents] == ["Explore"]
    assert [agent.type for agent in read_session(second).agents] == ["Plan"]


def test_a_journal_is_no_agent(home: Home) -> None:
    builder = session().user("a").agent("Explore", "look", layout="workflow")
    (path,) = write(home, builder)

    assert len(read_session(path).agents) == 1


def nested(version: str) -> SampleSession:
    def inner(child: AgentSteps) -> object:
        return child.agent("Explore", "inner", agent_id="a2", answer="deep")

    return session(version=version).user("go").agent("Plan", "outer", agent_id="a1", work=inner)


@pytest.mark.parametrize("version", ["2.0.60", "2.1.250"])
def test_an_agents_own_file_can_be_read_and_its_sidechain_is_its_main_line(
    home: Home, version: str
) -> None:
    (path,) = write(home, nested(version))
    outer = next(agent for agent in read_session(path).agents if agent.id == "a1")

    alone = read_session(outer.path or "")

    assert alone.id == "agent-a1"
    assert [message.kind for message in alone.conversation().messages] == ["prompt", "assistant"]
    assert [agent.id for agent in alone.agents] == ["a2"]
    assert alone.title == "outer. Answer in a few sentences."


def test_an_agents_file_without_its_session_can_be_read(home: Home) -> None:
    with home.writing() as folder:
        builder = nested("2.1.250")
        place = builder.write_companions(folder)

    (first,) = place.glob("*/subagents/agent-a1.jsonl")

    assert [agent.id for agent in read_session(first).agents] == ["a2"]


@pytest.mark.parametrize("broken", [b"", b"{", b"[]", b'{"toolUseId":7,"agentType":"Plan"}'])
def test_a_broken_description_does_not_lose_an_agent(home: Home, broken: bytes) -> None:
    (path,) = write(home, session().user("a").agent("Explore", "look", agent_id="a1"))
    home.add(f"{path.parent.name}/{path.stem}/subagents/agent-a1.meta.json", broken)

    (agent,) = read_session(path).agents

    assert agent.link is not None
    assert agent.link.known_by == "result"


def test_an_agent_that_cannot_be_read_is_left_out(home: Home) -> None:
    (path,) = write(home, session().user("a").agent("Explore", "look", agent_id="a1"))
    with home.writing():
        (path.with_suffix("") / "subagents" / "agent-a2.jsonl").mkdir()
        (path.with_suffix("") / "subagents" / "agent-a3.jsonl").symlink_to(path.parent / "nowhere")

    assert [agent.id for agent in read_session(path).agents] == ["a1"]


def test_agents_are_not_read_before_they_are_asked_for(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = write(home, session().user("a").agent("Explore", "look").assistant("b"))
    found = read_session(path)
    with home.writing():
        for agent in path.with_suffix("").rglob("agent-*"):
            agent.unlink()

    assert found.title == "a"
    assert found.tips
    assert found.agents == []


# -- origin --------------------------------------------------------------------------------------


def test_a_session_knows_what_it_was_forked_from(home: Home) -> None:
    origin = session("origin").user("a").assistant("b")
    fork = origin.fork(seed="fork").user("c")
    first, second = write(home, origin, fork)

    assert read_session(first).origin is None
    found = read_session(second).origin
    assert found is not None
    assert (found.session, found.shared, found.how) == (origin.session_id, 2, "fork")


# -- while a client has it open -------------------------------------------------------------------


def rewound() -> SampleSession:
    """Tell a session that was rewound; the pointer still names the line that was left."""
    builder = session(version="2.1.250").user("one").assistant("a", name="a")
    builder.user("two").assistant("b", name="left").last_prompt("two", "left")
    return builder.at("a").user("three").assistant("c", name="live")


def register(home: Home, session_id: str) -> None:
    """Leave the note of a client that runs: of this process."""
    note = {"pid": os.getpid(), "sessionId": session_id}
    with home.writing() as folder:
        (folder / "sessions").mkdir()
        (folder / "sessions" / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(note))


def test_the_line_of_a_client_that_has_the_session_open_is_the_active_one(home: Home) -> None:
    builder = rewound()
    (path,) = write(home, builder)
    assert read_session(path).active_tip == builder.uuid("left")

    register(home, path.stem)

    read = read_session(path)
    assert read.active_tip == builder.uuid("live")
    assert [b.active for b in outline_of(read).branches] == [True]
    assert read.health.reachability == 1.0


def test_a_client_that_has_another_session_open_changes_nothing(home: Home) -> None:
    builder = rewound()
    (path,) = write(home, builder)

    register(home, "another")

    assert read_session(path).active_tip == builder.uuid("left")


def test_who_asks_for_another_client_is_told_what_that_would_resume(home: Home) -> None:
    builder = rewound()
    (path,) = write(home, builder)
    register(home, path.stem)

    assert read_session(path, client="2.1.325").active_tip == builder.uuid("left")
