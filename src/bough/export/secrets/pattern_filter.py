"""Which kinds of secrets a line may hold at all: one look before the patterns.

Most lines hold none. The line is cut into words once, and most is told from these. Nearly all
words of a history were met before in it: those that tell nothing are remembered, and only the
others are looked at, which are a fourteenth of its letters. Tokens are long words; as most of
their markers end before a dash, a dot or an underscore (ghp_, sk-ant-), only the letters before
these are compared. A command is a word as a whole, or the end of one, behind its folder. Names of
settings may stand inside longer words: they are looked for by a few letters they share.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from bough.export.secrets.key_blocks import KEY_LETTERS, LINE_LENGTHS, MARKER
from bough.export.secrets.secret_pattern import SecretPattern
from bough.export.secrets.table_columns import COLUMNS, may_have_table

_NO_WORD: Final = bytes(
    c for c in range(256) if not (c < 128 and (chr(c).isalnum() or chr(c) in "_-./+=~%"))
)
_CUTS: Final = bytes.maketrans(_NO_WORD, b" " * len(_NO_WORD))
_BREAKS: Final = bytes.maketrans(b"-. ", b"___")
_MARKS: Final = b"./+=~%"
_PARTED: Final = bytes.maketrans(_MARKS, b" " * len(_MARKS))
_ENDING: Final = b".exe"
_LONG: Final = 16
# So many letters in a row, with no mark between them, as hashes and most keys have.
_RUN_LETTERS: Final = 32
_RUN: Final = re.compile(rb"[A-Za-z0-9]{32}")
_ID: Final = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_ID_LENGTH: Final = 36
_RUN_IN_GATE: Final = re.compile(r"\[(?:A-Za-z0-9|a-f0-9|a-z0-9|A-Z0-9)\]\{(\d+)\}")
_ASCII: Final = bytes(range(128))
_MOST_LETTERS: Final = 1_000_000
"""So many letters of words are remembered, with what they tell: ten times as much in memory."""
_ROOTS: Final = (b"pass", b"secret", b"token", b"key", b"cookie", b"auth", b"pw")
# Fast path: benchmarks/export.py, a tenth of the first look. Every answer says how many tokens it
# took; a secret that is called a token has ten letters or more.
_TOKEN: Final = b"token"
_NO_TOKEN_COUNT: Final = re.compile(rb'token(?!s":[0-9]{1,9}[,}])')
# A plain character written as \u0041: no client does, and then no marker can be trusted.
_SPELLED: Final = re.compile(rb"(?<!\\)(?:\\\\){0,20}\\u00[2-7]")
_MAYBE_SPELLED: Final = re.compile(rb"\\u00[2-7]")
_SPELLED_WIDE: Final = re.compile(rb"\\u(?!00[0-7])([0-9a-fA-F]{4})")
# Characters that nobody sees, in UTF-8: zero-width ones, joiners, directions, soft hyphens.
_UNSEEN_BYTES: Final = re.compile(
    rb"\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xc2\xad|\xe1\xa0\x8e"
    rb"|\xcd\x8f|\xef\xb8[\x80-\x8f]"
)
UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
"""The same characters in a text: between the letters of a secret they are no part of it."""

# However a colour is spelled, its end stands before the word behind it: [1;32mmysql
_COLOUR_END: Final = re.compile(rb"[0-9]{1,3}m(?=.)")
_COLOURED: Final = re.compile(rb"(?<![^ ])[0-9]{1,3}m([^ ]+)")

# A word at the beginning of a line follows the second half of an escaped newline or tab, and
# the sign of a diff.
_ESCAPES: Final = ("", "n", "r", "t", "+", "-", "n+", "n-")
_END_LETTERS: Final = 3
_END_OF_MARKER: Final = re.compile(rb"([^-._]{3})[-._]")


class LineSigns(Struct, frozen=True):
    """What a line may hold: some patterns, a private key or the middle of one, tables."""

    shapes: Sequence[SecretPattern]
    has_keys: bool
    has_tables: bool


class _WordSigns(Struct, frozen=True):
    """What a word tells about the line it stands in."""

    tokens: tuple[SecretPattern, ...] = ()
    words: tuple[bytes, ...] = ()
    markers: tuple[bytes, ...] = ()
    is_key_line: bool = False

    def join(self, other: "_WordSigns") -> "_WordSigns":
        """Give what both tell."""
        return _WordSigns(
            self.tokens + other.tokens,
            self.words + other.words,
            self.markers + other.markers,
            self.is_key_line or other.is_key_line,
        )


class _WordMemory:
    """The words that were met: those that tell nothing, and the others with what they tell."""

    def __init__(self) -> None:
        self.silent: set[bytes] = set()
        self.notable: dict[bytes, _WordSigns] = {}
        self.letters = 0


class PatternFilter:
    """The markers and words of all patterns, sorted by how they are found.

    `tokens` are looked for as they are written, `named` in small letters.
    """

    # Fast path: benchmarks/export.py, 1.9 s instead of 3.3 for the 49 MB of the corpus. One marker
    # takes thirty milliseconds there by itself, and there are four hundred.

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
        self._named: dict[bytes, list[SecretPattern]] = defaultdict(list)
        # The names that share some letters, and whether a name is no more than one word.
        self._rooted: dict[bytes, dict[bytes, bool]] = defaultdict(dict)
        self._wide: list[tuple[bytes, SecretPattern]] = []
        for shape in self._all:
            self._add_words(shape)
        self._known_words = frozenset(self._words)
        self._named_words = frozenset(
            word for word, some in self._words.items() if any(id(s) in self._folded for s in some)
        )
        for shape in tokens:
            self._add_token(shape)
        for shape in named:
            self._add_name(shape)
        parts = [(_find_part_of_word(root), root) for root in self._rooted]
        self._in_words = [(part, root) for part, root in parts if part]
        self._apart = [marker for part, root in parts if not part for marker in self._rooted[root]]
        self._memory = _WordMemory()

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
                self._named[marker].append(shape)
                self._rooted[root][marker] = _find_part_of_word(marker) == marker
            else:
                self._wide.append((marker.translate(None, _ASCII), shape))

    def select_patterns(self, line: bytes) -> LineSigns:
        """Tell which patterns a line may hold, in the order of trust.

        Several lines with newlines between them may be asked about together: what one of them may
        hold, all of them may.
        """
        words = set(line.translate(_CUTS).split())
        signs = self._look_up(words)
        keys = MARKER in line or sum(sign.is_key_line for sign in signs) > 1
        if _MAYBE_SPELLED.search(line) and _SPELLED.search(line):
            return LineSigns(self._all, keys, may_have_table(line.lower()))
        found = [shape for search, shape in self._of_line if search(line)]
        found += [*self._match_wide(line)]
        markers = {marker for marker in self._apart if marker in line}
        for sign in signs:
            found += sign.tokens
            markers.update(sign.markers)
        told = {word for sign in signs for word in sign.words}
        has_tables = False
        if markers or told:
            lowered = line.lower()
            found += self._match_names(lowered, markers)
            for word in told:
                found += [
                    shape
                    for shape in self._words[word]
                    if shape.may_stand_in(lowered if id(shape) in self._folded else line)
                ]
            has_tables = not markers.isdisjoint(COLUMNS) and may_have_table(lowered)
        unique = {id(shape): shape for shape in found}
        shapes = sorted(unique.values(), key=self._rank_of)
        return LineSigns(shapes, keys, has_tables)

    def select_named_patterns(self, line: bytes) -> list[SecretPattern]:
        """List the patterns that a line may hold and that know a secret by the words around it."""
        # Half of the work of `select_patterns`: long words are not looked at.
        if _MAYBE_SPELLED.search(line) and _SPELLED.search(line):
            return self._all
        cut = line.translate(_CUTS)
        words = self._named_words.intersection([*cut.split(), *_COLOURED.findall(cut)])
        words |= self._named_words.intersection(_split_parts(cut))
        lowered = line.lower()
        roots = [root for root in self._rooted if root in lowered]
        markers = [marker for root in roots for marker in self._rooted[root]]
        found = [*self._match_wide(line), *self._match_names(lowered, markers)]
        found += [
            shape
            for word in words
            for shape in self._words[word]
            if id(shape) in self._folded and shape.may_stand_in(lowered)
        ]
        unique = {id(shape): shape for shape in found}
        return sorted(unique.values(), key=self._rank_of)

    def _look_up(self, words: set[bytes]) -> list[_WordSigns]:
        """Give what the words of a line tell, those of them that tell anything."""
        memory = self._memory
        if memory.letters > _MOST_LETTERS:
            memory = self._memory = _WordMemory()
        left = words - memory.silent
        if new := [word for word in left if word not in memory.notable]:
            notable = self._read_words(new)
            # In this order: another thread may look them up meanwhile.
            memory.notable.update(notable)
            memory.silent.update([word for word in new if word not in notable])
            memory.letters += sum(map(len, new))
        return [memory.notable[word] for word in left if word in memory.notable]

    def _read_words(self, words: Sequence[bytes]) -> dict[bytes, _WordSigns]:
        """Find out what words tell, those behind the end of a colour without it too."""
        ends = ((word, _COLOUR_END.match(word)) for word in words if word[:1].isdigit())
        bare = {word: word[end.end() :] for word, end in ends if end is not None}
        found = self._read_bare_words([*words, *bare.values()])
        for word, behind in bare.items():
            if behind in found:
                found[word] = found.get(word, _WordSigns()).join(found[behind])
        return found

    def _read_bare_words(self, words: Sequence[bytes]) -> dict[bytes, _WordSigns]:
        """Find out what words tell; all are looked at together first, as most tell nothing."""
        markers = self._find_markers(b" ".join(words))
        long = [word for word in words if len(word) >= _LONG and not is_plain_id(word)]
        known = self._find_known_words(words)
        notable = {*markers, *known}
        notable |= {word for word in long if _is_key_line(word)}
        tokens: dict[bytes, list[SecretPattern]] = defaultdict(list)
        for shape in self._match_words(b" ".join(long)):
            for word in long:
                if _is_token_in(word, shape):
                    tokens[word].append(shape)
        notable.update(tokens)
        return {
            word: _WordSigns(
                tuple(tokens.get(word, ())),
                known.get(word, ()),
                tuple(markers.get(word, ())),
                _is_key_line(word),
            )
            for word in notable
        }

    def _find_known_words(self, words: Sequence[bytes]) -> dict[bytes, tuple[bytes, ...]]:
        """Find the words that are known, or have known ones as parts, and which these are."""
        known = self._known_words
        parts = {*known.intersection(words), *known.intersection(_split_parts(b" ".join(words)))}
        having = [word for word in words if any(part in word for part in parts)] if parts else []
        found = {word: known.intersection(_list_forms(word)) for word in having}
        return {word: tuple(forms) for word, forms in found.items() if forms}

    def _find_markers(self, text: bytes) -> dict[bytes, list[bytes]]:
        """Find the words, with spaces between them, in which names stand, or parts of names."""
        small = text.lower()
        found: dict[bytes, list[bytes]] = defaultdict(list)
        for part, root in self._in_words:
            at = small.find(part)
            while at >= 0:
                start, end = small.rfind(b" ", 0, at) + 1, small.find(b" ", at)
                end = end if end >= 0 else len(small)
                found[text[start:end]] += [
                    marker
                    for marker, is_in_word in self._rooted[root].items()
                    if not is_in_word or small.find(marker, start, end) >= 0
                ]
                at = small.find(part, end)
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

    def _match_names(self, lowered: bytes, markers: Collection[bytes]) -> Iterator[SecretPattern]:
        if _TOKEN in markers and _are_token_counts(lowered):
            markers = [marker for marker in markers if _TOKEN not in marker]
        passed: dict[str, bool] = {}  # several kinds have one gate
        for marker in markers:
            if marker not in lowered:
                continue
            for shape in self._named[marker]:
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


def _split_parts(words: bytes) -> list[bytes]:
    """Give the parts of words between their marks, options without their dashes."""
    parted = b" " + words.replace(_ENDING, b"").translate(_PARTED)
    return parted.replace(b" -", b" ").replace(b" -", b" ").split()


def _list_forms(word: bytes) -> set[bytes]:
    """Give what a word may be without what stands around it: mysql for /usr/bin/mysql.exe.

    NAME=value is one word here, and its name another.
    """
    parts = word.split(b"=")
    ends = [part.removesuffix(_ENDING).translate(_PARTED).split()[-1:] for part in parts]
    return {word, *parts, *(part.lstrip(b"-") for end in ends for part in end)}


def _asks_for_run(gate: str) -> bool:
    """Tell whether what a gate asks for has as many letters in a row as `_RUN`."""
    return any(int(count) >= _RUN_LETTERS for count in _RUN_IN_GATE.findall(gate))


def is_plain_id(word: bytes) -> bool:
    """Tell whether a word is an id as every record has two or three: no token looks like one."""
    # Fast path: so few words are asked for each pattern; by itself it was not measured.
    return len(word) == _ID_LENGTH and _ID.match(word) is not None


def _is_token_in(word: bytes, shape: SecretPattern) -> bool:
    if shape.markers:
        return any(marker in word for marker in shape.markers)
    return shape.may_stand_in(word)


def _is_key_line(word: bytes) -> bool:
    """Tell whether a word is as a line of a key; hashes have no capitals, paths have marks."""
    return len(word) in LINE_LENGTHS and not word.islower() and KEY_LETTERS.search(word) is not None


def _find_part_of_word(marker: bytes) -> bytes:
    """Find the longest part of a marker that is no more than one word, or part of one."""
    return max(marker.translate(_CUTS).split(), key=len, default=b"")


def _are_token_counts(lowered: bytes) -> bool:
    """Tell whether all tokens that a line in small letters speaks of are numbers of them."""
    return _NO_TOKEN_COUNT.search(lowered) is None


def strip_unseen_bytes(line: bytes) -> bytes:
    """Take out of a line what nobody sees, and write out characters that are spelled in hex.

    Gives the very same line where there is nothing of that, as in most.
    """
    if b"\\u" in line and _SPELLED_WIDE.search(line):
        line = _SPELLED_WIDE.sub(_write_out, line)
    if not line.isascii():
        for unseen in set(_UNSEEN_BYTES.findall(line.translate(None, _ASCII))):
            line = line.replace(unseen, b"")
    return line


def has_unseen_bytes(line: bytes) -> bool:
    """Tell whether `strip_unseen_bytes` would change a line."""
    return strip_unseen_bytes(line) is not line


def _write_out(match: re.Match[bytes]) -> bytes:
    code = int(match[1], 16)
    # Half a pair is no character; plain letters are told by `_SPELLED`.
    return match[0] if 0xD800 <= code < 0xE000 else chr(code).encode()
