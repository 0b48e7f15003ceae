"""What looks like a secret in a text, and where it stands.

Which kinds of secrets a line may hold at all: one look before the patterns.

Most lines hold none. Markers of shapes mostly end a word before a dash, a dot or an
underscore (ghp_, sk-ant-), so the line is cut at these once and only the last two letters
of its pieces are compared; names of settings are looked for by a few letters they share.

Private keys, which are blocks of lines between two marks.

A block may be cut off, numbered by a tool that shows files, quoted in a diff, or written on
one line with an escaped newline. One without its end mark ends where its letters do. A mark
alone, as in a text about keys, is no key.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from bough.export.secrets.heuristics import is_secret, is_setting
from bough.export.secrets.named_values import EMAIL, NAMED_PATTERNS, SECRET_NAME
from bough.export.secrets.token_patterns import TOKEN_PATTERNS, SecretPattern

_BREAKS: Final = bytes.maketrans(b"-.", b"__")
_BREAK: Final = b"_"
_ROOTS: Final = (b"pass", b"secret", b"token", b"key", b"cookie", b"auth", b"sess", b"sid=")
# A plain character written as \u0041: no client does, and then no marker can be trusted.
_SPELLED: Final = re.compile(rb"\\u00[2-7]")


class PatternFilter:
    """The markers of all shapes, sorted by how they are found.

    `shapes` are looked for as they are written, `words` in lower case.
    """

    # Fast path: the lines of the corpus, 49 MB, 2.5 s instead of 5.7 with each marker by itself.

    def __init__(self, shapes: Sequence[SecretPattern], words: Sequence[SecretPattern]) -> None:
        self._all = [*shapes, *words]
        self._order = {id(shape): number for number, shape in enumerate(self._all)}
        self._joints: dict[bytes, list[tuple[bytes, SecretPattern]]] = defaultdict(list)
        self._loose: list[tuple[bytes, SecretPattern]] = []
        self._gated = [shape for shape in shapes if shape.gate is not None]
        self._rooted: dict[bytes, list[tuple[bytes, SecretPattern]]] = defaultdict(list)
        for shape in shapes:
            for marker in shape.markers:
                at = marker.translate(_BREAKS).find(_BREAK)
                if at >= 2:
                    self._joints[marker[at - 2 : at]].append((marker, shape))
                else:
                    self._loose.append((marker, shape))
        for shape in words:
            for marker in shape.markers:
                root = next((root for root in _ROOTS if root in marker), marker)
                self._rooted[root].append((marker, shape))

    def select_patterns(self, line: bytes) -> list[SecretPattern]:
        """List the shapes that a line may hold, in the order of trust."""
        if _SPELLED.search(line):
            return self._all
        pairs = [*self._match_joints(line), *self._loose]
        found = [shape for marker, shape in pairs if marker in line]
        found += [shape for shape in self._gated if shape.gate and shape.gate.search(line)]
        found += self._match_words(line.lower())
        return sorted({id(shape): shape for shape in found}.values(), key=self._rank_of)

    def _match_joints(self, line: bytes) -> Iterable[tuple[bytes, SecretPattern]]:
        ends = {piece[-2:] for piece in line.translate(_BREAKS).split(_BREAK)}
        return [pair for end in ends & self._joints.keys() for pair in self._joints[end]]

    def _match_words(self, lowered: bytes) -> Iterator[SecretPattern]:
        for root, named in self._rooted.items():
            if root in lowered:
                for marker, shape in named:
                    if marker in lowered and (not shape.gate or shape.gate.search(lowered)):
                        yield shape

    def _rank_of(self, shape: SecretPattern) -> int:
        return self._order[id(shape)]


MARKER: Final = b"PRIVATE KEY"
_TYPE: Final = r"((?:[A-Z0-9]{1,20} ){0,3})PRIVATE KEY(?: BLOCK)?-----"
_BEGIN: Final = re.compile(r"-----BEGIN " + _TYPE)
_END: Final = re.compile(r"-----END " + _TYPE)
_LINES: Final = re.compile(
    r"(?:(?:\\[nrt]|[\s\\>|+\d\N{RIGHTWARDS ARROW}:]){0,20}[A-Za-z0-9+/=]{16,120}){1,400}"
)
_LETTERS: Final = re.compile(r"[A-Za-z0-9+/]{16}")
_LONGEST: Final = 40_000
_NAMES: Final = {"OPENSSH": "OpenSSH", "PGP": "PGP", "RSA": "RSA", "EC": "EC", "DSA": "DSA"}


def find_key_blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Find private keys: where each begins and ends, and its kind."""
    ends = list(_END.finditer(text))
    starts = [end.start() for end in ends]
    begins = list(_BEGIN.finditer(text))
    for number, begin in enumerate(begins):
        first, last = begin.end(), _LONGEST + begin.end()
        following = begins[number + 1].start() if number + 1 < len(begins) else len(text)
        at = bisect_left(starts, first)
        if at < len(ends) and starts[at] <= min(last, following):
            body, end = text[first : starts[at]], ends[at].end()
        else:
            lines = _LINES.match(text, first, min(last, following))
            end = lines.end() if lines else first
            body = text[first:end]
        if _LETTERS.search(body):
            name = _NAMES.get(begin[1].split(" ")[0], "")
            yield begin.start(), end, f"{name} private key".strip()


