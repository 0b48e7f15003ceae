"""Hiding secrets in the bytes of lines, so that no byte changes its place.

Each secret is written over with as many `*` as it has bytes, escapes included: lines keep their
length and their ends, and offsets hold. What a secret is, the exporter decides
(`bough.export.secrets`); it is looked for in every string of a record, its keys too.

A line on which several records were written is taken apart first, as reading does. What is no
record is searched as it is written too, because nothing tells where its strings begin: there a
mark may be written over that only looked like a part of a secret.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from bough.export.secrets.detector import PossibleSecrets, SecretDetector, SecretMatch
from bough.export.secrets.known_secrets import KnownSecrets
from bough.export.secrets.redact import find_field_name, is_encoded_bytes
from bough.line import Line
from bough.records.decode import decode_lines
from bough.records.record import BadLine
from bough.team.json_strings import (
    JsonGroup,
    JsonString,
    decode_text,
    find_strings,
    locate_characters,
)

MASK: Final = b"*"
REDACTION_FORM: Final = 2
"""Raised when more is hidden than before, here or by `bough.export.secrets`: what was sent by
older rules is then looked at again, and sent again where there is more to hide in it."""
_NOTHING: Final = PossibleSecrets()
_MASKED: Final = bytes(byte if byte in b"\r\n" else MASK[0] for byte in range(256))
"""What stands for each byte of a secret; ends of lines inside one stay."""


class HiddenKind(Struct, frozen=True):
    """How many different secrets of a kind were found."""

    kind: str
    secrets: int


class _Span(Struct, frozen=True):
    """Bytes of a line that hold a secret, or characters of a text."""

    start: int
    end: int
    secret: str
    kind: str = ""
    is_by_words: bool = False


_Search = Callable[[str, str], list[_Span]]
"""Finds what is to be hidden in a text that is the value of a field with a name."""


class LineRedactor:
    """Hides the secrets of one session, of its agents, and of what lies beside them.

    All lines are learnt before any is masked: a password that is known by its setting is then
    hidden where somebody mentions it. A line that was not learnt is masked all the same.
    """

    def __init__(self) -> None:
        self._detector = SecretDetector()
        self._known = KnownSecrets()
        self._found: dict[str, str] = {}
        # What lines hold by themselves, by what they are: it is asked once, as asking takes
        # longer than everything else that is done with most lines.
        self._clean: set[bytes] = set()
        self._own: dict[bytes, tuple[_Span, ...]] = {}

    def learn(self, raw: bytes) -> tuple[str, ...]:
        """Learn the secrets of a line or a text; names those to be looked for elsewhere too."""
        learnt = []
        for span in self._find_own(raw):
            if span.is_by_words and span.secret not in self._known:
                self._known.learn(span.secret)
                learnt += [span.secret] if span.secret in self._known else []
        return tuple(learnt)

    def mask(self, raw: bytes) -> bytes:
        """Hide the secrets of a line or a text; gives the very same bytes where there are none."""
        masked = _write_over(raw, self._find_own(raw))
        if self._known and self._known.may_stand_in(masked):
            masked = _write_over(masked, self._find_spans(masked, self._search_mentions))
        return masked

    def is_changing(self, raw: bytes) -> bool:
        """Tell whether something of a line or a text would be hidden."""
        return self.mask(raw) != raw

    def is_mentioned(self, raw: bytes, secrets: Iterable[str]) -> bool:
        """Tell whether one of some known secrets would be masked in a line."""
        wanted = frozenset(secrets)
        if not self._known.may_stand_in(raw):
            return False
        found = self._find_spans(raw, self._search_mentions)
        return any(span.secret in wanted for span in found)

    def list_hidden(self) -> tuple[HiddenKind, ...]:
        """Count what was found, by kind."""
        kinds: dict[str, int] = {}
        for kind in self._found.values():
            kinds[kind] = kinds.get(kind, 0) + 1
        return tuple(HiddenKind(kind, count) for kind, count in sorted(kinds.items()))

    def _find_own(self, raw: bytes) -> tuple[_Span, ...]:
        """Find what looks like a secret in a line by itself."""
        digest = blake2b(raw, digest_size=16).digest()
        if digest in self._clean:
            return ()
        found = self._own.get(digest)
        if found is not None:
            return found
        suspects = self._detector.find_possible(raw)

        def search(text: str, name: str) -> list[_Span]:
            return [_take(hit, text) for hit in self._detector.find(text, suspects, name)]

        spans = tuple(self._find_spans(raw, search, suspects)) if suspects else ()
        if not spans:
            self._clean.add(digest)
            return ()
        self._own[digest] = spans
        for span in spans:
            self._found.setdefault(span.secret, span.kind)
        return spans

    def _search_mentions(self, text: str, _: str) -> list[_Span]:
        return [_Span(*match.span(), match[0]) for match in self._known.find(text)]

    def _find_spans(
        self, raw: bytes, search: _Search, suspects: PossibleSecrets = _NOTHING
    ) -> Iterator[_Span]:
        for item in decode_lines((Line(0, 1, raw),)):
            strings = find_strings(item.raw)
            for span in _search_strings(item.raw, strings, search):
                yield _shift(span, item.offset)
            if suspects.keys:
                for span in self._search_cut_keys(item.raw, strings, suspects):
                    yield _shift(span, item.offset)
            if isinstance(item, BadLine):
                text = item.raw.decode("utf-8", "surrogateescape")
                if found := search(text, ""):
                    starts = locate_characters(item.raw, is_escaped=False)
                    for span in found:
                        yield _shift(_place(span, starts), item.offset)

    def _search_cut_keys(
        self, raw: bytes, strings: list[JsonString], suspects: PossibleSecrets
    ) -> Iterator[_Span]:
        """Find keys that run through lines which were cut apart, as a patch has them."""
        for group in {id(one.group): one.group for one in strings}.values():
            if group.is_object or len(group.strings) < 2 or not group.has_only_strings:
                continue
            texts = [decode_text(raw[one.start : one.end]) for one in group.strings]
            joined = "\n".join(texts)
            hits = [
                hit
                for hit in self._detector.find(joined, suspects)
                if "\n" in joined[hit.start : hit.end]
            ]
            begin = 0
            for one, text in zip(group.strings, texts, strict=True):
                end = begin + len(text)
                inside = [hit for hit in hits if hit.start < end and hit.end > begin]
                starts = locate_characters(raw[one.start : one.end]) if inside else []
                for hit in inside:
                    first, last = max(hit.start - begin, 0), min(hit.end - begin, len(text))
                    span = _Span(first, last, joined[hit.start : hit.end], hit.kind)
                    yield _shift(_place(span, starts), one.start)
                begin = end + 1


def _search_strings(raw: bytes, strings: list[JsonString], search: _Search) -> Iterator[_Span]:
    for one in strings:
        if not one.is_key and _holds_bytes(raw, one):
            continue
        inner = raw[one.start : one.end]
        if found := search(decode_text(inner), _find_name(raw, one)):
            starts = locate_characters(inner)
            for span in found:
                yield _shift(_place(span, starts), one.start)


def _write_over(raw: bytes, spans: Iterable[_Span]) -> bytes:
    masked: bytearray | None = None
    for span in spans:
        masked = bytearray(raw) if masked is None else masked
        masked[span.start : span.end] = raw[span.start : span.end].translate(_MASKED)
    return raw if masked is None else bytes(masked)


def _take(hit: SecretMatch, text: str) -> _Span:
    return _Span(hit.start, hit.end, text[hit.start : hit.end], hit.kind, hit.by_words)


def _holds_bytes(raw: bytes, one: JsonString) -> bool:
    """Tell whether a string is a picture or a signature, in which letters mean nothing."""
    name = one.name
    if name not in ("data", "base64", "signature") or not one.group.is_object:
        return False
    return one.group.fields.get(name) is one and is_encoded_bytes(
        name, _read_fields(raw, one.group)
    )


def _find_name(raw: bytes, one: JsonString) -> str:
    if one.name.lower() != "value" or not one.group.is_object:
        return one.name
    return find_field_name(one.name, _read_fields(raw, one.group))


def _read_fields(raw: bytes, group: JsonGroup) -> dict[str, str]:
    return {key: decode_text(raw[value.start : value.end]) for key, value in group.fields.items()}


def _place(span: _Span, starts: list[int]) -> _Span:
    """Count a span of characters in bytes."""
    return _Span(starts[span.start], starts[span.end], span.secret, span.kind, span.is_by_words)


def _shift(span: _Span, offset: int) -> _Span:
    return _Span(span.start + offset, span.end + offset, span.secret, span.kind, span.is_by_words)
