"""Passwords, known by the name beside them: in settings, in code, in tables and in sentences.

A value in quotes, or on a line of its own behind a name in capitals, goes whatever it looks
like, unless it only stands for a password. A value without quotes may be the name of a
variable or a word of a sentence, so it has to have a digit or a mark in it.
"""

import re
from collections.abc import Iterator
from typing import Final

from bough.export.secrets.heuristics import has_digit, is_bare_password, is_typed_password
from bough.export.secrets.secret_pattern import SecretPattern

# What a value is declared as, before it is given: `api_key: str = "..."`.
_TYPE: Final = r"(?:\s{0,2}:\s{0,2}[A-Za-z_][\w.<>\[\]|?& ]{0,40}?(?=\s{0,4}=[^=>]))?"
IS: Final = (
    r"(?:\\{0,15}[\"'`]\s{0,4}\]?|\*\*)?"
    + _TYPE
    + r"\s{0,4}(?:=>|:=|={1,3}|:|\uff1a|->)\s{0,4}(?:\*\*)?\s{0,2}"
)
RAW_IS: Final = (
    r"(?:\\{0,15}[\"'`](?:\s|\\[tnr]){0,4}\]?|\*\*)?" + _TYPE + r"(?:\s|\\[tnr]){0,4}"
    r"(?:=>|:=|={1,3}|:|->)(?:\s|\\[tnr]){0,4}"
)
QUOTE: Final = r"(?:[bru]?\\{0,15}[\"'`])?"
BARE: Final = r"[^\s\"'`,;\\<>(){}\[\]|\x00-\x1f]"
# A sign behind the quotes says that code goes on; on the next line it is that of a diff.
IN_QUOTES: Final = (
    r"[bruBRUNf@]?(\\{0,15}[\"'`])((?:(?!\1)(?:\\[^\n]|[^\n\\])){1,200})\1(?![ \t]{0,4}[+.%\[(])"
)
# What is longer than a password in quotes is a key, and goes on behind what a pattern takes.
_LONG_QUOTE: Final = rf"(?:[bru]?\\{{0,15}}[\"'`](?={BARE}{{200}}))?"
SUFFIX: Final = (
    r"(?:s?[_-]?(?:value|key(?:_?base)?|base|hash|str|prod|dev|staging|live|text|confirm(?:ation)?|"
    r"[a-z]?[0-9]{0,3}))"
)

_NAMES: Final = ["password", "passwd", "passphrase", "passcode", "passwort", "pwd", "pass", "pw"]
_SECRET: Final = "secret"  # noqa: S105 - a name
# Names in other languages that are written in plain letters, as they stand in settings.
_FOREIGN_NAMES: Final = [
    "kennwort",
    "senha",
    "contrasena",
    "motdepasse",
    "mdp",
    "wachtwoord",
    "haslo",
    "heslo",
    "parola",
    "salasana",
    "losenord",
    "passord",
    "adgangskode",
    "jelszo",
    "sifre",
    "katasandi",
    "matkhau",
    "mima",
    "geslo",
    "lozinka",
    "parool",
    "slaptazodis",
]
# Names in other letters: what stands between them and the value is often a word.
_WIDE_NAMES: Final = (
    "密码", "密碼", "口令", "暗号", "パスワード", "暗証番号", "비밀번호", "패스워드", "암호",
    "пароль", "парола", "лозинка", "Пароль", "κωδικός", "hasło", "Hasło", "şifre",
    "mật khẩu", "รหัสผ่าน", "पासवर्ड", "كلمة المرور", "كلمة السر", "סיסמה", "סיסמא", "пароля",
)  # fmt: skip
# These are told by what is left of them between the letters that are not of ASCII.
_CUT_NAMES: Final = {"contraseña": ("contrase",), "lösenord": ("senord",), "jelszó": ("jelsz",)}
_WIDE_IS: Final = (
    r"(?:\s{0,3}(?:[:=\uff1a\uff1d]|->|=>|\u2192|\u662f|\u4e3a|\u70ba|\u306f|\u304c|\uc740|\ub294|\uc774|\uac00|"
    r"\u044d\u0442\u043e|\ub294)\s{0,3}|\s{1,3}[-\u2013\u2014]\s{1,3}"
    r"|\s{1,3}(?:es|jest|\u00e4r|az|l\u00e0)\s{1,3}|\s{0,3}(?=[!-~]))"
)
_SPOKEN_WORDS: Final = (
    "password", "passwords", "passphrase", "passcode", "passwd", "pw", "pwd", "kennwort",
    "passwort", "passe", "mdp", "senha", "contrasena", "wachtwoord", "clave", "parola", "salasana",
)  # fmt: skip
_SPOKEN: Final = (
    "(?:pass(?:words?|phrase|code|wd)|pwd?|kennwort|passwort|mot de passe|mdp|senha|contrasena|"
    "wachtwoord|clave|parola|salasana)"
)
_SPOKEN_NAME: Final = (
    rf"(?<![a-z_]){_SPOKEN}"
    r"(?:\s(?:for|to|of|on|f\u00fcr|pour|para|de|von)\s[^\n.:;=]{1,40}?)?"
)
_IS_SPOKEN: Final = (
    r"(?:\s{1,3}(?:is|was|are|to|as|ist|lautet|war|est|es|era|\u00e9|\u00e8|"
    r"(?:has been )?(?:changed|set|reset) to|=|->|\u2192)(?:\s{1,2}(?:now|currently|still|just))?:?"
    r"|\s{0,2}:|\s{1,2}[-\u2013\u2014])\s{1,3}(?:\*\*)?"
)
_SPOKEN_GATE: Final = _SPOKEN + r"[^.;=]{0,60}?[ :](?:\*\*)?"


