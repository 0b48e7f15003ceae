"""Roles, colours and glyphs of the terminal.

What a text is (a prompt, an error, a branch left behind) has one look, named here once. Who
draws says what a text is and gives lines of spans; they become escape codes when they are
printed, and not before.
No role lives by colour alone: each comes with a glyph or a word, and without colours it
keeps bold, dim or reverse. Colours of the terminal's own palette are taken unless it says
that it shows all of them.

Label colours of sessions: eight hues, the same one for a session as long as it is shown.

A hue is a hint, never the only sign: the label's text says which session it is.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.text import make_harmless


class Role(StrEnum):
    """What a piece of text is."""

    PROMPT = "prompt"
    CLAUDE = "claude"
    THINKING = "thinking"
    TOOL = "tool"
    ERROR = "error"
    AGENT = "agent"
    COMPACTION = "compaction"
    ACTIVE = "active"
    LEFT = "left"
    WAITING = "waiting"
    META = "meta"
    HEADER = "header"
    MATCH = "match"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    LINK = "link"
    SESSION_1 = "session-1"
    SESSION_2 = "session-2"
    SESSION_3 = "session-3"
    SESSION_4 = "session-4"
    SESSION_5 = "session-5"
    SESSION_6 = "session-6"
    SESSION_7 = "session-7"
    SESSION_8 = "session-8"


class RoleStyle(Struct, frozen=True):
    """A role's escape codes: colours on dark and light grounds, 16 colours, no colours."""

    dark: str
    light: str
    sixteen: str
    attributes: str


class Glyphs(Struct, frozen=True):
    """The signs of the stem, and what stands for them where there is no Unicode."""

    node: str = "●"
    tip: str = "◉"
    other: str = "○"
    agent: str = "◆"
    fork: str = "▢"
    archived: str = "▤"
    lost: str = "∅"
    bar: str = "│"
    tee: str = "├"
    start: str = "╭"
    end: str = "╰"
    dash: str = "─"
    down: str = "╮"
    up: str = "╯"
    compaction: str = "┊"
    gap: str = "╌"
    below: str = "└"
    ok: str = "✓"
    failed: str = "✗"
    waiting: str = "■"
    budget: str = "▲"
    rough: str = "≈"
    thought: str = "~"
    ellipsis: str = "…"
    arrow: str = "→"
    below_arrow: str = "↓"
    back_arrow: str = "←"
    cursor: str = "▌"
    pointer: str = "▏"
    thumb: str = "█"
    opened: str = "▾"
    folded: str = "▸"
    minus: str = "−"  # noqa: RUF001 - a true minus sign
    range: str = "–"  # noqa: RUF001 - a true dash
    code: str = ""
    """What stands around code within a line: something only where no colour sets it off."""

    @property
    def is_ascii(self) -> bool:
        """Tell whether these are the plain signs."""
        return self.node.isascii()


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(
    node="*",
    tip="@",
    other="o",
    agent="<>",
    fork="[]",
    archived="#",
    lost="0",
    bar="|",
    tee="+",
    start=".",
    end="`",
    dash="-",
    down="\\",
    up="/",
    compaction=":",
    gap="-",
    below="`",
    ok="ok",
    failed="x",
    waiting="!",
    budget="^",
    rough="~",
    ellipsis="...",
    arrow="->",
    below_arrow="v",
    back_arrow="<-",
    cursor=">",
    pointer="|",
    thumb="#",
    opened="v",
    folded=">",
    minus="-",
    range="-",
)


def replace_signs(text: str, glyphs: Glyphs) -> str:
    """Write the signs that stand in words as the terminal can show them."""
    return text.translate({0x2013: glyphs.range, 0x2212: glyphs.minus, 0x2192: glyphs.arrow})


