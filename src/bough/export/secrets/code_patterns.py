"""Secrets in code and in files of settings, where no sign of equality stands before them.

Arguments of well-known calls, a name and its value as two fields (`name: DB_HIDDEN`, `value:
...`), settings of shells that need no equals sign, parts of a key that JSON holds.
"""

from collections.abc import Callable
from typing import Final

from bough.export.secrets.heuristics import (
    has_digit,
    is_bare_password,
    is_key,
    is_random,
    is_setting,
    is_typed_password,
)
from bough.export.secrets.password_patterns import BARE, IN_QUOTES
from bough.export.secrets.secret_pattern import SecretPattern

_QUOTE: Final = r"\\{0,15}[\"'`]"
_RAW_QUOTE: Final = r"\\{0,15}[\"'`]"
_FIRST: Final = rf"[bruBRU]?{_QUOTE}[^\"'`\n\\]{{0,100}}{_QUOTE}"
"""The argument before a password: whose it is."""
_SECOND: Final = r"[bru]?(\\{0,15}[\"'`])((?:(?!\1)(?:\\[^\n]|[^\n\\])){1,200})\1"
_HIDDEN: Final = r"pass(?:word|wd|phrase|code|wort)?|secret|pwd|credentials?"
_KEY: Final = r"token|key|auth"
# Between two fields: a comma, the end of a line, the number of the next one, the sign of a diff.
_NEXT_FIELD: Final = r"(?:[\s,\d\N{RIGHTWARDS ARROW}|>+-]|\\{1,7}[nrt]){1,30}"
_BARE_VALUE: Final = rf"({BARE}{{4,300}})"
_VALUE: Final = rf"(?:{IN_QUOTES}|{_BARE_VALUE})"
_SETS: Final = r"(?:env|arg|setenv|setx|set\s-[a-z]{1,3})"
"""What gives a variable its value with no equals sign between them."""
_NO_VERB: Final = r"(?!(?:e[ds]|ing)\b)"
"""An argument that is passed is in a sentence."""
_RAW_SETS: Final = _SETS + r"(?:\s|\\t){1,3}\\{0,7}[\"']?[a-z0-9_]{0,40}"
_IS_TOLD: Final = r"\s{1,2}(?:is\s{1,2}|was\s{1,2}|to\s{1,2}|[:=]\s{1,2})?\\{0,7}[\"'`]?"


def _is_argument(text: str) -> bool:
    """Tell whether the argument of a call is a password, and no name or path."""
    return is_typed_password(text) and not text.startswith(("/", "./", "~", "http"))


def _is_told_key(text: str) -> bool:
    """Tell whether a word behind "the token is" is one, and no word of the sentence."""
    plain = text.rstrip(".,;:!?")
    return is_random(plain) or (is_key(plain) and has_digit(plain))


def _is_row_password(text: str) -> bool:
    return is_bare_password(text.strip())


def _code(
    kind: str,
    expression: str,
    holds: Callable[[str], bool],
    gate: str = "",
    *,
    markers: tuple[str, ...] = (),
    words: str = "",
) -> SecretPattern:
    encoded = tuple(marker.encode() for marker in markers)
    return SecretPattern(
        kind, expression, encoded, tuple(words.split()), holds, gate, ignores_case=True
    )


_PAIRS: Final = (
    ("password", _HIDDEN, is_typed_password),
    ("secret setting", _KEY, is_setting),
)

