"""A conversation for a model: within the budget, prompts first, the same every time."""

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bough.export.document import export_session
from bough.export.document_options import BYTES_PER_TOKEN, ExportOptions
from bough.export.llm.fit import estimate_tokens, fit_units
from bough.export.llm.units import Unit, UnitPriority, render_unit
from bough.sample import SampleSession, session
from tests.sampled import scale_examples
from tests.unit.model.opened import opened

READER = MarkdownIt("commonmark")
TEXTS = st.text(alphabet="ab ž`\n#", min_size=1, max_size=60).filter(str.strip)
STEPS = st.one_of(
    st.tuples(st.just("ask"), TEXTS),
    st.tuples(st.just("answer"), TEXTS),
    st.tuples(st.just("think"), TEXTS),
    st.tuples(st.just("run"), TEXTS.map(lambda text: text * 20)),
    st.tuples(st.just("compact"), TEXTS),
    st.tuples(st.just("shell"), TEXTS),
)


def book_of(steps: list[tuple[str, str]]) -> SampleSession:
    builder = session("llm").user("Begin at the beginning").assistant("Yes.")
    for kind, text in steps:
        match kind:
            case "ask":
                builder.user(f"Please {text}").assistant("I will.")
            case "answer":
                builder.assistant(text)
            case "think":
                builder.thinking(text)
            case "run":
                builder.tool("Bash", {"command": text}, f"{text}\nend")
            case "compact":
                builder.compact(f"Summary: {text}").user("Go on").assistant("On it.")
            case _:
                builder.shell(text, stdout=text)
    return builder


@settings(max_examples=scale_examples(60))
@given(st.lists(STEPS, max_size=12), st.integers(1, 1_200))
def test_any_history_fits_any_budget_and_keeps_its_prompts(
    steps: list[tuple[str, str]], budget: int
) -> None:
    source = opened(book_of(steps))
    include = ExportOptions(for_llm=True, budget=budget)

    made = export_session(source, include)

    assert estimate_tokens(made.body.decode()) <= budget
    assert export_session(source, include).body == made.body
    # No fence is cut open: what would follow is a paragraph, and no code.
    tokens = READER.parse(f"{made.body.decode()}\n\nThe end")
    assert [token.content for token in tokens if token.type == "inline"][-1] == "The end"


UNITS = st.lists(
    st.builds(
        Unit,
        worth=st.sampled_from(list(UnitPriority)),
        text=TEXTS,
        who=st.sampled_from(["You", "Claude"]),
        code=st.booleans(),
    ),
    max_size=40,
)


@given(UNITS, st.integers(0, 3_000))
def test_all_prompts_are_there_if_they_fit_alone(units: list[Unit], room: int) -> None:
    prompts = [unit for unit in units if unit.worth is UnitPriority.ASKED]
    alone = [unit if unit.worth is UnitPriority.ASKED else None for unit in units]
    # Prompts with the notes between them, each note and heading at its longest.
    most = sum(len(render_unit(unit).encode()) + 256 for unit in prompts) + 256

    text, taken = fit_units(units, "# Head", room)

    assert len(text.encode()) <= room
    if most <= room:
        assert {n for n, unit in enumerate(alone) if unit is not None} <= taken


def test_a_large_budget_takes_everything() -> None:
    builder = session().user("Do it").thinking("Hm.").tool("Bash", {"command": "ls"}, "a.py\nb.py")
    source = opened(builder.assistant("Done."))

    made = export_session(source, ExportOptions(for_llm=True, budget=10_000))

    text = made.body.decode()
    assert made.left_out == ""
    for words in ("Do it", "Hm.", "- Bash ls", "a.py\nb.py", "Done."):
        assert words in text


def test_an_error_of_the_api_is_told_by_its_words_and_not_in_json() -> None:
    said = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
    source = opened(session().user("Do it").api_error(f"API Error: 529 {said}"))

    made = export_session(source, ExportOptions(for_llm=True, budget=10_000))

    text = made.body.decode()
    assert "API Error: 529 Overloaded" in text
    assert "overloaded_error" not in text


def test_answers_come_before_steps_and_steps_before_their_outputs() -> None:
    builder = session().user("Do it")
    for number in range(30):
        builder.tool("Bash", {"command": f"ls {number}"}, f"line {number}\n" * 200)
    source = opened(builder.assistant("All thirty were listed."))

    made = export_session(source, ExportOptions(for_llm=True, budget=600))

    text = made.body.decode()
    assert "All thirty were listed." in text
    assert "- Bash ls 29" in text
    assert "outputs" in made.left_out
    assert "[left out: " in text


def test_summaries_stand_for_what_they_replaced_where_it_is_tight() -> None:
    builder = session().user("First part")
    for _ in range(20):
        builder.assistant("A long answer of the first part. " * 20)
    builder.compact("Summary: the first part is done.").user("Second part").assistant("It is done.")

    text = export_session(opened(builder), ExportOptions(for_llm=True, budget=300)).body.decode()

    assert "Summary: the first part is done." in text
    assert "First part" in text
    assert "It is done." in text


def test_a_token_is_four_bytes() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("abcde") == 2
    assert estimate_tokens("žžžž") == 8 // BYTES_PER_TOKEN
