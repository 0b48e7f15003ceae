"""What an export hid, as faces show it."""

from msgspec import Struct


class Finding(Struct, frozen=True):
    """What was hidden of one kind: in how many places, and each secret by its beginning."""

    kind: str
    count: int
    masked: tuple[str, ...]
