"""Roles, colours and glyphs of the terminal.

What a text is (a prompt, an error, a branch left behind) has one look, named here once.
No role lives by colour alone: each comes with a glyph or a word, and without colours it
keeps bold, dim or reverse. Colours of the terminal's own palette are taken unless it says
that it shows all of them.

Label colours of sessions: eight hues, the same one for a session as long as it is shown.

A hue is a hint, never the only sign: the label's text says which session it is.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final
from zlib import crc32

from msgspec import Struct

from bough.terminal.capabilities import ColorDepth, Terminal


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


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(
    node="*",
    tip="@",
    other="o",
    agent="<>",
    fork="[]",
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


_SIGNS: Final = dict(
    zip(
        "●◉○◆▢│├╭╰─╮╯┊╌└✓✗■≈…→←↑↓−–—·×›‹▸▾⊘◐⑂",  # noqa: RUF001 - the signs themselves
        "*@o*o|+.`-\\/:-`+x!~.><^v---.x><>v-oY",
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
}


Span = tuple[Role, str]


class Styles(Struct, frozen=True):
    """How this terminal shows a role: escape codes by role, and the glyphs."""

    codes: dict[Role, str]
    glyphs: Glyphs = UNICODE

    def paint(self, role: Role, text: str) -> str:
        """Set a text in the look of its role; the text holds no escape codes of its own."""
        code = self.codes.get(role)
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text

    def paint_line(self, spans: Iterable[Span]) -> str:
        """Paint the pieces of a line, without the blanks at its end."""
        if not any(self.codes.values()):
            return "".join([text for _, text in spans]).rstrip(" ")
        pieces: list[Span] = []
        blank = ""
        for role, text in spans:
            words = text.rstrip(" ")
            if words:
                pieces.append((role, blank + words))
                blank = ""
            blank += " " * (len(text) - len(words))
        return "".join([self.paint(role, text) for role, text in pieces])


PLAIN: Final = Styles(codes={})


def styles_for(terminal: Terminal) -> Styles:
    """Choose the looks and the glyphs that a terminal can show."""
    glyphs = UNICODE if terminal.unicode else ASCII
    return Styles(
        {role: _choose_code(look, terminal) for role, look in _ROLE_STYLES.items()}, glyphs
    )


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


# On a dark ground, on a light one, and of the terminal's own sixteen colours.
_COLORS: Final = (
    ("230;161;92", "138;75;0", "33"),
    ("127;183;232", "27;94;191", "94"),
    ("181;156;235", "106;75;166", "35"),
    ("111;207;151", "18;114;74", "32"),
    ("229;143;180", "153;44;107", "95"),
    ("104;207;207", "11;107;107", "36"),
    ("217;194;90", "107;90;0", "93"),
    ("163;196;107", "75;107;18", "92"),
)


class SessionColors:
    """Gives sessions their colours; two that are shown together differ while there are enough."""

    def __init__(self) -> None:
        self._assigned: dict[str, int] = {}

    def assign_color(self, session: str) -> int:
        """Give the number of a session's hue."""
        if session not in self._assigned:
            wanted = crc32(session.encode("utf-8", "replace")) % len(_COLORS)
            taken = set(list(self._assigned.values())[-len(_COLORS) + 1 :])
            order = [(wanted + step) % len(_COLORS) for step in range(len(_COLORS))]
            self._assigned[session] = next((hue for hue in order if hue not in taken), wanted)
        return self._assigned[session]

    def paint(self, session: str, text: str, terminal: Terminal) -> str:
        """Set a label in the colour of its session."""
        code = self._choose_code(session, terminal)
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text

    def _choose_code(self, session: str, terminal: Terminal) -> str:
        dark, light, sixteen = _COLORS[self.assign_color(session)]
        match terminal.depth:
            case ColorDepth.PLAIN:
                return ""
            case ColorDepth.ATTRIBUTES:
                return "1"
            case ColorDepth.SIXTEEN:
                return sixteen
            case ColorDepth.TRUE:
                return f"38;2;{light if terminal.light else dark}"