def _is_spoken_password(text: str) -> bool:
    """Tell whether a word of a sentence is a password: there the full stop is the sentence's."""
    return is_bare_password(text.rstrip(".,;:!?)*_"))


def _is_wide_password(text: str) -> bool:
    """Tell whether what follows a name in other letters is a password and no code."""
    if text.startswith("\\") or "{}" in text:
        return False
    return is_bare_password(text) or (text.isalpha() and len(text) >= 5 and is_typed_password(text))


def _is_variable(text: str) -> bool:
    """Tell whether the value of a variable is a password; PWD is also the name of a folder."""
    return is_typed_password(text) and not text.startswith(("/", "~", "./", "../", "C:"))


def _is_argument(text: str) -> bool:
    """Tell whether the second of two texts in quotes is a password, and not a name or a label."""
    if any(letter in "\\/{}" for letter in text):
        return False
    return is_bare_password(text) or (
        len(text) >= 30 and has_digit(text) and is_typed_password(text)
    )


def _name_patterns() -> Iterator[SecretPattern]:
    """Give two patterns for each name, so that each can be looked for as it is."""
    for name in (*_NAMES, *_FOREIGN_NAMES, _SECRET):
        kind = "secret setting" if name == _SECRET else "password"
        # A name that is part of longer words counts only as a whole or behind a mark.
        # Looked at behind the name, so that the name itself is what is searched for.
        owners = "".join(f"|(?<={owner}{name})" for owner in ("user", "root", "admin", "bind"))
        edge = f"(?:(?<![a-z]{name}){owners})" if len(name) < 5 else ""
        head = name + edge + SUFFIX
        start = name + SUFFIX + RAW_IS
        words = (name,) if name in _FOREIGN_NAMES else ()
        markers = () if words else (name.encode(),)
        yield SecretPattern(
            kind,
            head + IS + IN_QUOTES,
            markers,
            words,
            is_typed_password,
            f"{start}[brun@f]?\\\\{{0,15}}[\"'`]",
            ignores_case=True,
        )
        yield SecretPattern(
            kind,
            f"{head}{IS}{_LONG_QUOTE}({BARE}{{4,300}}+)(?![(\\[])",
            markers,
            words,
            is_bare_password,
            f"{start}{QUOTE}{BARE}{{4}}",
            ignores_case=True,
        )


