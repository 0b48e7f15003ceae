"""Titles (rule 9): what the client's own picker would call a session."""

import pytest

from bough.model.conversation.titles import Title
from bough.model.text.formats import LONGEST
from bough.sample import SampleSession, session
from bough.sample.data.blocks import image
from tests.unit.model.opened import opened


def title(book: SampleSession, **beside: object) -> Title | None:
    return opened(book, **beside).title_and_source  # type: ignore[arg-type]


def full() -> SampleSession:
    book = session().user("first prompt").assistant("answer").user("second prompt").assistant("b")
    return book.summary("the summary").ai_title("the model's").title("the person's")


def without(book: SampleSession, *kinds: str) -> SampleSession:
    book.entries = [
        e for e in book.entries if isinstance(e.body, dict) and e.body["type"] not in kinds
    ]
    return book


def test_the_order_is_that_of_the_newest_client() -> None:
    book = full().last_prompt("second prompt")
    found = []
    for kind in ("custom-title", "ai-title", "summary", "last-prompt", "user"):
        found.append(title(book))
        book = without(book, kind)
    found.append(title(book))

    assert found == [
        Title("the person's", "custom-title"),
        Title("the model's", "ai-title"),
        Title("the summary", "summary"),
        Title("second prompt", "last-prompt"),
        Title("first prompt", "first-prompt"),
        None,
    ]


def test_a_record_beats_the_sidecar() -> None:
    assert title(full(), sidecar="beside") == Title("the person's", "custom-title")


def test_a_sidecar_counts_where_no_record_has_a_title() -> None:
    book = without(full(), "custom-title")

    assert title(book, sidecar="beside") == Title("beside", "custom-title")
    assert title(book, sidecar="") == Title("the model's", "ai-title")


def test_the_last_title_counts_and_an_empty_one_clears_it() -> None:
    assert title(session().user("a").title("one").title("two")) == Title("two", "custom-title")
    assert title(session().user("a").title("one").title("")) == Title("a", "first-prompt")
    assert title(session().user("a").ai_title("one").ai_title("two")) == Title("two", "ai-title")


def test_a_summary_of_another_session_is_no_title_of_this_one() -> None:
    book = session().summary("of another", leaf="11111111-0000-0000-0000-000000000000").user("a")

    assert title(book) == Title("a", "first-prompt")


def test_a_summary_may_stand_in_another_file_of_the_project() -> None:
    book = session().user("a").assistant("b", name="A")

    found = title(book, summaries={"elsewhere": "no", book.uuid("A"): "from a later file"})

    assert found == Title("from a later file", "summary")


def test_summaries_elsewhere_are_asked_for_only_where_nothing_better_is_known() -> None:
    def fail() -> dict[str, str]:
        raise AssertionError

    session_ = opened(full())
    session_._companions = type(session_._companions)(summaries=fail)

    assert session_.title == "the person's"


def test_of_several_summaries_the_last_one_counts() -> None:
    book = session().user("a", name="P").assistant("b", name="A")
    book.summary("one", "A").summary("two", "P").summary("three", "A")

    assert title(book) == Title("three", "summary")


def test_a_summary_that_is_an_error_of_the_api_is_no_title() -> None:
    words = 'API Error: 529 {"type":"error","error":{}}'

    assert title(session().user("a").summary(words)) == Title("a", "first-prompt")


def test_the_name_of_an_agent_is_no_title() -> None:
    assert title(session().user("a").agent_name("helper")) == Title("a", "first-prompt")


@pytest.mark.parametrize(
    "step",
    [
        lambda book: book.meta("meta"),
        lambda book: book.caveat(),
        lambda book: book.compact("all"),
        lambda book: book.user_record(
            "This session is being continued from a previous conversation."
        ),
        lambda book: book.command("/clear", "", "cleared"),
        lambda book: book.skill("/review"),
        lambda book: book.shell("ls", "a"),
        lambda book: book.notification("b1", "done"),
        lambda book: book.user_record("<system-reminder>x</system-reminder>"),
        lambda book: book.interrupt(),
        lambda book: book.stop_feedback("no"),
        lambda book: book.hook_text("session-start-hook", "x"),
        lambda book: book.user("Warmup"),
        lambda book: book.user("[Session resumed]"),
        lambda book: book.user([image()]),
        lambda book: book.tool("Bash", {}, "out"),
    ],
)
def test_the_first_prompt_is_one_that_a_person_typed(step: object) -> None:
    assert callable(step)
    book = session(version="1.0.60")
    step(book)
    book.user("The real one")

    assert title(book) == Title("The real one", "first-prompt")


def test_a_session_of_commands_alone_is_called_by_the_first() -> None:
    book = session().command("/review", "src", "3 remarks").command("/clear")

    assert title(book) == Title("/review src", "command")


def test_agents_name_no_session() -> None:
    book = session(version="2.0.14").command("/x")
    book.agent("Explore", "look")

    found = title(book)

    assert found is not None
    assert found.source == "command"


def test_a_session_without_any_name_is_called_by_its_id() -> None:
    book = session(session_id="0f008414-1111-2222-3333-444444444444").mode()

    assert opened(book).title == "Session 0f008414"


def test_a_title_is_one_line_of_bounded_length() -> None:
    book = session().user("Make\n\n  it\tfaster " + "and better " * 100)

    found = title(book)

    assert found is not None
    assert found.text.startswith("Make it faster and better")
    assert len(found.text) <= LONGEST
    assert found.text.endswith("…")


def test_a_blank_title_is_none() -> None:
    assert title(session().user("a").title(" \n ").ai_title("  ")) == Title("a", "first-prompt")
