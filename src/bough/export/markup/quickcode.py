"""Colours for the languages that most sessions are full of, by one pattern for each.

Five hues need no grammar: comments, strings, numbers, words of the language, names where they
are defined. One pass of one pattern is twenty times as fast as a lexer, and a session holds
megabytes of code. Other languages are left to pygments.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec import Struct

Segment = tuple[str, str]
"""A hue, or none, and the text that has it."""

_C_COMMENT: Final = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
_HASH: Final = r"(?:(?<=\s)|^)\#[^\n]*"
# A backslash may be the very last character: a pattern that gives up there begins again at
# every quote before it, and takes minutes.
_ESCAPED: Final = r"\\(?:[\s\S]|\Z)"
_DOUBLE: Final = rf'"(?:[^"\\\n]|{_ESCAPED})*+(?:"|$)'
_SINGLE: Final = rf"'(?:[^'\\\n]|{_ESCAPED})*+(?:'|$)"
_CHAR: Final = r"'(?:[^'\\\n]|\\.[^'\n]{0,8})'"
_BACK: Final = rf"`(?:[^`\\]|{_ESCAPED})*+(?:`|\Z)"
_LONG: Final = rf'"""(?:[^"\\]|{_ESCAPED}|"(?!""))*+(?:"""|\Z)'
_LONG_SINGLE: Final = rf"'''(?:[^'\\]|{_ESCAPED}|'(?!''))*+(?:'''|\Z)"
_NUMBER: Final = r"(?<![\w.])(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w*"
_SHELL_DOUBLE: Final = rf'"(?:[^"\\]|{_ESCAPED})*+(?:"|\Z)'
_SHELL_SINGLE: Final = r"'[^']*+(?:'|\Z)"

_COMMON: Final = (
    "break case catch class const continue default do else enum export extends finally for if"
    " implements import in instanceof interface new package private protected public return"
    " static super switch this throw try typeof var void while yield"
)
_CONSTANTS: Final = "True False None true false null undefined nil NaN"
_DEFINES: Final = dict.fromkeys(
    ("class", "def", "enum", "fn", "fun", "func", "function", "impl", "interface", "mod"), True
) | dict.fromkeys(("namespace", "struct", "trait", "type"), True)


class _Language(Struct, frozen=True):
    comment: str
    strings: tuple[str, ...]
    words: str
    sigils: str = ""


_C_STRINGS: Final = (_DOUBLE, _CHAR)
_SCRIPT: Final = _Language(
    _C_COMMENT,
    (_DOUBLE, _SINGLE, _BACK),
    f"{_COMMON} abstract as async await debugger declare from function get keyof let module"
    " namespace of readonly require satisfies set type with delete",
)
_LANGUAGES: Final = {
    "python": _Language(
        _HASH,
        (
            rf"(?<!\w)[rbfuRBFU]{{0,2}}(?:{_LONG}|{_LONG_SINGLE})",
            rf"(?<!\w)[rbfuRBFU]{{0,2}}(?:{_DOUBLE}|{_SINGLE})",
        ),
        "and as assert async await break case class continue def del elif else except finally for"
        " from global if import in is lambda match nonlocal not or pass raise return try type"
        " while with yield",
        r"@[\w.]+",
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "jsx": _SCRIPT,
    "tsx": _SCRIPT,
    "json": _Language(r"(?!)", (_DOUBLE,), "", rf"{_DOUBLE}(?=\s*:)"),
    "bash": _Language(
        _HASH,
        (_SHELL_DOUBLE, _SHELL_SINGLE),
        "case do done elif else esac exit export fi for function if in local read return set shift"
        " source then trap unset until while",
        r"\$\w+|\$\{[^}\n]{0,200}\}",
    ),
    "go": _Language(
        _C_COMMENT,
        (_DOUBLE, _BACK, _CHAR),
        "break case chan const continue default defer else fallthrough for func go goto if import"
        " interface map package range return select struct switch type var",
    ),
    "rust": _Language(
        _C_COMMENT,
        _C_STRINGS,
        "as async await break const continue crate dyn else enum extern fn for if impl in let loop"
        " match mod move mut pub ref return self Self static struct super trait type unsafe use"
        " where while",
        r"#!?\[[^\]\n]{0,200}\]|\b\w{1,100}!",
    ),
    "java": _Language(
        _C_COMMENT,
        (_LONG, *_C_STRINGS),
        f"{_COMMON} abstract boolean byte char double final float int long native record sealed"
        " short synchronized throws transient volatile",
        r"@\w+",
    ),
    "c": _Language(
        _C_COMMENT,
        _C_STRINGS,
        f"{_COMMON} auto bool char double extern float inline int long namespace operator register"
        " short signed sizeof struct template typedef typename union unsigned using virtual",
        r"^[ \t]*#\w+",
    ),
    "html": _Language(
        r"<!--[\s\S]*?(?:-->|\Z)",
        (r'(?<==)"[^"]*+(?:"|\Z)', r"(?<==)'[^']*+(?:'|\Z)"),
        "",
        r"</?[A-Za-z][\w:.-]*+>?|/?>|&\w{1,30};",
    ),
    "css": _Language(
        r"/\*[\s\S]*?(?:\*/|\Z)",
        (_DOUBLE, _SINGLE),
        "auto important inherit initial none unset",
        r"@[\w-]++|(?<![\w-])[\w-]++(?=\s{0,8}:)|(?<![\w-])[.#][A-Za-z][\w-]*+",
    ),
    "sql": _Language(
        r"--[^\n]*|/\*[\s\S]*?(?:\*/|\Z)",
        (_SINGLE,),
        "add all alter and as asc begin between by case check column commit constraint create"
        " cross default delete desc distinct drop else end exists foreign from full group having"
        " if in index inner insert into is join key left like limit not null on or order outer"
        " primary references returning right rollback select set table then union unique update"
        " using values view when where with",
    ),
}
_SAME: Final = {
    "c++": "c", "cpp": "c", "cs": "java", "csharp": "java", "js": "javascript", "kotlin": "java",
    "less": "css", "py": "python", "python3": "python", "rs": "rust", "scss": "css", "sh": "bash",
    "shell": "bash", "svelte": "html", "svg": "html", "swift": "java", "ts": "typescript",
    "vue": "html", "xml": "html", "zsh": "bash",
}  # fmt: skip


# Nothing begins with these, but what may stand behind spaces at the start of a line: half of
# all places need not be looked at more closely.
_SELDOM: Final = r"(?![(){}\[\];,:=+*?|~^%\n]|(?<!^)[ \t])"


def knows(language: str) -> bool:
    """Tell whether a language has a pattern here."""
    return language in _LANGUAGES or language in _SAME


def hued(code: str, language: str) -> Iterator[Segment]:
    """Give the code in stretches of one hue."""
    name = _SAME.get(language, language)
    words = _words(name)
    fold = name == "sql"
    at, before = 0, ""
    for match in _pattern(name).finditer(code):
        group = match.lastgroup or ""
        if group == "w":
            word = match[0].lower() if fold else match[0]
            hue = words.get(word) or ("n" if before in _DEFINES else "")
            before = word
            if not hue:
                continue
        else:
            hue, before = group, ""
        start = match.start()
        if start > at:
            yield "", code[at:start]
        at = match.end()
        yield hue, match[0]
    if at < len(code):
        yield "", code[at:]


def painted(code: str, language: str) -> list[str]:
    """Give the lines of some code as HTML, in one pass; the code has no odd characters.

    The same as what `hued` gives, put into tags: most of a session is code.
    """
    marks = "&" in code or "<" in code or ">" in code
    out: list[str] = []
    for hue, text in hued(code, language):
        shown = text
        if marks:
            shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        if not hue:
            out.append(shown)
        elif "\n" not in shown:
            out.append(f'<i class="{hue}">{shown}</i>')
        else:
            parts = shown.split("\n")
            out.append(
                "\n".join([f'<i class="{hue}">{part}</i>' if part else "" for part in parts])
            )
    return "".join(out).split("\n")


@cache
def _words(name: str) -> dict[str, str]:
    return dict.fromkeys(_LANGUAGES[name].words.split(), "k") | dict.fromkeys(
        _CONSTANTS.split(), "m"
    )


@cache
def _pattern(name: str) -> re.Pattern[str]:
    language = _LANGUAGES[name]
    parts = [rf"(?P<c>{language.comment})"]
    if language.sigils:
        parts.append(rf"(?P<n>{language.sigils})")
    parts.append(rf"(?P<s>{'|'.join(language.strings)})")
    parts += [rf"(?P<m>{_NUMBER})", r"(?P<w>[^\W\d]\w*)"]
    return re.compile(f"{_SELDOM}(?:{'|'.join(parts)})", re.MULTILINE)
