"""Which sessions were forked off a session, and where they left it."""

from bough.query.lists.related import list_forks
from bough.query.sessions.load_session import read_session
from bough.sample import session
from tests.conftest import Home


def test_a_fork_is_found_where_it_left(home: Home) -> None:
    builder = session().user("one").assistant("a", name="A").user("two").assistant("b", name="B")
    fork = builder.fork(title="Other way", seed="fork").user("three").assistant("c")
    with home.writing():
        path = builder.user("four").assistant("d").write(home)
        fork.write(home)

    (found,) = list_forks(read_session(path))

    assert (found.session, found.title, found.at) == (
        fork.session_id,
        "Other way",
        builder.uuid("B"),
    )
    assert found.timestamp is not None


def test_what_was_forked_is_no_fork_of_its_fork(home: Home) -> None:
    builder = session().user("one").assistant("a")
    fork = builder.fork(seed="fork").user("two").assistant("b")
    with home.writing():
        builder.write(home)
        path = fork.write(home)

    assert list_forks(read_session(path)) == []


def test_sessions_that_only_lie_beside_are_none(home: Home) -> None:
    with home.writing():
        path = session("one").user("one").assistant("a").write(home)
        session("two").user("two").assistant("b").write(home)

    assert list_forks(read_session(path)) == []
