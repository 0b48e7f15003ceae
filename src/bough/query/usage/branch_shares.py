"""Which branch of a session a call belongs to.

A session that parts has several ways from the start to a tip, and they share their first
part. `own` gives each stretch to one way, the active one first, so that own parts add up
to the session; the path of a way is all of it, from the start. A sub-agent's calls belong
where the call stands that started it; where nobody tells, they are on no branch.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from bough.model.agents.links import AGENT_TOOLS, KNOWN_BY
from bough.model.session import Session
from bough.model.usage.across_files import Book, Entry, Reported
from bough.model.usage.amounts import NOTHING, Amount
from bough.model.usage.price_list import PriceList
from bough.query.usage.totals import tally
from bough.records.record import BadLine, Record

_LONGEST_CHAIN = 100
"""How deep agents may start agents."""


class Way(Struct, frozen=True):
    """One way through a session: its tip, whether it is the active one, and its steps."""

    tip: str
    active: bool
    path: frozenset[int] = frozenset((0,))


class Shape(Struct, frozen=True):
    """The ways of a session, and on which step of them each line of its file stands.

    `offsets` are where steps begin in the file, `steps` which ones; `owners` names the way
    to which a step is its own.
    """

    ways: Sequence[Way]
    offsets: Sequence[int] = (0,)
    steps: Sequence[int] = (0,)
    owners: Mapping[int, int] = {}

    def step_at(self, offset: int) -> int:
        """Give the step a line stands on."""
        return self.steps[max(0, bisect_right(self.offsets, offset) - 1)]


Place = tuple[str, int]
"""A file and an offset in it."""


class Started(Struct, frozen=True):
    """A call that is said to have started an agent: both files, the tool, and who says so."""

    agent: str
    file: str
    offset: int
    tool: str
    known_by: str


class Branch(Struct, frozen=True):
    """What one branch used itself, and what its whole path did; no `tip`: on no branch."""

    session: str
    tip: str | None
    active: bool
    own: dict[str, Amount]
    path: dict[str, Amount]


def shape_of(session_id: str, records: Sequence[Record], bad_lines: Sequence[BadLine]) -> Shape:
    """Lay out the ways of a session."""
    session = Session(session_id, records, bad_lines, sidechain=False)
    story = session.story
    ways = [Way(c.tip or "", c.active, frozenset(c.knots)) for c in session.conversations]
    if len(ways) < 2 or not story.knots:
        return Shape([Way(way.tip, way.active) for way in ways[:1]])
    owners: dict[int, int] = {}
    for number in sorted(range(len(ways)), key=lambda n: not ways[n].active):
        for knot in session.conversations[number].knots:
            owners.setdefault(knot, number)
    places = sorted(
        (story.tree.nodes[node].offset, number)
        for number, knot in enumerate(story.knots)
        for node in (*knot.nodes, *knot.notes)
    )
    return Shape(ways, [p[0] for p in places], [p[1] for p in places], owners)


def starts_of(told: Iterable[Started], books: Mapping[str, Book]) -> dict[str, Place]:
    """Choose the call that started each agent: by the surest witness, then the first."""
    best: dict[str, tuple[int, int, Place]] = {}
    for one in told:
        agent, file = books.get(one.agent), books.get(one.file)
        if agent is None or file is None or agent.path == file.path:
            continue
        akin = (agent.project, agent.session) == (file.project, file.session)
        if not akin or (one.known_by == "text" and one.tool not in AGENT_TOOLS):
            continue
        rank = (KNOWN_BY.index(one.known_by), one.offset, (one.file, one.offset))
        best[one.agent] = min(best.get(one.agent, rank), rank)
    return {agent: place for agent, (_, _, place) in best.items()}


def branches(
    calls: Iterable[Entry],
    shapes: Mapping[str, Shape],
    starts: Mapping[str, Place],
    prices: PriceList,
) -> list[Branch]:
    """Add calls up by branch; shapes go by the path of a session's own file."""

    def step(book: Book, line: Reported) -> tuple[str, str, str | None, int]:
        place: Place | None = (book.path, line.offset)
        if book.agent is not None:
            place = _home(book, starts)
        shape = shapes.get(place[0]) if place else None
        if place is None or shape is None or not shape.ways:
            return book.project, book.session, None, 0
        return book.project, book.session, place[0], shape.step_at(place[1])

    files: dict[tuple[str, str, str | None], dict[int, dict[str, Amount]]] = {}
    for (project, session, file, at), amounts in tally(calls, step, prices).items():
        files.setdefault((project, session, file), {})[at] = amounts
    found: list[Branch] = []
    for (_, session, file), steps in files.items():
        if file is None:
            found.append(Branch(session, None, active=False, own=steps[0], path=steps[0]))
        else:
            found += _of_file(session, shapes[file], steps)
    return found


def _home(book: Book, starts: Mapping[str, Place]) -> Place | None:
    """Find the place that an agent hangs on, through the agents that started it."""
    place = starts.get(book.path)
    for _ in range(_LONGEST_CHAIN):
        if place is None or place[0] not in starts:
            break
        place = starts[place[0]]
    return place


def _of_file(
    session: str, shape: Shape, steps: Mapping[int, dict[str, Amount]]
) -> Iterator[Branch]:
    for number, way in enumerate(shape.ways):
        # A step on no way at all goes with the first.
        own = {at for at in steps if shape.owners.get(at, 0) == number}
        path = own | {at for at in steps if at in way.path}
        if path:
            amounts = _sum(steps[at] for at in own), _sum(steps[at] for at in path)
            yield Branch(session, way.tip, way.active, *amounts)


def _sum(parts: Iterable[dict[str, Amount]]) -> dict[str, Amount]:
    found: dict[str, Amount] = {}
    for part in parts:
        for model, amount in part.items():
            found[model] = found.get(model, NOTHING) + amount
    return found
