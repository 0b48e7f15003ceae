"""Time travel over HTTP: a preview, its digest, and what then lies on the disk, byte for byte."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import msgspec
import pytest

from bough import library
from bough.sample import session
from tests.web.serving import Served
from tests.web.travels import PROMPTS, find_file, list_files, rest, write_history
from tests.web_api.asking import ask


@pytest.fixture
def travelled(tmp_path: Path, nobodys_home: Path) -> Iterator[Served]:
    with Served(write_history(tmp_path), tmp_path) as server:
        yield server


def preview(server: Served, operation: str, file: Path | None = None, **more: object) -> Any:
    session = {} if file is None else {"session": file.stem}
    body = {"operation": operation, **session, **more}
    answer = server.post("/api/travel/preview", body)
    assert (answer["preview"] is None) != (answer["refusal"] is None)
    return answer["preview"] or answer["refusal"]


def carry_out(server: Served, shown: Any) -> Any:
    named = {"plan": shown["plan"], "digest": shown["digest"]}
    return server.post("/api/travel/apply", named)


def refused(server: Served, shown: Any) -> tuple[int, Any]:
    with pytest.raises(HTTPError) as caught:
        carry_out(server, shown)
    return caught.value.code, msgspec.json.decode(caught.value.read())


def prompt(file: Path, number: int) -> str:
    """Give the uuid of a prompt of a session."""
    texts = [m for m in library.read_session(file).conversation().messages if m.kind == "prompt"]
    return texts[number].uuid or ""


def test_a_fork_writes_what_its_preview_says_and_undo_removes_it(travelled: Served) -> None:
    file = find_file(travelled.claude, "plain")
    before = list_files(travelled.claude)

    shown = preview(travelled, "fork", file, at=prompt(file, 1), title="From the second turn")
    assert list_files(travelled.claude) == before
    done = carry_out(travelled, shown)

    after = list_files(travelled.claude)
    new = set(after) - set(before)
    assert {name: after[name] for name in before} == before
    assert [Path(name).stem for name in new] == [done["session"]]
    forked = library.read_session(file.with_name(f"{done['session']}.jsonl"))
    assert forked.title == "From the second turn" == shown["title"]
    asked = [one.text for one in forked.conversation().messages if one.kind == "prompt"]
    assert asked == shown["prompts"] == list(PROMPTS[:2])
    written = b"".join(f"{line[1:]}\n".encode() for line in shown["diff"] if line[:1] == "+")
    assert after[next(iter(new))] == written.partition(b"\n")[2]
    assert done["session"] in done["resume"]

    taken_back = carry_out(travelled, preview(travelled, "undo"))
    assert list_files(travelled.claude) == before
    assert taken_back["session"] is None


def test_a_fork_into_another_folder_is_named_and_written_there(travelled: Served) -> None:
    file, there = find_file(travelled.claude, "plain"), travelled.folder / "there"
    there.mkdir()

    shown = preview(travelled, "fork", file, at=prompt(file, 0), cwd=str(there))
    named = next(row["text"] for row in shown["rows"] if row["label"] == "Folder")
    assert named.endswith("/there, where it will be resumed")
    done = carry_out(travelled, shown)

    forked = library.read_session(done["session"], claude_dir=travelled.claude)
    assert forked.cwd == str(there)
    assert Path(forked.path or "").parent != file.parent
    assert str(there) in done["resume"]

    for wrong, why in (
        ("nowhere", "is not a full path"),
        (str(there / "gone"), "There is no folder"),
    ):
        refusal = preview(travelled, "fork", file, at=prompt(file, 0), cwd=wrong)
        assert why in refusal["message"]


def test_goto_adds_the_lines_that_were_shown_and_undo_gives_the_bytes_back(
    travelled: Served,
) -> None:
    file = find_file(travelled.claude, "plain")
    before = list_files(travelled.claude)

    shown = preview(travelled, "goto", file, at=prompt(file, 0))
    done = carry_out(travelled, shown)

    data = file.read_bytes()
    old = before[str(file.relative_to(travelled.claude))]
    added = [line[1:] for line in shown["diff"] if line.startswith("+{")]
    assert data == old + "".join(f"{line}\n" for line in added).encode()
    turns = library.read_session(file).conversation().messages
    assert [one.text for one in turns if one.kind == "prompt"] == [PROMPTS[0]]

    carry_out(travelled, preview(travelled, "undo", number=done["number"]))
    assert list_files(travelled.claude) == before


def test_rename_and_repair_write_what_was_shown(travelled: Served) -> None:
    plain, torn = (find_file(travelled.claude, name) for name in ("plain", "torn"))
    before = plain.read_bytes()

    carry_out(travelled, preview(travelled, "rename", plain, title="Orders, counted"))
    assert plain.read_bytes().startswith(before)
    assert library.read_session(plain).title == "Orders, counted"

    damaged = torn.read_bytes()
    copied = carry_out(travelled, preview(travelled, "repair", torn))
    assert torn.read_bytes() == damaged
    copy = library.read_session(torn.with_name(f"{copied['session']}.jsonl"))
    assert [one for one in copy.health.findings if one.severity == "problem"] == []

    carry_out(travelled, preview(travelled, "repair", torn, in_place=True))
    assert library.read_session(torn).health.findings == []
    carry_out(travelled, preview(travelled, "undo"))
    assert torn.read_bytes() == damaged


def test_a_file_that_changed_since_makes_a_new_preview_and_writes_nothing(
    travelled: Served,
) -> None:
    file = find_file(travelled.claude, "plain")
    shown = preview(travelled, "goto", file, at=prompt(file, 0))
    data = file.read_bytes()
    file.write_bytes(data + b'{"type":"summary","summary":"late","leafUuid":"x"}\n')
    rest(file)
    now = list_files(travelled.claude)

    status, answer = refused(travelled, shown)

    assert (status, answer["error"]["code"]) == (409, "file_changed")
    assert "1 new line" in answer["error"]["message"]
    assert list_files(travelled.claude) == now
    again = answer["preview"]
    assert again["digest"] != shown["digest"]
    carry_out(travelled, again)
    assert file.read_bytes().startswith(now[str(file.relative_to(travelled.claude))])


def test_a_plan_is_carried_out_once_and_only_with_the_digest_of_what_was_shown(
    travelled: Served,
) -> None:
    file = find_file(travelled.claude, "plain")
    before = list_files(travelled.claude)
    shown = preview(travelled, "fork", file, at=prompt(file, 0))

    for wrong in ({**shown, "digest": "0" * 64}, {**shown, "plan": "nobody"}):
        status, answer = refused(travelled, wrong)
        assert (status, answer["error"]["code"]) == (409, "preview_gone")
    assert list_files(travelled.claude) == before

    shown = preview(travelled, "fork", file, at=prompt(file, 0))
    carry_out(travelled, shown)
    after = list_files(travelled.claude)
    assert refused(travelled, shown)[0] == 409
    assert list_files(travelled.claude) == after


def test_one_change_at_a_time(travelled: Served) -> None:
    file = find_file(travelled.claude, "plain")
    carry_out(travelled, preview(travelled, "rename", file, title="First"))
    shown = preview(travelled, "rename", file, title="Second")
    before = list_files(travelled.claude)

    with (travelled.folder / "data" / "bough" / "timetravel.lock").open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, answer = refused(travelled, shown)
        assert (status, answer["error"]["code"]) == (409, "busy")
        assert list_files(travelled.claude) == before

    carry_out(travelled, shown)
    assert library.read_session(file).title == "Second"


def test_what_is_refused_says_why_and_offers_what_is_safe(travelled: Served) -> None:
    compacted, plain = (find_file(travelled.claude, name) for name in ("compacted", "plain"))

    unsafe = preview(travelled, "goto", compacted, at=prompt(compacted, 0))
    assert (unsafe["code"], unsafe["offers"]) == ("goto_unsafe", ["fork"])
    assert "bough fork" not in unsafe["message"]
    assert preview(travelled, "fork", compacted, at=prompt(compacted, 0))["plan"]

    plain.touch()
    fresh = preview(travelled, "rename", plain, title="Now")
    assert (fresh["code"], fresh["offers"]) == ("session_maybe_open", ["force"])
    assert "--force" not in fresh["message"]
    assert preview(travelled, "rename", plain, title="Now", force=True)["plan"]
    rest(plain)

    assert preview(travelled, "repair", plain)["code"] == "already_there"
    assert preview(travelled, "rename", plain, title=" ")["code"] == "already_there"
    assert preview(travelled, "undo")["code"] == "operation_not_found"
    assert preview(travelled, "fork", plain, at="no such message")["code"] == "point_not_found"


def test_a_session_that_a_client_has_open_is_forked_and_not_changed(travelled: Served) -> None:
    file = find_file(travelled.claude, "plain")
    entry = {"pid": os.getpid(), "sessionId": file.stem, "status": "idle"}
    (travelled.claude / "sessions").mkdir()
    place = travelled.claude / "sessions" / f"{os.getpid()}.json"
    place.write_bytes(msgspec.json.encode(entry))

    for force in (False, True):
        open_ = preview(travelled, "goto", file, at=prompt(file, 0), force=force)
        assert (open_["code"], open_["offers"]) == ("session_open", ["fork"])
        assert str(os.getpid()) in open_["message"]
    assert preview(travelled, "rename", file, title="x", force=True)["offers"] == []
    before = file.read_bytes()
    carry_out(travelled, preview(travelled, "fork", file, at=prompt(file, 0)))
    assert file.read_bytes() == before

    # One that is opened after the preview is found when it is to be carried out.
    place.unlink()
    shown = preview(travelled, "goto", file, at=prompt(file, 0))
    place.write_bytes(msgspec.json.encode(entry))
    status, answer = refused(travelled, shown)
    assert (status, answer["error"]["code"]) == (409, "session_open")
    assert file.read_bytes() == before


def test_a_preview_names_the_turns_beside_it(travelled: Served) -> None:
    file = find_file(travelled.claude, "plain")
    first, second, third = (prompt(file, number) for number in range(3))

    shown = preview(travelled, "fork", file, at=second)["point"]

    assert (shown["earlier"], shown["later"]) == (first, third)
    shown = preview(travelled, "fork", file, at=third)["point"]
    assert (shown["earlier"], shown["later"]) == (second, None)
    assert not shown["is_before_unfinished"]


def test_a_turn_that_has_not_ended_is_no_turn_to_move_to(travelled: Served) -> None:
    unfinished = session("unfinished").user("Begin").assistant("Begun.").user("Run it")
    file = unfinished.tool("Bash", {"command": "ls"}, None).write(travelled.claude)
    listed = "/api/sessions?limit=100"
    travelled.until(lambda: any(one["id"] == file.stem for one in travelled.get(listed)["rows"]))

    shown = preview(travelled, "fork", file, at=prompt(file, 1))["point"]

    assert shown["text"] == "Begin"
    assert (shown["earlier"], shown["later"]) == (None, None)
    assert shown["is_before_unfinished"]


def test_the_history_lists_what_was_done_and_what_can_be_undone(travelled: Served) -> None:
    file = find_file(travelled.claude, "plain")
    carry_out(travelled, preview(travelled, "rename", file, title="Renamed"))
    carry_out(travelled, preview(travelled, "undo"))

    listed = travelled.get("/api/travel/history")

    assert [one["operation"] for one in listed["operations"]] == ["undo", "rename"]
    assert [one["can_undo"] for one in listed["operations"]] == [True, False]
    assert listed["operations"][1]["undone_by"] == listed["operations"][0]["number"]
    assert listed["operations"][1]["session"] == file.stem
    assert listed["total"] == 2


def test_a_session_says_what_is_wrong_and_how_it_is_repaired(travelled: Served) -> None:
    file = find_file(travelled.claude, "torn")
    wanted = library.doctor(file)

    found = travelled.get(f"/api/sessions/{file.stem}/health")

    assert [one["message"] for one in found["findings"]] == [f.message for f in wanted.findings]
    assert found["is_repairable"]
    assert any(one["repair"] for one in found["findings"])
    plain = find_file(travelled.claude, "plain")
    assert travelled.get(f"/api/sessions/{plain.stem}/health")["findings"] == []


def test_all_sessions_are_looked_through_when_asked(travelled: Served) -> None:
    assert travelled.get("/api/health")["state"] == "none"

    travelled.post("/api/health")
    travelled.until(lambda: travelled.get("/api/health")["state"] == "ready")

    found = travelled.get("/api/health")
    assert (found["checked"], found["total"], found["problems"]) == (3, 3, 1)
    torn = find_file(travelled.claude, "torn")
    assert found["sessions"][0]["id"] == torn.stem
    assert found["sessions"][0]["title"] == "A torn one"

    shown = preview(travelled, "repair", torn, in_place=True)
    carry_out(travelled, shown)
    travelled.post("/api/health")
    travelled.until(lambda: travelled.get("/api/health")["state"] == "ready")
    assert travelled.get("/api/health")["problems"] == 0


@pytest.mark.parametrize("path", ["preview", "apply"])
def test_travelling_takes_the_token_and_our_own_page(travelled: Served, path: str) -> None:
    file = find_file(travelled.claude, "plain")
    shown = preview(travelled, "rename", file, title="Mine")
    before = list_files(travelled.claude)
    bodies = {
        "preview": {"operation": "rename", "session": file.stem, "title": "Theirs"},
        "apply": {"plan": shown["plan"], "digest": shown["digest"]},
    }
    body = msgspec.json.encode(bodies[path])
    line, length = f"POST /api/travel/{path} HTTP/1.1", f"Content-Length: {len(body)}"
    token = f"X-Bough-Token: {travelled.token}"

    assert ask(travelled, line, length, body=body)[0] == 403
    assert ask(travelled, line, length, "X-Bough-Token: no", body=body)[0] == 403
    for origin in ("Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"):
        assert ask(travelled, line, length, token, origin, body=body)[0] == 403
    assert ask(travelled, line.replace("POST", "GET"), token)[0] == 404
    assert list_files(travelled.claude) == before
    own = f"Origin: http://127.0.0.1:{travelled.port}"
    assert ask(travelled, line, length, token, own, body=body)[0] == 200
