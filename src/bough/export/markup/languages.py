"""How the languages look that most sessions are full of: what a pattern has to know of each.

Whatever repeats is possessive: nothing is looked at twice, whoever wrote the code.
"""

from typing import Final

from msgspec import Struct


def _match_quoted(mark: str, end: str, without: str = "") -> str:
    """Match what stands between two marks; without the second one it goes on to the end."""
    # A backslash may be the very last character: a pattern that gives up there begins again at
    # every quote before it, and takes minutes.
    special = r"\\(?:[\s\S]|\Z)"
    if len(mark) > 1:
        special = f"(?:{special}|{mark[0]}(?!{mark[1:]}))"
    inside = rf"[^{mark[0]}\\{without}]*+"
    return f"{mark}{inside}(?:{special}{inside})*+(?:{mark}|{end})"


_DOUBLE: Final = _match_quoted('"', "$", r"\n")
_SINGLE: Final = _match_quoted("'", "$", r"\n")
_BACK: Final = _match_quoted("`", r"\Z")
_LONG: Final = _match_quoted('"""', r"\Z")
_LONG_SINGLE: Final = _match_quoted("'''", r"\Z")
_SHELL_DOUBLE: Final = _match_quoted('"', r"\Z")
_SHELL_SINGLE: Final = r"'[^']*+(?:'|\Z)"
_CHAR: Final = r"'(?:[^'\\\n]|\\.[^'\n]{0,8})'"
_BLOCK: Final = r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)"
_C_COMMENT: Final = rf"//[^\n]*+|{_BLOCK}"
_HASH: Final = r"\#(?<!\S\#)[^\n]*+"

_COMMON: Final = (
    "break case catch class const continue default do else enum export extends finally for if"
    " implements import in instanceof interface new package private protected public return"
    " static super switch this throw try typeof var void while yield"
)


class Language(Struct, frozen=True):
    """The patterns and the words of a language."""

    comment: str
    strings: tuple[str, ...]
    words: str
    opens: str
    """The signs with which anything begins that has a hue."""

    sigils: str = ""
    """What has the hue of a name wherever it stands."""

    wordlike: str = ""
    """What begins as a word does, and is none."""

    fold: bool = False
    """Whether the words of the language may be written in capitals."""


_SCRIPT: Final = Language(
    _C_COMMENT,
    (_DOUBLE, _SINGLE, _BACK),
    f"{_COMMON} abstract as async await debugger declare from function get keyof let module"
    " namespace of readonly require satisfies set type with delete",
    "\"'`/",
)
_PREFIX: Final = "[rbfuRBFU]"
_MACRO: Final = r"\b\w{1,100}!"
_PROPERTY: Final = r"(?<![\w-])[\w-]++(?=\s{0,8}:)"
_YAML_KEY: Final = r"(?<![\w./-])[\w./-]++(?=:(?:\s|\Z))"
_TOML_KEY: Final = r"(?<![\w.-])[\w.-]++(?=\s{0,8}=)"
LANGUAGES: Final = {
    "python": Language(
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
    "json": Language(r"(?!)", (_DOUBLE,), "", '"', rf"{_DOUBLE}(?=\s*+:)"),
    "bash": Language(
        _HASH,
        (_SHELL_DOUBLE, _SHELL_SINGLE),
        "case do done elif else esac exit export fi for function if in local read return set shift"
        " source then trap unset until while",
        "\"'#$",
        r"\$\w++|\$\{[^}\n]{0,200}\}",
    ),
    "go": Language(
        _C_COMMENT,
        (_DOUBLE, _BACK, _CHAR),
        "break case chan const continue default defer else fallthrough for func go goto if import"
        " interface map package range return select struct switch type var",
        "\"'`/",
    ),
    "rust": Language(
        _C_COMMENT,
        (_DOUBLE, _CHAR),
        "as async await break const continue crate dyn else enum extern fn for if impl in let loop"
        " match mod move mut pub ref return self Self static struct super trait type unsafe use"
        " where while",
        "\"'/#",
        rf"#!?\[[^\]\n]{{0,200}}\]|{_MACRO}",
        _MACRO,
    ),
    "java": Language(
        _C_COMMENT,
        (_LONG, _DOUBLE, _CHAR),
        f"{_COMMON} abstract boolean byte char double final float int long native record sealed"
        " short synchronized throws transient volatile",
        "\"'/@",
        r"@\w++",
    ),
    "c": Language(
        _C_COMMENT,
        (_DOUBLE, _CHAR),
        f"{_COMMON} auto bool char double extern float inline int long namespace operator register"
        " short signed sizeof struct template typedef typename union unsigned using virtual",
        "\"'/#",
        r"\#(?<!\S\#)\w++",
    ),
    "html": Language(
        r"<!--[\s\S]*?(?:-->|\Z)",
        (r'"(?<==")[^"]*+(?:"|\Z)', r"'(?<==')[^']*+(?:'|\Z)"),
        "",
        "\"'<>&/",
        r"</?[A-Za-z][\w:.-]*+>?|/?>|&\w{1,30};",
    ),
    "css": Language(
        _BLOCK,
        (_DOUBLE, _SINGLE),
        "auto important inherit initial none unset",
        "\"'/@.#-",
        rf"@[\w-]++|{_PROPERTY}|(?<![\w-])[.#][A-Za-z][\w-]*+",
        _PROPERTY,
    ),
    "yaml": Language(
        _HASH,
        (rf"(?<!\w)(?:{_DOUBLE}|{_SINGLE})",),
        "",
        "\"'#",
        _YAML_KEY,
        _YAML_KEY,
    ),
    "toml": Language(
        _HASH,
        (_LONG, _LONG_SINGLE, _DOUBLE, _SINGLE),
        "",
        "\"'#[",
        rf"{_TOML_KEY}|\[(?<!.\[)\[?[\w.\"' -]++\]++",
        _TOML_KEY,
    ),
    "sql": Language(
        rf"--[^\n]*+|{_BLOCK}",
        (_SINGLE,),
        "add all alter and as asc begin between by case check column commit constraint create"
        " cross default delete desc distinct drop else end exists foreign from full group having"
        " if in index inner insert into is join key left like limit not null on or order outer"
        " primary references returning right rollback select set table then union unique update"
        " using values view when where with",
        "'/-",
        fold=True,
    ),
}
SAME: Final = {
    "c++": "c", "cpp": "c", "cs": "java", "csharp": "java", "js": "javascript", "kotlin": "java",
    "less": "css", "py": "python", "python3": "python", "rs": "rust", "scss": "css", "sh": "bash",
    "shell": "bash", "svelte": "html", "svg": "html", "swift": "java", "ts": "typescript",
    "vue": "html", "xml": "html", "yml": "yaml", "zsh": "bash",
}  # fmt: skip
