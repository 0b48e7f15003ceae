from pathlib import Path

from bough.sample import session


def test_a_session_is_written_where_its_client_would_put_it(tmp_path: Path) -> None:
    builder = session(cwd="/home/dev/my_app").user("hi")

    path = builder.write(tmp_path)

    assert path == tmp_path / "projects" / "-home-dev-my-app" / f"{builder.session_id}.jsonl"
    assert path.read_bytes() == builder.bytes()


def test_companions_are_written_beside_it(tmp_path: Path) -> None:
    builder = session().user("hi").agent("Explore", "look", agent_id="a1").title("x", sidecar=True)

    folder = builder.write(tmp_path).parent

    written = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert written == {str(Path(place)) for place in builder.files()}


def test_companions_can_be_left_without_their_session(tmp_path: Path) -> None:
    builder = session().user("hi").agent("Explore", "look", agent_id="a1")

    folder = builder.write_companions(tmp_path)

    assert not (folder / f"{builder.session_id}.jsonl").exists()
    assert (folder / builder.session_id / "subagents" / "agent-a1.jsonl").exists()


def test_the_folder_and_the_id_can_be_chosen(tmp_path: Path) -> None:
    path = session(session_id="s1", project="odd").user("hi").write(tmp_path)

    assert path == tmp_path / "projects" / "odd" / "s1.jsonl"
