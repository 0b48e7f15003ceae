"""Recall: what earlier sessions of some projects have to say to a question.

Each answer is computed from the index and the sessions it leads to, and comes with the places
it stands in. Whoever asks says which folders count, and how sessions are read and records
rewritten, so that nothing is quoted that may not be.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from bough.library.parameters import ClaudeDir, Folder, IndexLike, borrow_index
from bough.library.search_functions import search
from bough.model.interpret.searchable_text import read_searchable_text
from bough.model.recall.decisions import (
    find_statements,
    last_paragraph_of,
    list_topic_words,
    mentions_topic,
)
from bough.model.recall.earlier_runs import EarlierRun, find_earlier_runs
from bough.model.recall.signatures import find_error_line, list_signature_words, make_signature
from bough.model.session import Session
from bough.query.lists.from_index import list_sessions_within
from bough.query.lists.list_rows import ScopedSessions
from bough.query.search.search import Hit
from bough.records.record import Record
from bough.store.search_protocol import KINDS

_CANDIDATES: Final = 60
_SESSIONS: Final = 8
"""So many sessions are read for one answer."""
_ASKED_TOOLS: Final = ("AskUserQuestion", "ExitPlanMode", "exit_plan_mode")
_WRITERS: Final = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
_COMMITS: Final = (
    "use keep never instead agreed decided decision avoid prefer stick drop choose chose switch "
    "always settled picked don't not go pick store put leave move"
)


class RecallReader(Protocol):
    """How the one who asks reads sessions: as they may be quoted."""

    def read(self, session: str) -> Session:
        """Read a session by its id."""
        ...

    def rewrite(self, path: str, record: Record) -> Record:
        """Write a record of a file anew."""
        ...


class RecallPage(Struct, frozen=True):
    """Places with hits of one kind; `looked_at` counts the candidates, `partial` what lacks."""

    found: "tuple[EarlierPlace | DecisionCandidate | FileUse, ...]"
    looked_at: int
    partial: tuple[str, ...] = ()


class EarlierPlace(Struct, frozen=True):
    """A place where the same happened, and in how many sessions the same was run next."""

    session: str
    run: EarlierRun
    held_in: int = 0


class DecisionCandidate(Struct, frozen=True):
    """A sentence that may settle something; `how` says what speaks for it.

    `how` is `answered` for the answer to a question or an approved plan, `asked` for a
    person's own words, `concluded` for the end of an answer.
    """

    session: str
    uuid: str | None
    timestamp: str | None
    how: str
    active: bool
    text: str


class FileUse(Struct, frozen=True):
    """A call that touched a file: in which turn, after which prompt."""

    session: str
    uuid: str | None
    timestamp: str | None
    tool: str
    path: str
    changed: bool
    active: bool
    agent: str | None
    turn: str | None
    prompt: str


def sessions_within(
    folders: Collection[str],
    paths: Collection[str] | None = None,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
) -> ScopedSessions:
    """List the sessions of some project folders, newest first; without costs and stars.

    With `paths`, those that were started elsewhere are left out, and those in other folders that
    were started there are added.
    """
    with borrow_index(claude_dir, index) as handle:
        return list_sessions_within(handle, folders, paths)


def find_earlier_places(
    reader: RecallReader,
    *,
    command: str | None = None,
    error: str | None = None,
    within: Sequence[Folder] | None = None,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
) -> RecallPage:
    """Find where a command was run before, or an error was seen, and what was run next."""
    by_error = command is None
    asked = find_error_line(error or "") if command is None else command
    signature = make_signature(asked)
    words = list_signature_words(signature)
    if not words:
        return RecallPage((), 0)
    narrowed = "is:error kind:tool_result" if by_error else "tool:Bash kind:tool_input"
    query = f"{_quote_words(words)} {narrowed}"
    page = search(
        query,
        newest=True,
        limit=_CANDIDATES,
        within=within,
        excerpts=False,
        claude_dir=claude_dir,
        index=index,
    )
    found: list[EarlierPlace] = []
    sessions = list(dict.fromkeys(hit.session for hit in page.hits if hit.agent is None))
    for session in sessions[:_SESSIONS]:
        runs = find_earlier_runs(reader.read(session), signature, by_error=by_error)
        found += [EarlierPlace(session, run) for run in runs]
    found = _count_held(found)
    found.sort(key=lambda place: place.run.timestamp or "", reverse=True)
    partial = page.partial
    if len(sessions) > _SESSIONS:
        partial = (*partial, f"Only the newest {_SESSIONS} of {len(sessions)} sessions were read.")
    return RecallPage(tuple(found), len(page.hits), partial)


def _count_held(found: Sequence[EarlierPlace]) -> list[EarlierPlace]:
    """Count for each next call in how many sessions it held."""
    pairs = {
        (make_signature(one.run.next), one.session) for one in found if one.run.next is not None
    }
    held = Counter(signature for signature, _ in pairs)
    return [
        replace(one, held_in=held[make_signature(one.run.next)])
        if one.run.next is not None
        else one
        for one in found
    ]


def find_decisions(
    about: str,
    reader: RecallReader,
    *,
    within: Sequence[Folder] | None = None,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
) -> RecallPage:
    """Find sentences that may settle something about a topic, the newest first."""
    topic = list_topic_words(about)
    if not topic:
        return RecallPage((), 0)
    # Words may end otherwise, and of a long topic some may be missing: any of them leads there.
    named = " OR ".join(f'"{word}"*' for word in topic[:6])
    committing = " OR ".join(f'"{word}"' for word in _COMMITS.split())
    asked = (
        f"({named}) ({committing}) kind:prompt",
        f"({named}) ({committing}) kind:text",
        f"({named}) {' '.join(f'tool:{tool}' for tool in _ASKED_TOOLS)}",
    )
    found: list[DecisionCandidate] = []
    partial: list[str] = []
    looked_at = 0
    for query in asked:
        texts = _TextKeeper(reader)
        page = search(
            query,
            limit=_CANDIDATES,
            within=within,
            rewrite=texts.rewrite,
            excerpts=False,
            claude_dir=claude_dir,
            index=index,
        )
        looked_at += len(page.hits)
        partial += page.partial
        for hit in page.hits:
            # Few of them settle anything: only those are looked through for secrets.
            if any(_judge_hit(hit, texts.find(hit), topic)):
                found += _judge_hit(hit, texts.find_quotable(hit), topic)
    unique = {(one.uuid or one.session, one.text): one for one in found}
    ranked = sorted(unique.values(), key=lambda one: one.timestamp or "", reverse=True)
    return RecallPage(tuple(ranked), looked_at, tuple(dict.fromkeys(partial)))


def _judge_hit(
    hit: Hit, texts: dict[str, str], topic: Sequence[str]
) -> Iterator[DecisionCandidate]:
    if hit.agent is not None:
        return
    for how, sentences in (
        ("asked", find_statements(texts.get("prompt", ""), topic)),
        ("concluded", find_statements(last_paragraph_of(texts.get("text", "")), topic)),
    ):
        for text in sentences[:2]:
            yield DecisionCandidate(hit.session, hit.uuid, hit.timestamp, how, hit.active, text)
    answer = texts.get("tool_result", "")
    if hit.tool in _ASKED_TOOLS and not hit.failed and mentions_topic(answer, topic):
        yield DecisionCandidate(
            hit.session, hit.uuid, hit.timestamp, "answered", hit.active, answer
        )


class _TextKeeper:
    """Keeps the words of the records that a search reads, and gives them as they may be quoted."""

    def __init__(self, reader: RecallReader) -> None:
        self._reader = reader
        self._kept: dict[tuple[str, int], Record] = {}

    def rewrite(self, path: str, record: Record) -> Record:
        self._kept[path, record.offset] = record
        return record

    def find(self, hit: Hit) -> dict[str, str]:
        return _read_by_kind(self._kept.get((hit.path, hit.offset)))

    def find_quotable(self, hit: Hit) -> dict[str, str]:
        record = self._kept.get((hit.path, hit.offset))
        return _read_by_kind(record and self._reader.rewrite(hit.path, record))


def _read_by_kind(record: Record | None) -> dict[str, str]:
    if record is None:
        return {}
    return dict(zip(KINDS, read_searchable_text(record), strict=False))


def find_file_uses(
    path: str,
    reader: RecallReader,
    *,
    limit: int = 20,
    within: Sequence[Folder] | None = None,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
) -> RecallPage:
    """Find who touched a file, the newest first: each call with its turn's prompt."""
    escaped = path.replace('"', '""')
    page = search(
        f'file:"{escaped}" kind:tool_input',
        newest=True,
        limit=limit,
        within=within,
        excerpts=False,
        claude_dir=claude_dir,
        index=index,
    )
    found: list[FileUse] = []
    turns: dict[str, dict[str, tuple[str, str]]] = {}
    for hit in page.hits:
        if hit.session not in turns and len(turns) < _SESSIONS:
            turns[hit.session] = _map_turns(reader.read(hit.session))
        turn, prompt = turns.get(hit.session, {}).get(hit.uuid or "", (None, ""))
        found.append(
            FileUse(
                session=hit.session,
                uuid=hit.uuid,
                timestamp=hit.timestamp,
                tool=hit.tool or "",
                path=path,
                changed=hit.tool in _WRITERS,
                active=hit.active,
                agent=hit.agent_type,
                turn=turn,
                prompt=prompt,
            )
        )
    return RecallPage(tuple(found), page.total, page.partial)


def _map_turns(session: Session) -> dict[str, tuple[str, str]]:
    """Give for each record the turn it belongs to, and what was asked there."""
    found: dict[str, tuple[str, str]] = {}
    for conversation in sorted(session.conversations, key=lambda one: not one.active)[:20]:
        for turn in conversation.turns:
            for message in turn.messages:
                for uuid in message.uuids:
                    found.setdefault(uuid, (turn.uuid or "", turn.text))
    return found


def _quote_words(words: Sequence[str]) -> str:
    return " ".join('"' + word.replace('"', '""') + '"' for word in words)
