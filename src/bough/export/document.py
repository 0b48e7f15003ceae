"""One session as a document: the way in for every face.

```python
made = make(session, Include(to=To.HTML, redact=True))
Path(made.name).write_bytes(made.body)
for finding in made.findings:
    print(finding.kind, finding.count, finding.masked)
```
"""

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.export.findings import Finding
from bough.export.header import Fact, facts_of, file_name, title_of
from bough.export.html.page import html_page
from bough.export.include import Include, To
from bough.export.json_document import json_bytes, session_document
from bough.export.llm.fitting import for_model
from bough.export.markdown.document import markdown_report
from bough.export.revising import telling_of
from bough.export.wholes import Wholes, wholes_of
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.route import conversation_through
from bough.model.session import Session

if TYPE_CHECKING:
    from bough.export.secrets.redact import Redactor

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
