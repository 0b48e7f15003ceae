"""A conversation, asked for piece by piece."""

import pytest

from bough.sample import session
from bough.web.responses import ApiError
from bough.web.routes.conversation import (
    find_in_conversation,
    get_changes,
    get_conversation,
    pieces,
)
from bough.web.routes.export import export_document, preview_document
from bough.web.routes.health import get_session_health
from bough.web.routes.presentation import get_presentation
from bough.web.state import AppState
from bough.web.wire.about import NoParams
from bough.web.wire.pieces import (
    ChangesQuery,
    ConversationQuery,
    ExportQuery,
    FindQuery,
    PiecesQuery,
)
from bough.web.wire.slides import PresentationQuery
from tests.conftest import Home


@pytest.fixture
def state(home: Home) -> AppState:
    large = session("large", session_id="large")
    for number in range(1_000):
        large.user(f"question {number} " + "words " * 150).assistant(f"answer {number}")
    small = session("small", session_id="small").user("one").assistant("two", name="back")
    small.user("left behind").assistant("gone").at("back").user("went on").assistant("found it")
    with home.writing():
        large.write(home.path)
        small.write(home.path)
    state = AppState([str(home.path)])
    state.ready = True
    return state


def test_a_large_session_is_first_a_part_and_then_whole(state: AppState) -> None:
    part = get_conversation(state, "large", ConversationQuery())
    more = pieces(state, "large", PiecesQuery(from_=0, count=3, revision=part.revision))
    whole = get_conversation(state, "large", ConversationQuery(whole=True))

    assert (part.partial, whole.partial) == (True, False)
    assert [piece.key for piece in more.pieces] == part.keys[:3]
    assert part.keys[-1] == whole.keys[-1]
    assert part.count < whole.count == 2_000
    assert "answer 999" in part.page.pieces[-1].html


def test_a_part_around_a_message_holds_it(state: AppState) -> None:
    path = state.session_ids.find("large").path
    with open(path, "rb") as file:  # noqa: PTH123
        uuid = file.read().split(b'"uuid":"')[1_001][:36].decode()

    part = get_conversation(state, "large", ConversationQuery(at=uuid))

    assert part.partial
    page = part.page.pieces
    assert page[part.start - part.page.from_].uuid == uuid


def test_a_part_that_is_kept_no_longer_has_to_be_read_again(state: AppState) -> None:
    with pytest.raises(ApiError) as caught:
        pieces(state, "small", PiecesQuery(revision="part-0-99"))

    assert (caught.value.status, caught.value.code) == (409, "reload")


def test_a_message_that_is_nowhere_opens_the_conversation_with_a_note(state: AppState) -> None:
    for name in ("small", "large"):
        found = get_conversation(state, name, ConversationQuery(at="no-such-uuid"))

        assert found.note == "This conversation has no message no-such-uuid. You are at its end."
        assert found.start == found.count - 1


def test_a_message_is_found_by_the_beginning_of_its_id(state: AppState) -> None:
    whole = get_conversation(state, "small", ConversationQuery())
    uuid = next(piece.uuid for piece in whole.page.pieces if piece.uuid)

    found = get_conversation(state, "small", ConversationQuery(at=uuid[:8]))

    assert found.note is None
    assert found.page.pieces[found.start - found.page.from_].uuid == uuid


def test_changes_since_nothing_have_to_be_read_again(state: AppState) -> None:
    with pytest.raises(ApiError):
        get_changes(state, "small", ChangesQuery())


def test_nothing_new_is_an_empty_change(state: AppState) -> None:
    told = get_conversation(state, "small", ConversationQuery())

    found = get_changes(state, "small", ChangesQuery(since=told.revision))

    assert (found.from_, found.count, found.keys) == (told.count, told.count, [])
    assert found.outline is None


def test_words_on_other_branches_name_their_branch(state: AppState) -> None:
    here = find_in_conversation(state, "small", FindQuery(q="left behind"))
    everywhere = find_in_conversation(state, "small", FindQuery(q="left behind", scope="all"))

    assert here.total == 0
    (hit,) = everywhere.hits
    told = get_conversation(state, "small", ConversationQuery(tip=hit.tip or ""))
    assert not told.active
    assert told.keys[hit.number] == hit.uuid


def test_of_too_many_branches_the_end_is_shown_and_said_to_be(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bough.query.sessions.load_part._MOST_ENDS", 0)
    monkeypatch.setattr("bough.query.sessions.load_part._MOST_DRAWN", 100)

    told = get_conversation(state, "large", ConversationQuery(whole=True))
    found = find_in_conversation(state, "large", FindQuery(q="question", scope="all"))

    assert told.banner == (
        "This session has 2,000 records. You are reading the newest 100. "
        "bough show large --whole shows all."
    )
    assert (told.count, found.total) == (100, 50)


def test_what_is_made_of_too_many_branches_says_that_it_is_of_the_end(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bough.query.sessions.load_part._MOST_ENDS", 0)
    monkeypatch.setattr("bough.query.sessions.load_part._MOST_DRAWN", 100)
    banner = get_conversation(state, "large", ConversationQuery(whole=True)).banner

    slides = get_presentation(state, "large", PresentationQuery())
    preview = preview_document(state, "large", ExportQuery())
    document = export_document(state, "large", ExportQuery())

    said = "This session has 2,000 records. You are reading the newest 100. bough "
    assert slides.left_out == banner == f"{said}show large --whole shows all."
    assert preview.left_out == f"{said}export large --whole writes all."
    assert preview.left_out in document.data.decode()
    assert get_session_health(state, "large", NoParams()).findings == []
