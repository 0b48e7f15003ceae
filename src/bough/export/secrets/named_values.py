"""Secrets that are known by the words around them: headers, cookies, addresses, settings.

The value itself may look like anything, so the name beside it decides, and a closer look
(`heuristics`) leaves out what is no secret. Every repeat is bounded here too.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from bough.export.secrets.heuristics import (
    has_digit,
    is_key,
    is_login,
    is_password,
    is_secret,
    is_setting,
    is_token,
    is_typed_password,
)
from bough.export.secrets.password_patterns import BARE, IS, QUOTE, RAW_IS, SUFFIX
from bough.export.secrets.secret_pattern import SecretPattern

_VALUE: Final = (
    r"(?:[bru]?\\{0,7}\"([^\"\\\s]{6,500})\\{0,7}\"|[bru]?\\{0,7}'([^'\\\s]{6,500})\\{0,7}'"
    rf"|{QUOTE}({BARE}{{6,500}}+)(?![(\[]))"
)
_LOGIN: Final = r"[^\s:/?#@\"'<>\\]{0,100}:([^\s/?#@\"'<>\\]{1,300})@"
_DATABASES: Final = (
    r"postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|"
    r"clickhouse|cockroachdb|cassandra|couchdb|neo4j|jdbc:[a-z]{2,20}"
)
# Makers whose keys are bare numbers, so that only their name beside it tells.
_MAKERS: Final = (
    "datadog", "dd", "algolia", "twilio", "mailgun", "sparkpost", "wandb", "deepgram", "rollbar",
    "bugsnag", "amplitude", "codecov", "codacy", "linode", "vultr", "hetzner", "scaleway", "scw",
    "okta", "heroku", "postmark", "opsgenie", "pagerduty", "splunk", "loggly", "railway", "consul",
    "nomad",
    "trello", "zendesk", "freshdesk", "plaid", "segment", "mixpanel", "softlayer", "ibm", "cos",
    "artifactory", "serper", "assemblyai", "exa", "newrelic", "openweather", "etherscan", "fastly",
    "imgur", "giphy", "spotify", "dropbox", "bitly", "firebase", "sonar", "jenkins", "travis",
)  # fmt: skip
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)


def _is_cookie_header(text: str) -> bool:
    """Tell whether what follows the name of the header are cookies and no words about them."""
    return is_password(text) and has_digit(text)


def _is_cookie(text: str) -> bool:
    """Tell whether a cookie's value is one; ids of sessions that are written so are not."""
    return _UUID.match(text) is None and is_secret(text)


def _is_basic(text: str) -> bool:
    """Tell whether what follows "Basic" is a name and a password, and no word of a sentence."""
    return is_token(text) or is_login(text)


def _is_header_token(text: str) -> bool:
    """Tell whether what stands in an Authorization header is a token and no word."""
    return is_secret(text) or is_login(text)


def _named_pattern(  # noqa: PLR0913 - one for each part of a pattern
    kind: str,
    markers: tuple[str, ...],
    pattern: str,
    holds: Callable[[str], bool] = is_secret,
    gate: str = "",
    words: str = "",
    *,
    is_wide: bool = False,
) -> SecretPattern:
    return SecretPattern(
        kind,
        pattern,
        tuple(m.encode() for m in markers),
        tuple(words.split()),
        holds,
        gate,
        ignores_case=True,
        is_wide=is_wide,
    )


def _setting_patterns(
    kind: str, names: str, least: int, holds: Callable[[str], bool], edge: str = ""
) -> Iterator[SecretPattern]:
    """Give a pattern for each name, so that each can be looked for as it is."""
    for name in names.split():
        head = edge + re.escape(name) + SUFFIX
        gate = f"{head}{RAW_IS}{QUOTE}{BARE}{{{least}}}"
        yield _named_pattern(kind, (name,), head + IS + _VALUE, holds, gate)


def _cookie_patterns() -> Iterator[SecretPattern]:
    """Give the patterns of session ids: the value of a cookie that is called so."""
    names = {
        r"sess(?:ion)?(?:_?id)?": (
            "sess",
            "session",
            "sessid",
            "sess_id",
            "sessionid",
            "session_id",
        ),
        "token": ("token",),
        "sid": ("sid",),
        "remember_me": ("remember_me",),
    }
    for name, spellings in names.items():
        yield _named_pattern(
            "session id",
            tuple(f"{spelling}=" for spelling in spellings),
            rf"{name}=([^\s;,\"'\\&<>(){{}}\[\]\x00-\x1f]{{12,1000}})",
            _is_cookie,
            rf"{name}=[^\s\"\\]{{12}}",
        )


