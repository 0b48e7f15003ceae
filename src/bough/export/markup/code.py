"""Code in colour: five hues, by what a word is.

The tokens of pygments are many; a reader needs keyword, string, name, comment and number.
Lexers are kept, and what is too long for anybody to read is not coloured.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from bough.export.markup.quickcode import Segment, hued, knows, painted
from bough.export.markup.text import attribute, escaped, is_odd

if TYPE_CHECKING:
    from pygments.lexer import Lexer

LONGEST: Final = 200_000
_COLOURED: Final = 40_000
_LONGEST_LINE: Final = 2_000
_BY_SUFFIX: Final = {
    "bash": "bash", "c": "c", "cfg": "ini", "cpp": "cpp", "cs": "csharp", "css": "css",
    "go": "go", "h": "c", "htm": "html", "html": "html", "ini": "ini", "java": "java",
    "js": "javascript", "json": "json", "jsonl": "json", "jsx": "jsx", "kt": "kotlin",
    "lua": "lua", "mjs": "javascript", "php": "php", "ps1": "powershell",
    "py": "python", "pyi": "python", "rb": "ruby", "rs": "rust", "scss": "scss", "sh": "bash",
    "sql": "sql", "svelte": "html", "swift": "swift", "toml": "toml", "ts": "typescript",
    "tsx": "tsx", "vue": "html", "xml": "xml", "yaml": "yaml", "yml": "yaml", "zsh": "bash",
}  # fmt: skip
_BY_NAME: Final = {"Dockerfile": "docker", "Makefile": "make", "makefile": "make"}
_NO_COLOUR: Final = frozenset({"", "text", "txt", "plain", "plaintext", "output", "log", "none"})


def code_block(code: str, language: str) -> str:
    """Set a block of code, its language and a button to copy it on top."""
    name = language.strip("{}.")
    shown = f'<span class="lang">{escaped(name)}</span>' if name else ""
    copy = '<button type="button" class="act" data-do="copy">Copy</button>'
    lines = "\n".join(coloured(code.removesuffix("\n"), name.partition(" ")[0].lower()))
    label = attribute(f"Code, {name}" if name else "Code")
    return (
        f'<div class="code"><div class="bar">{shown}{copy}</div>'
        f'<pre tabindex="0" role="group" aria-label="{label}"><code>{lines}</code></pre></div>'
    )


def language_of(path: str) -> str:
    """Tell the language of a file by its name; empty where nobody knows."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return _BY_NAME.get(name) or _BY_SUFFIX.get(name.rpartition(".")[2].lower(), "")


def coloured(code: str, language: str) -> list[str]:
    """Give the lines of some code as HTML, each with its tags closed."""
    code = code.replace("\r\n", "\n")
    if language not in _NO_COLOUR and knows(language) and len(code) <= LONGEST and not is_odd(code):
        return painted(code, language)
    return ["".join(_span(hue, text) for hue, text in line) for line in segments(code, language)]


def segments(code: str, language: str) -> list[list[Segment]]:
    """Cut each line of some code into stretches of one hue."""
    code = code.replace("\r\n", "\n")
    if language in _NO_COLOUR or len(code) > LONGEST:
        return _plain(code)
    quick = knows(language)
    lexer = None if quick else _lexer(language)
    if not quick and (lexer is None or any(len(x) > _LONGEST_LINE for x in code.split("\n"))):
        return _plain(code)
    if lexer is not None and len(code) > _COLOURED:
        # Nobody reads on to there for the colours, and lexers are slow.
        end = code.rfind("\n", 0, _COLOURED)
        return segments(code[:end], language) + _plain(code[end + 1 :])
    lines: list[list[Segment]] = [[]]
    for hue, text in hued(code, language) if lexer is None else _hued(lexer, code):
        first, *rest = text.split("\n")
        if first:
            lines[-1].append((hue, first))
        lines += ([(hue, part)] if part else [] for part in rest)
    return lines


def _plain(code: str) -> list[list[Segment]]:
    return [[("", line)] if line else [] for line in code.split("\n")]


def marked(line: Sequence[Segment], marks: Sequence[tuple[int, int]]) -> str:
    """Write a line with some stretches of it marked, given by their first and last places."""
    if not marks:
        return "".join([_span(hue, text) for hue, text in line])
    out: list[str] = []
    at = 0
    for hue, text in line:
        for start, end, on in _cut(at, at + len(text), marks):
            part = _span(hue, text[start - at : end - at])
            out.append(f"<mark>{part}</mark>" if on else part)
        at += len(text)
    return "".join(out).replace("</mark><mark>", "")


def _cut(start: int, end: int, marks: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """Cut a stretch where marks begin and end."""
    at = start
    for first, last in marks:
        if last <= at or first >= end:
            continue
        if first > at:
            yield at, first, False
        yield max(at, first), min(last, end), True
        at = min(last, end)
    if at < end:
        yield at, end, False


def _span(hue: str, text: str) -> str:
    return f'<i class="{hue}">{escaped(text)}</i>' if hue else escaped(text)


def _hued(lexer: "Lexer", code: str) -> Iterator[Segment]:
    """Give the words of some code with their hue, neighbours of one hue together."""
    current = ""
    words: list[str] = []
    for _, kind, text in lexer.get_tokens_unprocessed(code):
        hue = _hue(kind)
        if hue != current and not text.isspace():
            if words:
                yield current, "".join(words)
            current, words = hue, []
        words.append(text)
    if words:
        yield current, "".join(words)


@lru_cache(maxsize=64)
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - heavy, and seldom needed
    from pygments.util import ClassNotFound  # noqa: PLC0415

    try:
        found: Lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return None
    return found


@cache
def _hue(kind: Any) -> str:
    """Choose the hue of a token by the first of its ancestors that has one."""
    while kind is not None:
        name = str(kind)
        if name in _HUES:
            return _HUES[name]
        kind = kind.parent
    return ""


_HUES: Final = {
    "Token.Comment": "c",
    "Token.Comment.Preproc": "k",
    "Token.Comment.PreprocFile": "s",
    "Token.Generic.Deleted": "d",
    "Token.Generic.Heading": "n",
    "Token.Generic.Inserted": "s",
    "Token.Generic.Subheading": "n",
    "Token.Keyword": "k",
    "Token.Keyword.Constant": "m",
    "Token.Keyword.Type": "n",
    "Token.Literal.Date": "m",
    "Token.Literal.Number": "m",
    "Token.Literal.String": "s",
    "Token.Literal.String.Interpol": "",
    "Token.Name.Attribute": "n",
    "Token.Name.Builtin": "n",
    "Token.Name.Builtin.Pseudo": "",
    "Token.Name.Class": "n",
    "Token.Name.Decorator": "n",
    "Token.Name.Exception": "n",
    "Token.Name.Function": "n",
    "Token.Name.Tag": "n",
    "Token.Operator.Word": "k",
}
