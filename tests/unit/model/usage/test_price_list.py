import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.usage.price_list import YOURS, apply_overrides, price_of
from bough.model.usage.published_prices import ALIASES, AS_OF, PUBLISHED, PriceTier, rates


def model_of(name: str) -> str | None:
    price = price_of(name)
    return price.model if price else None


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_name_has_its_own_price(name: str) -> None:
    assert price_of(name) == PUBLISHED[name]


@pytest.mark.parametrize("target", ALIASES.values())
def test_every_alias_leads_to_a_price(target: str) -> None:
    assert target in PUBLISHED


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("claude-opus-4-1", "claude-opus-4-1-20250805"),
        ("claude-3-7-sonnet-latest", "claude-3-7-sonnet-20250219"),
        ("claude-opus-4-8-20260528", "claude-opus-4-8"),
        ("claude-sonnet-4-5[1m]", "claude-sonnet-4-5"),
        ("CLAUDE-OPUS-5", "claude-opus-5"),
        ("anthropic/claude-opus-4.5", "claude-opus-4-5"),
        ("openrouter/anthropic/claude-3.5-sonnet", "claude-3-5-sonnet-20241022"),
        ("anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4-20250514"),
        ("global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6-v1"),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1-20250805"),
        ("bedrock/us-east-1/anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6"),
        (
            "arn:aws:bedrock:us-east-1:1:inference-profile/anthropic.claude-opus-4-5-20251101-v1:0",
            "claude-opus-4-5-20251101",
        ),
        ("claude-opus-4-1@20250805", "claude-opus-4-1-20250805"),
        ("claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet-20241022"),
        ("vertex_ai/claude-opus-5@default", "claude-opus-5"),
    ],
)
def test_a_providers_name_leads_to_the_model(name: str, model: str) -> None:
    assert model_of(name) == model


@pytest.mark.parametrize(
    "name",
    [
        "",
        "<synthetic>",
        "sonnet",
        "opus",
        "claude",
        "claude-opus",
        "claude-opus-4-9",
        "claude-opus-6",
        "claude-opus-4-6-thinking",
        "my-claude-opus-4-6",
        "someone/claude-opus-4-6",
        "deepseek-v4-pro",
        "minimax/minimax-m2.5-20260211",
    ],
)
def test_no_price_is_guessed(name: str) -> None:
    assert price_of(name) is None


@given(st.text())
def test_any_name_is_looked_up(name: str) -> None:
    price = price_of(name)

    assert price is None or price.model in PUBLISHED


def test_a_profile_of_one_region_costs_a_tenth_more() -> None:
    price = price_of("eu.anthropic.claude-sonnet-4-5-20250929-v1:0")

    assert price is not None
    assert price.rates == rates(3.3, 16.5)
    assert price.tier == PriceTier(200_000, rates(6.6, 24.75))


def test_older_models_cost_the_same_in_every_region() -> None:
    price = price_of("us.anthropic.claude-sonnet-4-20250514-v1:0")

    assert price == PUBLISHED["claude-sonnet-4-20250514"]


def test_a_new_model_needs_two_rates_and_follows_the_rule() -> None:
    prices = apply_overrides({"claude-lab-9": {"input": 2, "output": 8}})

    price = price_of("claude-lab-9", prices)

    assert price is not None
    assert price.rates == rates(2, 8)
    assert (price.fast_percent, price.web_search, price.as_of) == (None, None, YOURS)


def test_an_override_keeps_what_it_does_not_name() -> None:
    prices = apply_overrides({"claude-opus-5": {"cache_read": 0.25, "fast_multiplier": 1.5}})

    price = price_of("claude-opus-5", prices)

    assert price is not None
    assert price.rates == rates(5, 25, read=0.25)
    assert price.fast_percent == 150
    assert price.web_search == PUBLISHED["claude-opus-5"].web_search


def test_an_override_holds_for_every_name_of_the_model() -> None:
    prices = apply_overrides({"claude-opus-4-5": {"input": 1, "output": 2}})

    names = ("us.anthropic.claude-opus-4-5-20251101-v1:0", "anthropic/claude-opus-4.5")
    found = [price_of(name, prices) for name in names]

    assert [price and price.as_of for price in found] == [YOURS, YOURS]


def test_an_override_takes_a_long_context_and_a_fee() -> None:
    prices = apply_overrides(
        {
            "claude-lab-9": {
                "input": 1,
                "output": 5,
                "web_search_per_1000": 14,
                "above_100k": {"input": 2, "output": 10},
            }
        }
    )

    price = price_of("claude-lab-9", prices)

    assert price is not None
    assert price.tier == PriceTier(100_000, rates(2, 10))
    assert price.web_search == 14 * 10**9


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"input": 1}, "The price of m wants at least input and output."),
        ({"input": "1", "output": 2}, "The price of m wants a number for input."),
        ({"input": True, "output": 2}, "The price of m wants a number for input."),
        ({"input": -1, "output": 2}, "The price of m wants input to be 0 or more."),
        ({"input": float("nan"), "output": 2}, "The price of m wants input to be 0 or more."),
        ({"inpt": 1}, 'The price of m takes no "inpt".'),
        (
            {"input": 1, "output": 2, "above_200k": 3},
            "The price of m wants rates for above_200k, as input and output.",
        ),
        (
            {"input": 1, "output": 2, "above_200k": {"input": 3}},
            "The price of m above_200k wants at least input and output.",
        ),
    ],
)
def test_an_override_without_sense_is_left_out_and_said(
    override: dict[str, object], message: str
) -> None:
    prices = apply_overrides({"m": override, "n": {"input": 1, "output": 2}})

    assert prices.yours.keys() == {"n"}
    assert [problem.startswith(message) for problem in prices.problems] == [True]


def test_published_prices_have_a_date() -> None:
    assert {price.as_of for price in PUBLISHED.values()} == {AS_OF}
