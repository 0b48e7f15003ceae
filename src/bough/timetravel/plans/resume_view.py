"""What Claude will see after a resume: counts for a preview, and the words of each turn."""

from collections.abc import Iterable, Iterator

from bough.model.interpret.user_records import asked_words
from bough.model.session import Session
from bough.model.text.formats import one_line
from bough.model.tree.message_tree import Is, Story
from bough.model.usage.tokens import tokens_of
from bough.records.blocks import Image, ToolResult, ToolUse
from bough.records.decode import message_of, plain
from bough.records.record import Record
from bough.records.types import Assistant, System, User
from bough.timetravel.plan import Sight
from bough.timetravel.plans.copied_records import Way, kept_uuids

_WRITES = {"Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path"} | {
    "NotebookEdit": "notebook_path"
}


def sight_of(session: Session, way: Way) -> Sight:
    """Tell what is on a way, and how much of it Claude sees word for word."""
    story = session.story
    seams = [at for at, knot in enumerate(way.knots) if story.knots[knot].kind is Is.SEAM]
    since = seams[-1] if seams else 0
    seen = _talk(story, way.knots[since:], way)
    kept = _kept(story, way.knots[since]) if seams else 0
    prompts = [k for k in way.knots[since:] if story.knots[k].kind is Is.PROMPT]
    earlier = [k for k in way.knots[:since] if story.knots[k].kind is Is.PROMPT]
    later = [r for r in session.tree.nodes[way.line[-1] + 1 :] if not r.is_sidechain]
    return Sight(
        turns=len(prompts),
        summarized=len(earlier),
        compactions=len(seams),
        preserved=kept,
        tokens=_tokens(seen),
        agents=_agents(session, seen),
        images=sum(isinstance(block, Image) for r in seen for block in message_of(r).blocks),
        prompts=tuple(_words(story, knot) for knot in prompts),
        later_files=files_written(later),
    )


def files_written(records: Iterable[Record]) -> tuple[str, ...]:
    """List the files that calls among some records wrote to, each once."""
    return tuple(dict.fromkeys(path for _, path in writes(records)))


def writes(records: Iterable[Record]) -> Iterator[tuple[ToolUse, str]]:
    """List the calls that write to files, with the file each writes to."""
    for record in records:
        if not isinstance(record, Assistant):
            continue
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse) and block.name in _WRITES:
                given = plain(block.input)
                path = given.get(_WRITES[block.name]) if isinstance(given, dict) else None
                if isinstance(path, str):
                    yield block, path


def _talk(story: Story, knots: tuple[int, ...], way: Way) -> list[User | Assistant]:
    inside = set(knots)
    nodes = (link.node for link in way.links if link.in_line)
    records = [story.tree.nodes[n] for n in nodes if story.knot_of[n] in inside]
    return [record for record in records if isinstance(record, User | Assistant)]


def _kept(story: Story, seam: int) -> int:
    boundaries = (story.tree.nodes[n] for n in story.knots[seam].nodes)
    return max((len(kept_uuids(b)) for b in boundaries if isinstance(b, System)), default=0)


def _tokens(seen: list[User | Assistant]) -> int | None:
    """Give the size of the context when the last answer had been given."""
    for record in reversed(seen):
        if isinstance(record, Assistant) and (usage := message_of(record).usage) is not None:
            total = tokens_of(usage).total
            if total:
                return total
    return None


def _agents(session: Session, seen: list[User | Assistant]) -> int:
    results = (b for r in seen for b in message_of(r).blocks if isinstance(b, ToolResult))
    return len({block.tool_use_id for block in results} & session.signs.starters.keys())


def _words(story: Story, knot: int) -> str:
    record = story.tree.nodes[story.knots[knot].first]
    return one_line(asked_words(record)) if isinstance(record, User) else ""
