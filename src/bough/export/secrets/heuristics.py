"""Whether a text is a secret or only stands where one would stand.

Names of variables, placeholders, words of a sentence, paths, code and dates are no secrets,
whatever the setting beside them is called.
"""

import re
from collections import Counter
from math import log2
from typing import Final

_STAND_INS: Final = frozenset({
    "a", "an", "and", "any", "api", "bar", "basic", "baz", "bearer", "change", "changeme",
    "code", "default", "demo", "dummy", "empty", "enter", "env", "example", "fake", "false",
    "fill", "foo", "found", "generated", "hash", "here", "hidden", "id", "in", "insert",
    "invalid", "is", "it", "jwt", "key", "login", "me", "missing", "mock", "my", "name", "new",
    "nil", "none", "not", "null", "of", "optional", "or", "pass", "passphrase", "passwd",
    "password", "placeholder", "pw", "pwd", "redacted", "replace", "required", "root", "sample",
    "secret", "set", "some", "string", "test", "text", "the", "this", "to", "todo", "token",
    "true", "type", "undefined", "user", "username", "value", "with", "wrong", "x", "xx", "xxx",
    "xxxx", "xxxxx", "xxxxxx", "xxxxxxx", "xxxxxxxx", "you", "your", "yourpassword", "yourtoken",
})  # fmt: skip
_PARTS: Final = re.compile(r"[A-Za-z]+")
_CODE: Final = re.compile(
    r"[$%<{(\[`&*|]"
    r"|(?:process|os|self|this|config|settings|options|opts|env|req|request|res|response|args|"
    r"params|data|user|ctx|context|props|state|secrets|vars|var|github|import|await|new|function|"
    r"return|typeof|module|window|document|app|local|each)\."
)
_IN_CODE: Final = re.compile(r"\(|\)|\$\{|\{\{|\}\}|\[['\"]|=>|->|::|&&|\|\||\.\.\.|…")
_PLACE: Final = re.compile(
    r"(?:~|\.{1,2})?/[\w.@-]{1,200}/|[a-z][a-z0-9+.-]{1,20}://|[A-Za-z]:\\", re.IGNORECASE
)
_DOTTED: Final = re.compile(r"[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){1,8}(?:[:;,.]|\Z)")
_NUMBER: Final = re.compile(
    r"[\d.,:/+-]{1,60}(?:ms|s|m|h|d|k|kb|mb|gb|px|em|rem|%|z)?\Z|\d{4}-\d\d-\d\dT[\d:.+-]{1,30}Z?\Z",
    re.IGNORECASE,
)
_WEAK: Final = 2.2
_STRONG: Final = 3.0
"""Bits a character: random words of twelve and more lie above, prose and names mostly below."""


def measure_entropy(text: str) -> float:
    """Measure how little a text repeats itself, in bits a character."""
    size = len(text)
    return -sum(n / size * log2(n / size) for n in Counter(text).values()) if size else 0.0


def is_mixed(text: str) -> bool:
    """Tell whether a text has small letters, capitals and digits, as random ones do."""
    return (
        any(c.islower() for c in text)
        and any(c.isupper() for c in text)
        and any(c.isdigit() for c in text)
    )


def has_digit(text: str) -> bool:
    """Tell whether a text has a digit; words and identifiers rarely do."""
    return any(c.isdigit() for c in text)


def is_password(text: str) -> bool:
    """Tell whether what stands where a password stands is one, and no stand-in for it."""
    if _CODE.match(text) or _IN_CODE.search(text) or "[hidden: " in text:
        return False
    words = [word.lower() for word in _PARTS.findall(text)]
    return bool(words or has_digit(text)) and not (
        all(word in _STAND_INS for word in words) and sum(c.isdigit() for c in text) < 4
    )


def is_secret(text: str) -> bool:
    """Tell whether the value of a setting looks chosen at random."""
    if len(text) < 6 or " " in text or _NUMBER.match(text) or not is_password(text):
        return False
    if _PLACE.match(text) or _DOTTED.match(text):
        return False
    if not any(c.isalpha() for c in text):
        return False
    if len(text) >= 12:
        return has_digit(text) and measure_entropy(text) > _STRONG
    # Short ones are typed by people: a digit or a mark inside tells them from plain words.
    odd = has_digit(text) or any(not (c.isalnum() or c in "_-.:/") for c in text)
    return odd and measure_entropy(text) > _WEAK


def is_setting(text: str) -> bool:
    """Tell whether the value of a key or a token looks chosen at random: those are long."""
    if len(text) < 10 or not is_secret(text):
        return False
    digits = sum(c.isdigit() for c in text)
    return len(text) >= 16 or is_mixed(text) or (len(text) >= 12 and digits >= 3)


def is_token(text: str) -> bool:
    """Tell whether what follows "Bearer" is a token and no word of a sentence."""
    return len(text) >= 16 and is_secret(text)