_SIGNS: Final = dict(
    zip(
        "●◉○◆▢▤∅│├╭╰─╮╯┊╌└✓✗■▲≈…→←↑↓−–—·×›‹▸▾⊘◐⑂",  # noqa: RUF001 - the signs themselves
        "*@o*o#0|+.`-\\/:-`+x!^~.><^v---.x><>v-oY",
        strict=True,
    )
)
_EDGES: Final = {"▁": "_", "▔": "-", "▏": "|", "▕": "|", "▎": "|", "▌": ">", "▐": "|"}
PLAIN_SIGNS: Final = str.maketrans(
    {chr(code): "+" for code in range(0x2500, 0x2580)}  # what frames are drawn with
    | {chr(code): "|" for code in (0x2502, 0x2503, 0x2551)}
    | {chr(code): "-" for code in (0x2500, 0x2501, 0x2550)}
    | {chr(code): "#" for code in range(0x2580, 0x25A0)}  # what charts are drawn with
    | _SIGNS
    | _EDGES
)
"""A plain character of one column for each sign of ours, for what is drawn without glyphs."""


def _encode_rgb(hexadecimal: str) -> str:
    """Turn #RRGGBB into the numbers of an escape code."""
    red, green, blue = bytes.fromhex(hexadecimal)
    return f"{red};{green};{blue}"


def _make_style(dark: str, light: str, sixteen: str, attributes: str) -> RoleStyle:
    return RoleStyle(f"38;2;{_encode_rgb(dark)}", f"38;2;{_encode_rgb(light)}", sixteen, attributes)


_QUIET: Final = _make_style("8E9A92", "5F6962", "90", "2")
_ROLE_STYLES: Final[dict[Role, RoleStyle]] = {
    Role.PROMPT: _make_style("82B4F4", "1B5EBF", "94", "1"),
    Role.CLAUDE: RoleStyle("", "", "", ""),
    Role.THINKING: _make_style("BBA6EE", "6A4BA6", "35", "3"),
    Role.TOOL: _make_style("A8B6C1", "4A5862", "36", ""),
    Role.ERROR: _make_style("F48D84", "B3231C", "91", "1"),
    Role.AGENT: _make_style("EFA765", "974A0A", "33", ""),
    Role.COMPACTION: _make_style("EE94C5", "992C6B", "95", ""),
    Role.ACTIVE: _make_style("5CCB94", "12724A", "32", ""),
    Role.LEFT: _QUIET,
    Role.META: _QUIET,
    Role.HEADER: _QUIET,
    Role.WAITING: RoleStyle(
        f"38;2;{_encode_rgb('E2BF55')};48;2;{_encode_rgb('2A2410')}",
        f"38;2;{_encode_rgb('775800')};48;2;{_encode_rgb('FBF4DC')}",
        "30;43",
        "7",
    ),
    Role.MATCH: RoleStyle(
        f"38;2;{_encode_rgb('E5EBE6')};48;2;{_encode_rgb('6B5400')}",
        f"38;2;{_encode_rgb('18201B')};48;2;{_encode_rgb('FFE27A')}",
        "1;4",
        "4",
    ),
    Role.STRONG: RoleStyle("1", "1", "1", "1"),
    Role.EMPHASIS: RoleStyle("3", "3", "3", "3"),
    Role.LINK: RoleStyle("4", "4", "4", "4"),
    Role.SESSION_1: _make_style("E6A15C", "8A4B00", "33", "1"),
    Role.SESSION_2: _make_style("7FB7E8", "1B5EBF", "94", "1"),
    Role.SESSION_3: _make_style("B59CEB", "6A4BA6", "35", "1"),
    Role.SESSION_4: _make_style("6FCF97", "12724A", "32", "1"),
    Role.SESSION_5: _make_style("E58FB4", "992C6B", "95", "1"),
    Role.SESSION_6: _make_style("68CFCF", "0B6B6B", "36", "1"),
    Role.SESSION_7: _make_style("D9C25A", "6B5A00", "93", "1"),
    Role.SESSION_8: _make_style("A3C46B", "4B6B12", "92", "1"),
}


