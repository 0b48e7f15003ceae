"""Ids that are the same on every run.

A fixture whose ids change cannot be compared with anything, so every id here is made from
words: the seed of the session and the name or number of the step. Two sessions with different
seeds never share an id.
"""

import hashlib
import uuid

_NAMESPACE = uuid.UUID("6b0c9c1e-5b1a-5f0e-9d3b-b0a9b0a9b0a9")
_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def uuid_of(*parts: object) -> str:
    """Make a uuid from words."""
    return str(uuid.uuid5(_NAMESPACE, "/".join(str(part) for part in parts)))


def uuid_with_prefix(prefix: str, *parts: object) -> str:
    """Make a uuid from words that begins with the hex digits given."""
    return prefix + uuid_of(prefix, *parts)[len(prefix) :]


def hex_of(size: int, *parts: object) -> str:
    """Make a run of hex digits from words."""
    return _digest_words(*parts).hex()[:size]


def token_of(prefix: str, *parts: object) -> str:
    """Make an id as the API gives them, such as `toolu_01…` or `msg_01…`, from words."""
    number = int.from_bytes(_digest_words(*parts), "big")
    letters = []
    for _ in range(22):
        number, index = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[index])
    return f"{prefix}_01{''.join(letters)}"


def _digest_words(*parts: object) -> bytes:
    return hashlib.blake2b("/".join(str(part) for part in parts).encode(), digest_size=32).digest()
