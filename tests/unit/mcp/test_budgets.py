"""Every answer fits into the tokens that were asked for, whatever is in it."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bough import library
from bough.library import Redactor
from bough.mcp.answers import Answerer
from bough.mcp.budgets import LEAST_BUDGET, Draft, fit_draft
from bough.mcp.protocol_server import INSTRUCTIONS, list_tools
from bough.mcp.quote_fences import Fence, Quote
from bough.mcp.scope import ProjectScope, ScopedHistory
from tests.mcp.reading import split_quotes
from tests.sampled import scale_examples

WORDS = st.text(max_size=40) | st.integers(0, 20_000).map(lambda size: "wörd <<<x>>> " * size)
ITEM = st.fixed_dictionaries(
    {"text": WORDS.map(Quote), "count": st.integers()},
    optional={"paths": st.lists(WORDS.map(lambda text: Quote(text, 160)), max_size=5)},
)


def fence() -> Fence:
    return Fence(Redactor(secrets=False))


@settings(max_examples=scale_examples(60))
@given(
    items=st.lists(ITEM, max_size=12),
    title=WORDS,
    budget=st.integers(LEAST_BUDGET, 8_000),
)
def test_an_answer_never_takes_more_than_its_budget(
    items: list[dict[str, Any]], title: str, budget: int
) -> None:
    draft = Draft({"title": Quote(title, 120)}, "items", items, lambda count: {"next": str(count)})
    text = fit_draft(draft, fence(), budget)

    assert library.estimate_tokens(text) <= budget
    split_quotes(text)
    document = json.loads(text.partition("\n")[2])
    shown = len(document.get("items", []))
    assert shown + document.get("left_out", 0) == len(items)
    if shown < len(items):
        assert document["next"] == str(shown)


def test_what_fits_is_not_cut() -> None:
    words = "word " * 100
    text = fit_draft(Draft({}, "items", [{"text": Quote(words)}]), fence(), 1_000)

    assert words.strip() in text
    assert "left out" not in text


def test_quotes_are_shortened_before_items_go() -> None:
    items = [{"text": Quote("word " * 1_000)} for _ in range(5)]
    text = fit_draft(Draft({}, "items", items), fence(), 600)

    document = json.loads(text.partition("\n")[2])
    assert len(document["items"]) == 5
    assert "characters left out)" in document["items"][0]["text"]


def describe_tools(profile: str) -> int:
    answerer = Answerer(ScopedHistory(ProjectScope(None)), profile)
    told = [tool.model_dump(mode="json", by_alias=True) for tool in list_tools(answerer)]
    words = [{k: v for k, v in tool.items() if v is not None} for tool in told]
    return library.estimate_tokens(json.dumps(words, separators=(",", ":")) + INSTRUCTIONS)


def test_descriptions_of_all_tools_take_1800_tokens_at_most() -> None:
    assert describe_tools("all") <= 1_800


def test_descriptions_of_the_memory_profile_take_700_tokens_at_most() -> None:
    assert describe_tools("memory") <= 700
