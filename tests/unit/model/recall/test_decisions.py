"""Sentences that settle something are told from those that only speak of it."""

from pathlib import Path

import pytest

from bough.model.recall.decisions import find_statements, last_paragraph_of, list_topic_words
from tests.unit.model.recall.decision_topics import HARD, TOPICS, Topics


def measure(topics: Topics) -> tuple[int, int, int]:
    """Count the decisions that are found, those that are not, and what is taken for one."""
    found = missed = wrong = 0
    for topic, (settled, spoken) in topics.items():
        words = list_topic_words(topic)
        found += sum(bool(find_statements(one, words)) for one in settled)
        missed += sum(not find_statements(one, words) for one in settled)
        wrong += sum(bool(find_statements(one, words)) for one in spoken)
    return found, missed, wrong


@pytest.mark.parametrize(("name", "topics"), [("plain", TOPICS), ("hard", HARD)])
def test_the_docs_print_what_thirty_topics_give(root: Path, name: str, topics: Topics) -> None:
    found, missed, wrong = measure(topics)
    spoken = sum(len(sentences) for _, sentences in topics.values())
    row = f"| {name} | {found} of {found + missed} | {wrong} of {spoken} |"

    assert topics.keys() == TOPICS.keys()
    assert len(topics) == 30
    assert row in (root / "docs" / "mcp.md").read_text("utf-8")


def test_a_question_settles_nothing() -> None:
    assert find_statements("Should we use Redis for the queue?", ["queue"]) == []
    assert find_statements("Maybe use Redis for the queue.", ["queue"]) == []


def test_the_topic_has_to_stand_near() -> None:
    far = "Use tabs " + "word " * 20 + "queue."

    assert find_statements(far, ["queue"]) == []
    assert find_statements("Use tabs in the queue.", ["queue"]) == ["Use tabs in the queue."]


def test_code_is_not_read() -> None:
    assert find_statements("```\nuse queue\n```\nYes.", ["queue"]) == []


def test_the_last_paragraph_is_where_an_answer_ends() -> None:
    assert last_paragraph_of("One.\n\nTwo.\n \nThree.\n") == "Three."
    assert last_paragraph_of("") == ""


def test_small_words_of_a_topic_do_not_count() -> None:
    assert list_topic_words("What did we decide about the job queue") == ["decide", "job", "queue"]
    assert list_topic_words("the") == ["the"]


@pytest.mark.parametrize(
    "sentence",
    [
        "USE_QUEUE=1",
        "Use-case diagrams of the queue.",
        "go;queue",
        '(use "git add" to update the queue)',
        "Go to **Settings** > **Queue**.",
        "The queue was never moved.",
        "A queue can be off by one, never by two.",
    ],
)
def test_names_asides_directions_and_what_happened_settle_nothing(sentence: str) -> None:
    assert find_statements(sentence, ["queue"]) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Never touch the queue.",
        "We must never block the queue.",
        "Go with one queue.",
        "Use `queue` for jobs.",
        "Keep the queue (for now).",
    ],
)
def test_rules_and_choices_settle_something(sentence: str) -> None:
    assert find_statements(sentence, ["queue"]) == [sentence]