Span = tuple[Role, str]
StyledLine = tuple[Span, ...]
"""A line: pieces of text, each with its role."""


def make_line(spans: Iterable[Span]) -> StyledLine:
    """Make a line of pieces, without the blanks at its end.

    Blanks between two pieces are set with the second: no piece ends with one.
    """
    pieces: list[Span] = []
    blank = ""
    for role, text in spans:
        words = text.rstrip(" ")
        if words:
            pieces.append((role, blank + words))
            blank = ""
        blank += " " * (len(text) - len(words))
    return tuple(pieces)


def line_of(text: str, role: Role = Role.CLAUDE) -> StyledLine:
    """Make a line of one text."""
    return ((role, text),) if text else ()


def strip_line(spans: Iterable[Span]) -> StyledLine:
    """Take the blanks off the end of a line, and leave the rest of its pieces as they are."""
    pieces = list(spans)
    while pieces:
        role, text = pieces[-1]
        words = text.rstrip(" ")
        if words:
            pieces[-1] = (role, words)
            break
        pieces.pop()
    return tuple(pieces)


def text_of(line: Iterable[Span]) -> str:
    """Give the words of a line alone."""
    return "".join([text for _, text in line])


class Styles(Struct, frozen=True):
    """How this terminal shows a role: escape codes by role."""

    codes: dict[Role, str]

    def paint(self, role: Role, text: str) -> str:
        """Set a text in the look of its role; the text holds no escape codes of its own."""
        code = self.codes.get(role)
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text

    def paint_lines(self, lines: Iterable[StyledLine]) -> Iterator[str]:
        """Paint lines one by one, as they are taken."""
        if not any(self.codes.values()):
            return (make_harmless(text_of(line)) for line in lines)
        return (
            "".join([self.paint(role, make_harmless(text)) for role, text in line])
            for line in lines
        )


def styles_for(terminal: Terminal) -> Styles:
    """Choose the looks that a terminal can show."""
    return Styles({role: _choose_code(look, terminal) for role, look in _ROLE_STYLES.items()})


def glyphs_for(terminal: Terminal) -> Glyphs:
    """Choose the signs that a terminal can show."""
    return choose_glyphs(unicode=terminal.unicode, colors=terminal.depth > ColorDepth.ATTRIBUTES)


def choose_glyphs(*, unicode: bool, colors: bool) -> Glyphs:
    """Choose the signs for a terminal with these abilities."""
    glyphs = UNICODE if unicode else ASCII
    return glyphs if colors else replace(glyphs, code="`")


def _choose_code(look: RoleStyle, terminal: Terminal) -> str:
    match terminal.depth:
        case ColorDepth.PLAIN:
            return ""
        case ColorDepth.ATTRIBUTES:
            return look.attributes
        case ColorDepth.SIXTEEN:
            return look.sixteen
        case ColorDepth.TRUE:
            return look.light if terminal.light else look.dark


_SESSION_ROLES: Final = (
    Role.SESSION_1,
    Role.SESSION_2,
    Role.SESSION_3,
    Role.SESSION_4,
    Role.SESSION_5,
    Role.SESSION_6,
    Role.SESSION_7,
    Role.SESSION_8,
)


class SessionColors:
    """Gives sessions their colours; two that are shown together differ while there are enough."""

    def __init__(self) -> None:
        self._assigned: dict[str, int] = {}

    def choose_role(self, session: str) -> Role:
        """Choose the role that a session's label is shown in."""
        number = len(_SESSION_ROLES)
        if session not in self._assigned:
            wanted = crc32(session.encode("utf-8", "replace")) % number
            taken = set(list(self._assigned.values())[-number + 1 :])
            order = [(wanted + step) % number for step in range(number)]
            self._assigned[session] = next((hue for hue in order if hue not in taken), wanted)
        return _SESSION_ROLES[self._assigned[session]]