CODE_PATTERNS: Final = (
    _code(
        "password",
        # HTTPBasicAuth('dev', '...'), auth=('dev', '...'), NetworkCredential("dev", "...").
        r"(?:auth(?:\s{0,2}=\s{0,2})?|credentials?|passwordauthentication|(?<=[.\s])login|usernamepassword)"
        rf"\(\s{{0,3}}{_FIRST}\s{{0,3}},\s{{0,3}}{_SECOND}",
        _is_argument,
        rf"(?:auth(?:\s{{0,2}}=\s{{0,2}})?|credentials?|authentication|login|password)\((?:\s|\\[nt]){{0,3}}[bru]?{_RAW_QUOTE}",
        markers=("auth", "credential", "login("),
    ),
    _code(
        "password",
        # new PDO($dsn, 'root', '...'), mysqli_connect('db', 'root', '...').
        r"(?:new\s{1,3}(?:pdo|mysqli)|(?:mysqli|pg|oci|odbc|ftp|sqlsrv)_(?:p?connect|login))\s{0,2}\("
        rf"[^,()\n]{{1,200}},\s{{0,3}}{_FIRST}\s{{0,3}},\s{{0,3}}{IN_QUOTES}",
        _is_argument,
        words="PDO mysqli mysqli_connect oci_connect odbc_connect ftp_login",
        gate=r"(?:pdo|mysqli|_connect|_pconnect|_login)\s{0,2}\(",
    ),
    _code(
        "password",
        # root:...@tcp(127.0.0.1:3306)/shop
        r"[\w.-]{1,60}:([^\s:@\"'`\\/]{1,100})@(?:tcp|udp|unix)\(",
        is_typed_password,
        markers=("@tcp(", "@unix("),
    ),
    _code(
        "database password",
        r"jdbc:oracle:(?:thin|oci\d?):[\w$#]{1,60}/([^\s@\"'`\\/]{1,100})@",
        is_typed_password,
        markers=("jdbc:oracle:",),
    ),
    _code(
        "Twilio token",
        rf"AC[a-f0-9]{{32}}{_QUOTE}?\s{{0,3}}[,:]\s{{0,3}}{_QUOTE}?([a-f0-9]{{32}})(?![a-f0-9])",
        has_digit,
        rf"ac[a-f0-9]{{32}}(?:{_RAW_QUOTE})?\s{{0,3}}[,:]",
        words="Client Twilio twilio AccountSid account_sid",
    ),
    _code(
        "AWS secret key",
        # As the console lets one download it: the key's id, then the key.
        r"A[KS]IA[A-Z0-9]{16}\\{0,7}[\"']?\s{0,3}(?:[,;:|\t/]|\\{1,7}t)\s{0,3}\\{0,7}[\"']?"
        r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        is_key,
        r"a[ks]ia[a-z0-9]{16}\\{0,7}[\"']?(?:[ ,;:|/]|\\{1,7}t){1,4}\\{0,7}[\"']?[a-z0-9/+]{40}",
        markers=("akia", "asia"),
    ),
    _code(
        "signing secret",
        # jwt.sign(claims, '...'), hmac.new(b'...'), crypto.createHmac('sha256', '...').
        rf"(?:jwt\.(?:sign|verify|encode|decode)\s{{0,2}}\([^\n]{{1,200}}?,|hmac\.new\s{{0,2}}\(|"
        rf"createhmac\s{{0,2}}\(\s{{0,3}}{_FIRST}\s{{0,3}},|fernet\s{{0,2}}\()\s{{0,3}}"
        rf"[bru]?{_QUOTE}([^\s\"'`\\]{{12,200}}){_QUOTE}",
        is_setting,
        markers=("jwt.", "hmac", "fernet("),
    ),
    _code(
        "part of a private key",
        rf"{_QUOTE}(?:d|p|q|dp|dq|qi|k){_QUOTE}\s{{0,3}}:\s{{0,3}}{_QUOTE}([A-Za-z0-9_-]{{40,800}})={{0,2}}{_QUOTE}",
        is_setting,
        rf"{_RAW_QUOTE}(?:d|p|q|dp|dq|qi|k){_RAW_QUOTE}\s{{0,3}}:\s{{0,3}}{_RAW_QUOTE}[a-z0-9_-]{{40}}",
        words="kty",
    ),
    _code(
        "password",
        # ENV DB_HIDDEN ..., setenv DB_HIDDEN ..., set -gx DB_HIDDEN ..., setx DB_HIDDEN ...
        rf"(?<![\w-]){_SETS}\s{{1,3}}\\{{0,7}}[\"']?"
        rf"[a-z0-9_]{{0,40}}(?:{_HIDDEN}){_NO_VERB}[a-z0-9_]{{0,20}}\\{{0,7}}[\"']?\s{{1,3}}{_VALUE}",
        is_typed_password,
        f"{_RAW_SETS}(?:{_HIDDEN})",
        words="ENV ARG setenv setx -gx -x -Ux",
    ),
    _code(
        "secret setting",
        rf"(?<![\w-]){_SETS}\s{{1,3}}\\{{0,7}}[\"']?"
        rf"[a-z0-9_]{{0,40}}(?:{_KEY})[a-z0-9_]{{0,20}}\\{{0,7}}[\"']?\s{{1,3}}{_VALUE}",
        is_setting,
        f"{_RAW_SETS}(?:{_KEY})",
        words="ENV ARG setenv setx -gx -x -Ux",
    ),
    *(
        _code(
            kind,
            rf"(?:name|key){_QUOTE}?\s{{0,3}}[:=]\s{{0,3}}(?:{_QUOTE})?[\w.-]{{0,60}}(?:{names})[\w.-]{{0,20}}(?:{_QUOTE})?"
            rf"{_NEXT_FIELD}(?:{_QUOTE})?value(?:{_QUOTE})?\s{{0,3}}[:=]\s{{0,3}}{_VALUE}",
            holds,
            rf"(?:{names})[\w.-]{{0,20}}(?:{_RAW_QUOTE})?"
            rf"(?:[\s,\d|>+-]|\\{{1,7}}[nrt]|\xe2\x86\x92){{1,40}}(?:{_RAW_QUOTE})?value",
            markers=("value",),
        )
        for kind, names, holds in _PAIRS
    ),
    *(
        _code(
            kind,
            rf"value(?:{_QUOTE})?\s{{0,3}}[:=]\s{{0,3}}{IN_QUOTES}{_NEXT_FIELD}(?:{_QUOTE})?"
            rf"(?:name|key)(?:{_QUOTE})?\s{{0,3}}[:=]\s{{0,3}}(?:{_QUOTE})?(?=[\w.-]{{0,60}}(?:{names}))",
            holds,
            rf"(?:name|key)(?:{_RAW_QUOTE})?\s{{0,3}}[:=]\s{{0,3}}(?:{_RAW_QUOTE})?[\w.-]{{0,60}}(?:{names})",
            markers=("value",),
        )
        for kind, names, holds in _PAIRS
    ),
    _code(
        "password",
        # Of LDAP and Redis: a name, a space, and the rest of the line.
        r"(?<![\w-])(?:bindpw|rootpw|requirepass|masterauth|sasl_passwd)[ \t]{1,8}"
        r"([^\s\"'`\\<>]{4,200})",
        is_bare_password,
        words="bindpw rootpw requirepass masterauth sasl_passwd",
    ),
    _code(
        "password",
        rf"(?<![a-z])psk\s{{0,2}}=\s{{0,2}}{IN_QUOTES}",
        is_typed_password,
        words="psk psk=",
    ),
    _code(
        "password",
        # expect "assword:" { send "...\r" }
        rf"assword[^\n]{{0,80}}?\bsend(?:line)?\s{{0,2}}\(?\s{{0,2}}(?:--\s)?{_QUOTE}([^\"'`\\\n]{{3,100}})",
        is_typed_password,
        r"assword[^\n]{0,80}?send",
        markers=("assword",),
    ),
    _code(
        "password hash",
        r"(?<![\w:]):\d{3,7}:[a-f0-9]{32}:([a-f0-9]{32}):::|(?<=[\w$]):\d{3,7}:[a-f0-9]{32}:([a-f0-9]{32}):::",
        has_digit,
        r":[a-f0-9]{32}:[a-f0-9]{32}:::",
        markers=(":::",),
    ),
    _code(
        "maker's key",
        rf"(?:github|gitlab|bitbucket)-(?:oauth|token)(?:{_QUOTE})?\s{{0,3}}:\s{{0,3}}\{{(?:\s|\\n){{0,20}}(?:{_QUOTE})?[\w.-]{{1,100}}"
        rf"(?:{_QUOTE})?\s{{0,3}}:\s{{0,3}}(?:{_QUOTE})?([A-Za-z0-9_-]{{20,100}})",
        has_digit,
        words="github-oauth gitlab-oauth gitlab-token bitbucket-oauth",
    ),
    _code(
        "wallet key",
        r"(?:wif|btc|bitcoin|wallet)[\w .-]{0,24}[:=]\s{0,3}\\{0,7}[\"'`]?"
        r"([5KLc9][1-9A-HJ-NP-Za-km-z]{50,51})(?![A-Za-z0-9])",
        is_random,
        r"(?:wif|btc|bitcoin|wallet)[a-z0-9_ .-]{0,24}[:=]",
        words="wif btc bitcoin wallet WIF wallet_wif bitcoin_wif",
    ),
    _code(
        "secret setting",
        # "Use the token ...", "the API key is ...": what somebody tells somebody.
        rf"(?:token|(?:api|access|auth|secret|license|admin)[ _-]?key)s?{_IS_TOLD}"
        r"([A-Za-z0-9_+/=.-]{20,300})(?![A-Za-z0-9_(\[])",
        _is_told_key,
        rf"(?:token|key)s?{_IS_TOLD}[a-z0-9_+/=.-]{{20}}",
        markers=("token ", "tokens ", "key ", "keys "),
    ),
    _code(
        "secret setting",
        r"(?:api|access|auth|secret)\skey\s{0,2}[:=]\s{0,3}\\{0,7}[\"'`]?([A-Za-z0-9_+/=.-]{10,300})(?![A-Za-z0-9_(\[])",
        is_setting,
        r"key\s{0,2}[:=]",
        markers=("api key", "access key", "auth key", "secret key"),
    ),
    _code(
        "password",
        # A row of a table: | password | ... |
        r"\|\s{0,20}(?:[\w-]{1,20}\s)?(?:password|passwd|passphrase|pwd)\s{0,20}\|\s{0,20}([^|\n]{1,100}?)\s{0,20}\|",
        _is_row_password,
        r"(?:password|passwd|passphrase|pwd) {0,20}\| {0,20}[^|]",
        markers=("password", "passwd", "passphrase", "pwd"),
    ),
    _code(
        "password",
        # "user admin, password ..." and "login: admin / ...": a word that nobody would write.
        r"(?:(?<![a-z_])(?:password|passwd|pw|passphrase)\s{1,2}|"
        r"(?<![a-z_])(?:login|credentials?|creds)\s{0,2}[:=]\s{0,2}"
        r"[\w.@-]{1,60}\s{1,2}/\s{1,2})"
        r"\\{0,7}[\"'`]?([^\s\"'`\\<>|,;]{6,100})",
        lambda text: _is_odd(text.rstrip(".,;:!?)*_")),
        r"(?:password|passwd|pw|passphrase)\s{1,2}[^\s]{6}|"
        r"(?:login|credentials?|creds)\s{0,2}[:=]\s{0,2}"
        r"[\w.@-]{1,60}\s{1,2}/\s",
        words="password passwd pw passphrase login credentials creds",
    ),
    _code(
        "PIN",
        r"(?<![\w-])(?-i:PIN)(?:[ -]code)?\s{0,2}(?:is\s|was\s|:|=)\s{0,2}\\{0,7}[\"'`]?"
        r"([0-9]{4,12})(?![\w.-])",
        has_digit,
        words="PIN",
    ),
)
"""In the order of trust."""


def _is_odd(text: str) -> bool:
    """Tell whether a word has letters, digits and marks in it that no name has."""
    return (
        is_bare_password(text)
        and has_digit(text)
        and any(letter in "!@#$%^&*+~?" for letter in text)
        and "@" not in text[1:-1].replace("@", "", 1)
        and "]" not in text  # the end of what stands for a secret
        and not text.startswith(("@", "#", "$", "%", "&", "~"))
    )
