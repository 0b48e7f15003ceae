"""Colours for the languages that most sessions are full of, by one pattern for each.

Five hues need no grammar: comments, strings, numbers, words of the language, names where they
are defined. One pass of one pattern is many times as fast as a lexer, and a session holds
megabytes of code. Other languages are left to pygments.

A pattern takes what has no hue together with what follows it, so that Python sees only what
has one. Whatever repeats is possessive: nothing is looked at again, whoever wrote the code.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from msgspec import Struct

from bough.export.markup.text import inert

Segment = tuple[str, str]
"""A hue, or none, and the text that has it."""


def _quoted(mark: str, end: str, without: str = "") -> str:
    """Match what stands between two marks; without the second one it goes on to the end."""
    # A backslash may be the very last character: a pattern that gives up there begins again at
    # every quote before it, and takes minutes.
    special = r"\\(?:[\s\S]|\Z)"
    if len(mark) > 1:
        special = f"(?:{special}|{mark[0]}(?!{mark[1:]}))"
    inside = rf"[^{mark[0]}\\{without}]*+"
    return f"{mark}{inside}(?:{special}{inside})*+(?:{mark}|{end})"


_DOUBLE: Final = _quoted('"', "$", r"\n")
_SINGLE: Final = _quoted("'", "$", r"\n")
_BACK: Final = _quoted("`", r"\Z")
_LONG: Final = _quoted('"""', r"\Z")
_LONG_SINGLE: Final = _quoted("'''", r"\Z")
_SHELL_DOUBLE: Final = _quoted('"', r"\Z")
_SHELL_SINGLE: Final = r"'[^']*+(?:'|\Z)"
_CHAR: Final = r"'(?:[^'\\\n]|\\.[^'\n]{0,8})'"
_BLOCK: Final = r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)"
_C_COMMENT: Final = rf"//[^\n]*+|{_BLOCK}"
_HASH: Final = r"\#(?<!\S\#)[^\n]*+"
_NUMBER: Final = r"\d(?<![\w.]\d)[\d_]*+(?:\.\d[\d_]*+)?+(?:[eE][+-]?\d+)?+\w*+"
_SIGNS: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~ \t\n"
_NAME: Final = re.compile(r"[^\W\d]\w*+")

_COMMON: Final = (
    "break case catch class const continue default do else enum export extends finally for if"
    " implements import in instanceof interface new package private protected public return"
    " static super switch this throw try typeof var void while yield"
)
_CONSTANTS: Final = "True False None true false null undefined nil NaN"
_DEFINES: Final = frozenset({
    "class", "def", "enum", "fn", "fun", "func", "function", "impl", "interface", "mod",
    "namespace", "struct", "trait", "type",
})  # fmt: skip
"""After one of these words comes a name, in whatever language."""


class _Language(Struct, frozen=True):
    comment: str
    strings: tuple[str, ...]
    words: str
    opens: str
    """The signs with which anything begins that has a hue."""
    sigils: str = ""
    wordlike: str = ""
    """What begins as a word does, and is none."""


