"""What to make of JSON that msgspec refuses, and of messages that are not as expected.

Clients and machines write what strict readers reject: lone surrogates, NaN, numbers beyond
any range, a field of another type than ever before. What offends is left out, the rest is
kept; the bytes themselves stay in `raw` anyway. All of this is the slow way, taken by very
few lines.

One strange block must not cost its neighbours. A block of a kind nobody knows is kept as
JSON; so is a known one with a wrong field, unless it is a call or a result: those are joined
to each other by id, and are worth more than the field they lose.
"""

import math
import re
from functools import cache
from itertools import accumulate
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Raw, Struct

from bough.records.blocks import (
    KNOWN_BLOCKS,
    AnyBlock,
    ServerToolUse,
    Text,
    ToolResult,
    ToolUse,
    UnknownBlock,
    WebFetchResult,
    WebSearchResult,
)

DEPTH = 200
"""How deep values may be nested; readers that recurse into them can rely on it."""

_T = TypeVar("_T", bound=Struct)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_TO_BRACKET = re.compile(
    rb'[^"\[\]{}]*+(?:' + _STRING.pattern + rb'[^"\[\]{}]*+)*+(?:[\[\]{}]|\Z)', re.DOTALL
)
"""Up to the next bracket that stands in no string, or where there is none, to the end."""
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def cut_depth(text: bytes) -> bytes:
    """Put null in the place of what is nested deeper than anybody needs."""
    if text.count(b"[") + text.count(b"{") <= DEPTH:
        return text
    brackets = _STRING.sub(b"", text).translate(None, _NO_BRACKET)
    depths = list(accumulate(map(_STEP.__getitem__, brackets)))
    if max(depths, default=0) <= DEPTH:
        return text
    kept, start, before = [], 0, 0
    for match, depth in zip(_TO_BRACKET.finditer(text), depths, strict=False):
        if before <= DEPTH < depth:
            kept.append(text[start : match.end() - 1])
        elif depth <= DEPTH < before:
            kept.append(b"null")
            start = match.end()
        before = depth
    return b"".join(kept) if before > DEPTH else b"".join(kept) + text[start:]


def clean_value(value: object) -> object:
    """Replace what JSON in UTF-8 cannot hold: lone surrogates, NaN, numbers out of range."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case float():
            return value if math.isfinite(value) else None
        case int() if abs(value) >= 2**63:
            return float(value) if abs(value) < 2**1023 else None
        case dict():
            return {clean_value(key): clean_value(item) for key, item in value.items()}
        case list():
            return [clean_value(item) for item in value]
        case _:
            return value


def fit_struct(value: object, cls: type[_T]) -> _T:
    """Make a `cls` from the fields of a JSON object that have the right type."""
    if not isinstance(value, dict):
        return cls()
    kept = {}
    for field in _fields_of(cls):
        if field.encode_name in value:
            found = _fit_value(value[field.encode_name], field.type)
            if found is not UNSET:
                kept[field.name] = found
    return cls(**kept)


@cache
def _fields_of(cls: type[Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(cls)


def _fit_value(value: object, kind: object) -> object:
    """Give a value as the kind wanted; UNSET where nothing of it can be kept."""
    if kind is Raw:
        return Raw(msgspec.json.encode(value))
    try:
        return msgspec.convert(value, type=kind)
    except msgspec.ValidationError:
        return _fit_inside(value, kind)


def _fit_inside(value: object, kind: object) -> object:
    """Keep what is right in an object or a list that is wrong somewhere inside."""
    for choice in get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,):
        if get_origin(choice) is list and isinstance(value, list):
            (item,) = get_args(choice)
            found = [_fit_value(each, item) for each in value]
            return [each for each in found if each is not UNSET]
        if isinstance(choice, type) and issubclass(choice, Struct) and isinstance(value, dict):
            return fit_struct(value, choice)
    return UNSET


_Joined = ToolUse | ServerToolUse | ToolResult | WebSearchResult | WebFetchResult
_JOINED: dict[str, tuple[type[_Joined], str]] = {
    "tool_use": (ToolUse, "id"),
    "server_tool_use": (ServerToolUse, "id"),
    "tool_result": (ToolResult, "tool_use_id"),
    "web_search_tool_result": (WebSearchResult, "tool_use_id"),
    "web_fetch_tool_result": (WebFetchResult, "tool_use_id"),
}
"""Blocks that others are joined to, and the id they are joined by."""

_decode_block = msgspec.json.Decoder(KNOWN_BLOCKS).decode


def salvage_content(content: Any) -> Any:
    """Turn plain content into text or blocks, unknown blocks included."""
    if isinstance(content, str) or content is None:
        return content
    items = content if isinstance(content, list) else [content]
    return [_salvage_block(item) for item in items]


def _salvage_block(item: Any) -> AnyBlock:
    if isinstance(item, str):
        return Text(text=item)
    as_json = msgspec.json.encode(item)
    try:
        block: AnyBlock = _decode_block(as_json)
    except msgspec.MsgspecError:
        name = item.get("type") if isinstance(item, dict) else None
        name = name if isinstance(name, str) else ""
        if name in _JOINED and isinstance(item.get(_JOINED[name][1]), str):
            return fit_struct(item, _JOINED[name][0])
        return UnknownBlock(type=name, json=as_json)
    return block
