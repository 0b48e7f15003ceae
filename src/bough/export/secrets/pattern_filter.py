"""Which kinds of secrets a line may hold at all: one look before the patterns.

Most lines hold none. The line is cut into words once, and most is told from these. Tokens are
long words, so their markers are looked for in the long ones alone, each once, which are a
seventh of a history; and as most markers end before a dash, a dot or an underscore (ghp_,
sk-ant-), only the letters before these are compared. A command is a word as a whole. Names of
settings may stand inside longer words: they are looked for by a few letters they share.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from bough.export.secrets.key_blocks import LINE_LENGTHS, MARKER
from bough.export.secrets.secret_pattern import SecretPattern

_NO_WORD: Final = bytes(
    c for c in range(256) if not (c < 128 and (chr(c).isalnum() or chr(c) in "_-./+=~%"))
)
_CUTS: Final = bytes.maketrans(_NO_WORD, b" " * len(_NO_WORD))
_BREAKS: Final = bytes.maketrans(b"-. ", b"___")
_LONG: Final = 16
# So many letters in a row, with no mark between them, as hashes and most keys have.
_RUN_LETTERS: Final = 32
_RUN: Final = re.compile(rb"[A-Za-z0-9]{32}")
_RUN_IN_GATE: Final = re.compile(r"\[(?:A-Za-z0-9|a-f0-9|a-z0-9|A-Z0-9)\]\{(\d+)\}")
_ASCII: Final = bytes(range(128))
_MOST_CLEAN: Final = 20_000
"""So many words are remembered to be no token."""
_ROOTS: Final = (b"pass", b"secret", b"token", b"key", b"cookie", b"auth", b"pw")
# A plain character written as \u0041: no client does, and then no marker can be trusted.
_SPELLED: Final = re.compile(rb"(?<!\\)(?:\\\\){0,20}\\u00[2-7]")
_MAYBE_SPELLED: Final = re.compile(rb"\\u00[2-7]")
_SPELLED_WIDE: Final = re.compile(rb"\\u([0-9a-fA-F]{4})")
# Characters that nobody sees, in UTF-8: zero-width ones, joiners, directions, soft hyphens.
_UNSEEN_BYTES: Final = re.compile(
    rb"\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xc2\xad|\xe1\xa0\x8e"
    rb"|\xcd\x8f|\xef\xb8[\x80-\x8f]"
)
UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
"""The same characters in a text: between the letters of a secret they are no part of it."""

_ESCAPE: Final = b"\\u001b["
_COLOUR: Final = re.compile(rb"\\u001b\[[0-9;]{0,20}[A-Za-z]")

# A word at the beginning of a line follows the second half of an escaped newline or tab, and
# the sign of a diff.
_ESCAPES: Final = ("", "n", "r", "t", "+", "-", "n+", "n-")
_END_LETTERS: Final = 3
_END_OF_MARKER: Final = re.compile(rb"([^-._]{3})[-._]")


class PatternFilter:
    """The markers and words of all patterns, sorted by how they are found.

    `tokens` are looked for as they are written, `named` in small letters.
    """

    # Fast path: the corpus has 49 MB of lines; there one marker takes thirty milliseconds by
    # itself, and there are four hundred.

    def __init__(self, tokens: Sequence[SecretPattern], named: Sequence[SecretPattern]) -> None:
        self._all = [*tokens, *named]
        self._order = {id(shape): number for number, shape in enumerate(self._all)}
        self._folded = frozenset(map(id, named))
        self._ends: dict[bytes, list[tuple[bytes, SecretPattern]]] = defaultdict(list)
        self._loose: list[tuple[bytes, SecretPattern]] = []
        gated = [shape for shape in tokens if not shape.markers and not shape.words]
        self._of_line = [(s.compile_gate().search, s) for s in gated if s.is_asked_of_line]
        of_long = [shape for shape in gated if not shape.is_asked_of_line]
        runs = {id(shape) for shape in of_long if _asks_for_run(shape.gate)}
        self._of_long = [(s.compile_gate().search, s) for s in of_long if id(s) not in runs]
        self._of_run = [(s.compile_gate().search, s) for s in of_long if id(s) in runs]
        self._words: dict[bytes, list[SecretPattern]] = defaultdict(list)
        self._rooted: dict[bytes, list[tuple[bytes, SecretPattern]]] = defaultdict(list)
        self._wide: list[tuple[bytes, SecretPattern]] = []
        for shape in self._all:
            self._add_words(shape)
        self._known_words = frozenset(self._words)
        self._named_words = frozenset(
            word for word, some in self._words.items() if any(id(s) in self._folded for s in some)
        )
        self._clean: set[bytes] = set()
        for shape in tokens:
            self._add_token(shape)
        for shape in named:
            self._add_name(shape)

    def _add_words(self, shape: SecretPattern) -> None:
        for word in shape.words:
            cases = {word.lower(), word.upper(), word.capitalize()} if shape.ignores_case else ()
            for form in {word, *cases}:
                for escape in _ESCAPES:
                    self._words[(escape + form).encode()].append(shape)

    def _add_token(self, shape: SecretPattern) -> None:
        for marker in shape.markers:
            if cut := _END_OF_MARKER.search(marker):
                self._ends[cut[1]].append((marker, shape))
            else:
                self._loose.append((marker, shape))

    def _add_name(self, shape: SecretPattern) -> None:
        for marker in shape.markers:
            if marker.isascii():
                root = next((root for root in _ROOTS if root in marker), marker)
                self._rooted[root].append((marker, shape))
            else:
                self._wide.append((marker.translate(None, _ASCII), shape))

    def select_patterns(self, line: bytes) -> tuple[list[SecretPattern], bool]:
        """List the patterns that a line may hold, in the order of trust.

        Tells also whether it may hold a private key, or the middle of one.
        """
        plain = _COLOUR.sub(b" ", line) if _ESCAPE in line else line
        words = set(plain.translate(_CUTS).split())
        long = [word for word in words if len(word) >= _LONG]
        # NAME=value is one word here, and its name another.
        words.update([word.partition(b"=")[0] for word in long if b"=" in word])
        keys = MARKER in line or _count_key_lines(long) > 1
        if _MAYBE_SPELLED.search(line) and _SPELLED.search(line):
            return self._all, keys
        found = [*self._match_tokens(long, line), *self._match_wide(line)]
        lowered = line.lower()
        found += self._match_names(lowered)
        for word in words & self._known_words:
            found += [
                shape
                for shape in self._words[word]
                if shape.may_stand_in(lowered if id(shape) in self._folded else line)
            ]
        unique = {id(shape): shape for shape in found}
        return sorted(unique.values(), key=self._rank_of), keys

    def select_named_patterns(self, line: bytes) -> list[SecretPattern]:
        """List the patterns that a line may hold and that know a secret by the words around it."""
        # Half of the work of `select_patterns`: long words are not looked at.
        if _MAYBE_SPELLED.search(line) and _SPELLED.search(line):
            return self._all
        plain = _COLOUR.sub(b" ", line) if _ESCAPE in line else line
        cut = plain.translate(_CUTS)
        words = self._named_words.intersection(cut.split())
        if b"=" in cut:
            # NAME=value is one word here, and its name another.
            words |= self._named_words.intersection(cut.replace(b"=", b" ").split())
        lowered = line.lower()
        found = [*self._match_wide(line), *self._match_names(lowered)]
        found += [
            shape
            for word in words
            for shape in self._words[word]
            if id(shape) in self._folded and shape.may_stand_in(lowered)
        ]
        unique = {id(shape): shape for shape in found}
        return sorted(unique.values(), key=self._rank_of)

    def _match_tokens(self, long: Sequence[bytes], line: bytes) -> list[SecretPattern]:
        found = [shape for search, shape in self._of_line if search(line)]
        # Lines of one file repeat most of their long words: ids, paths, the client's version.
        clean = self._clean
        new = [word for word in long if word not in clean]
        if new:
            of_words = self._match_words(b" ".join(new))
            if of_words:
                return found + of_words
            if len(clean) > _MOST_CLEAN:
                clean.clear()
            clean.update(new)
        return found

    def _match_words(self, long: bytes) -> list[SecretPattern]:
        """Find the tokens that some long words, with spaces between them, may be."""
        ends = {piece[-_END_LETTERS:] for piece in long.translate(_BREAKS).split(b"_")}
        pairs = [pair for end in ends & self._ends.keys() for pair in self._ends[end]]
        found = [shape for marker, shape in pairs if marker in long]
        found += [shape for marker, shape in self._loose if marker in long]
        found += [shape for search, shape in self._of_long if search(long)]
        if _RUN.search(long):
            found += [shape for search, shape in self._of_run if search(long)]
        return found

    def _match_names(self, lowered: bytes) -> Iterator[SecretPattern]:
        passed: dict[str, bool] = {}  # several kinds have one gate
        for root, named in self._rooted.items():
            if root in lowered:
                for marker, shape in named:
                    if marker in lowered:
                        gate = shape.gate
                        if gate not in passed:
                            passed[gate] = shape.may_stand_in(lowered)
                        if passed[gate]:
                            yield shape

    def _match_wide(self, line: bytes) -> Iterator[SecretPattern]:
        """Find the names that are written in other letters than those of ASCII."""
        if line.isascii():
            return
        wide = line.translate(None, _ASCII)
        for marker, shape in self._wide:
            if marker in wide:
                yield shape

    def _rank_of(self, shape: SecretPattern) -> int:
        return self._order[id(shape)]


def _asks_for_run(gate: str) -> bool:
    """Tell whether what a gate asks for has as many letters in a row as `_RUN`."""
    return any(int(count) >= _RUN_LETTERS for count in _RUN_IN_GATE.findall(gate))


def _count_key_lines(words: list[bytes]) -> int:
    """Count the words that are as long as a line of a key; hashes have no capitals."""
    return sum(len(word) in LINE_LENGTHS and not word.islower() for word in words)


def strip_unseen_bytes(line: bytes) -> bytes:
    """Take out of a line what nobody sees, and write out characters that are spelled in hex.

    Gives the very same line where there is nothing of that, as in most.
    """
    if b"\\u" in line and _SPELLED_WIDE.search(line):
        line = _SPELLED_WIDE.sub(_write_out, line)
    if line.isascii() or not _UNSEEN_BYTES.search(line.translate(None, _ASCII)):
        return line
    return _UNSEEN_BYTES.sub(b"", line)


def _write_out(match: re.Match[bytes]) -> bytes:
    code = int(match[1], 16)
    # Plain letters are told by `_SPELLED`; half a pair is no character.
    if code < 0x80 or 0xD800 <= code < 0xE000:
        return match[0]
    return chr(code).encode()
