"""Models: how often each answered. What that cost is the ledger's business."""

from collections.abc import Iterable

from msgspec import Struct

from bough.query.stats.percentiles import later_of
from bough.store.stats_protocol import IndexedAnswer, StatsScope, StatsSource


class ModelRow(Struct, frozen=True):
    """One model: its answers, how many of them were an agent's, and in how many sessions."""

    model: str
    answers: int
    agent_answers: int
    sessions: int
    first: str | None
    last: str | None


class ModelTotals(Struct, frozen=True):
    """All models together."""

    answers: int
    agent_answers: int
    sessions: int


class ModelReport(Struct, frozen=True):
    """Models, those that answered most first."""

    rows: list[ModelRow]
    totals: ModelTotals


def model_report(behaviour: StatsSource, scope: StatsScope) -> ModelReport:
    """Count the answers of each model."""
    return count_models(behaviour.answers(scope))


def count_models(answers: Iterable[IndexedAnswer]) -> ModelReport:
    """Add answers up by model."""
    found: dict[str, list[IndexedAnswer]] = {}
    for answer in answers:
        found.setdefault(answer.model, []).append(answer)
    rows = sorted(
        (_model_row(model, given) for model, given in found.items()),
        key=lambda row: (-row.answers, row.model),
    )
    everywhere = {answer.session for given in found.values() for answer in given}
    totals = ModelTotals(
        sum(row.answers for row in rows), sum(row.agent_answers for row in rows), len(everywhere)
    )
    return ModelReport(rows, totals)


def _model_row(model: str, answers: list[IndexedAnswer]) -> ModelRow:
    first: str | None = None
    last: str | None = None
    for answer in answers:
        last = later_of(last, answer.timestamp)
        if answer.timestamp is not None and answer.timestamp < (first or "~"):
            first = answer.timestamp
    return ModelRow(
        model,
        len(answers),
        sum(answer.agent for answer in answers),
        len({answer.session for answer in answers}),
        first,
        last,
    )
