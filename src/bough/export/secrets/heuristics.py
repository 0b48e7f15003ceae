"""Whether a text is a secret or only stands where one would stand.

Names of variables, placeholders, words of a sentence, paths, code and dates are no secrets,
whatever the setting beside them is called.
"""

import base64
import binascii
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
# What is written beside a field for a password, in the languages that we know such fields in.
_LABELS: Final = frozenset({
    "passwort", "kennwort", "mot", "de", "passe", "contrase\u00f1a", "clave", "senha", "parola",
    "wachtwoord", "has\u0142o", "heslo", "salasana", "l\u00f6senord", "passord", "adgangskode",
    "jelsz\u00f3", "\u015fifre",
    "\u043f\u0430\u0440\u043e\u043b\u044c", "\u5bc6\u7801", "\u5bc6\u78bc",
    "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638",
    "abc", "account", "again", "already", "are", "as", "at", "auth", "authentication",
    "be", "because", "been", "being", "blank", "bool", "boolean", "but", "by", "bytes", "can",
    "cannot", "character", "characters", "check", "confirm", "confirmation", "contain",
    "create", "credentials", "current", "database", "db", "do", "does", "encrypted", "error",
    "expired", "field", "for", "forgot", "forgotten", "from", "git", "has", "hashed", "have", "if",
    "incorrect", "input", "int", "least", "length", "long", "longer", "match", "matches", "may",
    "method", "must", "no", "number", "object", "old", "on", "one", "only", "passwords", "please",
    "plain", "plaintext", "policy", "prompt", "protected", "provided", "repeat", "reset", "s",
    "secretstr", "short", "should", "stored", "str", "strong", "super", "t", "than", "that",
    "too", "types",
    "unknown", "update", "use", "used", "using", "valid", "was", "weak", "when", "which", "will",
    "without",
})  # fmt: skip
_PARTS: Final = re.compile(r"[A-Za-z]+")
_CODE: Final = re.compile(
    r"[$%<{(\[`&*|]"
    r"|(?:process|os|self|this|config|settings|options|opts|env|req|request|res|response|args|"
    r"params|data|user|ctx|context|props|state|secrets|vars|var|github|import|await|new|function|"
    r"return|typeof|module|window|document|app|local|each)\."
)
_IN_CODE: Final = re.compile(r"\(|\)|\$\{|\{\{|\}\}|\[['\"]|=>|->|::|&&|\|\||\.\.\.|…|\?\.")
_PLACE: Final = re.compile(
    r"(?:~|\.{1,2})?/[\w.@-]{1,200}/|[a-z][a-z0-9+.-]{1,20}://|[A-Za-z]:\\", re.IGNORECASE
)
_DOTTED: Final = re.compile(r"[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){1,8}(?:[:;,.]|\Z)")
_NUMBER: Final = re.compile(
    r"[\d.,:/+-]{1,60}(?:ms|s|m|h|d|k|kb|mb|gb|px|em|rem|%|z)?\Z|\d{4}-\d\d-\d\dT[\d:.+-]{1,30}Z?\Z",
    re.IGNORECASE,
)
_ANY_WORDS: Final = re.compile(r"[A-Z]?[a-z]+(?![^\W\d_a-zA-Z])|[^\W\d_]+")
_PLACEHOLDER: Final = re.compile(
    r"\s*(?:"
    r"[,)\]};]|[$%](?![!#&*+,./:;=?@^_~-])|\$\{|\{\{|<[^<>]{0,60}>|\{[^{}]{0,60}\}|\[[^\[\]]{0,60}\]|#\{|@@|"
    r"[*\u2022\u25cf.\u2026xX_?#-]{1,60}\s*\Z|%\(|:[a-z_]{1,30}\Z|!(?:vault|ref|sub|reference)|"
    r"ENC\[|op://|vault:|arn:aws|ssm:|projects/|(?:file|env):|"
    r"(?:process|os|self|this|config|settings|options|opts|env|req|request|res|response|args|"
    r"params|data|user|ctx|context|props|state|secrets|vars|var|github|each|module|local)[.\[]|"
    r"(?:await|new|return|typeof|lambda|function|get|read|load|decrypt|getenv|import)[ (]|"
    r"[\w.]{1,60}\([^()]{0,100}\)?\s{0,3};?\s{0,3}\Z|[\w.]{1,40}\[[\w\"']{1,40}\]|"
    r"\$\w|f?[\"']{1,3}\s*\Z)"
)
_GENERIC: Final = re.compile(r"[\w.]{1,60}\[")
# Of keys, as libraries call them: Ed25519PrivateKey, PKCS7PrivateKeyTypes.
_TYPE_NAME: Final = re.compile(
    r"[A-Z][A-Za-z0-9]{0,40}(?:Private|Public|Secret)Key[A-Za-z]{0,20}\Z"
)
_HEX: Final = re.compile(r"(?:[0-9a-f]{32,512}|[0-9A-F]{32,512})\Z")
_WEAK: Final = 2.2
_STRONG: Final = 3.0
_RANDOM: Final = 3.6
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


def is_typed_password(text: str) -> bool:
    """Tell whether what a field called password holds is one: anything but a stand-in for it."""
    if _PLACEHOLDER.match(text) or "[hidden: " in text or not any(c.isalnum() for c in text):
        return False
    words = [word.lower() for word in _ANY_WORDS.findall(text)]
    if all(word in _STAND_INS or word in _LABELS for word in words):
        return sum(c.isdigit() for c in text) >= 4
    # A sentence about passwords has small words in it; a passphrase has none.
    return " " not in text.strip() or not any(w in _STAND_INS or w in _LABELS for w in words)


def is_bare_password(text: str) -> bool:
    """Tell whether what follows the name of a password without quotes is one, and no code."""
    if len(text) < 4 or not is_typed_password(text) or _CODE.match(text) or _IN_CODE.search(text):
        return False
    if _GENERIC.match(text):
        return False
    if _DOTTED.match(text) or _PLACE.match(text) or _NUMBER.match(text):
        return False
    if not any(c.isalpha() for c in text):
        return False
    # Names of variables and words of a sentence have no digit, no odd mark and few dashes.
    return (
        has_digit(text)
        or text.count("-") >= 2
        or any(not (c.isalnum() or c in "_-.:/,=") for c in text.strip(".,;:!?*"))
    )


def is_secret(text: str) -> bool:
    """Tell whether the value of a setting looks chosen at random."""
    if len(text) < 6 or " " in text or _NUMBER.match(text) or not is_password(text):
        return False
    if _PLACE.match(text) or _DOTTED.match(text) or _TYPE_NAME.match(text):
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


def is_random(text: str) -> bool:
    """Tell whether a text is so mixed that nobody would have called anything by it."""
    return (
        sum(c.isdigit() for c in text) >= 3
        and sum(c.isupper() for c in text) >= 3
        and sum(c.islower() for c in text) >= 3
        and measure_entropy(text) > _RANDOM
    )


def is_key(text: str) -> bool:
    """Tell whether the value of something that is called a key is random, and no name of a key."""
    plain = text.removeprefix("base64:").removeprefix("0x")
    if _HEX.match(plain):
        return has_digit(plain) and any(c.isalpha() for c in plain) and len(set(plain)) >= 8
    return len(plain) >= 20 and is_mixed(plain) and is_setting(plain)


def is_login(text: str) -> bool:
    """Tell whether a text in base64 is a name and a password."""
    try:
        plain = base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    name, colon, password = plain.partition(":")
    return bool(name and colon and password) and plain.isprintable()
