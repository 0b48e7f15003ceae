"""Secrets that are known by the words around them: passwords, headers, cookies, settings.

The value itself may look like anything, so the name beside it decides, and a closer look
(`randomness`) leaves out what is no secret. Every repeat is bounded here too. Markers and
gates are asked of the raw line in lower case, where a newline is still two
characters.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from bough.export.secrets.heuristics import has_digit, is_password, is_secret, is_setting, is_token
from bough.export.secrets.token_patterns import EDGE, SecretPattern

_IS: Final = r"(?:\\{0,7}[\"'])?\s{0,4}(?:=>|:=|==?|:)\s{0,4}"
_RAW_IS: Final = r"(?:\\{0,7}[\"'])?(?:\s|\\[tnr]){0,4}(?:=>|:=|==?|:)(?:\s|\\[tnr]){0,4}"
_QUOTE: Final = r"(?:[bru]?\\{0,7}[\"'`])?"
_BARE: Final = r"[^\s\"'`,;\\<>(){}\[\]|\x00-\x1f]"
_VALUE: Final = (
    r"(?:[bru]?\\{0,7}\"([^\"\\\s]{6,500})\\{0,7}\"|[bru]?\\{0,7}'([^'\\\s]{6,500})\\{0,7}'"
    rf"|{_QUOTE}({_BARE}{{6,500}}+)(?![(\[]))"
)
_SUFFIX: Final = r"(?:s?[_-]?(?:value|key|base|hash|str|prod|dev|staging|live|[a-z]?[0-9]{0,3}))"
_LOGIN: Final = r"[^\s:/?#@\"'<>\\]{0,100}:([^\s/?#@\"'<>\\]{1,300})@"
_DATABASES: Final = (
    r"postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|"
    r"clickhouse|cockroachdb|cassandra|couchdb|neo4j|jdbc:[a-z]{2,20}"
)
_COOKIES: Final = (
    "phpsessid",
    "jsessionid",
    "asp.net_sessionid",
    "connect.sid",
    "session",
    "sessionid",
    "session_id",
    "sess",
    "sid",
    "csrftoken",
    "xsrf-token",
    "token",
    "remember_me",
)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)


def _is_cookie_header(text: str) -> bool:
    """Tell whether what follows the name of the header are cookies and no words about them."""
    return is_password(text) and has_digit(text)


def _is_cookie(text: str) -> bool:
    """Tell whether a cookie's value is one; ids of sessions that are written so are not."""
    return _UUID.match(text) is None and is_secret(text)


def _named_pattern(
    kind: str,
    markers: tuple[str, ...],
    pattern: str,
    holds: Callable[[str], bool] = is_secret,
    gate: str | None = None,
) -> SecretPattern:
    return SecretPattern(
        kind,
        tuple(m.encode() for m in markers),
        re.compile(pattern, re.IGNORECASE),
        holds,
        re.compile(gate.encode()) if gate else None,
    )


def _setting_patterns(
    kind: str, names: str, least: int, holds: Callable[[str], bool]
) -> Iterator[SecretPattern]:
    """Give a shape for each name, so that each can be looked for as it is."""
    for name in names.split():
        # A name that is part of longer words counts only as a whole or behind a mark.
        edge = "(?<![a-z])" if len(name) < 5 else ""
        head = edge + re.escape(name) + _SUFFIX
        gate = f"{head}{_RAW_IS}{_QUOTE}{_BARE}{{{least}}}"
        yield _named_pattern(kind, (name,), head + _IS + _VALUE, holds, gate)


