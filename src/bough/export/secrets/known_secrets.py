"""Secrets that are known from elsewhere: where somebody just mentions one, it is found too.

A password that is known by the setting it stands in has no shape of its own, so nothing tells it
in a sentence. Once it was seen in its setting, its letters do.
"""

import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

_SHORTEST = 8
_SHORTEST_PART = 4


class SecretPart(Struct, frozen=True):
    """Where a part of a secret stands in a text."""

    secret: str
    start: int
    end: int


class KnownSecrets:
    """The secrets that only the words around them tell, and that can be told by their letters."""

    def __init__(self) -> None:
        self._written: dict[str, bytes] = {}
        self._pattern: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        """Tell whether any is known."""
        return bool(self._written)

    def __contains__(self, secret: str) -> bool:
        """Tell whether a secret is known."""
        return secret in self._written

    def __iter__(self) -> Iterator[str]:
        """Give the secrets."""
        return iter(self._written)

    def learn(self, secret: str) -> None:
        """Keep a secret, if its letters alone mean it."""
        if secret not in self._written and is_distinctive(secret):
            self._written[secret] = msgspec.json.encode(secret)[1:-1]
            self._pattern = None

    def may_stand_in(self, raw: bytes) -> bool:
        """Tell whether any of them stands in a line, as JSON writes it."""
        return any(written in raw for written in self._written.values())

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """Find where they are mentioned."""
        if not self._written or not text:
            return iter(())
        if self._pattern is None:
            longest = sorted(self._written, key=len, reverse=True)
            inner = "|".join(map(re.escape, longest))
            self._pattern = re.compile(rf"(?<![A-Za-z0-9])(?:{inner})(?![A-Za-z0-9])")
        return self._pattern.finditer(text)

    def find_cut(
        self, text: str, *, is_cut_before: bool, is_cut_behind: bool
    ) -> tuple["SecretPart | None", "SecretPart | None"]:
        """Find parts of them at the ends of a text that was cut out of a longer one."""
        start: SecretPart | None = None
        end: SecretPart | None = None
        for secret in self._written:
            if is_cut_before and is_cut_behind and len(text) >= _SHORTEST_PART and text in secret:
                return SecretPart(secret, 0, len(text)), None
            tail = _find_tail(text, secret) if is_cut_before else 0
            if tail and (start is None or tail > start.end):
                start = SecretPart(secret, 0, tail)
            head = _find_head(text, secret) if is_cut_behind else 0
            if head and (end is None or len(text) - head < end.start):
                end = SecretPart(secret, len(text) - head, len(text))
        return start, end


def _find_tail(text: str, secret: str) -> int:
    """Count the last characters of a secret that a text begins with, all but all of them."""
    for length in range(min(len(secret) - 1, len(text)), _SHORTEST_PART - 1, -1):
        if text.startswith(secret[-length:]) and not text[length : length + 1].isalnum():
            return length
    return 0


def _find_head(text: str, secret: str) -> int:
    """Count the first characters of a secret that a text ends with, all but all of them."""
    for length in range(min(len(secret) - 1, len(text)), _SHORTEST_PART - 1, -1):
        before = text[-length - 1 : -length]
        if text.endswith(secret[:length]) and not before.isalnum():
            return length
    return 0


def is_distinctive(secret: str) -> bool:
    """Tell whether a secret is long and odd enough that its letters alone mean it."""
    return len(secret) >= _SHORTEST and any(not c.isalpha() for c in secret)