_BY_WORDS: Final = frozenset(map(id, NAMED_PATTERNS))


class SecretMatch(Struct, frozen=True):
    """One secret; `by_words` where only the words around it tell that it is one."""

    start: int
    end: int
    kind: str
    by_words: bool = False


class PossibleSecrets(Struct, frozen=True):
    """The kinds of secrets that a line may hold, asked before it is decoded."""

    shapes: Sequence[SecretPattern] = ()
    keys: bool = False

    def __bool__(self) -> bool:
        """Tell whether there is anything to look for."""
        return bool(self.shapes) or self.keys


class SecretDetector:
    """Finds secrets, e-mail addresses, or both."""

    def __init__(self, *, secrets: bool = True, emails: bool = False) -> None:
        self._secrets = secrets
        self._emails = emails

    @cached_property
    def _gate(self) -> PatternFilter:
        return PatternFilter(TOKEN_PATTERNS, NAMED_PATTERNS)

    def find_possible(self, line: bytes) -> PossibleSecrets:
        """Tell what a line may hold."""
        shapes = self._gate.select_patterns(line) if self._secrets else []
        if self._emails and b"@" in line:
            shapes = [*shapes, EMAIL]
        return PossibleSecrets(shapes, self._secrets and MARKER in line)

    def find(self, text: str, suspects: PossibleSecrets, name: str = "") -> list[SecretMatch]:
        """Find the secrets in a text, in order; where two overlap, the more trusted one.

        `name` is that of the field whose text this is: it may tell what the text does not.
        """
        hits: list[SecretMatch] = []
        if suspects.keys:
            hits += [SecretMatch(*block) for block in find_key_blocks(text)]
        for shape in suspects.shapes:
            by_words = id(shape) in _BY_WORDS
            for match in shape.pattern.finditer(text):
                group = match.lastindex or 0
                if shape.holds(match[group]):
                    hits.append(SecretMatch(*match.span(group), shape.kind, by_words))
        if not hits and name and self._secrets:
            hits += _match_by_name(name, text)
        return _drop_overlaps(hits)


def _match_by_name(name: str, text: str) -> list[SecretMatch]:
    if not SECRET_NAME.search(name):
        return []
    is_pass = name.lower().startswith("p")
    if not (is_secret(text) if is_pass else is_setting(text)):
        return []
    return [SecretMatch(0, len(text), "password" if is_pass else "secret setting", by_words=True)]


def _drop_overlaps(hits: Sequence[SecretMatch]) -> list[SecretMatch]:
    """Keep of overlapping hits the first that was found, in the order of the text."""
    kept: list[SecretMatch] = []
    taken = 0
    # Sorting is stable: of those that begin together, the most trusted kind comes first.
    ranked = sorted(enumerate(hits), key=lambda pair: (pair[1].start, pair[0]))
    for _, hit in ranked:
        if hit.start >= taken:
            kept.append(hit)
            taken = hit.end
        elif kept and hit.end > taken:
            # One secret runs into the next: hide both as the first.
            last = kept.pop()
            kept.append(SecretMatch(last.start, hit.end, last.kind, last.by_words))
            taken = hit.end
    return kept
