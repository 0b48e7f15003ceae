"""What a session comes from and what goes on from it, traced from any of its files."""

from pathlib import Path

from bough.model.tree.lineage import Origin
from bough.query.lists.related import trace_lineage
from bough.sample import SampleSession, session
from tests.conftest import Home


def write(home: Home, *books: SampleSession) -> list[Path]:
    with home.writing() as folder:
        return [builder.write(folder) for builder in books]


def test_every_file_of_a_lineage_leads_to_all_of_it_and_to_nothing_else(home: Home) -> None:
    origin = session("origin").user("a").assistant("b")
    fork = origin.fork(seed="fork").user("c").assistant("d")
    again = fork.fork(seed="again").user("e").assistant("f")
    *tied, alone = write(home, origin, fork, again, session("other").user("g").assistant("h"))

    expected = {
        fork.session_id: Origin(origin.session_id, 2, "fork"),
        again.session_id: Origin(fork.session_id, 4, "fork"),
    }
    assert [trace_lineage(path) for path in tied] == [expected] * 3
    assert trace_lineage(alone) == {}


def test_a_resume_into_a_new_file_is_a_copy(home: Home) -> None:
    origin = session("origin").user("a").assistant("b")
    resumed = origin.resume_in_new_file(seed="resumed").user("c").assistant("d")
    _, path = write(home, origin, resumed)

    (found,) = trace_lineage(path).values()

    assert (found.session, found.how) == (origin.session_id, "copy")


def test_a_file_beside_that_cannot_be_read_is_left_out(home: Home) -> None:
    origin = session("origin").user("a").assistant("b")
    path, _ = write(home, origin, origin.fork(seed="fork").user("c"))
    with home.writing():
        (path.parent / "x.jsonl").mkdir()

    assert len(trace_lineage(path)) == 1
