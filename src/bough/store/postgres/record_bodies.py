"""Records as JSONB: for questions, not for reading back; the bytes are kept beside it.

JSONB can hold neither a zero character nor half of a character, and is dear: strings longer than
2 kB are replaced by how long they were, and the records of a frame are one value, by their
offsets. A server may keep less: the envelope of each record, without what was said, or nothing.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from bough.records.decode import decode_plain
from bough.store.filter_conditions import replace_surrogates
from bough.store.team_rows import JsonChoice

_LONGEST: Final = 2_048
_SAID: Final = ("content", "toolUseResult")
"""The fields that no envelope has, of a record and of its message."""
_TROUBLES: Final = (b"\\u0000", b"\\ud", b"\\uD", b"\x00")


def build_bodies(lines: Iterable[tuple[int, bytes]], choice: JsonChoice = "body") -> str | None:
    """Give lines as one JSON object by their offsets; None where none of them is JSON."""
    bodies = [
        f'"{offset}":{body}'
        for offset, raw in lines
        if (body := build_body(raw, choice)) is not None
    ]
    return f"{{{','.join(bodies)}}}" if bodies else None


def build_body(raw: bytes, choice: JsonChoice = "body") -> str | None:
    """Give a line as JSON that PostgreSQL takes; None where it is none."""
    is_whole = choice == "body"
    # Fast path: short lines, which most are, go as they are if nothing in them can be refused.
    if is_whole and len(raw) <= _LONGEST and not any(sign in raw for sign in _TROUBLES):
        try:
            msgspec.json.decode(raw)
            return raw.decode().strip()
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass
    try:
        value = decode_plain(raw.strip())
        if value is None:
            return None
        return msgspec.json.encode(_cut(value if is_whole else _open_envelope(value))).decode()
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError, TypeError):
        return None


def clean_text(text: str) -> str:
    """Replace what PostgreSQL cannot keep: the character zero, and half characters."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else replace_surrogates(text)


def _open_envelope(value: Any) -> Any:
    """Leave out what was said."""
    if not isinstance(value, dict):
        return {}
    kept = {key: one for key, one in value.items() if key not in _SAID}
    if isinstance(message := kept.get("message"), dict):
        kept["message"] = {key: one for key, one in message.items() if key not in _SAID}
    return kept


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
