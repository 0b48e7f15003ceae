"""Reading what was found again, and checking what the index cannot know.

A regex, or a mark such as ->, is no word of the index, so each candidate's text is read
from its file. That is slow, and bounded: a page tells where it stopped. A regex is matched in
a process of its own, which is ended where a record takes longer than a whole page may; that
record is skipped, and the page says so.
"""

from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from msgspec import Struct, field
from msgspec.structs import replace

from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder
from bough.line import Line
from bough.model.interpret.searchable_text import read_searchable_text
from bough.query.search.cursors import find_position_behind
from bough.query.search.pattern_process import PatternMatches, PatternSource, match_patterns
from bough.records.decode import decode
from bough.records.record import BadLine, Record
from bough.store.protocol import Store
from bough.store.query_language import (
    And,
    FoundMatches,
    Not,
    Or,
    Query,
    Regex,
    TextQuery,
    list_regexes,
    matches,
)
from bough.store.search_protocol import (
    KINDS,
    HitRow,
    Position,
    SearchRequest,
    choose_kinds,
)

CHECKED = 8_000
"""So many records are read at most for one page; half a second's work."""
_BYTES = 64 * 1024 * 1024
SECONDS = 2.0
"""So long a page may take; a slow regex is given up then."""
_LEAST_SECONDS = 1.0
_MARKING_SECONDS = 0.5
_MOST_MARKS = 50
_BATCH = 1_000
_AT_ONCE = 200
_AT_ONCE_BYTES = 1_000_000
"""So much is sent to the process for patterns at once."""

Texts = tuple[str, ...]

RewriteRecord = Callable[[str, Record], Record]
"""Writes a record of a file anew before its words are read, say with secrets hidden."""


class VerifiedRows(Struct):
    """The first records that hold, how many do as far as was read, and where to go on.

    `read` is set where something is left unread. `skipped` are records that could not be
    checked: a regex was given up on them. `found` is where regexes match the texts, `behind`
    the position behind each row.
    """

    rows: list[tuple[HitRow, Texts]]
    found: dict[tuple[Regex, str], tuple[tuple[int, int], ...]]
    count: int = 0
    sessions: set[str] | None = None
    next: Position | None = None
    read: int | None = None
    ranked: int | None = None
    skipped: list[HitRow] = field(default_factory=list)
    behind: list[Position | None] = field(default_factory=list)


class _Candidate(Struct):
    """A record that may be a hit, the position behind it, and its texts as far as they count."""

    row: HitRow | None
    behind: Position | None
    ranked: int | None
    all_texts: Texts | None = None
    texts: Sequence[str] = ()
    is_hit: bool | None = None


def read_texts(
    row: HitRow, sources: SourceFinder, rewrite: RewriteRecord | None = None
) -> Texts | None:
    """Read a record's texts again, by kind; None where it is no more what it was."""
    record = read_record(row, sources)
    if record is None:
        return None
    return read_searchable_text(rewrite(row.path, record) if rewrite is not None else record)


def read_record(row: HitRow, sources: SourceFinder) -> Record | None:
    """Read a record again; None where it is no more what it was."""
    source = sources.find(row.path)
    if source is None:
        return None
    try:
        raw = source.at(row.offset, row.length)
    except Unreadable:
        return None
    record = decode(Line(row.offset, row.line, raw))
    return None if isinstance(record, BadLine) or record.uuid != row.uuid else record


def verify_candidates(store: Store, wanted: SearchRequest, sources: SourceFinder) -> VerifiedRows:
    """Find the records of a page by reading candidates; behind the page they are counted."""
    return _Verification(wanted, sources).run(_read_candidates(store, wanted))


def find_marked_spans(query: Query, texts: Sequence[str], found: FoundMatches) -> FoundMatches:
    """Find where the regexes of a query match some texts, for marking; as far as time allows."""
    regexes = list_regexes(query.text)
    if not regexes:
        return found
    run = match_patterns(
        [PatternSource(regex.pattern, regex.flags) for regex in regexes],
        texts,
        seconds=_MARKING_SECONDS,
        most=_MOST_MARKS,
    )
    return {**found, **_by_text(regexes, texts, run)}


