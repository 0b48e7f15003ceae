"""What looks like a secret in a text, and where it stands."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from bough.export.secrets.command_patterns import COMMAND_PATTERNS
from bough.export.secrets.heuristics import is_setting, is_typed_password
from bough.export.secrets.key_blocks import find_key_blocks
from bough.export.secrets.named_values import EMAIL, HEADER_PATTERNS, SECRET_NAME, SETTING_PATTERNS
from bough.export.secrets.password_patterns import PASSWORD_NAME, PASSWORD_PATTERNS
from bough.export.secrets.pattern_filter import UNSEEN, PatternFilter, strip_unseen_bytes
from bough.export.secrets.secret_pattern import SecretPattern
from bough.export.secrets.token_patterns import TOKEN_PATTERNS

NAMED_PATTERNS: Final = (
    *HEADER_PATTERNS,
    *COMMAND_PATTERNS,
    *PASSWORD_PATTERNS,
    *SETTING_PATTERNS,
)
"""In the order of trust, behind those that are known by their shape."""

_BY_WORDS: Final = frozenset(map(id, NAMED_PATTERNS))
_LONGEST_PASSWORD: Final = 300


class SecretMatch(Struct, frozen=True):
    """One secret; `by_words` where only the words around it tell that it is one."""

    start: int
    end: int
    kind: str
    by_words: bool = False


class PossibleSecrets(Struct, frozen=True):
    """The kinds of secrets that a line may hold, asked before it is decoded.

    `unseen` tells that characters which nobody sees may stand inside one.
    """

    shapes: Sequence[SecretPattern] = ()
    keys: bool = False
    unseen: bool = False

    def __bool__(self) -> bool:
        """Tell whether there is anything to look for."""
        return bool(self.shapes) or self.keys


class SecretDetector:
    """Finds secrets, e-mail addresses, or both."""

    def __init__(self, *, secrets: bool = True, emails: bool = False) -> None:
        self._secrets = secrets
        self._emails = emails

    def find_possible(self, line: bytes) -> PossibleSecrets:
        """Tell what a line may hold."""
        seen = strip_unseen_bytes(line)
        shapes, keys = _pattern_filter().select_patterns(seen) if self._secrets else ([], False)
        if self._emails and b"@" in line:
            shapes = [*shapes, EMAIL]
        return PossibleSecrets(shapes, keys, seen is not line)

    def find_possible_named(self, line: bytes) -> PossibleSecrets:
        """Tell what a line may hold that is known by the words around it alone."""
        seen = strip_unseen_bytes(line)
        shapes = _pattern_filter().select_named_patterns(seen) if self._secrets else []
        return PossibleSecrets(shapes, unseen=seen is not line)

    def find(self, text: str, suspects: PossibleSecrets, name: str = "") -> list[SecretMatch]:
        """Find the secrets in a text, in order; where two overlap, the more trusted one.

        `name` is that of the field whose text this is: it may tell what the text does not.
        """
        if suspects.unseen and not text.isascii() and UNSEEN.search(text):
            return self._find_between_unseen(text, suspects, name)
        hits: list[SecretMatch] = []
        if suspects.keys:
            hits += [SecretMatch(*block) for block in find_key_blocks(text)]
        for shape in suspects.shapes:
            by_words = id(shape) in _BY_WORDS
            for match in shape.pattern.finditer(text):
                group = match.lastindex or 0
                if shape.holds(match[group]):
                    hits.append(SecretMatch(*match.span(group), shape.kind, by_words))
        if name and self._secrets and not _is_all(hits, text):
            hits = _match_by_name(name, text) or hits
        return _drop_overlaps(hits)

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


@cache
def _pattern_filter() -> PatternFilter:
    return PatternFilter(TOKEN_PATTERNS, NAMED_PATTERNS)


def _is_all(hits: Sequence[SecretMatch], text: str) -> bool:
    return any(hit.end - hit.start == len(text) for hit in hits)


def _match_by_name(name: str, text: str) -> list[SecretMatch]:
    if len(text) > _LONGEST_PASSWORD or "\n" in text:
        return []
    if PASSWORD_NAME.search(name):
        kind, holds = "password", is_typed_password(text)
    elif SECRET_NAME.search(name):
        kind, holds = "secret setting", is_setting(text)
    else:
        return []
    return [SecretMatch(0, len(text), kind, by_words=True)] if holds else []


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
