"""Reading fragments back: which tags and attributes they have, and what a person sees."""

from html.parser import HTMLParser

from bough.backports import override
from bough.export.html.conversation_view import ConversationView
from bough.sample import SampleSession
from tests.unit.model.opened import opened

VOID = frozenset({"br", "hr", "img"})
TAGS = VOID | {
    "a",
    "article",
    "b",
    "bdi",
    "blockquote",
    "button",
    "code",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h3",
    "h4",
    "header",
    "i",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "rect",
    "s",
    "section",
    "span",
    "strong",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "time",
    "tr",
    "ul",
}
ATTRIBUTES = {
    "alt",
    "aria-hidden",
    "aria-label",
    "class",
    "data-agent",
    "data-body",
    "data-do",
    "data-go",
    "data-key",
    "data-since",
    "data-n",
    "data-name",
    "data-offset",
    "data-path",
    "data-picture",
    "data-tip",
    "data-uuid",
    "datetime",
    "dir",
    "height",
    "href",
    "loading",
    "open",
    "preserveaspectratio",
    "rel",
    "role",
    "src",
    "start",
    "tabindex",
    "target",
    "title",
    "type",
    "viewbox",
    "width",
}
ADDRESSES = ("http://", "https://", "mailto:")


class Reader(HTMLParser):
    """Reads a fragment; anything that must not be there is a complaint."""

    def __init__(self, fragment: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.complaints: list[str] = []
        self.words: list[str] = []
        self.aside: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(fragment)
        self.close()
        self.complaints += [f"<{tag}> is left open" for tag in self.open]

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append((tag, given))
        if tag not in TAGS:
            self.complaints.append(f"<{tag}>")
        for name, value in given.items():
            if name not in ATTRIBUTES:
                self.complaints.append(f"<{tag} {name}>")
            if name == "href" and value != "#" and not value.lower().startswith(ADDRESSES):
                self.complaints.append(f"href={value!r}")
            if name == "src" and not value.startswith(("data:image/", "/api/")):
                self.complaints.append(f"src={value[:40]!r}")
            if name in ("href", "title", "aria-label"):
                self.aside.append(value)
        if tag not in VOID:
            self.open.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.complaints.append(f"</{tag}> closes nothing of its kind")

    @override
    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @override
    def handle_comment(self, data: str) -> None:
        self.complaints.append(f"a comment: {data}")

    @override
    def handle_decl(self, decl: str) -> None:
        self.complaints.append(f"a declaration: {decl}")

    @override
    def unknown_decl(self, data: str) -> None:
        self.complaints.append(f"a declaration: {data}")

    @override
    def handle_pi(self, data: str) -> None:
        self.complaints.append(f"an instruction: {data}")

    @property
    def text(self) -> str:
        """What a person sees."""
        return "".join(self.words)


def read(fragment: str) -> Reader:
    """Read a fragment that has to be sound."""
    reader = Reader(fragment)
    assert reader.complaints == []
    return reader


def seen(fragment: str) -> str:
    """Give the text of a sound fragment."""
    return read(fragment).text


def telling(builder: SampleSession) -> ConversationView:
    """Tell a session of the sample."""
    return ConversationView(opened(builder))


def pages(builder: SampleSession) -> list[str]:
    """Give all pieces of a session as a page gets them."""
    told = telling(builder)
    return [told.html(number) for number in range(len(told.pieces))]


def whole(builder: SampleSession) -> str:
    """Give a session with everything inside."""
    told = telling(builder)
    return "".join(told.whole(number) for number in range(len(told.pieces)))
