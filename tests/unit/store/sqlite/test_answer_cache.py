"""What an index keeps so that it need not be found out again."""

from pathlib import Path

import pytest

from bough.ingest.index.refresh import refresh_index
from bough.sample import session
from bough.store.sqlite import lists as listing
from bough.store.sqlite.store import SqliteStore
from tests.searched import indexed


def test_the_state_of_an_index_changes_when_a_file_did_and_only_then(tmp_path: Path) -> None:
    builder = session("one").user("Hello")
    with indexed(tmp_path, builder) as store:
        first = store.state()
        refresh_index(store, [tmp_path])
        assert store.state() == first

        builder.assistant("Hello.")
        builder.write(tmp_path)
        refresh_index(store, [tmp_path])
        assert store.state() != first


def test_an_index_that_never_named_its_state_is_never_the_same(tmp_path: Path) -> None:
    with indexed(tmp_path, session().user("Hello")) as store:
        store.connection.execute("delete from meta where key = 'state'")

        assert store.state() != store.state()


def test_an_answer_holds_for_its_state_alone(tmp_path: Path) -> None:
    with indexed(tmp_path, session().user("Hello")) as store:
        store.save_answer(b"question", store.state(), b"answer")

        assert store.load_answer(b"question", store.state()) == b"answer"
        assert store.load_answer(b"question", b"another state") is None
        assert store.load_answer(b"another question", store.state()) is None


def test_titles_from_other_files_are_looked_for_once_in_each_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = session("talk").user("Where is it?").assistant("Here.", name="answer")
    other = session("other").summary("The search for it", talk.uuid("answer"))
    with indexed(tmp_path, talk, other) as store:
        found = store.titles_from_others()
        assert [*found.values()] == [["The search for it"]]

        monkeypatch.setattr(listing, "titles_from_others", lambda _: {})
        assert store.titles_from_others() == found
        again = SqliteStore(store.path)
        assert again.titles_from_others() == found
        again.close()
