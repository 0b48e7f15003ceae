"""Records as JSONB: for questions, not for reading back; the bytes are kept beside it.

JSONB can hold neither a zero character nor half of a character, and is dear: strings longer than
2 kB are replaced by how long they were.
"""

from typing import Any, Final

import msgspec

from bough.records.decode import decode_plain
from bough.store.filter_conditions import replace_surrogates

_LONGEST: Final = 2_048
_TROUBLES: Final = (b"\\u0000", b"\\ud", b"\\uD", b"\x00")


def build_body(raw: bytes) -> str | None:
    """Give a line as JSON that PostgreSQL takes; None where it is none."""
    # Fast path: short lines, which most are, go as they are if nothing in them can be refused.
    if len(raw) <= _LONGEST and not any(sign in raw for sign in _TROUBLES):
        try:
            msgspec.json.decode(raw)
            return raw.decode().strip()
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass
    try:
        value = decode_plain(raw.strip())
        return None if value is None else msgspec.json.encode(_cut(value)).decode()
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError, TypeError):
        return None


def clean_text(text: str) -> str:
    """Replace what PostgreSQL cannot keep: the character zero, and half characters."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else replace_surrogates(text)


def _cut(value: Any) -> Any:
    match value:
        case str():
            if len(value) > _LONGEST or len(value.encode("utf-8", "surrogatepass")) > _LONGEST:
                return {"$bytes": len(value.encode("utf-8", "surrogatepass"))}
            return clean_text(value)
        case dict():
            return {clean_text(str(key)): _cut(one) for key, one in value.items()}
        case list():
            return [_cut(one) for one in value]
        case _:
            return value
