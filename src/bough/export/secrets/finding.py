"""What looks like a secret in a text, and where it stands."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from bough.export.secrets.gate import Gate
from bough.export.secrets.heuristics import is_secret, is_setting
from bough.export.secrets.keyblocks import MARKER, key_blocks
from bough.export.secrets.named_values import EMAIL, SECRET_NAME, WORDS
from bough.export.secrets.token_patterns import SHAPES, Shape

_BY_WORDS: Final = frozenset(map(id, WORDS))


class Hit(Struct, frozen=True):
    """One secret; `by_words` where only the words around it tell that it is one."""

    start: int
    end: int
    kind: str
    by_words: bool = False


class Suspects(Struct, frozen=True):
    """The kinds of secrets that a line may hold, asked before it is decoded."""

    shapes: Sequence[Shape] = ()
    keys: bool = False

    def __bool__(self) -> bool:
        """Tell whether there is anything to look for."""
        return bool(self.shapes) or self.keys


class Secrets:
    """Finds secrets, e-mail addresses, or both."""

    def __init__(self, *, secrets: bool = True, emails: bool = False) -> None:
        self._secrets = secrets
        self._emails = emails

    @cached_property
    def _gate(self) -> Gate:
        return Gate(SHAPES, WORDS)

    def possible(self, line: bytes) -> Suspects:
        """Tell what a line may hold."""
        shapes = self._gate.open_for(line) if self._secrets else []
        if self._emails and b"@" in line:
            shapes = [*shapes, EMAIL]
        return Suspects(shapes, self._secrets and MARKER in line)

    def find(self, text: str, suspects: Suspects, name: str = "") -> list[Hit]:
        """Find the secrets in a text, in order; where two overlap, the more trusted one.

        `name` is that of the field whose text this is: it may tell what the text does not.
        """
        hits: list[Hit] = []
        if suspects.keys:
            hits += [Hit(*block) for block in key_blocks(text)]
        for shape in suspects.shapes:
            by_words = id(shape) in _BY_WORDS
            for match in shape.pattern.finditer(text):
                group = match.lastindex or 0
                if shape.holds(match[group]):
                    hits.append(Hit(*match.span(group), shape.kind, by_words))
        if not hits and name and self._secrets:
            hits += _by_name(name, text)
        return _apart(hits)


def _by_name(name: str, text: str) -> list[Hit]:
    if not SECRET_NAME.search(name):
        return []
    is_pass = name.lower().startswith("p")
    if not (is_secret(text) if is_pass else is_setting(text)):
        return []
    return [Hit(0, len(text), "password" if is_pass else "secret setting", by_words=True)]


def _apart(hits: Sequence[Hit]) -> list[Hit]:
    """Keep of overlapping hits the first that was found, in the order of the text."""
    kept: list[Hit] = []
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
            kept.append(Hit(last.start, hit.end, last.kind, last.by_words))
            taken = hit.end
    return kept
