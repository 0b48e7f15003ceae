"""What looks like a secret in a text, and where it stands."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import repeat
from typing import Final

from msgspec import Struct

from bough.export.secrets.code_patterns import CODE_PATTERNS
from bough.export.secrets.command_patterns import COMMAND_PATTERNS
from bough.export.secrets.heuristics import is_mixed, is_setting, is_typed_password
from bough.export.secrets.key_blocks import find_key_blocks
from bough.export.secrets.named_values import EMAIL, HEADER_PATTERNS, SECRET_NAME, SETTING_PATTERNS
from bough.export.secrets.password_patterns import BARE, PASSWORD_NAME, PASSWORD_PATTERNS
from bough.export.secrets.pattern_filter import (
    UNSEEN,
    PatternFilter,
    has_unseen_bytes,
    strip_unseen_bytes,
)
from bough.export.secrets.secret_pattern import FAR, NEAR, SecretPattern
from bough.export.secrets.table_columns import find_column_passwords, may_have_table
from bough.export.secrets.token_patterns import TOKEN_PATTERNS

NAMED_PATTERNS: Final = (
    *HEADER_PATTERNS,
    *COMMAND_PATTERNS,
    *PASSWORD_PATTERNS,
    *SETTING_PATTERNS,
    *CODE_PATTERNS,
)
"""In the order of trust, behind those that are known by their shape."""

_BY_WORDS: Final = frozenset(map(id, NAMED_PATTERNS))
_LONGEST_PASSWORD: Final = 300
_EDGE: Final = 400
"""So much a pattern looks at, at most, before and behind what it matches."""
_CUT_OFF: Final = 200
# Fast path: the first look at 49 MB, 1.4 s instead of 1.6 line by line (a busy machine).
_BLOCK: Final = 16_000
# The letter that ends a colour, or a line of quoted code, is no part of the word behind it. What
# begins a colour is often spelled out, or lost.
_ESCAPED: Final = re.compile(
    r"(?:\x1b|\\{1,7}(?:u001[bB]|x1[bB]|033|e)|\^\[)\[[0-9;]{0,20}[A-Za-z]|\[[0-9;]{1,20}m"
    r"|\\{1,7}[nrt]"
)
_REST: Final = re.compile(f"{BARE}+")
_APART_WORD: Final = b"pgpass"
_TOLD_APART: Final = tuple(shape for shape in NAMED_PATTERNS if _APART_WORD.decode() in shape.words)
"""What is told by a word that need not stand beside it: the name of the file."""
_WIDE: Final = tuple(shape for shape in NAMED_PATTERNS if shape.is_wide)
_WIDE_MARKERS: Final = tuple(
    {*(marker for shape in _WIDE for marker in shape.markers)}
    | {word.lower().encode() for shape in _WIDE for word in shape.words}
)


class SecretMatch(Struct, frozen=True):
    """One secret; `by_words` where only the words around it tell that it is one."""

    start: int
    end: int
    kind: str
    by_words: bool = False


class PossibleSecrets(Struct, frozen=True):
    """The kinds of secrets that a line may hold, asked before it is decoded.

    `unseen` tells that characters which nobody sees may stand inside one, `tables` that a table
    may have a column of passwords.
    """

    shapes: Sequence[SecretPattern] = ()
    keys: bool = False
    unseen: bool = False
    tables: bool = False

    def __bool__(self) -> bool:
        """Tell whether there is anything to look for."""
        return bool(self.shapes) or self.keys or self.tables


class SecretDetector:
    """Finds secrets, e-mail addresses, or both."""

    def __init__(self, *, secrets: bool = True, emails: bool = False) -> None:
        self._secrets = secrets
        self._emails = emails

    def find_possible(self, line: bytes) -> PossibleSecrets:
        """Tell what a line may hold."""
        seen = strip_unseen_bytes(line)
        unseen = seen is not line
        emails = (EMAIL,) if self._emails and b"@" in line else ()
        if not self._secrets:
            return PossibleSecrets(emails, unseen=unseen)
        signs = _pattern_filter().select_patterns(seen)
        return PossibleSecrets([*signs.shapes, *emails], signs.has_keys, unseen, signs.has_tables)

    def find_possible_in(self, lines: Sequence[bytes]) -> Iterator[PossibleSecrets]:
        """Tell what each of some lines may hold: several at once, as most hold nothing."""
        # Most blocks have an @ in them, so addresses are looked for line by line.
        most = 1 if self._emails else _BLOCK
        at = 0
        while at < len(lines):
            end, size = at, 0
            while end < len(lines) and size < most:
                size += len(lines[end])
                end += 1
            some = lines[at:end]
            together = self.find_possible(b"\n".join(some))
            if len(some) == 1 or not (together or together.unseen):
                yield from repeat(together, len(some))
            elif together:
                yield from map(self.find_possible, some)
            else:
                yield from (PossibleSecrets([], unseen=has_unseen_bytes(line)) for line in some)
            at = end

    def find_possible_named(self, line: bytes) -> PossibleSecrets:
        """Tell what a line may hold that is known by the words around it alone."""
        seen = strip_unseen_bytes(line)
        shapes = _pattern_filter().select_named_patterns(seen) if self._secrets else []
        return PossibleSecrets(
            shapes, unseen=seen is not line, tables=self._secrets and may_have_table(seen.lower())
        )

    def find(self, text: str, suspects: PossibleSecrets, name: str = "") -> list[SecretMatch]:
        """Find the secrets in a text, in order; where two overlap, the more trusted one.

        `name` is that of the field whose text this is: it may tell what the text does not.
        """
        if suspects.unseen and not text.isascii() and UNSEEN.search(text):
            return self._find_between_unseen(text, suspects, name)
        hits = list(_match_shapes(text, suspects))
        if _ESCAPED.search(text):
            hits += _match_shapes(_ESCAPED.sub(_blank, text), suspects)
        if name and self._secrets and not _is_all(hits, text):
            hits = _match_by_name(name, text) or hits
        return _drop_overlaps(hits, text)

    def find_near(
        self, text: str, places: Sequence[tuple[int, int]], line: bytes
    ) -> list[SecretMatch]:
        """Find the secrets of a long text that have one of some places in them.

        Only those that are known by the words around them. No pattern reaches further than these
        windows (`NEAR`, `FAR`), but for tables, whose columns are named above all their rows; the
        rest of the text is not looked at. `line` is where the text stands, in small letters: a word
        somewhere in it may tell what its numbers are.
        """
        apart = _TOLD_APART if _APART_WORD in line else ()
        hits = self.find(text, PossibleSecrets(tables=may_have_table(line)))
        looks = [(NEAR, _pattern_filter())]
        if any(marker in line for marker in _WIDE_MARKERS):
            looks.append((FAR, _wide_filter()))
        for reach, filters in looks:
            for start, end in _merge_windows(places, reach + _EDGE, len(text)):
                window = text[start:end]
                shapes = filters.select_named_patterns(window.encode("utf-8", "replace"))
                found = self.find(window, PossibleSecrets([*shapes, *apart]))
                hits += [
                    SecretMatch(hit.start + start, hit.end + start, hit.kind, hit.by_words)
                    for hit in found
                ]
        return _drop_overlaps(hits, text)

    def _find_between_unseen(
        self, text: str, suspects: PossibleSecrets, name: str
    ) -> list[SecretMatch]:
        """Find the secrets of a text as it is seen, and say where they stand in it."""
        # Where each would stand in the text without them: so many have to be added behind it.
        gaps = [match.start() - number for number, match in enumerate(UNSEEN.finditer(text))]

        def find_place(at: int) -> int:
            return at + bisect_right(gaps, at)

        hits = self.find(UNSEEN.sub("", text), suspects, name)
        return [
            SecretMatch(find_place(hit.start), find_place(hit.end - 1) + 1, hit.kind, hit.by_words)
            for hit in hits
        ]


def _match_shapes(text: str, suspects: PossibleSecrets) -> Iterator[SecretMatch]:
    """Find what the patterns find, the most trusted first; some may overlap."""
    if suspects.keys:
        yield from (SecretMatch(*block) for block in find_key_blocks(text))
    if suspects.tables:
        for cell in find_column_passwords(text):
            yield SecretMatch(*cell, "password", by_words=True)
    for shape in suspects.shapes:
        by_words = id(shape) in _BY_WORDS
        for match in shape.pattern.finditer(text):
            group = match.lastindex or 0
            if shape.holds(match[group]):
                yield SecretMatch(*match.span(group), shape.kind, by_words)


def _blank(match: re.Match[str]) -> str:
    return " " * (len(match[0]) - 1) + ("\n" if match[0][-1] in "nr" else " ")


def prepare_patterns() -> None:
    """Compile what every line is asked, before the first one comes."""
    _pattern_filter()


@cache
def _wide_filter() -> PatternFilter:
    return PatternFilter((), _WIDE)


@cache
def _pattern_filter() -> PatternFilter:
    return PatternFilter(TOKEN_PATTERNS, NAMED_PATTERNS)


def _is_all(hits: Sequence[SecretMatch], text: str) -> bool:
    return any(hit.end - hit.start == len(text) for hit in hits)


def _match_by_name(name: str, text: str) -> list[SecretMatch]:
    if "\n" in text or (len(text) > _LONGEST_PASSWORD and not _is_unbroken(text)):
        return []
    if PASSWORD_NAME.search(name):
        kind, holds = "password", is_typed_password(text)
    elif SECRET_NAME.search(name):
        kind, holds = "secret setting", is_setting(text)
    else:
        return []
    return [SecretMatch(0, len(text), kind, by_words=True)] if holds else []


def _is_unbroken(text: str) -> bool:
    """Tell whether a long text is one value and no sentences: a key, packed bytes."""
    return not any(map(str.isspace, text)) and is_mixed(text)


def _merge_windows(
    places: Sequence[tuple[int, int]], reach: int, length: int
) -> list[tuple[int, int]]:
    """Give the stretches of a text around some places; those that touch are one."""
    windows: list[tuple[int, int]] = []
    for start, end in sorted(places):
        first, last = max(0, start - reach), min(length, end + reach)
        if windows and first <= windows[-1][1]:
            first, last = windows[-1][0], max(last, windows.pop()[1])
        windows.append((first, last))
    return windows


def _widen(hit: SecretMatch, text: str) -> SecretMatch:
    """Let a long value go on to its end: a pattern takes only so much of it."""
    if hit.end - hit.start < _CUT_OFF or not (rest := _REST.match(text, hit.end)):
        return hit
    return SecretMatch(hit.start, rest.end(), hit.kind, hit.by_words)


def _drop_overlaps(hits: Sequence[SecretMatch], text: str) -> list[SecretMatch]:
    """Keep of overlapping hits the first that was found, in the order of the text."""
    kept: list[SecretMatch] = []
    taken = 0
    # Sorting is stable: of those that begin together, the most trusted kind comes first.
    ranked = sorted(enumerate(hits), key=lambda pair: (pair[1].start, pair[0]))
    for _, hit in ranked:
        if hit.start >= taken:
            kept.append(_widen(hit, text))
            taken = kept[-1].end
        elif kept and hit.end > taken:
            # One secret runs into the next: hide both as the first.
            last = kept.pop()
            kept.append(SecretMatch(last.start, hit.end, last.kind, last.by_words))
            taken = hit.end
    return kept