class _Verification:
    """One page: candidates come in, and what holds is kept, until something is used up."""

    def __init__(self, wanted: SearchRequest, sources: SourceFinder) -> None:
        self._wanted = wanted
        self._sources = sources
        self._query = wanted.query.text
        self._kinds = choose_kinds(wanted.query)
        self._regexes = list_regexes(wanted.query.text)
        self._end = monotonic() + SECONDS
        self._done = VerifiedRows([], {}, sessions=set() if wanted.after is None else None)
        self._read = 0
        self._size = 0
        self._last = wanted.after

    def run(self, candidates: Iterator[_Candidate]) -> VerifiedRows:
        """Check candidates until there are no more, or enough was read."""
        done = self._done
        is_used_up = False
        while not is_used_up and (batch := self._read_batch(candidates)):
            stopped_after = self._judge_batch(batch)
            is_used_up = self._take_batch(batch, stopped_after)
        if is_used_up:
            done.read, done.next, done.sessions = self._read, self._last, None
        if done.count > len(done.rows):
            done.next = done.behind[-1]
        return done

    def _read_batch(self, candidates: Iterator[_Candidate]) -> list[_Candidate]:
        """Read the texts of some candidates: no more than a page has room for."""
        batch: list[_Candidate] = []
        size = 0
        for one in candidates:
            batch.append(one)
            if one.row is None:
                break
            texts = one.all_texts = read_texts(one.row, self._sources)
            if texts is None:
                one.is_hit = False
            else:
                one.texts = _texts_of_kinds(self._kinds, texts)
                one.is_hit = _judge(self._query, one.texts, None)
            size += one.row.length
            if len(batch) >= _AT_ONCE or size >= _AT_ONCE_BYTES or self._is_used_up(batch, size):
                break
        return batch

    def _is_used_up(self, batch: Sequence[_Candidate], size: int) -> bool:
        return (
            self._read + len(batch) >= CHECKED
            or self._size + size >= _BYTES
            or monotonic() > self._end
        )

    def _judge_batch(self, batch: Sequence[_Candidate]) -> float | None:
        """Match the regexes; tell how long the text took on which they were stopped."""
        open_ones = [one for one in batch if one.row is not None and one.is_hit is None]
        texts = list(dict.fromkeys(text for one in open_ones for text in one.texts))
        patterns = [PatternSource(regex.pattern, regex.flags) for regex in self._regexes]
        seconds = self._end - monotonic()
        if not self._read:  # the index may have taken all of the time, and a page goes forward
            seconds = max(seconds, _LEAST_SECONDS)
        run = match_patterns(patterns, texts, seconds=seconds)
        found = _by_text(self._regexes, texts, run)
        for one in open_ones:
            one.is_hit = _judge(self._query, one.texts, found)
            if one.is_hit and len(self._done.rows) < self._wanted.limit:
                self._done.found |= {
                    (regex, text): found[regex, text]
                    for regex in self._regexes
                    for text in one.texts
                    if (regex, text) in found
                }
        return run.stopped_after

    def _take_batch(self, batch: Sequence[_Candidate], stopped_after: float | None) -> bool:
        """Count what holds; tell whether the page ends here."""
        for one in batch:
            if one.row is not None and one.is_hit is None:
                self._leave_at(one, stopped_after or 0.0)
                return True
            self._done.ranked = one.ranked
            self._read += 1
            self._size += one.row.length if one.row else 0
            self._last = one.behind
            if one.row is None:
                return True
            if one.is_hit:
                self._add_hit(one.row, one.all_texts or (), one.behind)
        return self._is_used_up((), 0)

    def _leave_at(self, one: _Candidate, stopped_after: float) -> None:
        """End at a record that was not checked to its end.

        It is the first of the next page, with all of its time; where it had most of this
        page's time already it is skipped, and the page says so.
        """
        if one.row is not None and (stopped_after >= SECONDS / 2 or not self._read):
            self._done.skipped.append(one.row)
            self._read += 1
            self._last = one.behind

    def _add_hit(self, row: HitRow, texts: Texts, behind: Position | None) -> None:
        done = self._done
        done.count += 1
        if done.sessions is not None:
            done.sessions.add(row.session)
        if len(done.rows) < self._wanted.limit:
            done.rows.append((row, texts))
            done.behind.append(behind)


def _by_text(
    regexes: Sequence[Regex], texts: Sequence[str], run: PatternMatches
) -> dict[tuple[Regex, str], tuple[tuple[int, int], ...]]:
    return {
        (regex, text): spans
        for text, several in zip(texts, run.spans, strict=False)
        for regex, spans in zip(regexes, several, strict=True)
    }


def _read_candidates(store: Store, wanted: SearchRequest) -> Iterator[_Candidate]:
    """Give candidates, each with the position behind it; None where a store gave up."""
    wanted = replace(wanted, limit=_BATCH)
    while True:
        found = store.search(wanted)
        for number, row in enumerate(found.rows, start=1):
            behind = find_position_behind(wanted, found, number)
            yield _Candidate(row, behind, found.ranked)
        if found.next is None:
            return
        if not found.rows:
            yield _Candidate(None, found.next, found.ranked)
        wanted = replace(wanted, after=found.next)


def _texts_of_kinds(kinds: Sequence[str], texts: Texts) -> list[str]:
    return [text for kind, text in zip(KINDS, texts, strict=False) if text and kind in kinds]


def _judge(text: TextQuery | None, texts: Sequence[str], found: FoundMatches | None) -> bool | None:
    """Tell whether a record is what a query asks for; each word may stand in any of its texts.

    None where that depends on a regex that was not matched.
    """
    match text:
        case None:
            return True
        case Regex():
            known = [None if found is None else found.get((text, one)) for one in texts]
            return True if any(known) else None if None in known else False
        case Not():
            inner = _judge(text.item, texts, found)
            return None if inner is None else not inner
        case And():
            each = [_judge(item, texts, found) for item in text.items]
            return False if False in each else None if None in each else True
        case Or():
            each = [_judge(item, texts, found) for item in text.items]
            return True if True in each else None if None in each else False
        case _:
            return any(matches(text, one) for one in texts)
