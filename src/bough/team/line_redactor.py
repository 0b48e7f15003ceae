"""Hiding secrets in the bytes of lines, so that no byte changes its place.

Each secret is written over with as many `*` as it has bytes, escapes included: lines keep their
length and their ends, and offsets hold. What a secret is, the exporter decides
(`bough.export.secrets`); it is looked for in every string of a record, its keys too.

A line on which several records were written is taken apart first, as reading does. What is no
record is searched as it is written too, because nothing tells where its strings begin: there a
mark may be written over that only looked like a part of a secret.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from bough.export.secrets.detector import PossibleSecrets, SecretDetector, SecretMatch
from bough.export.secrets.known_secrets import KnownSecrets
from bough.export.secrets.redact import is_encoded_bytes
from bough.line import Line
from bough.records.decode import decode_lines
from bough.records.record import BadLine
from bough.team.json_strings import JsonString, decode_text, find_strings, locate_characters

MASK: Final = b"*"
_NOTHING: Final = PossibleSecrets()
_MASKED: Final = bytes(byte if byte in b"\r\n" else MASK[0] for byte in range(256))
"""What stands for each byte of a secret; ends of lines inside one stay."""


class HiddenKind(Struct, frozen=True):
    """How many different secrets of a kind were found."""

    kind: str
    secrets: int


class _Span(Struct, frozen=True):
    """Bytes of a line that hold a secret; `kind` is None where it is only mentioned."""

    start: int
    end: int
    secret: str
    kind: str | None = None
    is_by_words: bool = False


class LineRedactor:
    """Hides the secrets of one session, of its agents, and of what lies beside them.

    All lines are learnt before any is masked: a password that is known by its setting is then
    hidden where somebody mentions it. A line that was not learnt is masked all the same.
    """

    def __init__(self) -> None:
        self._detector = SecretDetector()
        self._known = KnownSecrets()
        self._found: dict[str, str] = {}
        # Lines that hold nothing by themselves, by what they are: asked once, as asking takes
        # longer than everything else that is done with most lines.
        self._clean: set[bytes] = set()

    def learn(self, raw: bytes) -> tuple[str, ...]:
        """Learn the secrets of a line or a text; names those to be looked for elsewhere too."""
        digest = _digest_of(raw)
        if digest in self._clean:
            return ()
        suspects = self._detector.find_possible(raw)
        if not suspects:
            self._clean.add(digest)
            return ()
        learnt = []
        for span in self._find_spans(raw, suspects, mentions=False):
            if span.kind is not None:
                self._found.setdefault(span.secret, span.kind)
            if span.is_by_words and span.secret not in self._known:
                self._known.learn(span.secret)
                learnt += [span.secret] if span.secret in self._known else []
        return tuple(learnt)

    def mask(self, raw: bytes) -> bytes:
        """Hide the secrets of a line or a text; gives the very same bytes where there are none."""
        is_clean = _digest_of(raw) in self._clean
        suspects = _NOTHING if is_clean else self._detector.find_possible(raw)
        if not suspects and not self._known.may_stand_in(raw):
            return raw
        masked = bytearray(raw)
        for span in self._find_spans(raw, suspects):
            if span.kind is not None:
                self._found.setdefault(span.secret, span.kind)
            masked[span.start : span.end] = raw[span.start : span.end].translate(_MASKED)
        return bytes(masked)

    def is_mentioned(self, raw: bytes, secrets: Iterable[str]) -> bool:
        """Tell whether one of some known secrets would be masked in a line."""
        wanted = frozenset(secrets)
        if not self._known.may_stand_in(raw):
            return False
        return any(span.secret in wanted for span in self._find_spans(raw, _NOTHING))

    def list_hidden(self) -> tuple[HiddenKind, ...]:
        """Count what was found, by kind."""
        kinds: dict[str, int] = {}
        for kind in self._found.values():
            kinds[kind] = kinds.get(kind, 0) + 1
        return tuple(HiddenKind(kind, count) for kind, count in sorted(kinds.items()))

    @property
    def has_found(self) -> bool:
        """Tell whether anything has to be hidden."""
        return bool(self._found)

    def _find_spans(
        self, raw: bytes, suspects: PossibleSecrets, *, mentions: bool = True
    ) -> Iterator[_Span]:
        for item in decode_lines((Line(0, 1, raw),)):
            spans = self._search_strings(item.raw, suspects, mentions=mentions)
            for span in spans:
                yield _shift(span, item.offset)
            if isinstance(item, BadLine):
                text = item.raw.decode("utf-8", "surrogateescape")
                hits = self._detector.find(text, suspects)
                if found := self._list_hits(text, hits, mentions=mentions):
                    starts = locate_characters(item.raw, is_escaped=False)
                    for span in found:
                        yield _shift(_place(span, starts), item.offset)

    def _search_strings(
        self, raw: bytes, suspects: PossibleSecrets, *, mentions: bool
    ) -> Iterator[_Span]:
        strings = find_strings(raw)
        for one in strings:
            if not one.is_key and _holds_bytes(raw, one):
                continue
            inner = raw[one.start : one.end]
            text = decode_text(inner)
            hits = self._detector.find(text, suspects, one.name)
            if found := self._list_hits(text, hits, mentions=mentions):
                starts = locate_characters(inner)
                for span in found:
                    yield _shift(_place(span, starts), one.start)
        if suspects.keys:
            yield from self._search_cut_keys(raw, strings, suspects)

    def _search_cut_keys(
        self, raw: bytes, strings: list[JsonString], suspects: PossibleSecrets
    ) -> Iterator[_Span]:
        """Find keys that run through lines which were cut apart, as a patch has them."""
        for group in {id(one.group): one.group for one in strings}.values():
            if group.is_object or len(group.strings) < 2 or not group.has_only_strings:
                continue
            texts = [decode_text(raw[one.start : one.end]) for one in group.strings]
            joined = "\n".join(texts)
            hits = self._detector.find(joined, suspects)
            begin = 0
            for one, text in zip(group.strings, texts, strict=True):
                inside = [
                    (max(hit.start - begin, 0), min(hit.end - begin, len(text)), hit)
                    for hit in hits
                    if "\n" in joined[hit.start : hit.end]
                    and hit.start < begin + len(text)
                    and hit.end > begin
                ]
                if inside:
                    starts = locate_characters(raw[one.start : one.end])
                    for first, last, hit in inside:
                        span = _Span(first, last, joined[hit.start : hit.end], hit.kind)
                        yield _shift(_place(span, starts), one.start)
                begin += len(text) + 1

    def _list_hits(self, text: str, hits: list[SecretMatch], *, mentions: bool) -> list[_Span]:
        """List what is hidden in a text, counted in characters."""
        spans = [
            _Span(hit.start, hit.end, text[hit.start : hit.end], hit.kind, hit.by_words)
            for hit in hits
        ]
        if mentions and self._known:
            edges = [0, *(edge for hit in hits for edge in (hit.start, hit.end)), len(text)]
            for first, last in zip(edges[::2], edges[1::2], strict=True):
                spans += [
                    _Span(first + match.start(), first + match.end(), match[0])
                    for match in self._known.find(text[first:last])
                ]
        return spans


def _holds_bytes(raw: bytes, one: JsonString) -> bool:
    """Tell whether a string is a picture or a signature, in which letters mean nothing."""
    name = one.name
    if name not in ("data", "base64", "signature") or not one.group.is_object:
        return False
    fields = {
        key: decode_text(raw[value.start : value.end]) for key, value in one.group.fields.items()
    }
    return one.group.fields.get(name) is one and is_encoded_bytes(name, fields)


def _place(span: _Span, starts: list[int]) -> _Span:
    """Count a span of characters in bytes."""
    return _Span(starts[span.start], starts[span.end], span.secret, span.kind, span.is_by_words)


def _shift(span: _Span, offset: int) -> _Span:
    return _Span(span.start + offset, span.end + offset, span.secret, span.kind, span.is_by_words)


def _digest_of(raw: bytes) -> bytes:
    return blake2b(raw, digest_size=16).digest()
