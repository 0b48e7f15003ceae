import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.usage.call_cost import CallCost, LongContextPricing, TokenCounts, compute_cost
from bough.model.usage.costs import usd
from bough.model.usage.price_list import price_of
from bough.model.usage.published_prices import PUBLISHED, ModelPrice, rates

MILLION = 1_000_000


def price(model: str) -> ModelPrice:
    found = price_of(model)
    assert found is not None
    return found


def dollars(model: str, used: TokenCounts, **rule: LongContextPricing) -> float:
    return usd(compute_cost(used, price(model), **rule).total)


counts = st.integers(0, 2_000_000)
used = st.builds(TokenCounts, counts, counts, counts, counts, counts, counts, st.booleans())
published = st.sampled_from(sorted(PUBLISHED)).map(price)


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        (TokenCounts(input=MILLION), 5.0),
        (TokenCounts(output=MILLION), 25.0),
        (TokenCounts(cache_write_5m=MILLION), 6.25),
        (TokenCounts(cache_write_1h=MILLION), 10.0),
        (TokenCounts(cache_read=MILLION), 0.5),
        (TokenCounts(web_searches=1000), 10.0),
        (TokenCounts(), 0.0),
        (TokenCounts(1, 1, 1, 1, 1, 1), 0.01004675),
    ],
)
def test_each_class_has_its_rate(used: TokenCounts, expected: float) -> None:
    assert dollars("claude-opus-4-6", used) == expected


def test_an_hour_of_cache_costs_twice_the_input_where_nothing_was_published() -> None:
    assert dollars("claude-opus-4-1-20250805", TokenCounts(cache_write_1h=MILLION)) == 30.0


@pytest.mark.parametrize(
    ("model", "times"), [("claude-opus-4-6", 6), ("claude-opus-4-8", 2), ("claude-opus-5", 2)]
)
def test_fast_mode_multiplies_every_class(model: str, times: int) -> None:
    plain = TokenCounts(1, 20, 300, 4_000, 50_000)
    fast = TokenCounts(1, 20, 300, 4_000, 50_000, fast=True)

    assert compute_cost(fast, price(model)).total == times * compute_cost(plain, price(model)).total


def test_fast_mode_leaves_the_fee_of_a_search_alone() -> None:
    searched = TokenCounts(web_searches=1, fast=True)

    assert dollars("claude-opus-5", searched) == 0.01


def test_what_has_no_known_price_makes_a_cost_incomplete() -> None:
    haiku = price("claude-haiku-4-5")

    assert compute_cost(TokenCounts(input=5), haiku).complete
    assert compute_cost(TokenCounts(input=5, web_searches=1), haiku) == CallCost(
        5_000_000, complete=False
    )
    assert compute_cost(TokenCounts(input=5, fast=True), haiku) == CallCost(
        5_000_000, complete=False
    )


@pytest.mark.parametrize(
    ("used", "marginal", "whole"),
    [
        (TokenCounts(input=200_000), 0.6, 0.6),
        (TokenCounts(input=300_000), 0.6 + 0.6, 1.8),
        (TokenCounts(cache_read=300_000), 0.06 + 0.06, 0.18),
        (TokenCounts(input=150_000, cache_read=150_000), 0.45 + 0.045, 0.9 + 0.09),
        (TokenCounts(cache_write_1h=300_000), 1.2 + 1.2, 3.6),
        (TokenCounts(input=100, output=300_000), 0.0003 + 3.0 + 2.25, 0.0003 + 4.5),
    ],
)
def test_a_long_context_is_priced_by_the_named_rule(
    used: TokenCounts, marginal: float, whole: float
) -> None:
    sonnet = price("claude-sonnet-4-20250514")

    by_class = compute_cost(used, sonnet, LongContextPricing.MARGINAL)
    by_call = compute_cost(used, sonnet, LongContextPricing.WHOLE_CALL)

    assert usd(by_class.total) == pytest.approx(marginal)
    assert usd(by_call.total) == pytest.approx(whole)


def test_the_limit_of_a_long_context_is_the_models_own() -> None:
    assert dollars("claude-haiku-5-5", TokenCounts(input=150_000)) == 0.01 + 0.025


def test_a_model_without_long_rates_costs_the_same_at_any_length() -> None:
    used = TokenCounts(cache_read=900_000)

    assert dollars("claude-opus-5", used, long_context=LongContextPricing.WHOLE_CALL) == 0.45
    assert dollars("claude-opus-5", used) == 0.45


# Measured with `ccusage claude daily --json --offline`, version 20.0.24, one call a day.
CCUSAGE = [
    ("claude-opus-4-8", TokenCounts(1234, 5678, 0, 91011, 121314, fast=True), 2.237774),
    ("claude-sonnet-4-5", TokenCounts(7, 210_000, 0, 205_000, 450_000), 4.695021),
    ("claude-fable-5-1", TokenCounts(10, 20, 30, 40, 50), 0.0022875),
    ("claude-opus-4-1-20250805", TokenCounts(3, 999, 1_000_000, 0, 0), 18.82497),
    ("claude-opus-4-6", TokenCounts(1000, 2000, 3000, 4000, 500_000, fast=True), 2.1825),
]


@pytest.mark.parametrize(("model", "used", "theirs"), CCUSAGE)
def test_tokens_cost_what_ccusage_says(model: str, used: TokenCounts, theirs: float) -> None:
    assert dollars(model, used) == pytest.approx(theirs, abs=1e-12)


@given(st.lists(used, max_size=5), published)
def test_costs_add_up_exactly_in_any_order(calls: list[TokenCounts], price: ModelPrice) -> None:
    costs = [compute_cost(call, price) for call in calls]

    forth = sum(costs, CallCost())
    back = sum(reversed(costs), CallCost())

    assert forth == back
    assert forth.total == sum(one.total for one in costs)
    assert forth.total == forth.tokens + forth.web_search


@given(used, published)
def test_the_whole_call_never_costs_less_for_its_prompt(
    used: TokenCounts, price: ModelPrice
) -> None:
    by_class = compute_cost(used, price, LongContextPricing.MARGINAL)
    by_call = compute_cost(used, price, LongContextPricing.WHOLE_CALL)

    assert by_call.tokens - by_call.output >= by_class.tokens - by_class.output
    assert by_call.web_search == by_class.web_search


def test_rates_not_published_follow_the_general_rule() -> None:
    assert rates(4, 20) == rates(4, 20, read=0.4, write_5m=5, write_1h=8)
