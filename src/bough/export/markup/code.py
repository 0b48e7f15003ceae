"""Code in colour: five hues, by what a word is.

The tokens of pygments are many; a reader needs keyword, string, name, comment and number.
Lexers are kept, and what is too long for anybody to read is not coloured.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from bough.export.markup.escape import (
    escape_attribute,
    escape_html,
    has_odd_characters,
    name_odd_characters,
    normalize_newlines,
)
from bough.export.markup.highlight import has_language, highlight_code

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Segment = tuple[str, str]
"""A hue, or none, and the text that has it."""

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
_TAG: Final = re.compile(r'<i class="\w">|</i>')
_BY_NAME: Final = {"Dockerfile": "docker", "Makefile": "make", "makefile": "make"}
_NO_COLOUR: Final = frozenset({"", "text", "txt", "plain", "plaintext", "output", "log", "none"})


def render_code(code: str, language: str) -> str:
    """Set a block of code, its language and a button to copy it on top."""
    name = language.strip("{}.")
    shown = f'<span class="lang">{escape_html(name)}</span>' if name else ""
    copy = '<button type="button" class="act" data-do="copy">Copy</button>'
    lines = "\n".join(color_lines(code.removesuffix("\n"), name.partition(" ")[0].lower()))
    label = escape_attribute(f"Code, {name}" if name else "Code")
    return (
        f'<div class="code"><div class="bar">{shown}{copy}</div>'
        f'<pre tabindex="0" role="group" aria-label="{label}"><code>{lines}</code></pre></div>'
    )


def language_of(path: str) -> str:
    """Tell the language of a file by its name; empty where nobody knows."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return _BY_NAME.get(name) or _BY_SUFFIX.get(name.rpartition(".")[2].lower(), "")


def color_lines(code: str, language: str) -> list[str]:
    """Give the lines of some code as HTML, each with its tags closed."""
    code = normalize_newlines(code)
    if language in _NO_COLOUR or len(code) > LONGEST:
        return escape_html(code).split("\n")
    if has_language(language):
        html = highlight_code(code, language)
        return (name_odd_characters(html) if has_odd_characters(code) else html).split("\n")
    lexer = _find_lexer(language)
    if lexer is None or any(len(line) > _LONGEST_LINE for line in code.split("\n")):
        return escape_html(code).split("\n")
    if len(code) <= _COLOURED:
        return _tag_segments(_color_tokens(lexer, code))
    # Nobody reads on to there for the colours, and lexers are slow.
    end = code.rfind("\n", 0, _COLOURED)
    return [
        *_tag_segments(_color_tokens(lexer, code[:end])),
        *escape_html(code[end + 1 :]).split("\n"),
    ]


def _tag_segments(stretches: Iterable[Segment]) -> list[str]:
    """Put stretches of one hue into tags, anew on each line."""
    out: list[str] = []
    for hue, text in stretches:
        shown = escape_html(text)
        if hue:
            lines = shown.split("\n")
            shown = "\n".join([f'<i class="{hue}">{line}</i>' if line else "" for line in lines])
        out.append(shown)
    return "".join(out).split("\n")


def mark_ranges(line: str, marks: Iterable[tuple[int, int]]) -> str:
    """Mark some stretches of a coloured line; their places do not count the tags of its hues."""
    tags = _TAG.finditer(line)
    tag = next(tags, None)
    opening = ""
    out: list[str] = []
    written = skipped = 0
    for start, end in marks:
        for place, mark in ((start, "<mark>"), (end, "</mark>")):
            # A mark goes around a hue that begins or ends where it does, not into it.
            while tag and tag.start() < place + skipped + bool(opening):
                opening = "" if opening else tag[0]
                skipped += len(tag[0])
                tag = next(tags, None)
            out.append(line[written : place + skipped])
            out.append(f"</i>{mark}{opening}" if opening else mark)
            written = place + skipped
    out.append(line[written:])
    return "".join(out)


def _color_tokens(lexer: "Lexer", code: str) -> Iterator[Segment]:
    """Give the words of some code with their hue, neighbours of one hue together."""
    current = ""
    words: list[str] = []
    for _, kind, text in lexer.get_tokens_unprocessed(code):
        hue = _color_of(kind)
        if hue != current and not text.isspace():
            if words:
                yield current, "".join(words)
            current, words = hue, []
        words.append(text)
    if words:
        yield current, "".join(words)


@lru_cache(maxsize=64)
def _find_lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - heavy, and seldom needed
    from pygments.util import ClassNotFound  # noqa: PLC0415

    try:
        found: Lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return None
    return found


@cache
def _color_of(kind: Any) -> str:
    """Choose the hue of a token by the first of its ancestors that has one."""
    while kind is not None:
        name = str(kind)
        if name in _COLORS:
            return _COLORS[name]
        kind = kind.parent
    return ""


_COLORS: Final = {
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
