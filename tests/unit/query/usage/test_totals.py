from hypothesis import given
from hypothesis import strategies as st

from bough.model.usage.across_files import FileUsage, ReportedUsage, UsageEntry
from bough.model.usage.call_cost import compute_cost
from bough.model.usage.costs import NO_USAGE, Cost, UsageTotal
from bough.model.usage.price_list import PRICES, PriceList, apply_overrides, price_of
from bough.query.usage.totals import price_call, sum_by_key, token_counts_of

BOOK = FileUsage("a.jsonl", "-home", "a", ())

counts = st.integers(0, 400_000)
models = st.sampled_from(
    ["claude-opus-4-6", "claude-sonnet-4-5", "claude-haiku-5-5", "nobody-1", "us.claude-x"]
)


@st.composite
def calls(draw: st.DrawFn) -> ReportedUsage:
    hour, short = draw(counts), draw(counts)
    return ReportedUsage(
        0,
        "m",
        "r",
        draw(models),
        "2026-11-15T09:00:00.000Z",
        draw(counts),
        draw(counts),
        hour + short,
        draw(counts),
        hour,
        draw(st.integers(0, 3)),
        draw(st.sampled_from([None, "standard", "fast"])),
    )


ODD = apply_overrides({"claude-opus-4-6": {"input": 0.000001, "fast_multiplier": 1.37}})


def one_by_one(lines: list[ReportedUsage], prices: PriceList) -> int:
    priced = ((line, price_of(line.model, prices)) for line in lines)
    return sum(compute_cost(token_counts_of(line), price).total for line, price in priced if price)


@given(st.lists(calls(), max_size=8))
def test_a_sum_costs_exactly_what_its_calls_cost(lines: list[ReportedUsage]) -> None:
    entries: list[UsageEntry] = [(BOOK, line) for line in lines]

    for prices in (PRICES, ODD):
        found = sum_by_key(entries, lambda builder, _: builder.path, prices)
        total = sum((a for by_model in found.values() for a in by_model.values()), NO_USAGE)
        assert total.cost.picodollars == one_by_one(lines, prices)
        assert total.calls == len(lines)
        assert total.tokens == sum(line.total for line in lines)
        assert total == sum((price_call(line, prices) for line in lines), NO_USAGE)


@given(st.lists(st.tuples(calls(), st.sampled_from("abc")), max_size=8))
def test_every_call_is_under_one_key(marked: list[tuple[ReportedUsage, str]]) -> None:
    keys = iter([key for _, key in marked])

    found = sum_by_key([(BOOK, line) for line, _ in marked], lambda _, __: next(keys), PRICES)

    assert {key: sum(a.calls for a in found[key].values()) for key in found} == {
        key: sum(1 for _, other in marked if other == key) for _, key in marked
    }


def test_a_model_without_a_price_costs_nothing_and_says_so() -> None:
    line = ReportedUsage(0, "m", "r", "nobody-1", None, 5, 6)

    assert price_call(line, PRICES) == UsageTotal(
        1, 5, 6, cost=Cost(0, frozenset({"nobody-1"})), unpriced_calls=1
    )
    assert price_call(line, PRICES).usd is None


def test_a_model_without_a_price_that_used_nothing_is_no_question() -> None:
    line = ReportedUsage(0, "m", "r", "nobody-1", None)

    assert price_call(line, PRICES).cost.is_complete


def test_a_web_search_without_a_fee_makes_a_cost_incomplete() -> None:
    line = ReportedUsage(0, "m", "r", "claude-haiku-4-5", None, 5, web_searches=1)

    found = price_call(line, PRICES)

    assert (found.cost.picodollars, found.unpriced_calls) == (5_000_000, 0)
    assert found.cost.unpriced_models == ["claude-haiku-4-5"]


def test_money_is_a_float_only_where_it_is_shown() -> None:
    amount = price_call(ReportedUsage(0, "m", "r", "claude-opus-4-6", None, 1_000_000), PRICES)

    assert isinstance(amount.cost.picodollars, int)
    assert amount.usd == 5.0
