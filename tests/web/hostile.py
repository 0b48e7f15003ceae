"""A history in which every field that a transcript can hold tries to act on its reader."""

from datetime import UTC, datetime
from pathlib import Path

from bough.sample import session
from bough.sample.data import blocks

RUNS = "window.owned=(window.owned||0)+1"
ELSEWHERE = "http://192.0.2.1"
SECRET = "sentinel-of-a-file-nobody-may-read"

MARKUP = (
    f"<script>{RUNS}</script>"
    f'<img src=x onerror="{RUNS}">'
    f'<svg onload="{RUNS}"><script>{RUNS}</script></svg>'
    f'<iframe srcdoc="<script>parent.{RUNS}</script>"></iframe>'
    f'"><details open ontoggle="{RUNS}">'
    f"</textarea></title></style><style>body{{display:none}}</style>"
    f'<a href="javascript:{RUNS}">raw link</a>'
    f'<form action="{ELSEWHERE}"><button>send</button></form>'
    f'<link rel=stylesheet href="{ELSEWHERE}/a.css"><meta http-equiv=refresh content=0>'
    "{{constructor.constructor('window.owned=1')()}} ${window.owned=1} {@html owned}"
)
LINKS = (
    f"[click](javascript:{RUNS}) [click](JaVaScRiPt:{RUNS}) [click](\tjavascript:{RUNS}) "
    f"[click](data:text/html,<script>{RUNS}</script>) [click](vbscript:x) [click](file:///etc/x) "
    f"![picture]({ELSEWHERE}/pixel.png) ![picture](javascript:{RUNS}) <javascript:{RUNS}> "
    f'[click](http://a"onmouseover="{RUNS}) [x]: javascript:{RUNS}'
)
BIDI = "\u202eesrever\u202c \u2066alone\u2069 \u200f\u061c\ufeff"
CONTROLS = "".join(map(chr, range(1, 32))) + "\x7f\x9b31m\x1b]0;owned\x07\x1b[31mred\x1b[0m"
NASTY = f"{MARKUP} {LINKS} {BIDI} {CONTROLS}"
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{RUNS}"><script>{RUNS}</script></svg>'
NAME = "..%2f..%2fsecret'\"&<img src=x onerror=owned=1>"


_ANSWER = f"answer {NASTY}\n\n```{MARKUP}\n{NASTY}\n```\n\n| a |\n|-|\n| {MARKUP} |\n"
_ASKED = {"question": NASTY, "header": NASTY, "options": [{"label": NASTY, "description": NASTY}]}
_KEPT = (
    "<persisted-output>\nOutput too large (9KB). Full output saved to: {}\n\n"
    "Preview (first 2KB):\nx\n...\n</persisted-output>"
)
_CALLS: tuple[tuple[str, dict[str, object], str], ...] = (
    ("Bash", {"command": f"echo {NASTY}", "description": NASTY}, f"output {NASTY}\n" * 20),
    ("Edit", {"file_path": f"/a/{NASTY}", "old_string": NASTY, "new_string": MARKUP}, NASTY),
    ("Write", {"file_path": f"/a/{NASTY}", "content": NASTY}, NASTY),
    ("Read", {"file_path": NASTY}, f"     1\t{NASTY}"),
    ("Grep", {"pattern": NASTY, "path": NASTY}, f"Found 1 file\n{NASTY}"),
    ("TodoWrite", {"todos": [{"content": NASTY, "status": NASTY}]}, NASTY),
    ("WebFetch", {"url": f"javascript:{RUNS}", "prompt": NASTY}, NASTY),
    ("WebSearch", {"query": NASTY}, f'Links: [{{"title":"{RUNS}","url":"javascript:{RUNS}"}}]'),
    (f"mcp__{MARKUP}__do", {NASTY: [NASTY, {"deep": NASTY}]}, NASTY),
    ("NotebookEdit", {"notebook_path": NASTY, "new_source": NASTY}, NASTY),
    ("AskUserQuestion", {"questions": [_ASKED]}, NASTY),
    ("Odd<script>", {"x": 1}, NASTY),
)


def write_hostile(claude: Path) -> str:
    """Write the sessions; give the id of the one in which everything is."""
    for folder in (claude.parent, claude):
        (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    where = f"/home/{MARKUP.replace('/', '.')}"
    told = session("hostile", cwd=where, branch=NASTY, model=NASTY, start=datetime.now(UTC))
    told.user(f"prompt {NASTY}").thinking(f"thought {NASTY}").assistant(_ANSWER)
    for tool, given, result in _CALLS:
        told.tool(tool, given, result, is_error=tool.startswith("Odd"))
    told.agent("Explore", f"agent {NASTY}", answer=NASTY)
    for place in ("../../secret.txt", "../secret.txt", "/etc/passwd", "..\\..\\secret.txt"):
        told.tool("Bash", {"command": "cat"}, _KEPT.format(place))
    told.user([blocks.text("pictures"), *_pictures()])
    told.command("/<script>", f"args {MARKUP}")
    told.assistant("huge", "a" * 600_000)
    told.assistant("words " * 40_000)
    told.malformed_line(b'{"type":"user","message":"' + MARKUP.encode())
    told.unknown(f"frame{MARKUP}")
    told.title(f"title {MARKUP} {BIDI}")
    told.user("the end").assistant("yes")
    told.write(claude)
    session("named", session_id=NAME).user(f"named {MARKUP}").assistant("fine").write(claude)
    return told.session_id


def _pictures() -> list[dict[str, object]]:
    return [
        blocks.image(SVG.encode(), "image/svg+xml"),
        blocks.image(SVG.encode(), "image/png"),
        blocks.image(f"<html><script>{RUNS}</script>".encode(), "text/html"),
        blocks.image(b"\x89PNG\r\n\x1a\nbroken", "image/png"),
        blocks.image(b"", "image/png"),
        {"type": "image", "source": {"type": "base64", "media_type": "x", "data": "*not base64*"}},
        {"type": "image", "source": {"type": "url", "url": f"{ELSEWHERE}/picture.png"}},
        {"type": "image", "source": {"type": "base64", "data": "R0lGODlh"}},
    ]
