"""What to make of JSON that msgspec refuses.

Clients and machines write what strict readers reject: lone surrogates, NaN, numbers beyond
any range, a field of another type than ever before. What offends is left out, the rest is
kept; the bytes themselves stay in `raw` anyway. All of this is the slow way, taken by very
few lines.
"""

import math
import re
from functools import cache
from itertools import accumulate
from types import UnionType
from typing import TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Raw, Struct

DEPTH = 200
"""How deep values may be nested; readers that recurse into them can rely on it."""

_T = TypeVar("_T", bound=Struct)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_TOKEN = re.compile(_STRING.pattern + rb"|[\[\]{}]", re.DOTALL)
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def shallow(text: bytes) -> bytes:
    """Put null in the place of what is nested deeper than anybody needs."""
    if text.count(b"[") + text.count(b"{") <= DEPTH:
        return text
    brackets = _STRING.sub(b"", text).translate(None, _NO_BRACKET)
    if max(accumulate(map(_STEP.__getitem__, brackets)), default=0) <= DEPTH:
        return text
    kept, start, depth = [], 0, 0
    for match in _TOKEN.finditer(text):
        step = _STEP.get(text[match.start()], 0)
        if depth == DEPTH and step > 0:
            kept.append(text[start : match.start()])
        elif depth == DEPTH + 1 and step < 0:
            kept.append(b"null")
            start = match.end()
        depth += step
    return b"".join(kept) if depth > DEPTH else b"".join(kept) + text[start:]


def clean(value: object) -> object:
    """Replace what JSON in UTF-8 cannot hold: lone surrogates, NaN, numbers out of range."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case float():
            return value if math.isfinite(value) else None
        case int() if abs(value) >= 2**63:
            return float(value) if abs(value) < 2**1023 else None
        case dict():
            return {clean(key): clean(item) for key, item in value.items()}
        case list():
            return [clean(item) for item in value]
        case _:
            return value


def fitted(value: object, cls: type[_T]) -> _T:
    """Make a `cls` from the fields of a JSON object that have the right type."""
    if not isinstance(value, dict):
        return cls()
    kept = {}
    for field in _fields(cls):
        if field.encode_name in value:
            found = _fit(value[field.encode_name], field.type)
            if found is not UNSET:
                kept[field.name] = found
    return cls(**kept)


@cache
def _fields(cls: type[Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(cls)


def _fit(value: object, kind: object) -> object:
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
            found = [_fit(each, item) for each in value]
            return [each for each in found if each is not UNSET]
        if isinstance(choice, type) and issubclass(choice, Struct) and isinstance(value, dict):
            return fitted(value, choice)
    return UNSET
