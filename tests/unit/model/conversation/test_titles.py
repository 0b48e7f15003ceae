"""Titles (rule 9): what the client's own picker would call a session."""

import pytest

from bough.model.conversation.titles import Title
from bough.model.text.formats import LONGEST
from bough.sample import SampleSession, session
from bough.sample.data.blocks import image
from tests.unit.model.opened import opened


def title(builder: SampleSession, **beside: object) -> Title | None:
    return opened(builder, **beside).title_and_source  # type: ignore[arg-type]


def full() -> SampleSession:
    builder = (
        session().user("first prompt").assistant("answer").user("second prompt").assistant("b")
    )
    return builder.summary("the summary").ai_title("the model's").title("the person's")


def without(builder: SampleSession, *kinds: str) -> SampleSession:
    builder.entries = [
        e for e in builder.entries if isinstance(e.body, dict) and e.body["type"] not in kinds
    ]
    return builder


def test_the_order_is_that_of_the_newest_client() -> None:
    builder = full().last_prompt("second prompt")
    found = []
    for kind in ("custom-title", "ai-title", "summary", "last-prompt", "user"):
        found.append(title(builder))
        builder = without(builder, kind)
    found.append(title(builder))

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
    builder = without(full(), "custom-title")

    assert title(builder, sidecar="beside") == Title("beside", "custom-title")
    assert title(builder, sidecar="") == Title("the model's", "ai-title")


def test_the_last_title_counts_and_an_empty_one_clears_it() -> None:
    assert title(session().user("a").title("one").title("two")) == Title("two", "custom-title")
    assert title(session().user("a").title("one").title("")) == Title("a", "first-prompt")
    assert title(session().user("a").ai_title("one").ai_title("two")) == Title("two", "ai-title")


def test_a_summary_of_another_session_is_no_title_of_this_one() -> None:
    builder = session().summary("of another", leaf="11111111-0000-0000-0000-000000000000").user("a")

    assert title(builder) == Title("a", "first-prompt")


def test_a_summary_may_stand_in_another_file_of_the_project() -> None:
    builder = session().user("a").assistant("b", name="A")

    found = title(builder, summaries={"elsewhere": "no", builder.uuid("A"): "from a later file"})

    assert found == Title("from a later file", "summary")


def test_summaries_elsewhere_are_asked_for_only_where_nothing_better_is_known() -> None:
    def fail() -> dict[str, str]:
        raise AssertionError

    session_ = opened(full())
    session_._companions = type(session_._companions)(summaries=fail)

    assert session_.title == "the person's"


def test_of_several_summaries_the_last_one_counts() -> None:
    builder = session().user("a", name="P").assistant("b", name="A")
    builder.summary("one", "A").summary("two", "P").summary("three", "A")

    assert title(builder) == Title("three", "summary")


def test_a_summary_that_is_an_error_of_the_api_is_no_title() -> None:
    words = 'API Error: 529 {"type":"error","error":{}}'

    assert title(session().user("a").summary(words)) == Title("a", "first-prompt")


def test_the_name_of_an_agent_is_no_title() -> None:
    assert title(session().user("a").agent_name("helper")) == Title("a", "first-prompt")


@pytest.mark.parametrize(
    "step",
    [
        lambda builder: builder.meta("meta"),
        lambda builder: builder.caveat(),
        lambda builder: builder.compact("all"),
        lambda builder: builder.user_record(
            "This session is being continued from a previous conversation."
        ),
        lambda builder: builder.command("/clear", "", "cleared"),
        lambda builder: builder.skill("/review"),
        lambda builder: builder.shell("ls", "a"),
        lambda builder: builder.notification("b1", "done"),
        lambda builder: builder.user_record("<system-reminder>x</system-reminder>"),
        lambda builder: builder.interrupt(),
        lambda builder: builder.stop_feedback("no"),
        lambda builder: builder.hook_text("session-start-hook", "x"),
        lambda builder: builder.user("Warmup"),
        lambda builder: builder.user("[Session resumed]"),
        lambda builder: builder.user([image()]),
        lambda builder: builder.tool("Bash", {}, "out"),
    ],
)
def test_the_first_prompt_is_one_that_a_person_typed(step: object) -> None:
    assert callable(step)
    builder = session(version="1.0.60")
    step(builder)
    builder.user("The real one")

    assert title(builder) == Title("The real one", "first-prompt")


def test_a_session_of_commands_alone_is_called_by_the_first() -> None:
    builder = session().command("/review", "src", "3 remarks").command("/clear")

    assert title(builder) == Title("/review src", "command")


def test_agents_name_no_session() -> None:
    builder = session(version="2.0.14").command("/x")
    builder.agent("Explore", "look")

    found = title(builder)

    assert found is not None
    assert found.source == "command"


def test_a_session_without_any_name_is_called_by_its_id() -> None:
    builder = session(session_id="0f008414-1111-2222-3333-444444444444").mode()

    assert opened(builder).title == "Session 0f008414"


def test_a_title_is_one_line_of_bounded_length() -> None:
    builder = session().user("Make\n\n  it\tfaster " + "and better " * 100)

    found = title(builder)

    assert found is not None
    assert found.text.startswith("Make it faster and better")
    assert len(found.text) <= LONGEST
    assert found.text.endswith("…")


def test_a_blank_title_is_none() -> None:
    assert title(session().user("a").title(" \n ").ai_title("  ")) == Title("a", "first-prompt")
