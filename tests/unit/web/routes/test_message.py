"""What hangs on a message: records, pictures, kept outputs."""

from pathlib import Path

import pytest

from bough.errors import NotFound
from bough.sample import session
from bough.sample.data.blocks import image, text
from bough.web.routes.message import get_output, get_picture, get_raw_records
from bough.web.state import AppState
from bough.web.wire.pieces import OutputQuery, PictureQuery, RawQuery
from tests.conftest import Home

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
TEXT = "żółw " * 1_000


@pytest.fixture
def state(home: Home) -> AppState:
    draft = session("kept", session_id="kept")
    draft.user([text("look"), image(PNG), image(SVG), image(b"GIF89a..")])
    draft.assistant("I see").big_result("Bash", {"command": "x"}, TEXT)
    with home.writing():
        draft.assistant("done").write(home.path)
    state = AppState([str(home.path)])
    state.ready = True
    return state


def kept_name(state: AppState) -> str:
    (place,) = Path(state.session_ids.find("kept").path).with_suffix("").rglob("*.txt")
    return place.name


def test_a_picture_is_served_as_what_it_is(state: AppState) -> None:
    assert get_picture(state, "kept", PictureQuery(0, 0)).media_type == "image/png"
    assert get_picture(state, "kept", PictureQuery(0, 0)).data == PNG
    assert get_picture(state, "kept", PictureQuery(0, 2)).media_type == "image/gif"


@pytest.mark.parametrize("query", [PictureQuery(0, 1), PictureQuery(0, 9), PictureQuery(7, 0)])
def test_what_is_no_picture_is_not_served(state: AppState, query: PictureQuery) -> None:
    with pytest.raises(NotFound):
        get_picture(state, "kept", query)


def test_stretches_of_an_output_together_are_the_output(state: AppState) -> None:
    name = kept_name(state)
    found, at = "", 0
    while True:
        answer = get_output(state, "kept", OutputQuery(name, at, 997))
        found += answer.text
        assert answer.from_ == at < answer.to <= answer.bytes
        at = answer.to
        if at == answer.bytes:
            break

    assert found == TEXT


@pytest.mark.parametrize("name", ["", "..", "../kept.jsonl", "/etc/passwd", "kept.jsonl", "x\0"])
def test_only_names_that_calls_give_are_known(state: AppState, name: str) -> None:
    with pytest.raises(NotFound):
        get_output(state, "kept", OutputQuery(name))


def test_a_link_leads_nowhere(state: AppState, home: Home, tmp_path: Path) -> None:
    name = kept_name(state)
    (place,) = Path(state.session_ids.find("kept").path).with_suffix("").rglob("*.txt")
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    with home.writing():
        place.unlink()
        place.symlink_to(secret)

    with pytest.raises(NotFound):
        get_output(state, "kept", OutputQuery(name))


def test_a_message_of_several_lines_gives_all_of_them(home: Home) -> None:
    draft = session("lines", session_id="lines").user("go")
    draft.thinking("hm").continue_message("one").continue_message("two")
    with home.writing():
        path = draft.write(home.path)
    state = AppState([str(home.path)])
    state.ready = True
    lines = path.read_bytes().splitlines()

    uuid = draft.uuid(-1)
    found = get_raw_records(state, "lines", RawQuery(uuid)).records

    assert [record.json.encode() for record in found] == lines[1:]
    assert [record.line for record in found] == [2, 3, 4]


def test_a_bad_line_is_found_by_its_place(home: Home) -> None:
    draft = session("bad", session_id="bad").user("go").malformed_line()
    with home.writing():
        path = draft.write(home.path)
    state = AppState([str(home.path)])
    state.ready = True
    offset = path.read_bytes().index(b"\n") + 1

    (found,) = get_raw_records(state, "bad", RawQuery(offset=offset)).records

    assert found.offset == offset
