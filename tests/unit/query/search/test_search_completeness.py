"""The law of search: every word of every visible text is found, in the message that shows it."""

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.conversation.messages import Message
from bough.model.text.search_tokens import has_token, strip_base64
from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from bough.sample.data.blocks import document
from bough.store.query_language import Query, Term
from bough.store.search_protocol import SearchRequest
from bough.store.sqlite.store import SqliteStore
from tests.sampled import scale_examples
from tests.searched import indexed

WORDS = st.one_of(
    st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=12),
    st.text("àéîõüçñßøæœÀÉŁžŘşğıİ", min_size=1, max_size=8),
    st.text("абвгґєїйёαβγδεאבגשابتث", min_size=1, max_size=8),
    st.text("日本語中文字かなカナ한국어ไทยພາສາ", min_size=1, max_size=8),
    st.text("_-./\\:;,!?#$%&*()[]{}|~'\"`@^+= 🎉…—\t\n", min_size=1, max_size=6),
    st.text(st.characters(max_codepoint=0x2FF, exclude_characters="<>"), max_size=8),
    st.just("aGVsbG8gd29ybGQh" * 20),
)
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join).filter(str.strip)

Step = Callable[[SampleSession, str, str], object]
STEPS: dict[str, Step] = {
    "prompt": lambda book, one, _: book.user(one),
    "document": lambda book, one, two: book.user([document(one, two)]),
    "answer": lambda book, one, two: book.assistant(one, two),
    "thought": lambda book, one, _: book.thinking(one),
    "call": lambda book, one, two: book.tool("Bash", {"command": one, "more": [two, 7]}, two),
    "failure": lambda book, one, two: book.tool("Edit", {"file_path": one}, two, is_error=True),
    "command": lambda book, one, two: book.command("review", one, two),
    "shell": lambda book, one, two: book.shell(one, two),
    "meta": lambda book, one, _: book.meta(one),
    "queued": lambda book, one, _: book.queued(one),
    "queued command": lambda book, one, _: book.queued_command(one),
    "notice": lambda book, one, _: book.informational(one),
    "away": lambda book, one, _: book.away_summary(one),
    "compaction": lambda book, one, _: book.compact(one),
    "rewind": lambda book, one, _: book.at(1).user(one),
    "agent": lambda book, one, two: book.agent("Explore", one, answer=two),
    "error": lambda book, one, _: book.api_error(one),
}
HISTORIES = st.lists(st.tuples(st.sampled_from(sorted(STEPS)), TEXTS, TEXTS), max_size=7)

# Not words of the transcript: labels of ours, and bytes that are no record.
NOT_WORDS = frozenset({"image", "raw", "redacted_thinking"})


@pytest.mark.slow
@settings(max_examples=scale_examples(60))
@given(HISTORIES)
def test_every_word_of_every_visible_text_is_found(steps: list[tuple[str, str, str]]) -> None:
    builder = session().user("begin").assistant("begun")
    for name, one, two in steps:
        STEPS[name](builder, one, two)
    with tempfile.TemporaryDirectory() as folder:
        path = builder.write(folder)
        with indexed(Path(folder)) as store:
            for conversation in read_session(path).conversations:
                for message in conversation.messages:
                    missing = [
                        word for word in words_of(message) if not is_found(store, message, word)
                    ]
                    assert not missing, (message.kind, missing)


def words_of(message: Message) -> Iterator[str]:
    texts = (text for block in message.blocks for text in texts_of(block))
    written = {word for text in texts for word in re.split(r"[\W_]+", text)}
    yield from sorted(word for word in written if has_token(word))


def texts_of(block: ContentBlock) -> Iterator[str]:
    if isinstance(block, TextBlock):
        if block.type not in NOT_WORDS:
            yield strip_base64(block.text)
        return
    yield from map(strip_base64, strings(block.input))
    if block.result is not None:
        yield strip_base64(block.result.text)


def strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for one in value.values():
                yield from strings(one)
        case list():
            for one in value:
                yield from strings(one)
        case _:
            return


def is_found(store: SqliteStore, message: Message, word: str) -> bool:
    rows = store.search(SearchRequest(Query(Term(word)), limit=1_000)).rows
    return any(row.uuid is None or row.uuid in message.uuids for row in rows)