NAMED_PATTERNS: Final = (
    _named_pattern(
        "AWS secret key",
        ("aws", "secretaccesskey", "secret_access_key"),
        rf"(?:aws_?secret(?:_access)?_?key|secret_?access_?key){_IS}{_QUOTE}"
        r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
    ),
    _named_pattern(
        "AWS session token",
        ("aws_session_token", "sessiontoken", "aws_security_token"),
        rf"(?:aws_(?:session|security)_token|SessionToken){_IS}{_QUOTE}([A-Za-z0-9/+=]{{60,2000}})",
    ),
    _named_pattern(
        "Azure storage key",
        ("accountkey=", "accesskey="),
        r"(?:Account|SharedAccess|Access)Key=([A-Za-z0-9+/]{40,120}={0,2})",
    ),
    _named_pattern("Azure signature", ("sig=",), r"[?&]sig=([A-Za-z0-9%+/]{40,200}(?:=|%3d){0,2})"),
    _named_pattern(
        "database password",
        ("://",),
        rf"(?:{_DATABASES})(?:\+[a-z0-9]{{1,20}})?://{_LOGIN}",
        is_password,
        f"://{_LOGIN}",
    ),
    _named_pattern(
        "password in a URL",
        ("://",),
        rf"[a-z0-9+.-]://{_LOGIN}",
        is_password,
        f"://{_LOGIN}",
    ),
    _named_pattern(
        "token in a URL",
        ("://",),
        r"https?://([A-Za-z0-9_-]{20,300})@[a-z0-9.-]{1,200}",
        is_token,
        r"://[a-z0-9_-]{20,300}@",
    ),
    _named_pattern(
        "Authorization header",
        ("authorization",),
        rf"authorization{_IS}{_QUOTE}(?:(?:basic|bearer|token|apikey|digest|negotiate)\s{{1,3}})?"
        r"([A-Za-z0-9._~+/=-]{8,4000})",
    ),
    _named_pattern(
        "bearer token",
        ("bearer",),
        r"(?<![a-z0-9_])bearer\s{1,3}([A-Za-z0-9._~+/=-]{16,4000})",
        is_token,
        r"bearer {1,3}[a-z0-9._~+/=-]{16}",
    ),
    _named_pattern(
        "basic credentials",
        ("basic",),
        r"(?<![a-z0-9_])basic\s{1,3}([A-Za-z0-9+/]{12,1000}={0,2})(?![A-Za-z0-9+/=])",
        is_token,
        r"basic {1,3}[a-z0-9+/]{12}",
    ),
    _named_pattern(
        "cookie",
        ("cookie",),
        rf"(?<!set-)cookie{_IS}{_QUOTE}([A-Za-z0-9_.-]{{1,60}}=[^\r\n\"'\\]{{8,4000}})",
        _is_cookie_header,
        r"cookie(?:\\{0,7}[\"'])?\s{0,4}[:=]",
    ),
    _named_pattern(
        "cookie",
        ("set-cookie",),
        rf"set-cookie{_IS}{_QUOTE}[A-Za-z0-9_.-]{{1,60}}=([^\s;\"'\\]{{8,4000}})",
        _is_cookie_header,
    ),
    _named_pattern(
        "session id",
        tuple(f"{name}=" for name in _COOKIES),
        rf"{EDGE}(?:[a-z_]{{1,20}}[_-])?"
        rf"(?:{'|'.join(map(re.escape, _COOKIES))})"
        r"=([^\s;,\"'\\&<>(){}\[\]\x00-\x1f]{12,1000})",
        _is_cookie,
    ),
    _named_pattern(
        "netrc password",
        ("machine",),
        r"machine\s{1,8}\S{1,200}\s{1,8}(?:login\s{1,8}\S{1,200}\s{1,8})?password\s{1,8}(\S{4,300})",
        is_password,
    ),
    _named_pattern(
        "password on a command line",
        ("--pass", "--token", "--api-key", "--secret", "-u "),
        r"(?:--(?:password|passwd|pass|token|api-key|secret)[ =]|(?<=\s)-u\s{1,3}[\w.@-]{1,60}:)"
        rf"{_QUOTE}([^\s\"'`\\]{{6,300}})",
    ),
    _named_pattern(
        "Heroku key",
        ("heroku",),
        rf"heroku[A-Za-z0-9_ .-]{{0,30}}{_IS}{_QUOTE}"
        r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})",
    ),
    _named_pattern(
        "Cloudflare token",
        ("cloudflare", "cf_api", "cf-api"),
        r"(?:cloudflare|cf)[_ .-]{0,2}(?:api|global|auth)?[_ .-]{0,2}(?:token|key)"
        rf"{_IS}{_QUOTE}([A-Za-z0-9_-]{{37,64}})",
    ),
    _named_pattern(
        "service account key id",
        ("private_key_id",),
        rf"private_key_id{_IS}{_QUOTE}([0-9a-f]{{40}})",
    ),
    _named_pattern(
        "PuTTY private key",
        ("private-lines:",),
        r"private-lines: {1,3}[0-9]{1,4}\s{1,4}([A-Za-z0-9+/=\s]{40,20000})",
    ),
    *_setting_patterns("password", "password passwd passphrase pwd pass _pass", 6, is_secret),
    *_setting_patterns("secret setting", "secret", 8, is_secret),
    *_setting_patterns(
        "secret setting",
        "token apikey api_key api-key access_key access-key accesskey private_key "
        "private-key privatekey auth_key auth-key authkey encryption_key signing_key master_key "
        "credential",
        10,
        is_setting,
    ),
)
"""In the order of trust, behind those that are known by their shape."""

EMAIL: Final = SecretPattern(
    "e-mail address",
    (b"@",),
    re.compile(
        r"(?<![A-Za-z0-9._%+/@-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}"
        r"(?!(?:png|jpe?g|gif|svg|webp|ico|js|ts|py|css|html|md|json)\b)[A-Za-z]{2,24}(?![\w@:])"
    ),
    lambda text: not text.startswith("git@"),
)

SECRET_NAME: Final = re.compile(
    r"pass(?:word|wd|phrase)?\d?\Z|pwd\Z|secret|token\Z|api[_-]?key|access[_-]?key\Z|"
    r"private[_-]?key\Z|auth(?:orization|[_-]?key)\Z|encryption[_-]?key|signing[_-]?key|"
    r"credentials?\Z",
    re.IGNORECASE,
)
"""Names of fields whose whole text is the secret, as in {"password": "..."}."""