def _maker_patterns() -> Iterator[SecretPattern]:
    """Give the patterns of keys that only the name of their maker tells."""
    for name in ("key", "token", "secret", "auth"):
        is_value = f"{name}{RAW_IS}{QUOTE}"
        yield _named_pattern(
            "maker's key",
            (name,),
            rf"(?<![a-z])(?:{'|'.join(_MAKERS)})[a-z0-9_ .-]{{0,24}}?{name}{IS}{QUOTE}"
            r"([a-f0-9]{32,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![A-Za-z0-9-])",
            has_digit,
            rf"{is_value}[a-f0-9]{{8}}(?:[a-f0-9]{{24}}|-[a-f0-9]{{4}}-)",
        )
        yield _named_pattern(
            "Cloudflare token",
            (name,),
            rf"(?:cloudflare|cf)[_ .-]{{0,2}}(?:api|global|auth)?[_ .-]{{0,2}}{name}{IS}{QUOTE}"
            r"([A-Za-z0-9_-]{37,64})",
            has_digit,
            rf"{is_value}[a-z0-9_-]{{37}}",
        )


HEADER_PATTERNS: Final = (
    _named_pattern(
        "AWS secret key",
        ("secretaccesskey", "secret_access_key", "secretkey", "secret_key"),
        rf"(?:aws_?secret(?:_access)?_?key|secret_?access_?key){IS}{QUOTE}"
        r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
    ),
    _named_pattern(
        "AWS session token",
        ("aws_session_token", "sessiontoken", "aws_security_token"),
        rf"(?:aws_(?:session|security)_token|SessionToken){IS}{QUOTE}([A-Za-z0-9/+=]{{60,2000}})",
        is_wide=True,
    ),
    _named_pattern(
        "Azure storage key",
        ("accountkey=", "accesskey="),
        r"(?:Account|SharedAccess|Access)Key=([A-Za-z0-9+/]{40,120}={0,2})",
    ),
    _named_pattern(
        "Azure signature", (), r"[?&]sig=([A-Za-z0-9%+/]{40,200}(?:=|%3d){0,2})", words="sig"
    ),
    _named_pattern(
        "signature in a URL",
        ("signature=",),
        r"[?&]signature=([A-Za-z0-9%+/=_~-]{24,1000})",
        is_token,
    ),
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
        rf"authorization{IS}{QUOTE}(?:(?:basic|bearer|token|apikey|digest|negotiate|ssws|key|bot|geniekey|splunk|jwt|oauth|sso-key)\s{{1,3}})?"
        r"([A-Za-z0-9._~+/=-]{8,4000})",
        _is_header_token,
        is_wide=True,
    ),
    _named_pattern(
        "bearer token",
        (),
        r"(?<![a-z0-9_])bearer\s{1,3}([A-Za-z0-9._~+/=-]{16,4000})",
        is_token,
        r"bearer {1,3}[a-z0-9._~+/=-]{16}",
        "bearer",
        is_wide=True,
    ),
    _named_pattern(
        "basic credentials",
        (),
        r"(?<![a-z0-9_])basic\s{1,3}([A-Za-z0-9+/]{8,1000}={0,2})(?![A-Za-z0-9+/=])",
        _is_basic,
        r"basic {1,3}[a-z0-9+/]{8}",
        "basic",
    ),
    _named_pattern(
        "cookie",
        ("cookie",),
        rf"(?<!set-)cookie{IS}{QUOTE}([A-Za-z0-9_.-]{{1,60}}=[^\r\n\"'\\]{{8,4000}})",
        _is_cookie_header,
        r"cookie(?:\\{0,7}[\"'])?\s{0,4}[:=]",
        is_wide=True,
    ),
    _named_pattern(
        "cookie",
        ("set-cookie",),
        rf"set-cookie{IS}{QUOTE}[A-Za-z0-9_.-]{{1,60}}=([^\s;\"'\\]{{8,4000}})",
        _is_cookie_header,
        is_wide=True,
    ),
    *_cookie_patterns(),
    _named_pattern(
        "netrc password",
        (),
        r"(?:machine\s{1,8}\S{1,200}|default)\s{1,8}(?:login\s{1,8}\S{1,200}\s{1,8})?password\s{1,8}(\S{1,300})",
        is_typed_password,
        r"password(?:\s|\\[nrt]){1,8}[^\s\\]",
        "machine default",
    ),
    _named_pattern(
        "service account key id",
        ("private_key_id",),
        rf"private_key_id{IS}{QUOTE}([0-9a-f]{{40}})",
    ),
    _named_pattern(
        "PuTTY private key",
        (),
        r"private-lines: {1,3}[0-9]{1,4}\s{1,4}([A-Za-z0-9+/=\s]{40,20000})",
        words="Private-Lines",
        is_wide=True,
    ),
    *_maker_patterns(),
    _named_pattern(
        "docker login",
        (),
        rf"auth\\{{0,7}}\"{IS}\\{{0,7}}\"([A-Za-z0-9+/]{{8,1000}}={{0,2}})",
        is_login,
        words="auth",
    ),
    _named_pattern(
        "npm token",
        ("_authtoken",),
        rf"_authtoken{IS}{QUOTE}([A-Za-z0-9+/=_-]{{10,1000}})",
    ),
    _named_pattern(
        "npm token",
        ("_auth",),
        rf"_auth{IS}{QUOTE}([A-Za-z0-9+/=]{{8,1000}})",
        is_login,
        rf"_auth{RAW_IS}{QUOTE}[a-z0-9+/=]{{8}}",
    ),
    _named_pattern(
        "pgpass password",
        (),
        r"(?:^[+>-]?|(?<=[\"'`\s>\u2192])|(?<=\\n))[\w.*-]{1,100}:(?:\*|543\d|6432|6543|26257|25060|15432|3306):"
        r"[\w*-]{1,63}:[\w*.@-]{1,63}:([^\s:\"'`\\<\x1b]{1,200})(?=$|[\s\"'`\\<\x1b])",
        is_typed_password,
        r":(?:\*|543\d|6432|6543|26257|25060|15432|3306):[\w*-]{1,63}:[\w*.@-]{1,63}:[^\s:]",
        "5432 5433 5434 5435 6432 6543 26257 25060 15432 3306 pgpass",
    ),
    _named_pattern(
        "WireGuard key",
        ("privatekey", "presharedkey"),
        r"(?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}([A-Za-z0-9+/]{43}=)",
    ),
    _named_pattern(
        "seed phrase",
        (),
        rf"(?:mnemonic|seed[ _-]?(?:phrase|words)|recovery[ _-]?(?:phrase|seed|words))"
        rf"{IS}{QUOTE}((?:[a-z]{{3,8}}[ ,]{{1,2}}){{11,23}}[a-z]{{3,8}})",
        lambda _: True,
        words="mnemonic seed recovery",
    ),
    _named_pattern(
        "Apple app password",
        (),
        r"(?:apple|itunes|notarytool|altool)[^\n]{0,80}?(?<![a-z])([a-z]{4}-[a-z]{4}-[a-z]{4}-[a-z]{4})(?![a-z-])",
        lambda _: True,
        r"[a-z]{4}-[a-z]{4}-[a-z]{4}-[a-z]{4}",
        "apple itunes notarytool altool",
    ),
    _named_pattern(
        "connection string",
        ("accesskey=", "sharedaccesskey=", "accountkey=", "secret="),
        r"endpoint=[^\s\"']{1,200};[^\n\"']{0,200}?(?:Secret|SharedAccessKey|AccessKey)=([A-Za-z0-9+/=_-]{20,200})",
    ),
    _named_pattern(
        "key in a URL",
        ("key=",),
        r"[?&](?:api)?key=([A-Za-z0-9_%=-]{24,300})",
        is_key,
        r"key=[a-z0-9_%=-]{24}",
    ),
)
"""In headers, cookies, addresses and files of well-known programs, in the order of trust."""

