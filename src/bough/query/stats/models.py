"""Models: how often each answered. What that cost is the ledger's business."""

from collections.abc import Iterable

from msgspec import Struct

from bough.query.stats.percentiles import later
from bough.store.stats_protocol import Answer, Behaviour, Scope


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


def model_report(behaviour: Behaviour, scope: Scope) -> ModelReport:
    """Count the answers of each model."""
    return count_models(behaviour.answers(scope))


def count_models(answers: Iterable[Answer]) -> ModelReport:
    """Add answers up by model."""
    found: dict[str, list[Answer]] = {}
    for answer in answers:
        found.setdefault(answer.model, []).append(answer)
    rows = sorted(
        (_row(model, given) for model, given in found.items()),
        key=lambda row: (-row.answers, row.model),
    )
    everywhere = {answer.session for given in found.values() for answer in given}
    totals = ModelTotals(
        sum(row.answers for row in rows), sum(row.agent_answers for row in rows), len(everywhere)
    )
    return ModelReport(rows, totals)


def _row(model: str, answers: list[Answer]) -> ModelRow:
    first: str | None = None
    last: str | None = None
    for answer in answers:
        last = later(last, answer.timestamp)
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