def _sentence_patterns() -> Iterator[SecretPattern]:
    """Give the patterns of passwords that somebody tells somebody."""
    yield SecretPattern(
        "password",
        _SPOKEN_NAME
        + _IS_SPOKEN
        + r"(\\{0,15}[\"'`\u201c\u2018])((?:(?!\1)[^\n\u201d\u2019]){1,100})[\"'`\u201d\u2019\\]",
        (),
        _SPOKEN_WORDS,
        is_typed_password,
        _SPOKEN_GATE + r"\\{0,15}[\"'`\xe2]",
        ignores_case=True,
    )
    yield SecretPattern(
        "password",
        _SPOKEN_NAME + _IS_SPOKEN + r"([^\s\"'`\\<>]{4,200})",
        (),
        _SPOKEN_WORDS,
        _is_spoken_password,
        _SPOKEN_GATE + r"[^\s\"'`\\<>]{4}",
        ignores_case=True,
    )
    for name in (*_WIDE_NAMES, *_CUT_NAMES):
        yield SecretPattern(
            "password",
            re.escape(name)
            + r"(?:[\"'`]|\*\*)?"
            + _WIDE_IS
            + r"(?:\*\*)?[\"'`\u300c\u201c]?([!-~]{3,200}?)(?=[\"'`\u300d\u201d,;\s]|[^!-~]|\Z)",
            () if name in _CUT_NAMES else (name.encode(),),
            _CUT_NAMES.get(name, ()),
            _is_wide_password,
            ignores_case=True,
        )


PASSWORD_PATTERNS: Final = (
    SecretPattern(
        "password",
        # In capitals at the beginning of a line it is a variable, and the rest is its value.
        r"(?:^[+>-]?|(?<=[\"'`\s;&|(>\u2192])|(?<=\\n)|(?<=--env=))"
        r"[A-Z0-9_]{0,40}(?:PASS(?:WORD|WD|PHRASE|CODE|WORT)?|SECRET|_PWD?|PWD)[A-Z0-9_]{0,20}="
        r"([^\s\"'`$<{(*\\](?:(?!</)[^\s\"'`\\\x1b]){0,300})",
        tuple(name.encode() for name in ("pass", "secret", "_pw", "pwd")),
        holds=_is_variable,
        gate=r"(?:pass|secret|pwd?)[a-z0-9_]{0,24}=",
    ),
    SecretPattern(
        "password",
        r"<([\w:.-]{0,30}(?:password|passwd|passphrase|pwd|secret))(?:\s[^<>\n]{0,100})?>([^<>\n]{1,200})</\1>",
        (b"password>", b"passwd>", b"passphrase>", b"pwd>", b"secret>"),
        holds=is_typed_password,
        ignores_case=True,
    ),
    SecretPattern(
        "password",
        # define('DB_PASSWORD', '...'), key="password" value="...", setPassword("...").
        r"(?:password|passwd|passphrase|pwd|secret|(?:auth|nonce|logged_in|secure_auth|auth)_(?:key|salt))"
        r"(?:\\{0,15}[\"']\s{0,3},\s{0,3}|\\{0,15}[\"']\s{1,3}value\s{0,2}=\s{0,2}|\(\s{0,3})"
        + IN_QUOTES,
        tuple(
            n.encode()
            for n in ("password", "passwd", "passphrase", "pwd", "secret", "auth_", "_key", "_salt")
        ),
        holds=_is_argument,
        gate=r"(?:password|passwd|passphrase|pwd|secret|_key|_salt)(?:\\{0,15}[\"'](?:\s{0,3},|\s{1,3}value)|\(\s{0,3}[\"'\\])",
        ignores_case=True,
    ),
    *_name_patterns(),
    *_sentence_patterns(),
)
"""In the order of trust."""

PASSWORD_NAME: Final = re.compile(
    r"(?:pass(?:word|wd|phrase|code|wort)|secret|secret[_-]?key|"
    rf"kennwort|contrasena|wachtwoord|{'|'.join((*_WIDE_NAMES, *_CUT_NAMES))})"
    r"(?:[_-]?(?:value|text|plain|confirmation|confirm|old|new|current|prod|dev))?[_-]?\d{0,2}\Z"
    rf"|(?:\A|[^a-z])(?:pwd?|pass|pw|{'|'.join(_FOREIGN_NAMES)})[_-]?\d{{0,2}}\Z"
    r"|(?<=[a-z])P(?:ass|wd|w)\Z",
    re.IGNORECASE,
)
"""Names of fields whose whole text goes, whatever it looks like, as in {"password": "..."}."""