SETTING_PATTERNS: Final = (
    *_setting_patterns(
        "secret setting",
        "token apikey api_key api-key access_key access-key accesskey private_key private-key "
        "privatekey auth_key auth-key authkey encryption_key signing_key master_key credential "
        "apitoken authtoken",
        10,
        is_setting,
    ),
    _named_pattern(
        "secret setting",
        ("_key", "-key", "_salt"),
        r"(?<!public)(?<!cache)(?<!idempotency)(?<!primary)(?<!sort)(?<!partition)(?<!websocket)"
        rf"[_-](?:key|salt|pepper)(?:[_-](?:hex|base64|b64|id2|prod|dev|live|test|\d{{1,2}}))?{IS}{QUOTE}"
        r"((?:base64:|0x)?[A-Za-z0-9+/_-]{20,500}={0,2})(?![A-Za-z0-9+/=_(\[.-])",
        is_key,
        rf"[_-](?:key|salt|pepper|hex|base64|b64)[a-z0-9_]{{0,6}}{RAW_IS}{QUOTE}(?:base64:|0x)?[a-z0-9+/_-]{{20}}",
    ),
    _named_pattern(
        "secret setting",
        ("appkey", "adminkey", "secretkey", "clientkey", "servicekey", "hmackey", "licensekey"),
        rf"(?:app|admin|secret|client|service|hmac|license)key{IS}{QUOTE}"
        r"((?:base64:|0x)?[A-Za-z0-9+/_-]{20,500}={0,2})(?![A-Za-z0-9+/=_(\[.-])",
        is_key,
    ),
)
"""Settings that are called a key, a token or the like, behind all others."""

EMAIL: Final = SecretPattern(
    "e-mail address",
    r"(?<![A-Za-z0-9._%+/@-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}"
    r"(?!(?:png|jpe?g|gif|svg|webp|ico|js|ts|py|css|html|md|json)\b)[A-Za-z]{2,24}(?![\w@:])",
    (b"@",),
    holds=lambda text: not text.startswith("git@"),
)

SECRET_NAME: Final = re.compile(
    r"pass(?:word|wd|phrase)?\d?\Z|pwd\Z|secret|token\Z|api[_-]?key|access[_-]?key\Z|"
    r"private[_-]?key\Z|auth(?:orization|[_-]?key)\Z|encryption[_-]?key|signing[_-]?key|"
    r"credentials?\Z",
    re.IGNORECASE,
)
"""Names of fields whose whole text is the secret, as in {"password": "..."}."""