_SCRIPT: Final = _Language(
    _C_COMMENT,
    (_DOUBLE, _SINGLE, _BACK),
    f"{_COMMON} abstract as async await debugger declare from function get keyof let module"
    " namespace of readonly require satisfies set type with delete",
    "\"'`/",
)
_PREFIX: Final = "[rbfuRBFU]"
_MACRO: Final = r"\b\w{1,100}!"
_PROPERTY: Final = r"(?<![\w-])[\w-]++(?=\s{0,8}:)"
_LANGUAGES: Final = {
    "python": _Language(
        _HASH,
        (rf"(?<!\w){_PREFIX}{{0,2}}+(?:{_LONG}|{_LONG_SINGLE}|{_DOUBLE}|{_SINGLE})",),
        "and as assert async await break case class continue def del elif else except finally for"
        " from global if import in is lambda match nonlocal not or pass raise return try type"
        " while with yield",
        "\"'#@",
        r"@[\w.]++",
        rf"{_PREFIX}{{1,2}}[\"']",
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "jsx": _SCRIPT,
    "tsx": _SCRIPT,
    "json": _Language(r"(?!)", (_DOUBLE,), "", '"', rf"{_DOUBLE}(?=\s*+:)"),
    "bash": _Language(
        _HASH,
        (_SHELL_DOUBLE, _SHELL_SINGLE),
        "case do done elif else esac exit export fi for function if in local read return set shift"
        " source then trap unset until while",
        "\"'#$",
        r"\$\w++|\$\{[^}\n]{0,200}\}",
    ),
    "go": _Language(
        _C_COMMENT,
        (_DOUBLE, _BACK, _CHAR),
        "break case chan const continue default defer else fallthrough for func go goto if import"
        " interface map package range return select struct switch type var",
        "\"'`/",
    ),
    "rust": _Language(
        _C_COMMENT,
        (_DOUBLE, _CHAR),
        "as async await break const continue crate dyn else enum extern fn for if impl in let loop"
        " match mod move mut pub ref return self Self static struct super trait type unsafe use"
        " where while",
        "\"'/#",
        rf"#!?\[[^\]\n]{{0,200}}\]|{_MACRO}",
        _MACRO,
    ),
    "java": _Language(
        _C_COMMENT,
        (_LONG, _DOUBLE, _CHAR),
        f"{_COMMON} abstract boolean byte char double final float int long native record sealed"
        " short synchronized throws transient volatile",
        "\"'/@",
        r"@\w++",
    ),
    "c": _Language(
        _C_COMMENT,
        (_DOUBLE, _CHAR),
        f"{_COMMON} auto bool char double extern float inline int long namespace operator register"
        " short signed sizeof struct template typedef typename union unsigned using virtual",
        "\"'/#",
        r"\#(?<!\S\#)\w++",
    ),
    "html": _Language(
        r"<!--[\s\S]*?(?:-->|\Z)",
        (r'"(?<==")[^"]*+(?:"|\Z)', r"'(?<==')[^']*+(?:'|\Z)"),
        "",
        "\"'<>&/",
        r"</?[A-Za-z][\w:.-]*+>?|/?>|&\w{1,30};",
    ),
    "css": _Language(
        _BLOCK,
        (_DOUBLE, _SINGLE),
        "auto important inherit initial none unset",
        "\"'/@.#-",
        rf"@[\w-]++|{_PROPERTY}|(?<![\w-])[.#][A-Za-z][\w-]*+",
        _PROPERTY,
    ),
    "sql": _Language(
        rf"--[^\n]*+|{_BLOCK}",
        (_SINGLE,),
        "add all alter and as asc begin between by case check column commit constraint create"
        " cross default delete desc distinct drop else end exists foreign from full group having"
        " if in index inner insert into is join key left like limit not null on or order outer"
        " primary references returning right rollback select set table then union unique update"
        " using values view when where with",
        "'/-",
    ),
}
_SAME: Final = {
    "c++": "c", "cpp": "c", "cs": "java", "csharp": "java", "js": "javascript", "kotlin": "java",
    "less": "css", "py": "python", "python3": "python", "rs": "rust", "scss": "css", "sh": "bash",
    "shell": "bash", "svelte": "html", "svg": "html", "swift": "java", "ts": "typescript",
    "vue": "html", "xml": "html", "zsh": "bash",
}  # fmt: skip


# Tags are set with signs that code has not, until its own are escaped.
_OPEN: Final = {hue: f'\x01i class="{hue}"\x02' for hue in "cnsmk"}
_CLOSE: Final = "\x01/i\x02"


def knows(language: str) -> bool:
    """Tell whether a language has a pattern here."""
    return language in _LANGUAGES or language in _SAME


def hued(code: str, language: str) -> Iterator[Segment]:
    """Give the code in stretches of one hue."""
    before = ""
    for plain, hue, text in _pieces(code, language):
        before += plain
        if not hue:
            before += text
            continue
        if before:
            yield "", before
            before = ""
        yield hue, text
    if before:
        yield "", before


def painted(code: str, language: str) -> list[str]:
    """Give the lines of some code as HTML, in one pass; the code has no odd characters.

    The same as what `hued` gives, put into tags: most of a session is code.
    """
    out: list[str] = []
    for plain, hue, text in _pieces(code, language):
        if not hue:
            out += (plain, text)
        elif "\n" not in text:
            out += (plain, _OPEN[hue], text, _CLOSE)
        else:
            tag = _OPEN[hue]
            lines = [f"{tag}{line}{_CLOSE}" if line else "" for line in text.split("\n")]
            out += (plain, "\n".join(lines))
    return inert("".join(out)).replace("\x01", "<").replace("\x02", ">").split("\n")


def _pieces(code: str, language: str) -> Iterator[tuple[str, str, str]]:
    """Give what is plain, the hue of what follows it, and that."""
    name = _SAME.get(language, language)
    words = _words(name)
    fold = name == "sql"
    defining = False
    for plain, sigil, string, word, number, comment, sign in _pattern(name).findall(code):
        if defining and (named := _NAME.search(plain)):
            yield plain[: named.start()], "n", named[0]
            plain = plain[named.end() :]  # noqa: PLW2901 - the rest of it
            defining = False
        if word:
            known = word.lower() if fold else word
            yield plain, words.get(known) or ("n" if defining else ""), word
            defining = known in _DEFINES
            continue
        if sign:
            yield plain, "", sign
            continue
        defining = False
        if string:
            yield plain, "s", string
        elif number:
            yield plain, "m", number
        elif sigil:
            yield plain, "n", sigil
        else:
            yield plain, "c" if comment else "", comment


@cache
def _words(name: str) -> dict[str, str]:
    return dict.fromkeys(_LANGUAGES[name].words.split(), "k") | dict.fromkeys(
        _CONSTANTS.split(), "m"
    )


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Match what is plain up to something that has a hue, or may have one, or to the end."""
    language = _LANGUAGES[name]
    known = _one_of({*_words(name), *_DEFINES})
    if name == "sql":
        known = f"(?ai:{known})"
    known += r"\b"
    other = f"|{language.wordlike}" if language.wordlike else ""
    signs = f"[{re.escape(''.join(set(_SIGNS) - set(language.opens)))}]*+"
    plain = rf"{signs}(?:(?!{known}{other})[A-Za-z_]\w*+{signs})*+"
    groups = (
        language.sigils or "(?!)",
        "|".join(language.strings),
        rf"{known}|[^\W\dA-Za-z_]\w*+",
        _NUMBER,
        language.comment,
        r"[\s\S]",
    )
    choices = "|".join(f"({group})" for group in groups)
    return re.compile(rf"({plain})(?:{choices}|\Z)", re.MULTILINE)


def _one_of(words: Iterable[str]) -> str:
    """Match any of some words; one look at the first letter is enough for most others."""
    rests: dict[str, list[str]] = {}
    for word in sorted(words):
        rests.setdefault(word[0], []).append(word[1:])
    choices = (f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items())
    return f"(?:{'|'.join(choices)})"
