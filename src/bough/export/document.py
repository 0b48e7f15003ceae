"""One session as a document: the way in for every face.

```python
made = make(session, Include(to=To.HTML, redact=True))
Path(made.name).write_bytes(made.body)
for finding in made.findings:
    print(finding.kind, finding.count, finding.masked)
```

Outputs in files of their own, for a document that stands alone and so must hold them.
"""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from bough.export.document_options import Finding, Include, To, telling_of
from bough.export.header import Fact, facts_of, file_name, title_of
from bough.export.html.page import html_page
from bough.export.json_document import json_bytes, session_document
from bough.export.llm.fit import for_model
from bough.export.markdown.render_document import markdown_report
from bough.model.conversation.branch_path import conversation_through
from bough.model.conversation.conversation import Conversation
from bough.model.session import Session
from bough.query.sessions.stored_outputs import KeptOutput, outputs_of, read_output

if TYPE_CHECKING:
    from bough.export.secrets.redact import Redactor

_MOST: Final = 5_000_000
"""Of an output with more bytes only the beginning is in a document."""

_MOVED: Final = b"persisted-output"


class Wholes(Struct, frozen=True):
    """Reads the kept outputs of a session, each when it is shown."""

    session: Session
    wash: Callable[[str], str] | None = None

    def __call__(self, persisted: str) -> KeptOutput | None:
        """Read one, as it may be shown."""
        found = read_output(persisted, _MOST)
        if found is None or self.wash is None:
            return found
        return replace(found, text=self.wash(found.text))

    def texts(self) -> Iterator[str]:
        """Give the texts of all of them, those of agents too."""
        everything = (self.session, *self.session.agents)
        if not any(_MOVED in record.raw for one in everything for record in one.records):
            return  # it is not told just to be looked through
        for place in dict.fromkeys(place for one in everything for place in outputs_of(one)):
            if (found := self(place)) is not None:
                yield found.text

    def washed(self, wash: Callable[[str], str]) -> "Wholes":
        """Give the same, with secrets hidden."""
        return replace(self, wash=wash)


def wholes_of(session: Session, include: Include) -> Wholes | None:
    """Give what reads the outputs of a session; None where none is wanted."""
    wanted = include.results and include.tools and not include.for_llm
    return Wholes(session) if wanted else None


_TAG: Final = re.compile(r"<[^>]{0,10000}>")
_TYPES: Final = {
    To.MARKDOWN: "text/markdown; charset=utf-8",
    To.HTML: "text/html; charset=utf-8",
    To.JSON: "application/json",
}
_EVERYTHING: Final = Include()


class Export(Struct, frozen=True):
    """A document, what to call it, and what was hidden in it.

    `left_out` says in a sentence what a budget kept out; empty where nothing. `facts` are
    those at the head of a document for people.
    """

    name: str
    media_type: str
    body: bytes
    title: str
    findings: tuple[Finding, ...] = ()
    left_out: str = ""
    facts: tuple[Fact, ...] = ()


class Preview(Struct, frozen=True):
    """What an export would be: its name, its size in bytes, what it would hide."""

    name: str
    bytes: int
    findings: tuple[Finding, ...] = ()


def make(session: Session, include: Include = _EVERYTHING) -> Export:
    """Make a document of a session.

    Raises:
        TipNotFound: The session has no such message as `include.tip`.
    """
    redactor: Redactor | None = None
    whole = wholes_of(session, include)
    if include.hides:
        from bough.export.secrets.redact import redacted  # noqa: PLC0415 - its patterns take 50 ms

        beside = whole.texts() if whole is not None else ()
        session, redactor = redacted(
            session, secrets=include.redact, emails=include.emails, beside=beside
        )
        whole = whole.washed(redactor.words) if whole is not None else None
    parts, left_out, facts = _written(session, include, whole)
    to = To.MARKDOWN if include.for_llm else include.to
    return Export(
        name=file_name(session, to),
        media_type=_TYPES[to],
        # Most parts are plain ASCII: each alone is smaller and quicker than all as one text.
        body=b"".join([part.encode("utf-8", "replace") for part in parts]),
        title=title_of(session),
        findings=redactor.findings(_unmarked("".join(parts), to)) if redactor is not None else (),
        left_out=left_out,
        facts=facts,
    )


def _unmarked(text: str, to: To) -> str:
    """Take from a document the marks that may stand inside what replaced a secret."""
    match to:
        case To.HTML:
            return _TAG.sub("", text)
        case To.MARKDOWN:
            return text.replace("\\[", "[").replace("\\]", "]")
        case To.JSON:
            return text


def preview(session: Session, include: Include = _EVERYTHING) -> Preview:
    """Tell what `make` would give, without keeping it."""
    made = make(session, include)
    return Preview(made.name, len(made.body), made.findings)


def conversations_of(session: Session, include: Include) -> list[Conversation]:
    """List the conversations that are wanted, the main one first."""
    main = conversation_through(session, include.tip)
    if not include.all_branches:
        return [main]
    return [main, *(c for c in session.conversations if c.tip != main.tip)]


def _written(
    session: Session, include: Include, whole: Wholes | None
) -> tuple[list[str], str, tuple[Fact, ...]]:
    """Write a session: its text in parts, what a budget kept out, and the facts at its head."""
    told = conversations_of(session, include)
    if include.for_llm:
        text, left_out = for_model(session, told[0], include)
        return [text], left_out, ()
    if include.to is To.JSON:
        return [json_bytes(session_document(session, told, include, whole)).decode()], "", ()
    tellings = [telling_of(session, one, include, whole) for one in told]
    facts = facts_of(tellings[0], include)
    if include.to is To.HTML:
        return list(html_page(tellings, facts)), "", tuple(facts)
    return [markdown_report(tellings, facts, include)], "", tuple(facts)
