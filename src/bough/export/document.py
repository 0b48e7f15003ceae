"""One session as a document: the way in for every face.

```python
made = export_session(session, ExportOptions(to=ExportFormat.HTML, redact=True))
Path(made.name).write_bytes(made.body)
for finding in made.findings:
    print(finding.kind, finding.count, finding.masked)
```

A document stands alone, so outputs that the client keeps in files of their own are inside it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from bough.export.document_options import (
    ExportFormat,
    ExportOptions,
    SecretFinding,
    build_view,
    build_views,
)
from bough.export.header import (
    Fact,
    describe_document_part,
    list_facts,
    make_file_name,
    title_of,
)
from bough.export.html.images import PictureBudget
from bough.export.html.page import render_page
from bough.export.html.presentation import Presentation
from bough.export.html.presentation_file import PresentationHeader, render_file
from bough.export.json_document import encode_document, session_document
from bough.export.llm.fit import write_for_model
from bough.export.markdown.render_document import write_document
from bough.files.byte_source import SourceFinder
from bough.model.conversation.conversation import Conversation
from bough.model.outline.branch_path import find_conversation_through
from bough.model.session import Session
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.json_documents import limit_whole_conversations
from bough.query.sessions.stored_outputs import StoredOutput, list_stored_outputs, read_output

if TYPE_CHECKING:
    from bough.export.secrets.redact import Redactor

_MOST: Final = 5_000_000
"""Of an output with more bytes only the beginning is in a document."""

_MOST_PICTURES: Final = 20_000_000
"""In a presentation, pictures beyond so many bytes are only named."""

_MOVED: Final = b"persisted-output"


class EmbeddedOutputs(Struct, frozen=True):
    """Reads the kept outputs of a session, each when it is shown."""

    session: Session
    sources: SourceFinder
    redact_text: Callable[[str], str] | None = None

    def __call__(self, persisted: str) -> StoredOutput | None:
        """Read one, as it may be shown."""
        found = read_output(persisted, _MOST, self.sources)
        if found is None or self.redact_text is None:
            return found
        return replace(found, text=self.redact_text(found.text))

    def read_texts(self) -> Iterator[str]:
        """Give the texts of all of them, those of agents too."""
        everything = (self.session, *self.session.agents)
        if not any(_MOVED in record.raw for one in everything for record in one.records):
            return  # it is not told just to be looked through
        for place in dict.fromkeys(
            place for one in everything for place in list_stored_outputs(one)
        ):
            if (found := self(place)) is not None:
                yield found.text

    def with_redaction(self, wash: Callable[[str], str]) -> "EmbeddedOutputs":
        """Give the same, with secrets hidden."""
        return replace(self, redact_text=wash)


def embedded_outputs(
    session: Session, include: ExportOptions, sources: SourceFinder
) -> EmbeddedOutputs | None:
    """Give what reads the outputs of a session; None where none is wanted."""
    wanted = include.results and include.tools and not include.for_llm
    return EmbeddedOutputs(session, sources) if wanted else None


_TAG: Final = re.compile(r"<[^>]{0,10000}>")
_TYPES: Final = {
    ExportFormat.MARKDOWN: "text/markdown; charset=utf-8",
    ExportFormat.HTML: "text/html; charset=utf-8",
    ExportFormat.JSON: "application/json",
    ExportFormat.PRESENT: "text/html; charset=utf-8",
}
_EVERYTHING: Final = ExportOptions()


class Export(Struct, frozen=True):
    """A document, what to call it, and what was hidden in it.

    `left_out` says in sentences what is not in it: older records of a session that is too long
    to be drawn whole, and what a budget kept out; empty where nothing. `facts` are those at the
    head of a document for people.
    """

    name: str
    media_type: str
    body: bytes
    title: str
    findings: tuple[SecretFinding, ...] = ()
    left_out: str = ""
    facts: tuple[Fact, ...] = ()


def export_session(
    session: Session,
    include: ExportOptions = _EVERYTHING,
    sources: SourceFinder = USUAL_SOURCES,
) -> Export:
    """Make a document of a session; its kept outputs come from `sources`.

    Raises:
        TipNotFound: The session has no such message as `include.tip`.
    """
    redactor: Redactor | None = None
    whole = embedded_outputs(session, include, sources)
    if include.is_redacted:
        from bough.export.secrets.redact import redact_session  # noqa: PLC0415 - its patterns take 50 ms

        beside = whole.read_texts() if whole is not None else ()
        session, redactor = redact_session(
            session, secrets=include.redact, emails=include.emails, beside=beside
        )
        whole = whole.with_redaction(redactor.words) if whole is not None else None
    if include.to is ExportFormat.PRESENT:
        return _export_presentation(session, include, whole, redactor)
    parts, left_out, facts = _write_session(session, include, whole)
    to = ExportFormat.MARKDOWN if include.for_llm else include.to
    return Export(
        name=make_file_name(session, to.suffix),
        media_type=_TYPES[to],
        # Part by part: one wide character would make a text of all of them four times as large.
        body=b"".join([part.encode("utf-8", "replace") for part in parts]),
        title=title_of(session),
        findings=_list_findings(redactor, parts, to),
        left_out=" ".join(filter(None, (describe_document_part(session), left_out))),
        facts=facts,
    )


def _export_presentation(
    session: Session,
    include: ExportOptions,
    whole: EmbeddedOutputs | None,
    redactor: "Redactor | None",
) -> Export:
    """Make a file with slides; what was hidden is known, and listed first, once all are there."""
    pictures = PictureBudget(_MOST_PICTURES)
    conversation = find_conversation_through(session, include.tip)
    view = build_view(session, conversation, include, whole, picture_url=pictures)
    facts = list_facts(view, include)
    presentation = Presentation(view)
    slides = [presentation.whole(number) for number in range(len(presentation.slides))]
    cover = PresentationHeader(
        title=title_of(session),
        facts=tuple(facts),
        is_redacted=redactor is not None,
        pictures_left_out=pictures.left_out,
    )
    findings = _list_findings(redactor, render_file(cover, slides), ExportFormat.HTML)
    parts = render_file(replace(cover, findings=findings), slides)
    return Export(
        name=make_file_name(session, include.to.suffix),
        media_type=_TYPES[include.to],
        body=b"".join([part.encode("utf-8", "replace") for part in parts]),
        title=cover.title,
        findings=findings,
        left_out=describe_document_part(session),
        facts=cover.facts,
    )


def _list_findings(
    redactor: "Redactor | None", parts: Iterable[str], to: ExportFormat
) -> tuple[SecretFinding, ...]:
    """List what was hidden in a document."""
    # Fast path: benchmarks/export.py, 0.8 s less for the corpus: most sessions have no secret.
    if redactor is None or not redactor.has_secrets:
        return ()
    return redactor.findings(_strip_markup("".join(parts), to))


def _strip_markup(text: str, to: ExportFormat) -> str:
    """Take from a document the marks that may stand inside what replaced a secret."""
    match to:
        case ExportFormat.HTML | ExportFormat.PRESENT:
            return _TAG.sub("", text)
        case ExportFormat.MARKDOWN:
            return text.replace("\\[", "[").replace("\\]", "]")
        case ExportFormat.JSON:
            return text


def choose_conversations(session: Session, include: ExportOptions) -> list[Conversation]:
    """List the conversations that are wanted, the main one first."""
    main = find_conversation_through(session, include.tip)
    if not include.all_branches:
        return [main]
    return [main, *(c for c in session.conversations if c.tip != main.tip)]


def _write_session(
    session: Session, include: ExportOptions, whole: EmbeddedOutputs | None
) -> tuple[list[str], str, tuple[Fact, ...]]:
    """Write a session: its text in parts, what a budget kept out, and the facts at its head."""
    conversations = choose_conversations(session, include)
    if include.for_llm:
        text, left_out = write_for_model(session, conversations[0], include)
        return [text], left_out, ()
    if include.to is ExportFormat.JSON:
        kept, left_out = limit_whole_conversations(conversations)
        document = session_document(session, kept, include, whole)
        return [encode_document(document).decode()], left_out, ()
    views = build_views(session, conversations, include, whole)
    main = next(views)
    facts = list_facts(main, include)
    if include.to is ExportFormat.HTML:
        return list(render_page(main, views, facts)), "", tuple(facts)
    return [write_document(main, views, facts, include)], "", tuple(facts)
